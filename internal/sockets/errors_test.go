package sockets

import (
	"net"
	"testing"
)

// TestPorts: what the system says of a port that is taken, and of one that nobody has.
func TestPorts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	if second, err := net.Listen("tcp", at); err == nil {
		second.Close()
		t.Error("a port was given twice")
	} else if !AddressInUse(err) || Refused(err) || Unreachable(err) {
		t.Errorf("a taken port: %v", err)
	}
	l.Close()
	if c, err := net.Dial("tcp", at); err == nil {
		c.Close()
		t.Error("nobody's port answers")
	} else if !Refused(err) || AddressInUse(err) {
		t.Errorf("nobody's port: %v", err)
	}
}
