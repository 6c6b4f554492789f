package main

import (
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link/pairs"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// player is one of two in a room that goes by relays. It deals with them by the product's own
// code: the relays' client and the candidate pairs. Words of players to each other begin with one of these.
type player struct {
	conn  *net.UDPConn
	box   relay.Mailbox
	other relay.Mailbox

	mu     sync.Mutex // guards what follows
	client *relay.Client
	set    *pairs.Set
	due    time.Time // when something of the client's is
	sent   uint32
	newest uint32
	heard  time.Time
	gap    time.Duration // the longest between two datagrams of the other one
}

const (
	saysProbe = iota
	saysProbed
	saysInput
)

const (
	inputRate = 60 // datagrams a second
	inputSize = 100
	lookEvery = 20 * time.Millisecond // after what is due
)

// crowd are the players of all rooms, and machines that publish without playing. Two neighbours are a room.
type crowd struct {
	t       *testing.T
	players []*player
	keys    []relay.Locator // of the listings
	watcher *relay.Client   // browses all relays
	jobs    sync.WaitGroup
	over    chan struct{}
}

// newCrowd opens rooms that know one relay each, in turns, and learn the others; and lone
// machines that use the last relay without learning.
func newCrowd(t *testing.T, rooms, lone int, names []string) *crowd {
	c := &crowd{t: t, over: make(chan struct{})}
	for i := range 2 * rooms {
		p := c.add(i, names[i/2%len(names)])
		p.set = pairs.New(p.other.At(1), i%2 == 0, relay.IsRelayed)
		p.set.Avoid(p.client.Leaving)
		if i%2 == 0 {
			c.publish(p)
		}
	}
	for i := range lone {
		c.publish(c.add(2*rooms+i, names[len(names)-1]))
	}
	c.watch(names)
	for _, p := range c.players {
		c.jobs.Go(func() { c.read(p) })
	}
	c.jobs.Go(c.keep)
	c.jobs.Go(c.play)
	t.Cleanup(func() {
		close(c.over)
		for _, p := range c.players {
			_ = p.conn.Close()
		}
		c.jobs.Wait()
	})
	return c
}

func (c *crowd) add(i int, name string) *player {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(c.t, err)
	p := &player{conn: conn, box: relay.Mailbox{1, byte(i >> 8), byte(i)}, other: relay.Mailbox{1, byte(i >> 8), byte(i ^ 1)}}
	p.client = relay.NewClient(p.box, func(string) relay.Owner { return relay.Owner(append(p.box[:], 0, 0, 0, 0)) })
	p.client.Use(name)
	p.client.Resolved(1, []netip.AddrPort{netip.MustParseAddrPort(name)})
	c.players = append(c.players, p)
	return p
}

func (c *crowd) publish(p *player) {
	public, private, err := ed25519.GenerateKey(nil)
	must.Succeed(c.t, err)
	key := relay.RoomKey(public)
	p.client.Put(relay.KindRoom, key, func(_ string, owner relay.Owner) []byte {
		return relay.Listing{Seats: 2, Free: 1, Room: fmt.Sprintf("%x", p.box[:3])}.Sign(private, owner, 1)
	})
	c.keys = append(c.keys, key)
}

func (p *player) write(d relay.Datagram) { _, _ = p.conn.WriteToUDPAddrPort(d.Bytes, d.To) }

// say sends the other player something, by a path. The caller holds mu.
func (p *player) say(what byte, number uint32, to netip.AddrPort, b []byte) {
	b[0] = what
	binary.BigEndian.PutUint32(b[1:], number)
	if d, ok := p.client.Wrap(to, b); ok {
		p.write(d)
	}
}

func (c *crowd) read(p *player) {
	b := make([]byte, relay.MaxDatagram)
	for {
		n, from, err := p.conn.ReadFromUDPAddrPort(b)
		if err != nil {
			select {
			case <-c.over:
				return
			default: // the system tells that a relay is dead
				continue
			}
		}
		body, at, answer := p.client.Unwrap(b[:n], from, time.Now())
		if answer != nil {
			p.write(relay.Datagram{To: from, Bytes: answer})
		}
		p.mu.Lock()
		p.due = time.Time{}
		if len(body) >= 5 && p.set != nil {
			p.hear(body[0], binary.BigEndian.Uint32(body[1:]), at, time.Now())
		}
		p.mu.Unlock()
	}
}

func (p *player) hear(what byte, number uint32, at netip.AddrPort, now time.Time) {
	newest := what == saysInput && number > p.newest
	p.set.Heard(at, newest, what != saysInput, now)
	switch {
	case what == saysProbe:
		p.say(saysProbed, number, at, make([]byte, 5))
	case what == saysProbed:
		p.set.Answered(number, now)
	case newest:
		if !p.heard.IsZero() {
			p.gap = max(p.gap, now.Sub(p.heard))
		}
		p.newest, p.heard = number, now
	}
}

// keep keeps mailboxes and paths.
func (c *crowd) keep() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		for i, p := range c.players {
			p.mu.Lock()
			p.tend(i, time.Now())
			p.mu.Unlock()
		}
		select {
		case <-tick.C:
		case <-c.over:
			return
		}
	}
}

func (p *player) tend(i int, now time.Time) {
	if !now.Before(p.due) {
		list, wait := p.client.Due(now)
		for _, d := range list {
			p.write(d)
		}
		p.due = now.Add(wait)
	}
	if p.set == nil {
		return
	}
	for _, name := range p.client.Learned() {
		p.client.Resolved(p.client.Number(name), []netip.AddrPort{netip.MustParseAddrPort(name)})
	}
	_, by := relay.MailboxOf(p.set.Current())
	if i%2 == 0 {
		for _, n := range p.client.Together(by) {
			p.set.Offer(p.other.At(n))
		}
	}
	p.set.Decide(now)
	probes, _ := p.set.Due(now)
	for _, probe := range probes {
		p.say(saysProbe, probe.Seq, probe.To, make([]byte, 5))
	}
}

// play sends each player's inputs evenly over time.
func (c *crowd) play() {
	start, sent := time.Now(), 0
	b := make([]byte, inputSize)
	for {
		due := int(time.Since(start).Seconds() * float64(len(c.players)*inputRate))
		for ; sent < due; sent++ {
			p := c.players[sent%len(c.players)]
			p.mu.Lock()
			if p.set != nil {
				p.sent++
				p.say(saysInput, p.sent, p.set.Current(), b)
			}
			p.mu.Unlock()
		}
		select {
		case <-c.over:
			return
		case <-time.After(500 * time.Microsecond):
		}
	}
}

// ready reports whether all hold mailboxes at all relays and play.
func (c *crowd) ready(relays int) bool {
	for _, p := range c.players {
		held := 0
		for _, st := range p.client.Status() {
			if st.Held {
				held++
			}
		}
		p.mu.Lock()
		plays := p.set == nil || p.newest > 0 && held == relays
		p.mu.Unlock()
		if !plays || held == 0 {
			return false
		}
	}
	return true
}

// playSince reports whether all have heard the other one since then.
func (c *crowd) playSince(then time.Time) bool {
	for _, p := range c.players {
		p.mu.Lock()
		plays := p.set == nil || p.heard.After(then)
		p.mu.Unlock()
		if !plays {
			return false
		}
	}
	return true
}

// gaps are the longest of each room since the last call, sorted. A gap that still lasts counts.
func (c *crowd) gaps() (list []time.Duration) {
	for i, p := range c.players {
		p.mu.Lock()
		if p.set != nil {
			gap := max(p.gap, time.Since(p.heard))
			if p.gap = 0; i%2 == 0 {
				list = append(list, gap)
			} else {
				list[i/2] = max(list[i/2], gap)
			}
		}
		p.mu.Unlock()
	}
	slices.Sort(list)
	return list
}

// watch has one machine browse all relays.
func (c *crowd) watch(names []string) {
	c.watcher = c.add(len(c.players), names[0]).client
	c.watcher.Browse(true)
	for i, name := range names {
		c.watcher.Use(name)
		c.watcher.Resolved(i+1, []netip.AddrPort{netip.MustParseAddrPort(name)})
	}
}

// listed reports whether relays list all rooms, each once, and no other.
func (c *crowd) listed(names []string) bool {
	for _, k := range c.watcher.Catalogs() {
		if !slices.Contains(names, k.Name) {
			continue
		}
		there := map[relay.Locator]bool{}
		for _, e := range k.Rooms {
			there[e.Key] = true
		}
		for _, key := range c.keys {
			if !there[key] {
				return false
			}
		}
		if !k.Told || len(k.Rooms) != len(c.keys) {
			return false
		}
	}
	return true
}
