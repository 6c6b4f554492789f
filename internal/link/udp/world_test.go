package udp

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// The suite that every Link must pass. A world makes links and ruins them.
type world interface {
	// listen opens the link of a machine, again with the same address after kill.
	listen(t *testing.T, name string) link.Link
	// address is where others dial the machine.
	address(name string) string
	// kill ends the machine's program as kill -9 does.
	kill(name string)
	// blackout lets nothing pass for d.
	blackout(d time.Duration)
	// deafen lets nothing of the host reach its clients any more.
	deafen(t *testing.T)
	// silence is the configured time until a silent peer is given up.
	silence() time.Duration
}

var worlds = []struct {
	name string
	bad  bool
	run  func(t *testing.T, test func(t *testing.T, w world))
}{
	{"memory", false, inMemory(memnet.Impairment{})},
	{"memory-bad", true, inMemory(badLine)},
	{"enet", false, overENet(nil)},
	{"enet-bad", true, overENet(&badLine)},
}

var badLine = memnet.Impairment{
	Delay: 40 * time.Millisecond, Jitter: 20 * time.Millisecond,
	Loss: 0.05, Duplicate: 0.02, Reorder: 0.02,
}

func everywhere(t *testing.T, test func(t *testing.T, w world)) {
	t.Parallel()
	for _, w := range worlds {
		t.Run(w.name, func(t *testing.T) { w.run(t, test) })
	}
}

// TestMain lets more tests run at a time than there are processors: most of what
// they do over real sockets is to wait.
func TestMain(m *testing.M) {
	flag.Parse()
	if p := flag.Lookup("test.parallel"); p.Value.String() == p.DefValue {
		_ = p.Value.Set("4")
	}
	os.Exit(m.Run())
}

// patience bounds each wait for something that must happen.
const testPatience = time.Minute

func inMemory(imp memnet.Impairment) func(*testing.T, func(*testing.T, world)) {
	return func(t *testing.T, test func(*testing.T, world)) {
		synctest.Test(t, func(t *testing.T) {
			m := memnet.New(7, imp)
			test(t, memoryWorld{m})
		})
	}
}

type memoryWorld struct{ m *memnet.Network }

func (w memoryWorld) listen(t *testing.T, name string) link.Link {
	l := w.m.Listen(name)
	t.Cleanup(func() { l.Close() })
	return l
}
func (w memoryWorld) address(name string) string { return name }
func (w memoryWorld) kill(name string)           { w.m.Cut(name) }
func (w memoryWorld) blackout(d time.Duration)   { w.m.Blackout(d) }
func (w memoryWorld) deafen(*testing.T)          { w.m.SetLine("host", "client", memnet.Impairment{Loss: 1}) }
func (w memoryWorld) silence() time.Duration     { return link.DefaultSilence }

// overENet runs over real sockets, through relays when the line is bad.
func overENet(imp *memnet.Impairment) func(*testing.T, func(*testing.T, world)) {
	return func(t *testing.T, test func(*testing.T, world)) {
		t.Parallel()
		w := &enetWorld{t: t, imp: imp, links: map[string]*Link{}, addrs: map[string]string{}, relays: map[string]*badline.Relay{}}
		t.Cleanup(func() { // after the links have said goodbye
			for _, r := range w.relays {
				r.Close()
			}
		})
		test(t, w)
	}
}

type enetWorld struct {
	t      *testing.T
	imp    *memnet.Impairment
	links  map[string]*Link
	addrs  map[string]string // their own addresses
	relays map[string]*badline.Relay
}

const testSilence = 4 * time.Second

func (w *enetWorld) silence() time.Duration { return testSilence }

func (w *enetWorld) listen(t *testing.T, name string) link.Link {
	cfg := Config{Bind: "127.0.0.1", Silence: testSilence, MaxPeers: 32}
	if old := w.addrs[name]; old != "" {
		fmt.Sscanf(strings.TrimPrefix(old, "127.0.0.1:"), "%d", &cfg.Port)
	}
	l, err := Listen(cfg)
	must.Succeed(t, err)
	t.Cleanup(func() { l.Close() })
	w.links[name], w.addrs[name] = l, l.Addr()
	return l
}

// address is that of a relay in front of the machine. Each direction of each
// client is impaired once, as in the memory world.
func (w *enetWorld) address(name string) string {
	if w.relays[name] == nil {
		imp := memnet.Impairment{}
		if w.imp != nil {
			imp = *w.imp
		}
		r, err := badline.Start(badline.Config{Target: w.addrs[name], Seed: 7, Impairment: imp})
		must.Succeed(w.t, err)
		w.relays[name] = r
	}
	return w.relays[name].Addr()
}

func (w *enetWorld) kill(name string) { w.links[name].abort() }

func (w *enetWorld) blackout(d time.Duration) {
	for _, r := range w.relays {
		r.Blackout(d)
	}
}

func (w *enetWorld) deafen(t *testing.T) {
	must.Succeed(t, w.relays["host"].SetOne(badline.ToClient, impair.Impairment{Loss: 1}))
}

// abort ends a link without a word to anybody: its socket is closed first. The
// rest goes on in the background, as with a process that is being cleaned up.
func (l *Link) abort() {
	_ = l.conn.Close()
	go l.Close()
}

// ---- helpers

// next waits for the next event.
func next(t *testing.T, l link.Link) link.Event {
	t.Helper()
	select {
	case ev, ok := <-l.Events():
		if !ok {
			t.Fatal("events are closed")
		}
		return ev
	case <-time.After(testPatience):
		t.Fatal("no event came")
	}
	panic("not reached")
}

// want waits for the next event, which must be of a kind.
func want(t *testing.T, l link.Link, k link.EventKind) link.Event {
	t.Helper()
	ev := next(t, l)
	if ev.Kind != k {
		t.Fatalf("got %s (%s, %d bytes, %s), want %s", ev.Kind, ev.Channel, len(ev.Data), ev.Reason, k)
	}
	return ev
}

// wantMessage waits for a message with this text, passing over inputs.
func wantMessage(t *testing.T, l link.Link, ch link.Channel, text string) {
	t.Helper()
	for {
		ev := want(t, l, link.Message)
		if ev.Channel == link.Input && ch != link.Input {
			continue
		}
		if ev.Channel != ch || string(ev.Data) != text {
			t.Fatalf("got %q on %s, want %q on %s", ev.Data, ev.Channel, text, ch)
		}
		return
	}
}

func dialOK(t *testing.T, l link.Link, addr string) link.PeerID {
	t.Helper()
	p, err := l.Dial(context.Background(), addr)
	must.Succeed(t, err)
	return p
}

// pair connects client to host and gives each side's name for the other.
func pair(t *testing.T, w world) (host, client link.Link, toClient, toHost link.PeerID) {
	t.Helper()
	host, client = w.listen(t, "host"), w.listen(t, "client")
	toHost = dialOK(t, client, w.address("host"))
	if ev := want(t, client, link.Connected); ev.Peer != toHost || ev.Incoming || ev.Addr != w.address("host") {
		t.Fatalf("client: %+v", ev)
	}
	ev := want(t, host, link.Connected)
	if !ev.Incoming || ev.Peer == 0 || ev.Addr == "" {
		t.Fatalf("host: %+v", ev)
	}
	return host, client, ev.Peer, toHost
}

func send(t *testing.T, l link.Link, p link.PeerID, ch link.Channel, data string) {
	t.Helper()
	if err := l.Send(p, ch, []byte(data)); err != nil {
		t.Fatalf("send %d bytes on %s: %v", len(data), ch, err)
	}
}

// sendPatiently waits while the backlog is full.
func sendPatiently(l link.Link, p link.PeerID, ch link.Channel, data []byte) error {
	for start := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		err := l.Send(p, ch, data)
		if !errors.Is(err, link.ErrBacklog) || time.Since(start) > testPatience {
			return err
		}
	}
}
