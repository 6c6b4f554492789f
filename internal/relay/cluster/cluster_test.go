package cluster

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// index is a relay's without a relay.
type index struct {
	mu       sync.Mutex
	own      map[relay.Locator]relay.Entry
	changed  []relay.Entry
	heard    map[relay.Locator]string
	siblings []string
	leaving  bool
}

func newIndex() *index {
	return &index{own: map[relay.Locator]relay.Entry{}, heard: map[relay.Locator]string{}}
}

func (x *index) put(n byte, text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	e := relay.Entry{Kind: relay.KindCode, Key: relay.Locator{n}}
	if delete(x.own, e.Key); text != "" {
		e.Body = []byte(text)
		x.own[e.Key] = e
	}
	x.changed = append(x.changed, e)
}

func (x *index) Hear(_ relay.Origin, e relay.Entry) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if delete(x.heard, e.Key); e.Body != nil {
		x.heard[e.Key] = string(e.Body)
	}
	return true
}

func (x *index) Changes() []relay.Entry {
	x.mu.Lock()
	defer x.mu.Unlock()
	list := x.changed
	x.changed = nil
	return list
}

func (x *index) Own(calls int) []relay.Entry {
	x.mu.Lock()
	defer x.mu.Unlock()
	list := slices.Collect(maps.Values(x.own))
	return list[:(len(list)+calls-1)/calls]
}

func (x *index) SetSiblings(names []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.siblings = names
}

func (x *index) Leaving() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.leaving
}

// knows reports whether it has heard an entry and has such siblings.
func (x *index) knows(n byte, text string, siblings ...string) func() bool {
	return func() bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		return x.heard[relay.Locator{n}] == text && slices.Equal(x.siblings, siblings)
	}
}

const patience = time.Minute

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for late := time.Now().Add(patience); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("it never comes to pass: " + what)
		}
	}
}

func startNode(t *testing.T, cfg NodeConfig) *Node {
	t.Helper()
	cfg.Store = t.TempDir()
	n, err := StartNode(cfg)
	must.Succeed(t, err)
	t.Cleanup(n.Close)
	return n
}

// run runs a relay's part. Its end is waited for.
func run(t *testing.T, cfg Config, x *index) (c *Cluster, end func()) {
	c = New(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() { defer close(over); c.Run(ctx, x) }()
	end = func() { cancel(); <-over }
	t.Cleanup(end)
	return c, end
}

func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	defer l.Close()
	return l.Addr().String()
}

// TestRelaysShare: what one publishes the others know, also one that starts later; and what it
// withdraws they forget. One that ends in good order is at once nobody's sibling. When NATS is gone a
// relay says so, and it shares again once NATS is back.
func TestRelaysShare(t *testing.T) {
	at := freePort(t)
	n := startNode(t, NodeConfig{Name: "one", Listen: at, Password: "secret"})
	cfg := func(name string) Config {
		return Config{URLs: []string{"nats://" + freePort(t), "nats://nettplay:secret@" + at}, Name: name, Copies: 1}
	}
	one, two, three := newIndex(), newIndex(), newIndex()
	one.put(1, "first")
	var told sync.Map
	teller := cfg("one:1")
	teller.Tell = func(state string) { told.Store(state, true) }
	c, _ := run(t, teller, one)
	_, end := run(t, cfg("two:1"), two)
	await(t, "two hears", two.knows(1, "first", "one:1"))
	await(t, "the bucket is there", func() bool { return c.Health() == "one of 2 relays" })
	one.put(2, "second")
	await(t, "two hears what is new", two.knows(2, "second", "one:1"))
	run(t, cfg("three:1"), three)
	await(t, "three knows all", func() bool {
		return three.knows(1, "first", "two:1", "one:1")() && three.knows(2, "second", "two:1", "one:1")()
	})
	one.put(1, "")
	await(t, "two forgets", two.knows(1, "", "one:1", "three:1"))
	end()
	await(t, "two is no sibling any more", one.knows(0, "", "three:1"))

	n.Close()
	await(t, "the relay says that it is alone", func() bool { return strings.HasPrefix(c.Health(), "standalone: ") })
	if _, was := told.Load("one of 2 relays"); !was {
		t.Error("the relay did not tell that it was one of two")
	}
	if strings.Contains(c.Health(), "secret") {
		t.Errorf("the password is shown: %s", c.Health())
	}
	one.put(3, "third")
	startNode(t, NodeConfig{Name: "one", Listen: at, Password: "secret"})
	await(t, "three hears again", three.knows(3, "third", "one:1"))
	if _, err := nats.Connect("nats://" + at); err == nil {
		t.Error("a stranger may talk to the node")
	}
}

// TestThreeNodes: the leases have three copies. With one node gone the other relays hear what is new
// all along, and the bucket is there for one that starts.
func TestThreeNodes(t *testing.T) {
	var routes []string
	for range 3 {
		routes = append(routes, freePort(t))
	}
	var nodes []*Node
	var list []*index
	var parts []*Cluster
	for i, at := range routes {
		n := startNode(t, NodeConfig{Name: fmt.Sprint("node", i), Cluster: at, Routes: routes, Password: "secret"})
		x := newIndex()
		c, _ := run(t, Config{URLs: []string{n.URL}, Name: fmt.Sprint("relay", i, ":1"), Copies: 3}, x)
		nodes, list, parts = append(nodes, n), append(list, x), append(parts, c)
	}
	list[1].put(1, "first")
	await(t, "the last one hears", list[2].knows(1, "first", "relay0:1", "relay1:1"))
	await(t, "the bucket is there", func() bool { return parts[2].Health() == "one of 3 relays" })
	nodes[0].Close()
	list[1].put(2, "second")
	await(t, "it hears what is new", list[2].knows(2, "second", "relay1:1"))
	late := newIndex()
	c, _ := run(t, Config{URLs: []string{nodes[2].URL}, Copies: 3}, late)
	await(t, "one that starts knows all", late.knows(2, "second", "relay1:1", "relay2:1"))
	await(t, "the bucket is still there", func() bool { return c.Health() == "one of 3 relays" })
}

// TestLiars: what is malformed is passed over.
func TestLiars(t *testing.T) {
	for key, b := range map[string]string{
		"": "", "entry": "x", "relay.1": "\x01a:1", "relay.0000000000000001": "\x01no name", "relay.000000000000000A": "\x01a:1",
		"relay.0000000000000002": "\x02a:1", "other.0000000000000001": "\x01a:1", "relay.0000000000000001.x": "\x01a:1",
		"entry.0000000000000001.01" + strings.Repeat("0", 24): "\x01\x01", "relay.0000000000000003": strings.Repeat("a", maxWord+1),
	} {
		if w, err := decode(key, []byte(b)); err == nil {
			t.Errorf("%q: %q is %+v", key, b, w)
		}
	}
	s := siblings{}
	for i := range 2 * maxSiblings {
		s.hear(relay.Origin(i), fmt.Sprint("relay", i, ":1"), time.Unix(1, 0))
	}
	if len(s) != maxSiblings {
		t.Errorf("%d siblings are kept", len(s))
	}
	if s.expire(time.Unix(2, 0).Add(siblingLease)); len(s) > 0 {
		t.Errorf("%d are not forgotten", len(s))
	}
}

func someWords() []word {
	return []word{{from: 1, name: "a:1"}, {from: 2}, {from: 3, entry: relay.Entry{Kind: relay.KindCode, Key: relay.Locator{9}, Body: []byte("x")}}}
}

func FuzzWord(f *testing.F) {
	for _, w := range someWords() {
		f.Add(w.key(), w.bytes())
	}
	f.Fuzz(func(t *testing.T, key string, b []byte) { looksAtWord(t, key, b) })
}

func looksAtWord(t *testing.T, key string, b []byte) (well bool) {
	w, err := decode(key, b)
	if err == nil && (w.key() != key || string(w.bytes()) != string(b)) {
		t.Errorf("%q, %q became %q, %q", key, b, w.key(), w.bytes())
	}
	return err == nil
}

// TestManyInputs is the fuzz target with ten million inputs: a key, a zero and what is under it.
func TestManyInputs(t *testing.T) {
	var seeds [][]byte
	for _, w := range someWords() {
		seeds = append(seeds, append([]byte(w.key()+"\x00"), w.bytes()...))
	}
	must.SurviveInputs(t, seeds, func(t *testing.T, b []byte) bool {
		key, rest, _ := strings.Cut(string(b), "\x00")
		return looksAtWord(t, key, []byte(rest))
	})
}
