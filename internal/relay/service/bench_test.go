package service

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// BenchmarkDelay sends datagrams of an input's size to and fro between two sockets of the
// loopback, 60 a second: by a relay, and by a bare echo of the same shape (one program in
// the middle that only passes on) in the same run.
func BenchmarkDelay(b *testing.B) {
	b.Run("relay", func(b *testing.B) {
		conn := listen(b)
		ctx, cancel := context.WithCancel(b.Context())
		over := make(chan error, 1)
		go func() { _, err := Run(ctx, Config{UDP: conn}); over <- err }()
		defer func() { cancel(); <-over }()
		at := portOf(conn)
		one, two := listen(b), listen(b)
		first, second := enter(b, one, at, relay.Mailbox{1}), enter(b, two, at, relay.Mailbox{2})
		measure(b, one, two, at, post(first, relay.Mailbox{2}), post(second, relay.Mailbox{1}))
	})
	b.Run("echo", func(b *testing.B) {
		conn, one, two := listen(b), listen(b), listen(b)
		go func() {
			buf := make([]byte, relay.MaxDatagram)
			for {
				n, from, err := conn.ReadFromUDPAddrPort(buf)
				if err != nil {
					return
				}
				to := portOf(one)
				if from == to {
					to = portOf(two)
				}
				_, _ = conn.WriteToUDPAddrPort(buf[:n], to)
			}
		}()
		measure(b, one, two, portOf(conn), make([]byte, 100+relay.HeaderSize), make([]byte, 100+relay.HeaderSize))
	})
}

func listen(b testing.TB) *net.UDPConn {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(b, err)
	b.Cleanup(func() { c.Close() })
	return c
}

func portOf(c *net.UDPConn) netip.AddrPort { return c.LocalAddr().(*net.UDPAddr).AddrPort() }

// enter holds a mailbox.
func enter(b testing.TB, c *net.UDPConn, at netip.AddrPort, box relay.Mailbox) *relay.Client {
	client := relay.NewClient(box, func(string) relay.Owner { return relay.Owner(append(box[:], 0, 0, 0, 0)) })
	n, _ := client.Use("relay")
	client.Resolved(n, []netip.AddrPort{at})
	buf := make([]byte, relay.MaxDatagram)
	for !client.Status()[0].Held {
		list, wait := client.Due(time.Now())
		for _, d := range list {
			_, _ = c.WriteToUDPAddrPort(d.Bytes, d.To)
		}
		_ = c.SetReadDeadline(time.Now().Add(wait))
		for size, err := c.Read(buf); err == nil; size, err = c.Read(buf) {
			if _, _, answer := client.Unwrap(buf[:size], at, time.Now()); answer != nil {
				_, _ = c.WriteToUDPAddrPort(answer, at)
			}
			if client.Status()[0].Held {
				break
			}
		}
	}
	_ = c.SetReadDeadline(time.Time{})
	return client
}

// post is a datagram for a mailbox.
func post(from *relay.Client, to relay.Mailbox) []byte {
	d, _ := from.Wrap(to.At(1), make([]byte, 100))
	return d.Bytes
}

// measure has two send a datagram back for each of one's.
func measure(b *testing.B, one, two *net.UDPConn, by netip.AddrPort, there, back []byte) {
	go func() {
		buf := make([]byte, relay.MaxDatagram)
		for {
			if _, err := two.Read(buf); err != nil {
				return
			}
			_, _ = two.WriteToUDPAddrPort(back, by)
		}
	}()
	var trips []time.Duration
	buf := make([]byte, relay.MaxDatagram)
	tick := time.NewTicker(time.Second / 60)
	defer tick.Stop()
	for b.Loop() {
		<-tick.C
		began := time.Now()
		_, _ = one.WriteToUDPAddrPort(there, by)
		if _, err := one.Read(buf); err != nil {
			b.Fatal(err)
		}
		trips = append(trips, time.Since(began))
	}
	slices.Sort(trips)
	b.ReportMetric(float64(trips[len(trips)/2].Microseconds())/2, "us-each-way-p50")
	b.ReportMetric(float64(trips[len(trips)*99/100].Microseconds())/2, "us-each-way-p99")
}
