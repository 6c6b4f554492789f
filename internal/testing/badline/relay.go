// Package badline puts a bad line between real sockets: a relay of UDP datagrams that does to each what package impair says.
// Kernels often lack the module that would (sch_netem), and it needs root; this needs neither.
package badline

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/testing/agenda"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// Blackout is a time in which nothing passes, in either direction. Datagrams that
// were on their way before still arrive.
type Blackout struct {
	Start  time.Duration // after the relay's start
	Length time.Duration
}

// Config is a relay from Listen to Target. The impairment is the same in both
// directions until SetOne says otherwise.
type Config struct {
	Listen string // "host:port" to listen on, port 0 for any; "" for 127.0.0.1:0
	Target string // "host:port" that clients are relayed to
	Seed   uint64 // of all chances; each client and direction has dice of its own

	impair.Impairment
	Blackouts []Blackout
}

// Count counts the datagrams of one direction.
type Count struct {
	Received, Bytes int64 // that came to the relay
	Forwarded       int64 // that left it, copies included
	Lost            int64 // by chance, also in bursts
	QueueFull       int64 // dropped because the line was full
	TooLarge        int64
	BlackedOut      int64
	Duplicated      int64
	Reordered       int64
	Refused         int64 // too many clients, or too much on its way
}

// Relay passes datagrams between clients and a target over a bad line.
type Relay struct {
	conn   *net.UDPConn
	target *net.UDPAddr
	seed   uint64
	began  time.Time
	agenda *agenda.Agenda // of the datagrams on their way
	wg     sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	imp     [2]impair.Impairment
	dark    []Blackout
	clients map[netip.AddrPort]*client
	serial  uint64 // of the next client
	count   [2]Count
	flying  int // datagrams on their way
}

// Start opens a relay; it works until Close.
func Start(cfg Config) (*Relay, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("start relay: %w", err)
	}
	if cfg.Listen == "" {
		cfg.Listen = "127.0.0.1:0"
	}
	target, err := net.ResolveUDPAddr("udp4", cfg.Target)
	if err == nil && (target == nil || target.Port == 0) {
		err = errors.New("want HOST:PORT")
	}
	if err != nil {
		return nil, fmt.Errorf("start relay to %q: %w", cfg.Target, err)
	}
	listener, err := net.ListenPacket("udp4", cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("start relay on %q: %w", cfg.Listen, err)
	}
	conn := listener.(*net.UDPConn)
	_ = conn.SetReadBuffer(readRoom)
	r := &Relay{
		conn: conn, target: target, seed: cfg.Seed, began: time.Now(),
		agenda: agenda.New(nil), imp: [2]impair.Impairment{cfg.Impairment, cfg.Impairment}, dark: slices.Clone(cfg.Blackouts),
		clients: map[netip.AddrPort]*client{},
	}
	r.wg.Go(func() {
		read(conn, func(data []byte, from netip.AddrPort, now time.Time) {
			if c := r.client(from, now); c != nil {
				r.relay(c, ToTarget, data, now)
			}
		})
	})
	return r, nil
}

// Addr is where clients connect to, "host:port".
func (r *Relay) Addr() string { return r.conn.LocalAddr().String() }

// Set changes the line in both directions, for what comes from now on.
func (r *Relay) Set(imp impair.Impairment) error {
	return errors.Join(r.SetOne(ToTarget, imp), r.SetOne(ToClient, imp))
}

// SetOne changes one direction.
func (r *Relay) SetOne(d Direction, imp impair.Impairment) error {
	if err := imp.Validate(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.imp[d] = imp
	return nil
}

// Blackout lets nothing pass from now on for d.
func (r *Relay) Blackout(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dark = append(r.dark, Blackout{Start: time.Since(r.began), Length: d})
}

// Rebind gives all clients new sockets, as a router does that has forgotten them: the
// target sees them at other addresses from now on, and what it sends to the old ones
// is lost.
func (r *Relay) Rebind() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for addr, c := range r.clients {
		_ = c.conn.Close()
		delete(r.clients, addr)
	}
}

// Reseed begins the chances of all clients' lines anew, as if their first datagrams came now: the
// first client that came has seed's own. So a game can begin at the same place of them each time,
// however long it took to get there.
func (r *Relay) Reseed(seed uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seed = seed
	for _, c := range r.clients {
		c.roll(seed)
	}
}

// Count counts what happened so far in one direction.
func (r *Relay) Count(d Direction) Count {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count[d]
}

// Close stops the relay and waits for its goroutines. Datagrams on their way are lost.
func (r *Relay) Close() error {
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		_ = r.conn.Close()
		for _, c := range r.clients {
			_ = c.conn.Close()
		}
	}
	r.mu.Unlock()
	r.wg.Wait()
	return nil
}
