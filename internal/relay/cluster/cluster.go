package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/nettplay/nettplay/internal/relay"
)

// Config says how a relay finds the others of its service.
type Config struct {
	URLs []string // of servers of NATS; the first that answers is used
	Name string   // "host:port", where machines reach this relay; "": it is nobody's sibling

	// Copies is on how many nodes of NATS the bucket is kept, at least 1.
	Copies int
	// Tell is told how it stands whenever that changes, in words without a secret; nil for nobody.
	Tell func(string)
}

// Index is a relay's, as far as it is shared; a service.Shared is one.
type Index interface {
	Hear(from relay.Origin, e relay.Entry) bool
	Changes() []relay.Entry
	Own(calls int) []relay.Entry
	SetSiblings(names []string)
	Leaving() bool
}

const (
	tick          = 250 * time.Millisecond // between announcements
	announceTicks = 24                     // until all has been said again: 6 s
	relayTicks    = 4                      // until the relay says again that it is there: 1 s

	connectWithin = 2 * time.Second
	heardAtOnce   = 16 << 10 // words that may wait to be looked at
)

// Cluster is a relay's part in a service.
type Cluster struct {
	cfg    Config
	origin relay.Origin

	mu    sync.Mutex // guards state
	state string

	// ---- Run's own
	index    Index
	siblings siblings
	told     []string // to the index
	turn     int
}

// New makes a relay's part. It has a number of its own, another one after each start.
func New(cfg Config) *Cluster {
	return &Cluster{cfg: cfg, origin: relay.Origin(rand.Uint64()), state: "standalone: NATS was not reached yet", siblings: siblings{}}
}

// Health tells the service's state in words. It may be called from any goroutine.
func (c *Cluster) Health() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

func (c *Cluster) is(state string) {
	c.mu.Lock()
	changed := c.state != state
	c.state = state
	c.mu.Unlock()
	if changed && c.cfg.Tell != nil {
		c.cfg.Tell(state)
	}
}

// Run shares an index with the other relays until ctx ends.
func (c *Cluster) Run(ctx context.Context, index Index) {
	c.index = index
	for {
		err := c.share(ctx)
		if ctx.Err() != nil {
			return
		}
		c.is("standalone: " + err.Error())
		index.Changes() // are all said again
		select {
		case <-time.After(connectAgain):
		case <-ctx.Done():
			return
		}
	}
}

// connect opens a connection, and tells the channel when it is gone.
func (c *Cluster) connect() (nc *nats.Conn, gone <-chan error, err error) {
	over := make(chan error, 1)
	options := []nats.Option{
		nats.Name("nettplay-relay"), nats.Timeout(connectWithin), nats.FlusherTimeout(connectWithin), nats.NoReconnect(),
		nats.PingInterval(time.Second), nats.MaxPingsOutstanding(2),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // what is lost is said again
		nats.ClosedHandler(func(nc *nats.Conn) {
			over <- errors.Join(errors.New("the connection to NATS is gone"), nc.LastError())
		}),
	}
	nc, err = nats.Connect(strings.Join(c.cfg.URLs, ","), options...)
	if err != nil {
		return nil, nil, fmt.Errorf("NATS does not answer: %w", err)
	}
	return nc, over, nil
}

// share shares over one connection, until that is gone or ctx ends.
func (c *Cluster) share(ctx context.Context) error {
	nc, gone, err := c.connect()
	if err != nil {
		return err
	}
	var jobs sync.WaitGroup
	defer jobs.Wait()
	defer nc.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	heard := make(chan *nats.Msg, heardAtOnce)
	if _, err := nc.ChanSubscribe(subject(">"), heard); err != nil {
		return fmt.Errorf("listen to the other relays: %w", err)
	}
	stored, bucket := make(chan jetstream.KeyValueEntry), make(chan error, 1)
	jobs.Go(func() { c.keepBucket(ctx, nc, stored, bucket) })
	for from, r := range c.siblings {
		r.heard = time.Now() // it could not be heard
		c.siblings[from] = r
	}
	kept := errors.New("its bucket is not there yet")
	every := time.NewTicker(tick)
	defer every.Stop()
	for {
		select {
		case m := <-heard:
			c.hear(strings.TrimPrefix(m.Subject, subject("")), m.Data)
		case e := <-stored:
			c.hear(e.Key(), e.Value())
		case kept = <-bucket:
		case <-every.C:
			if err := c.announce(nc); err != nil {
				return err
			}
			c.is(c.words(kept))
		case err := <-gone:
			return err
		case <-ctx.Done():
			_ = c.say(nc, word{from: c.origin})
			_ = nc.FlushTimeout(connectWithin)
			return ctx.Err()
		}
	}
}

// words say how it stands while there is a connection.
func (c *Cluster) words(kept error) string {
	words := fmt.Sprintf("one of %d relays", 1+len(c.siblings))
	if kept != nil {
		words += ", without what NATS keeps: " + kept.Error()
	}
	return words
}

// subject is where NATS has a key of the bucket.
func subject(key string) string { return "$KV." + bucketName + "." + key }

// hear takes what a relay says. Nothing is kept of what is malformed, or our own.
func (c *Cluster) hear(key string, b []byte) {
	w, err := decode(key, b)
	switch {
	case err != nil || w.from == c.origin:
	case w.entry.Kind != 0:
		c.index.Hear(w.from, w.entry)
	default:
		c.siblings.hear(w.from, w.name, time.Now())
		c.tellSiblings()
	}
}

func (c *Cluster) tellSiblings() {
	if now := c.siblings.names(c.cfg.Name); !slices.Equal(now, c.told) {
		c.told = now
		c.index.SetSiblings(now)
	}
}

// announce says what has changed at once, and everything again as time passes.
func (c *Cluster) announce(nc *nats.Conn) error {
	c.turn++
	if c.turn%relayTicks == 1 {
		w := word{from: c.origin}
		if !c.index.Leaving() {
			w.name = c.cfg.Name
		}
		if err := c.say(nc, w); err != nil {
			return err
		}
		c.siblings.expire(time.Now())
		c.tellSiblings()
	}
	for _, e := range slices.Concat(c.index.Changes(), c.index.Own(announceTicks)) {
		if err := c.say(nc, word{from: c.origin, entry: e}); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) say(nc *nats.Conn, w word) error {
	if err := nc.Publish(subject(w.key()), w.bytes()); err != nil {
		return fmt.Errorf("tell the other relays: %w", err)
	}
	return nil
}

const (
	siblingLease = 5 * time.Second
	maxSiblings  = 64 // relays of which a relay knows
)

// siblings are the other relays of the service.
type siblings map[relay.Origin]sibling

type sibling struct {
	name  string
	heard time.Time
}

// hear notes that a relay is there, or is about to end.
func (s siblings) hear(from relay.Origin, name string, now time.Time) {
	if _, known := s[from]; known || len(s) < maxSiblings {
		s[from] = sibling{name, now}
	}
}

// expire forgets those that were not heard for too long.
func (s siblings) expire(now time.Time) {
	maps.DeleteFunc(s, func(_ relay.Origin, r sibling) bool { return now.Sub(r.heard) > siblingLease })
}

// names are those that the relay called own tells: in one order for all, and each begins behind itself,
// so that those who use one relay learn the same others first.
func (s siblings) names(own string) (list []string) {
	for _, r := range s {
		if r.name != "" && r.name != own && !slices.Contains(list, r.name) {
			list = append(list, r.name)
		}
	}
	slices.Sort(list)
	i, _ := slices.BinarySearch(list, own)
	return slices.Concat(list[i:], list[:i])
}
