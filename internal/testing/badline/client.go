package badline

import (
	"net"
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/testing/impair"
)

const (
	maxClients = 64
	clientIdle = 2 * time.Minute
	readRoom   = 4 << 20
)

// client is a sender that talks to the relay, with a socket that the target sees.
type client struct {
	addr netip.AddrPort
	conn *net.UDPConn
	line [2]impair.Line
	dice [2]*impair.Dice
	used time.Time

	serial uint64 // from 0 on
}

// roll begins the client's chances anew.
func (c *client) roll(seed uint64) {
	c.line = [2]impair.Line{}
	c.dice = [2]*impair.Dice{impair.NewDice(seed, 2*c.serial), impair.NewDice(seed, 2*c.serial+1)}
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
	conn, err := net.DialUDP("udp4", nil, r.target)
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
