package badline

import (
	"bytes"
	"errors"
	"net"
	"net/netip"
	"slices"
	"time"
)

// Direction of a datagram through a relay.
type Direction int

// The directions.
const (
	ToTarget Direction = iota
	ToClient
)

const maxInFlight = 1 << 16 // datagrams

// read takes what comes to a socket until that is closed.
func read(conn *net.UDPConn, take func(data []byte, from netip.AddrPort, now time.Time)) {
	buf := make([]byte, 1<<16)
	for {
		n, from, err := conn.ReadFromUDPAddrPort(buf)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err == nil: // else the target is not there just now
			take(buf[:n], from, time.Now())
		}
	}
}

// relay decides about one datagram.
func (r *Relay) relay(c *client, d Direction, data []byte, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	count := &r.count[d]
	count.Received++
	count.Bytes += int64(len(data))
	c.used = now
	if r.isDark(now) {
		count.BlackedOut++
		return
	}
	f := c.line[d].Send(now, len(data), r.imp[d], c.dice[d])
	count.Lost += one(f.Lost)
	count.QueueFull += one(f.Dropped)
	count.TooLarge += one(f.TooLarge)
	count.Reordered += one(f.Reordered)
	count.Duplicated += one(f.Copies > 1)
	for _, at := range f.At[:f.Copies] {
		if r.flying >= maxInFlight {
			count.Refused++
			continue
		}
		r.flying++
		data := bytes.Clone(data)
		r.agenda.Quiet(at, 0, func(time.Time) { r.forward(c, d, data) })
	}
}

// forward sends a datagram whose time has come.
func (r *Relay) forward(c *client, d Direction, data []byte) {
	r.mu.Lock()
	r.flying--
	closed := r.closed
	if !closed {
		r.count[d].Forwarded++
	}
	r.mu.Unlock()
	switch {
	case closed:
	case d == ToTarget:
		_, _ = c.conn.Write(data)
	default:
		_, _ = r.conn.WriteToUDPAddrPort(data, c.addr)
	}
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// isDark also forgets blackouts that are over.
func (r *Relay) isDark(now time.Time) bool {
	at := now.Sub(r.began)
	r.dark = slices.DeleteFunc(r.dark, func(b Blackout) bool { return at >= b.Start+b.Length })
	return slices.ContainsFunc(r.dark, func(b Blackout) bool { return at >= b.Start })
}
