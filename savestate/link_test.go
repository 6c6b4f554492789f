package savestate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/impair"
)

// end is one machine at a real link: it owns an exchange and answers pings.
type end struct {
	x     *Exchange
	store *Store
	link  link.Link
	peer  link.PeerID
	do    chan func()
	quit  chan struct{}
	wg    sync.WaitGroup

	pings []time.Duration // round trips of messages on Input
	bulk  int             // bytes that came on Bulk while raw is set
	raw   bool
	err   error
	start time.Time
	heard []Event
}

const (
	pingByte = 0xF0
	pongByte = 0xF1
)

func newEnd(l link.Link, peer link.PeerID) *end {
	s := NewStore(0)
	e := &end{x: NewExchange(s, ExchangeConfig{Background: func(job func()) { go job() }}), store: s, link: l, peer: peer, do: make(chan func()), quit: make(chan struct{}), start: time.Now()}
	e.wg.Go(e.run)
	return e
}

// run is what the owner of an exchange does.
func (e *end) run() {
	timer := time.NewTimer(0)
	ping := time.NewTicker(8 * time.Millisecond)
	defer ping.Stop()
	for {
		select {
		case ev, ok := <-e.link.Events():
			if !ok {
				return
			}
			e.hear(ev)
		case f := <-e.do:
			f()
		case <-ping.C:
			b := append([]byte{pingByte}, make([]byte, 40)...)
			copy(b[1:], time.Since(e.start).String())
			e.link.Send(e.peer, link.Input, b)
		case <-timer.C:
		case <-e.quit:
			return
		}
		e.speak()
		timer.Reset(e.wait())
	}
}

func (e *end) wait() time.Duration {
	now := time.Now()
	next := e.x.NextWake(now)
	if next.IsZero() {
		return time.Second
	}
	return max(next.Sub(now), 500*time.Microsecond)
}

func (e *end) speak() {
	now := time.Now()
	for _, b := range e.x.Outgoing(now) {
		if err := e.link.Send(e.peer, link.Bulk, b); err != nil {
			e.err = cmp.Or(e.err, err)
		}
	}
	for _, b := range e.x.Pulses(now) {
		e.link.Send(e.peer, link.Input, b)
	}
	e.heard = append(e.heard, e.x.Events()...)
}

func (e *end) hear(ev link.Event) {
	if ev.Kind == link.Disconnected {
		e.err = cmp.Or(e.err, fmt.Errorf("disconnected: %v", ev.Reason))
	}
	if ev.Kind != link.Message {
		return
	}
	switch {
	case ev.Channel == link.Input && ev.Data[0] == pingByte:
		ev.Data[0] = pongByte
		e.link.Send(e.peer, link.Input, ev.Data)
	case ev.Channel == link.Input && ev.Data[0] == pongByte:
		text, _, _ := bytesCut(ev.Data[1:])
		if sent, err := time.ParseDuration(text); err == nil {
			e.pings = append(e.pings, time.Since(e.start)-sent)
		}
	case e.raw:
		e.bulk += len(ev.Data)
	default:
		e.err = cmp.Or(e.err, e.x.Receive(time.Now(), ev.Data))
	}
}

func bytesCut(b []byte) (string, string, bool) {
	i := slices.Index(b, 0)
	if i < 0 {
		return string(b), "", false
	}
	return string(b[:i]), "", true
}

// call runs f on the goroutine that owns the exchange.
func (e *end) call(f func()) {
	done := make(chan struct{})
	e.do <- func() { f(); close(done) }
	<-done
}

// takePings returns the round trips since the last call, sorted.
func (e *end) takePings() (p []time.Duration) {
	e.call(func() { p, e.pings = e.pings, nil })
	slices.Sort(p)
	return p
}

// linked joins two machines by real ENet links through an impairing relay.
func linked(t testing.TB, imp impair.Impairment) (a, b *end) {
	t.Helper()
	to, err := link.Listen(link.Config{Bind: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	from, err := link.Listen(link.Config{Bind: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	relay, err := impair.Start(impair.Config{Target: to.Addr(), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := relay.Set(imp); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	p, err := from.Dial(ctx, relay.Addr())
	if err != nil {
		t.Fatal(err)
	}
	<-from.Events()
	ev := <-to.Events()
	a, b = newEnd(from, p), newEnd(to, ev.Peer)
	t.Cleanup(func() {
		close(a.quit)
		close(b.quit)
		a.wg.Wait()
		b.wg.Wait()
		from.Close()
		to.Close()
		relay.Close()
	})
	return a, b
}

// raw sends on Bulk as fast as the link takes it, and returns the bytes a second
// that arrive after a while.
func (e *end) rawRate(to *end, warm, span time.Duration) float64 {
	to.call(func() { to.raw = true })
	message := make([]byte, 4096)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if err := e.link.Send(e.peer, link.Bulk, message); errors.Is(err, link.ErrBacklog) {
				time.Sleep(time.Millisecond)
			}
		}
	})
	time.Sleep(warm)
	var before, after int
	to.call(func() { before = to.bulk })
	time.Sleep(span)
	to.call(func() { after = to.bulk })
	close(stop)
	wg.Wait()
	return float64(after-before) / span.Seconds()
}

func TestY(t *testing.T) {
	if os.Getenv("NP_Y") == "" { t.Skip() }
	for _, imp := range []impair.Impairment{
		{Delay: 25 * ms, Bandwidth: 5e6},
		{Delay: 10 * ms, Bandwidth: 5e6},
		{Delay: 10 * ms, Bandwidth: 1e6},
	} {
		a, b := linked(t, imp)
		time.Sleep(500*ms)
		idle := a.takePings()
		size := 20_000_000
		if imp.Bandwidth > 0 { size = min(size, imp.Bandwidth*10) }
		var p Part
		a.call(func() {
			p = mustPut(t, a.store, KindState, noise(1, size))
			a.x.Offer(manifestOf(0, p))
		})
		a.takePings()
		start := time.Now()
		b.call(func() { b.x.Fetch([]Part{p}) })
		var got int64
		var at time.Duration
		for k := 0; time.Since(start) < time.Minute && !b.store.Has(p); k++ {
			time.Sleep(20*ms)
			if k % 5 == 0 && os.Getenv("NP_Y") == "2" {
				var line string
				a.call(func() { pp := a.x.pacer; line = fmt.Sprintf("%.2f ph %d rate %.0f est %.0f q %v base %v trip %v noise %.2f W %v unacked %d allow %d blocked %v h %.0f", time.Since(start).Seconds(), pp.phase, pp.rate, pp.estimate, pp.queue, pp.base, pp.trip, pp.noise*1e3, pp.window, pp.unacked, pp.allowance(a.x.clock.now), a.x.clock.now-pp.blocked, pp.arrived.highest()) })
				st, _ := a.link.Stats(a.peer)
				fmt.Println(line, "backlog", st.BulkBacklog, "rtt", st.RTT, "loss", st.Loss)
			}
			if got == 0 && time.Since(start) > 2*time.Second { b.call(func() { got = b.x.Fetching().Done }); at = time.Since(start) }
		}
		took := time.Since(start)
		pings := a.takePings()
		var end int64
		b.call(func() { end = b.x.Fetching().Done })
		late := float64(end-got)/(took-at).Seconds()
		if a.err != nil || b.err != nil { fmt.Println("ERR", a.err, b.err) }
		raw := a.rawRate(b, 3*time.Second, 4*time.Second)
		rp := a.takePings()
		q := func(p []time.Duration, f float64) time.Duration { if len(p) == 0 { return 0 }; return p[int(float64(len(p)-1)*f)].Round(100*time.Microsecond) }
		fmt.Printf("%+v: %d bytes in %v: %.0f B/s (late %.0f), raw %.0f: %.2f late %.2f; pings idle %v/%v, upload %v/%v/%v of %d, raw %v/%v\n", imp, size, took.Round(ms), float64(size)/took.Seconds(), late, raw, float64(size)/took.Seconds()/raw, late/raw, q(idle, .5), q(idle, 1), q(pings, .5), q(pings, .99), q(pings, 1), len(pings), q(rp, .5), q(rp, .99))
	}
}
