package main

import (
	"encoding/binary"
	"net"
	"os"
	"slices"
	"testing"
)

// TestServeSTUN is a STUN server for the lab, which starts this test in a process.
func TestServeSTUN(t *testing.T) {
	if !slices.Contains(os.Args, "^TestServeSTUN$") {
		t.Skip("it serves until it is killed")
	}
	conn, err := net.ListenPacket("udp4", stunAt)
	if err != nil {
		t.Skip(err)
	}
	b := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(b)
		if err != nil {
			return
		}
		if n < 20 {
			continue
		}
		at := from.(*net.UDPAddr).AddrPort()
		ip := at.Addr().Unmap().As4()
		out := append([]byte{1, 1, 0, 12}, b[4:20]...)
		out = binary.BigEndian.AppendUint16(append(out, 0, 0x20, 0, 8, 0, 1), at.Port()^0x2112)
		for i, mask := range []byte{0x21, 0x12, 0xA4, 0x42} {
			out = append(out, ip[i]^mask)
		}
		_, _ = conn.WriteTo(out, from)
	}
}
