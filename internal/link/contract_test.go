package link

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/internal/link/impair"
)

// The suite that every Link must pass. A world makes links and ruins them.
type world interface {
	// listen opens the link of a machine, again with the same address after kill.
	listen(t *testing.T, name string) Link
	// address is where others dial the machine.
	address(name string) string
	// kill ends the machine's program as kill -9 does.
	kill(name string)
	// blackout lets nothing pass for d.
	blackout(d time.Duration)
	// silence is the configured time until a silent peer is given up.
	silence() time.Duration
}

var worlds = []struct {
	name string
	bad  bool
	run  func(t *testing.T, test func(t *testing.T, w world))
}{
	{"memory", false, inMemory(Impairment{})},
	{"memory-bad", true, inMemory(badLine)},
	{"enet", false, overENet(nil)},
	{"enet-bad", true, overENet(&badLine)},
}

var badLine = Impairment{
	Delay: 40 * time.Millisecond, Jitter: 20 * time.Millisecond,
	Loss: 0.05, Duplicate: 0.02, Reorder: 0.02,
}

func everywhere(t *testing.T, test func(t *testing.T, w world)) {
	for _, w := range worlds {
		t.Run(w.name, func(t *testing.T) { w.run(t, test) })
	}
}

// patience bounds each wait for something that must happen.
const testPatience = time.Minute

func inMemory(imp Impairment) func(*testing.T, func(*testing.T, world)) {
	return func(t *testing.T, test func(*testing.T, world)) {
		synctest.Test(t, func(t *testing.T) {
			m := NewMemory(7, imp)
			test(t, memoryWorld{m})
		})
	}
}

type memoryWorld struct{ m *Memory }

func (w memoryWorld) listen(t *testing.T, name string) Link {
	l := w.m.Listen(name)
	t.Cleanup(func() { l.Close() })
	return l
}
func (w memoryWorld) address(name string) string { return name }
func (w memoryWorld) kill(name string)           { w.m.Cut(name) }
func (w memoryWorld) blackout(d time.Duration)   { w.m.Blackout(d) }
func (w memoryWorld) silence() time.Duration     { return defaultSilence }

// overENet runs over real sockets, through relays when the line is bad.
func overENet(imp *Impairment) func(*testing.T, func(*testing.T, world)) {
	return func(t *testing.T, test func(*testing.T, world)) {
		t.Parallel()
		w := &enetWorld{t: t, imp: imp, links: map[string]*ENet{}, addrs: map[string]string{}, relays: map[string]*impair.Relay{}}
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
	imp    *Impairment
	links  map[string]*ENet
	addrs  map[string]string // their own addresses
	relays map[string]*impair.Relay
}

const testSilence = 4 * time.Second

func (w *enetWorld) silence() time.Duration { return testSilence }

func (w *enetWorld) listen(t *testing.T, name string) Link {
	cfg := Config{Bind: "127.0.0.1", Silence: testSilence, MaxPeers: 32}
	if old := w.addrs[name]; old != "" {
		fmt.Sscanf(strings.TrimPrefix(old, "127.0.0.1:"), "%d", &cfg.Port)
	}
	l, err := Listen(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	w.links[name], w.addrs[name] = l, l.Addr()
	return l
}

// address is that of a relay in front of the machine. Each direction of each
// client is impaired once, as in the memory world.
func (w *enetWorld) address(name string) string {
	if w.relays[name] == nil {
		imp := Impairment{}
		if w.imp != nil {
			imp = *w.imp
		}
		r, err := impair.Start(impair.Config{
			Target: w.addrs[name], Seed: 7, Delay: imp.Delay, Jitter: imp.Jitter,
			Loss: imp.Loss, Duplicate: imp.Duplicate, Reorder: imp.Reorder,
		})
		if err != nil {
			w.t.Fatal(err)
		}
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

// abort ends a link without a word to anybody: its socket is closed first. The
// rest goes on in the background, as with a process that is being cleaned up.
func (l *ENet) abort() {
	_ = l.conn.Close()
	go l.Close()
}

// ---- helpers

// next waits for the next event.
func next(t *testing.T, l Link) Event {
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
func want(t *testing.T, l Link, k EventKind) Event {
	t.Helper()
	ev := next(t, l)
	if ev.Kind != k {
		t.Fatalf("got %s (%s, %d bytes, %s), want %s", ev.Kind, ev.Channel, len(ev.Data), ev.Reason, k)
	}
	return ev
}

// wantMessage waits for a message with this text, passing over inputs.
func wantMessage(t *testing.T, l Link, ch Channel, text string) {
	t.Helper()
	for {
		ev := want(t, l, Message)
		if ev.Channel == Input && ch != Input {
			continue
		}
		if ev.Channel != ch || string(ev.Data) != text {
			t.Fatalf("got %q on %s, want %q on %s", ev.Data, ev.Channel, text, ch)
		}
		return
	}
}

func dialOK(t *testing.T, l Link, addr string) PeerID {
	t.Helper()
	p, err := l.Dial(context.Background(), addr)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pair connects client to host and gives each side's name for the other.
func pair(t *testing.T, w world) (host, client Link, toClient, toHost PeerID) {
	t.Helper()
	host, client = w.listen(t, "host"), w.listen(t, "client")
	toHost = dialOK(t, client, w.address("host"))
	if ev := want(t, client, Connected); ev.Peer != toHost || ev.Incoming || ev.Addr != w.address("host") {
		t.Fatalf("client: %+v", ev)
	}
	ev := want(t, host, Connected)
	if !ev.Incoming || ev.Peer == 0 || ev.Addr == "" {
		t.Fatalf("host: %+v", ev)
	}
	return host, client, ev.Peer, toHost
}

func send(t *testing.T, l Link, p PeerID, ch Channel, data string) {
	t.Helper()
	if err := l.Send(p, ch, []byte(data)); err != nil {
		t.Fatalf("send %d bytes on %s: %v", len(data), ch, err)
	}
}

// sendPatiently waits while the backlog is full.
func sendPatiently(l Link, p PeerID, ch Channel, data []byte) error {
	for start := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		err := l.Send(p, ch, data)
		if !errors.Is(err, ErrBacklog) || time.Since(start) > testPatience {
			return err
		}
	}
}

// ---- the promises

func TestMessagesOfAllSizesArriveWhole(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		for _, ch := range []Channel{Control, Bulk} {
			for _, n := range []int{0, 1, segmentPayload - 1, segmentPayload, segmentPayload + 1, 10_000, MaxMessage(ch)} {
				data := pattern(uint64(n), n)
				send(t, client, toHost, ch, data)
				wantMessage(t, host, ch, data)
				send(t, host, toClient, ch, data)
				wantMessage(t, client, ch, data)
			}
			if err := client.Send(toHost, ch, make([]byte, MaxMessage(ch)+1)); !errors.Is(err, ErrTooLarge) {
				t.Fatalf("too large on %s: %v", ch, err)
			}
		}
		if err := client.Send(toHost, Input, make([]byte, MaxInput+1)); !errors.Is(err, ErrTooLarge) {
			t.Fatalf("too large an input: %v", err)
		}
		if err := client.Send(toHost, Input+1, nil); !errors.Is(err, ErrBadChannel) {
			t.Fatalf("a channel that is not: %v", err)
		}
	})
}

func pattern(seed uint64, n int) string {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	b := make([]byte, n)
	_, _ = rand.NewChaCha8(key).Read(b)
	return string(b)
}

// Both reliable channels, both directions, all at once, with the sender going on
// to write into what it sent.
func TestReliableChannelsKeepOrder(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		const messages = 400
		var wg sync.WaitGroup
		defer wg.Wait()
		talk := func(l Link, p PeerID, seed uint64) {
			for ch := range Channel(streams) {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(seed, uint64(ch)))
					for i := range uint32(messages) {
						data := binary.BigEndian.AppendUint32(nil, i)
						data = append(data, pattern(seed, r.IntN(3*segmentPayload))...)
						data = append(data, sum(data)...)
						if err := sendPatiently(l, p, ch, data); err != nil {
							t.Error(err)
							return
						}
						clear(data)
					}
				})
			}
		}
		check := func(l Link) {
			var seen [streams]uint32
			for seen != [streams]uint32{messages, messages} {
				ev := want(t, l, Message)
				body, digest := ev.Data[:len(ev.Data)-32], ev.Data[len(ev.Data)-32:]
				if !bytes.Equal(digest, sum(body)) {
					t.Fatal("a message was damaged")
				}
				if n := binary.BigEndian.Uint32(body); n != seen[ev.Channel] {
					t.Fatalf("message %d on %s, want %d", n, ev.Channel, seen[ev.Channel])
				}
				seen[ev.Channel]++
			}
		}
		talk(host, toClient, 1)
		talk(client, toHost, 2)
		done := make(chan struct{})
		go func() { defer close(done); check(host) }()
		check(client)
		<-done
	})
}

func sum(b []byte) []byte {
	h := sha256.Sum256(b)
	return h[:]
}

// Inputs arrive at most once and unchanged; on a good line nearly all do.
func TestInputsArriveOnceOrNever(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, _, toHost := pair(t, w)
		const inputs = 200
		go func() {
			for i := range inputs {
				_ = client.Send(toHost, Input, []byte(pattern(uint64(i), MaxInput-i)))
				time.Sleep(4 * time.Millisecond)
			}
			_ = client.Send(toHost, Control, []byte("end"))
		}()
		seen := map[int]bool{}
		for ended := false; !ended; {
			ev := want(t, host, Message)
			if ended = ev.Channel == Control; ended {
				break
			}
			n := MaxInput - len(ev.Data)
			if seen[n] || string(ev.Data) != pattern(uint64(n), len(ev.Data)) {
				t.Fatalf("input %d came twice or was damaged", n)
			}
			seen[n] = true
		}
		if len(seen) < inputs*3/4 {
			t.Fatalf("only %d of %d inputs arrived", len(seen), inputs)
		}
	})
}

// A full Bulk channel holds up neither Control nor Input.
func TestBulkHoldsNothingUp(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, _, toHost := pair(t, w)
		chunk := make([]byte, MaxBulk)
		bulk := 0
		for client.Send(toHost, Bulk, chunk) == nil {
			bulk++
		}
		if bulk < 8 {
			t.Fatalf("only %d messages fit into the backlog", bulk)
		}
		send(t, client, toHost, Control, "now")
		for got := 0; ; {
			ev := want(t, host, Message)
			if ev.Channel == Control {
				break
			}
			if got++; got == bulk {
				t.Fatal("control came after all of bulk")
			}
		}
	})
}

// A consumer that does not read makes Send fail in the end, and nothing else:
// the connection outlives the silence, and then everything arrives.
func TestSlowConsumer(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, _, toHost := pair(t, w)
		var sent [streams]uint32
		for ch, size := range []int{1000, 20_000} {
			for i := uint32(0); ; i++ {
				data := append(binary.BigEndian.AppendUint32(nil, i), make([]byte, size)...)
				err := client.Send(toHost, Channel(ch), data)
				if errors.Is(err, ErrBacklog) {
					break
				}
				if err != nil || i > 10_000 {
					t.Fatalf("message %d: %v", i, err)
				}
				sent[ch]++
			}
		}
		for range 500 {
			send(t, client, toHost, Input, "flood")
		}
		time.Sleep(w.silence() + time.Second)
		if s, ok := client.Stats(toHost); !ok || s.BulkBacklog == 0 || s.ControlBacklog == 0 {
			t.Fatalf("after a pause: %+v, %v", s, ok)
		}
		var got [streams]uint32
		inputs := 0
		for got != sent {
			ev := want(t, host, Message)
			if ev.Channel == Input {
				inputs++
				continue
			}
			if n := binary.BigEndian.Uint32(ev.Data); n != got[ev.Channel] {
				t.Fatalf("message %d on %s, want %d", n, ev.Channel, got[ev.Channel])
			}
			got[ev.Channel]++
		}
		if inputs > maxPendingInputs+eventRoom+1 {
			t.Fatalf("%d inputs were kept", inputs)
		}
	})
}

func TestDisconnectDeliversWhatWasQueuedAndWhy(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		big := pattern(3, MaxControl)
		for range 3 {
			send(t, client, toHost, Control, big)
		}
		send(t, client, toHost, Bulk, "the last of bulk")
		client.Disconnect(toHost, "going\nhome \xff"+strings.Repeat("ä", 200))
		if err := client.Send(toHost, Control, nil); !errors.Is(err, ErrUnknownPeer) {
			t.Fatalf("send after disconnect: %v", err)
		}
		got := 0
		for got < 4 {
			ev := want(t, host, Message)
			if ev.Channel == Control && string(ev.Data) != big || ev.Channel == Bulk && string(ev.Data) != "the last of bulk" {
				t.Fatal("a message was damaged")
			}
			got++
		}
		said := "going home " // and as many letters as fit
		for _, x := range []struct {
			l  Link
			p  PeerID
			by By
		}{{client, toHost, ByLocal}, {host, toClient, ByRemote}} {
			ev := want(t, x.l, Disconnected)
			if ev.Peer != x.p || ev.Reason.By != x.by || !strings.HasPrefix(ev.Reason.Text, said) || len(ev.Reason.Text) > MaxReason {
				t.Fatalf("%+v", ev)
			}
			if _, ok := x.l.Stats(x.p); ok {
				t.Fatal("still known")
			}
		}
	})
}

func TestKilledPeerTimesOut(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, _, toClient, _ := pair(t, w)
		killed := time.Now()
		w.kill("client")
		ev := want(t, host, Disconnected)
		if ev.Peer != toClient || ev.Reason.By != ByTimeout {
			t.Fatalf("%+v", ev)
		}
		if d := time.Since(killed); d < w.silence()-time.Second {
			t.Fatalf("given up after %v already", d)
		}
	})
}

// A program that was killed and started again on the same port is a new peer,
// and the old one ends, before the new one comes.
func TestRestartOnSameAddress(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, _, toOld, _ := pair(t, w)
		w.kill("client")
		client := w.listen(t, "client")
		toHost := dialOK(t, client, w.address("host"))
		if ev := want(t, host, Disconnected); ev.Peer != toOld || ev.Reason.By != ByRemote || ev.Reason.Text == "" {
			t.Fatalf("%+v", ev)
		}
		ev := want(t, host, Connected)
		if ev.Peer == toOld {
			t.Fatal("the same PeerID")
		}
		want(t, client, Connected)
		send(t, client, toHost, Control, "I am back")
		wantMessage(t, host, Control, "I am back")
		send(t, host, ev.Peer, Control, "welcome")
		wantMessage(t, client, Control, "welcome")
		if err := host.Send(toOld, Control, nil); !errors.Is(err, ErrUnknownPeer) {
			t.Fatalf("send to the old one: %v", err)
		}
	})
}

// The dialled side was killed and started again: the dialer hears that it is
// forgotten, and can dial anew, long before the silence is over.
func TestDialledSideRestarts(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		_, client, _, toHost := pair(t, w)
		w.kill("host")
		host := w.listen(t, "host")
		if ev := want(t, client, Disconnected); ev.Peer != toHost || ev.Reason.By != ByRemote {
			t.Fatalf("%+v", ev)
		}
		again := dialOK(t, client, w.address("host"))
		if again == toHost {
			t.Fatal("the same PeerID")
		}
		want(t, client, Connected)
		want(t, host, Connected)
		send(t, client, again, Control, "hello again")
		wantMessage(t, host, Control, "hello again")
	})
}

// A blackout that is shorter than the silence costs time only.
func TestBlackoutIsSurvived(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		w.blackout(w.silence() * 3 / 4)
		big := pattern(5, MaxBulk)
		for i := range 20 {
			send(t, client, toHost, Control, fmt.Sprint(i))
			send(t, host, toClient, Control, fmt.Sprint(i))
			send(t, client, toHost, Bulk, big)
		}
		for i, bulk := 0, 0; i < 20 || bulk < 20; {
			ev := want(t, host, Message)
			if ev.Channel == Bulk {
				if bulk++; string(ev.Data) != big {
					t.Fatal("a message was damaged")
				}
				continue
			}
			if string(ev.Data) != fmt.Sprint(i) {
				t.Fatalf("got %q, want %d", ev.Data, i)
			}
			i++
		}
		for i := range 20 {
			wantMessage(t, client, Control, fmt.Sprint(i))
		}
		// Input works, too, and soon.
		deadline := time.Now().Add(testPatience)
		for time.Now().Before(deadline) {
			_ = client.Send(toHost, Input, []byte("x"))
			select {
			case ev := <-host.Events():
				if ev.Kind == Message && ev.Channel == Input {
					return
				}
				t.Fatalf("%+v", ev)
			case <-time.After(50 * time.Millisecond):
			}
		}
		t.Fatal("no input came through after the blackout")
	})
}

// A blackout that is longer ends the connection on both sides.
func TestLongBlackoutEndsBoth(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, _, _ := pair(t, w)
		w.blackout(w.silence() * 2)
		for _, l := range []Link{host, client} {
			if ev := want(t, l, Disconnected); ev.Reason.By != ByTimeout {
				t.Fatalf("%+v", ev)
			}
		}
	})
}

func TestCloseSaysGoodbye(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		send(t, client, toHost, Control, "one more thing")
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { _ = client.Close() })
		}
		wg.Wait()
		wantMessage(t, host, Control, "one more thing")
		if ev := want(t, host, Disconnected); ev.Peer != toClient || ev.Reason.By != ByRemote || ev.Reason.Text != "closed" {
			t.Fatalf("%+v", ev)
		}
		for range client.Events() { // ends
		}
		if err := client.Send(toHost, Control, nil); !errors.Is(err, ErrClosed) {
			t.Fatalf("send after close: %v", err)
		}
		if _, err := client.Dial(context.Background(), w.address("host")); !isDialError(err, Aborted) {
			t.Fatalf("dial after close: %v", err)
		}
		client.Disconnect(toHost, "")
		if _, ok := client.Stats(toHost); ok {
			t.Fatal("stats after close")
		}
	})
}

func isDialError(err error, why DialFailure) bool {
	var d *DialError
	return errors.As(err, &d) && d.Why == why
}

func TestDialFailures(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, _, _ := pair(t, w)
		if _, err := client.Dial(context.Background(), client.Addr()); !isDialError(err, Rejected) {
			t.Fatalf("dial oneself: %v", err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		w.blackout(time.Minute)
		if _, err := client.Dial(ctx, w.address("host")); !isDialError(err, Aborted) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("dial with a context that ends: %v", err)
		}
		failed := make(chan error)
		go func() {
			_, err := client.Dial(context.Background(), w.address("host"))
			failed <- err
		}()
		time.Sleep(10 * time.Millisecond)
		_ = client.Close()
		if err := <-failed; !isDialError(err, Aborted) || !errors.Is(err, ErrClosed) {
			t.Fatalf("close while dialling: %v", err)
		}
		_ = host
	})
}

func TestDialWithoutAnswer(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w.listen(t, "host")
		client := w.listen(t, "client")
		addr := w.address("host")
		w.blackout(time.Minute)
		start := time.Now()
		if _, err := client.Dial(context.Background(), addr); !isDialError(err, NoAnswer) {
			t.Fatalf("dial into the dark: %v", err)
		}
		if d := time.Since(start); d < 4*time.Second {
			t.Fatalf("given up after %v", d)
		}
	})
}

// A room with all the machines it can have.
func TestManyPeers(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		const clients = 15
		host := w.listen(t, "host")
		addr := w.address("host")
		var wg sync.WaitGroup
		defer wg.Wait()
		for i := range clients {
			client := w.listen(t, fmt.Sprint("client", i))
			wg.Go(func() {
				p, err := client.Dial(context.Background(), addr)
				if err != nil {
					t.Error(err)
					return
				}
				for n := range 20 {
					if err := sendPatiently(client, p, Control, []byte{byte(i), byte(n)}); err != nil {
						t.Error(err)
					}
				}
				for ev := range client.Events() {
					if ev.Kind == Message && string(ev.Data) == "enough" {
						return
					}
				}
			})
		}
		got := map[PeerID]byte{}
		who := map[PeerID]byte{}
		for left := clients * 20; left > 0; {
			ev := next(t, host)
			if ev.Kind != Message {
				continue
			}
			if first, ok := who[ev.Peer]; ok && first != ev.Data[0] || ev.Data[1] != got[ev.Peer] {
				t.Fatalf("%d from %d, after %d from %d", ev.Data[1], ev.Data[0], got[ev.Peer], first)
			}
			who[ev.Peer] = ev.Data[0]
			got[ev.Peer]++
			left--
		}
		for p := range who {
			send(t, host, p, Control, "enough")
		}
	})
}

func TestStats(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		go func() {
			for range client.Events() {
			}
		}()
		for range 100 {
			_ = host.Send(toClient, Input, make([]byte, 100))
			time.Sleep(20 * time.Millisecond)
		}
		for _, x := range []struct {
			l Link
			p PeerID
		}{{host, toClient}, {client, toHost}} {
			s, ok := x.l.Stats(x.p)
			if !ok || s.RTT < 0 || s.SentDatagrams == 0 || s.ReceivedDatagrams == 0 || s.Sent == 0 || s.Received == 0 {
				t.Fatalf("%+v, %v", s, ok)
			}
			if s.Silent > 2*time.Second || s.ControlBacklog != 0 || s.BulkBacklog != 0 {
				t.Fatalf("%+v", s)
			}
		}
		if _, ok := host.Stats(1 << 60); ok {
			t.Fatal("stats of nobody")
		}
		if err := host.Send(1<<60, Control, nil); !errors.Is(err, ErrUnknownPeer) {
			t.Fatalf("send to nobody: %v", err)
		}
	})
}

// The figures of a bad line are near what the line is.
func TestStatsOfBadLine(t *testing.T) {
	for _, w := range worlds {
		if !w.bad {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			w.run(t, func(t *testing.T, w world) {
				host, client, toClient, toHost := pair(t, w)
				go func() {
					for range client.Events() {
					}
				}()
				for range 300 {
					_ = host.Send(toClient, Input, make([]byte, 100))
					time.Sleep(20 * time.Millisecond)
				}
				s, _ := host.Stats(toClient)
				// 2 x 40 +- 20 ms, 5 % loss hidden in part by 2 % copies
				if s.MinRTT < 40*time.Millisecond || s.RTT < 50*time.Millisecond || s.Jitter == 0 || s.Loss < 0.005 || s.Loss > 0.2 {
					t.Fatalf("%+v", s)
				}
				if c, _ := client.Stats(toHost); c.LossIn < 0.005 || c.LossIn > 0.2 {
					t.Fatalf("%+v", c)
				}
			})
		})
	}
}

// Everything at once from many goroutines, for the race detector.
func TestAbuse(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host := w.listen(t, "host")
		addr := w.address("host")
		var wg sync.WaitGroup
		wg.Go(func() {
			for ev := range host.Events() {
				if ev.Kind == Message && ev.Channel != Input {
					_ = host.Send(ev.Peer, ev.Channel, ev.Data)
				}
				if ev.Kind == Message && len(ev.Data) == 77 {
					host.Disconnect(ev.Peer, "77")
				}
			}
		})
		var clients sync.WaitGroup
		for i := range 4 {
			client := w.listen(t, fmt.Sprint("client", i))
			wg.Go(func() {
				for range client.Events() {
				}
			})
			clients.Go(func() {
				for round := range 5 {
					p, err := client.Dial(context.Background(), addr)
					if err != nil {
						continue
					}
					var senders sync.WaitGroup
					for ch := range Channel(3) {
						senders.Go(func() {
							for n := range 60 {
								_ = client.Send(p, ch, make([]byte, n*17%1200))
								client.Stats(p)
								time.Sleep(time.Millisecond)
							}
						})
					}
					if round%2 == 0 {
						client.Disconnect(p, "early")
					}
					senders.Wait()
					_ = client.Send(p, Control, make([]byte, 77))
				}
				_ = client.Close()
			})
		}
		clients.Wait()
		_ = host.Close()
		wg.Wait()
	})
}
