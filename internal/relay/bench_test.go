package relay

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"
)

// BenchmarkDelay sends datagrams of an input's size to and fro between two sockets of the
// loopback, 60 a second: by a relay, and by a bare echo of the same shape (one program in
// the middle that only passes on) in the same run.
func BenchmarkDelay(b *testing.B) {
	b.Run("relay", func(b *testing.B) {
		conn := listen(b)
		ctx, cancel := context.WithCancel(b.Context())
		over := make(chan error, 1)
		go func() { _, err := Serve(ctx, conn, Limits{}); over <- err }()
		defer func() { cancel(); <-over }()
		at := addrOf(conn)
		one, two := listen(b), listen(b)
		enter(b, one, at, Mailbox{1})
		enter(b, two, at, Mailbox{2})
		post := func(to Mailbox) []byte {
			return message{kind: kindPost, mailbox: to, body: make([]byte, 100)}.append(nil)
		}
		measure(b, one, two, at, post(Mailbox{2}), post(Mailbox{1}))
	})
	b.Run("echo", func(b *testing.B) {
		conn, one, two := listen(b), listen(b), listen(b)
		go func() {
			buf := make([]byte, MaxDatagram)
			for {
				n, from, err := conn.ReadFromUDPAddrPort(buf)
				if err != nil {
					return
				}
				to := addrOf(one)
				if from == to {
					to = addrOf(two)
				}
				_, _ = conn.WriteToUDPAddrPort(buf[:n], to)
			}
		}()
		measure(b, one, two, addrOf(conn), make([]byte, 100+HeaderSize), make([]byte, 100+HeaderSize))
	})
}

func listen(b *testing.B) *net.UDPConn {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return c
}

func addrOf(c *net.UDPConn) netip.AddrPort { return c.LocalAddr().(*net.UDPAddr).AddrPort() }

// enter holds a mailbox.
func enter(b *testing.B, c *net.UDPConn, relay netip.AddrPort, box Mailbox) {
	claim := message{kind: kindClaim, mailbox: box}
	buf := make([]byte, MaxDatagram)
	for {
		_, _ = c.WriteToUDPAddrPort(claim.append(nil), relay)
		n, err := c.Read(buf)
		if err != nil {
			b.Fatal(err)
		}
		m, err := decode(buf[:n])
		switch {
		case err != nil:
			b.Fatal(err)
		case m.kind == kindHeld:
			return
		}
		claim.cookie = m.cookie
	}
}

// measure has two send a datagram back for each of one's.
func measure(b *testing.B, one, two *net.UDPConn, by netip.AddrPort, there, back []byte) {
	go func() {
		buf := make([]byte, MaxDatagram)
		for {
			if _, err := two.Read(buf); err != nil {
				return
			}
			_, _ = two.WriteToUDPAddrPort(back, by)
		}
	}()
	var trips []time.Duration
	buf := make([]byte, MaxDatagram)
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
