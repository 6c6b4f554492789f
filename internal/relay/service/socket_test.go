package service

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// A socket that answers each datagram reaches players of both kinds of address, with all the
// system's ways to write: in a batch, and at once.
func TestSocketAnswers(t *testing.T) {
	for _, c := range []struct{ name, network, at, from string }{
		{"IPv4 alone", "udp4", "127.0.0.1:0", "127.0.0.1"},
		{"IPv4 at both", "udp", "[::]:0", "127.0.0.1"},
		{"IPv6 at both", "udp", "[::]:0", "::1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			packet, err := net.ListenPacket(c.network, c.at)
			if err != nil {
				t.Skip("no such network here: ", err)
			}
			conn := packet.(*net.UDPConn)
			port := portOf(conn).Port()
			k, err := newSocket(conn)
			must.Succeed(t, err)
			over := make(chan error, 1)
			go func() {
				defer k.close()
				for {
					n, err := k.read()
					if err != nil {
						over <- err
						return
					}
					for i := range n {
						b, from := k.datagram(i)
						k.send(b, from)
						k.put(b, from)
					}
					k.flush()
				}
			}()
			at := net.UDPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(c.from), port))
			player, err := net.DialUDP("udp", nil, at)
			if err != nil {
				t.Skip("no such network here: ", err)
			}
			defer player.Close()
			_ = player.SetReadDeadline(time.Now().Add(10 * time.Second))
			for _, text := range []string{"one", "another one"} {
				_, err = player.Write([]byte(text))
				must.Succeed(t, err)
				for range 2 {
					b := make([]byte, 100)
					n, err := player.Read(b)
					must.Succeed(t, err)
					if string(b[:n]) != text {
						t.Fatalf("%q was answered by %q", text, b[:n])
					}
				}
			}
			k.interrupt()
			if err := <-over; !errors.Is(err, net.ErrClosed) {
				t.Fatal(err)
			}
			k.interrupt()
			k.close()
			k.send([]byte("late"), at.AddrPort()) // is nobody's any more
		})
	}
}

// Only where datagrams crowd does one wait for the next, and not where more than a call can read are waiting.
func TestPace(t *testing.T) {
	must.HaveLinux(t, "sleeps of less than a millisecond")
	now := time.Now()
	var p pace
	rate := func(perSecond int, span time.Duration) (waits int) {
		const step = 500 * time.Microsecond
		for at := time.Duration(0); at < span; at += step {
			now = now.Add(step)
			if p.wait(perSecond/2000, now) > 0 {
				waits++
			}
		}
		return waits
	}
	if n := rate(10_000, time.Second); n != 0 {
		t.Errorf("it waited %d times for 10,000 datagrams a second", n)
	}
	if n := rate(40_000, time.Second); n < 1900 {
		t.Errorf("it waited %d times for 40,000 datagrams a second", n)
	}
	rate(10_000, 3*span)
	if n := rate(10_000, time.Second); n != 0 {
		t.Errorf("it waited %d times after a crowd", n)
	}
	rate(40_000, 3*span)
	now = now.Add(time.Second) // nothing came
	if p.wait(1, now) > 0 {
		t.Error("it waited after a silence")
	}
	if atOnce > 1 && p.wait(atOnce, now) > 0 {
		t.Error("it waited while more were there")
	}
}
