//go:build unix

package udp

import (
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// Another program on this machine can reach ENet's loopback port, but not get in.
func TestLocalProgramsStayOutside(t *testing.T) {
	host, client, toClient, toHost := enetPair(t, Config{})
	s, err := host.session(toClient)
	must.Succeed(t, err)
	at, err := unix.Getpeername(int(s.carrier.socket))
	must.Succeed(t, err)
	port := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: at.(*unix.SockaddrInet4).Port}
	spy := testCarrier(t, true)
	in := loopback(t)
	b := make([]byte, 2000)
	for range 200 { // the spy's ENet talks to the host's through in
		spy.service(0, func([]byte) {})
		for n := spy.drain(b); n > 0; n = spy.drain(b) {
			_, _ = in.WriteToUDP(b[:n], port)
		}
		_ = in.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
		if n, _, err := in.ReadFromUDP(b); err == nil {
			spy.feed(b[:n])
		}
		_ = client.Send(toHost, link.Input, nil) // has the host's ENet work
	}
	for len(host.Events()) > 0 {
		<-host.Events()
	}
	send(t, client, toHost, link.Control, "undisturbed")
	wantMessage(t, host, link.Control, "undisturbed")
	send(t, host, toClient, link.Control, "me too")
	wantMessage(t, client, link.Control, "me too")
}
