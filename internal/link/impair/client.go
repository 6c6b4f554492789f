package impair

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

const (
	maxClients  = 64
	clientIdle  = 2 * time.Minute
	maxInFlight = 1 << 16 // datagrams
	readRoom    = 4 << 20
)

// client is a sender that talks to the relay, with a socket that the target sees.
type client struct {
	addr netip.AddrPort
	conn *net.UDPConn
	line [2]Line
	dice [2]*Dice
	used time.Time

	serial uint64 // from 0 on
}

// roll begins the client's chances anew.
func (c *client) roll(seed uint64) {
	c.line = [2]Line{}
	c.dice = [2]*Dice{NewDice(seed, 2*c.serial), NewDice(seed, 2*c.serial+1)}
}

// client finds or makes the client at addr; nil when there are too many.
func (r *Relay) client(addr netip.AddrPort, now time.Time) *client {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.clients[addr]; c != nil {
		c.used = now
		return c
	}
	if r.closed || !r.makeRoom(now) {
		r.count[ToTarget].Refused++
		return nil
	}
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(r.target))
	if err != nil {
		r.count[ToTarget].Refused++
		return nil
	}
	_ = conn.SetReadBuffer(readRoom)
	c := &client{addr: addr, conn: conn, used: now, serial: r.serial}
	c.roll(r.seed)
	r.serial++
	r.clients[addr] = c
	r.wg.Go(func() {
		read(conn, func(data []byte, _ netip.AddrPort, now time.Time) { r.relay(c, ToClient, data, now) })
	})
	return c
}

// makeRoom lets go of idle clients when there are too many.
func (r *Relay) makeRoom(now time.Time) bool {
	if len(r.clients) < maxClients {
		return true
	}
	for addr, c := range r.clients {
		if now.Sub(c.used) > clientIdle {
			_ = c.conn.Close()
			delete(r.clients, addr)
		}
	}
	return len(r.clients) < maxClients
}

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
