// Package link needs cgo.

//go:build cgo

package savestate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/impair"
	"github.com/nettplay/nettplay/internal/link/memnet"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// A station is a machine at a real link: a goroutine that owns an exchange. It
// also sends a ping on the channel of inputs every 8 ms, as a game does.
type station struct {
	x     *Exchange
	store *Store
	link  link.Link
	peer  link.PeerID
	do    chan func()
	quit  chan struct{}
	ended sync.WaitGroup

	// owned by the goroutine
	start time.Time
	trips []time.Duration // of pings
	raw   int             // bytes of messages on Bulk that are not the exchange's
	heard []Event
	err   error
}

// The first byte of messages that are not the exchange's.
const (
	pingByte = 0xF0
	pongByte = 0xF1
	rawByte  = 0xF2
)

func newStation(l link.Link, peer link.PeerID) *station {
	s := &station{
		store: NewStore(0), link: l, peer: peer,
		do: make(chan func()), quit: make(chan struct{}), start: time.Now(),
	}
	s.x = NewExchange(s.store, ExchangeConfig{Background: func(job func()) {
		s.ended.Go(func() {
			job()
			select {
			case s.do <- func() {}:
			case <-s.quit:
			}
		})
	}})
	s.ended.Go(s.run)
	return s
}

// run is what the owner of an exchange does.
func (s *station) run() {
	timer := time.NewTimer(0)
	ping := time.NewTicker(8 * time.Millisecond)
	defer ping.Stop()
	for {
		select {
		case ev, ok := <-s.link.Events():
			if !ok {
				return
			}
			s.hear(ev)
		case f := <-s.do:
			f()
		case <-ping.C:
			b := binary.BigEndian.AppendUint64([]byte{pingByte}, uint64(time.Since(s.start)))
			s.link.Send(s.peer, link.Input, b)
		case <-timer.C:
		case <-s.quit:
			return
		}
		s.speak()
		timer.Reset(s.wait())
	}
}

func (s *station) wait() time.Duration {
	now := time.Now()
	if next := s.x.NextWake(now); !next.IsZero() {
		return max(next.Sub(now), 500*time.Microsecond)
	}
	return time.Second
}

func (s *station) speak() {
	now := time.Now()
	st, _ := s.link.Stats(s.peer)
	for _, b := range s.x.Outgoing(now, st.BulkBacklog, st.BulkUnsent) {
		s.err = cmp.Or(s.err, s.link.Send(s.peer, link.Bulk, b))
	}
	s.heard = append(s.heard, s.x.Events()...)
}

func (s *station) hear(ev link.Event) {
	switch {
	case ev.Kind == link.Disconnected:
		s.err = cmp.Or(s.err, fmt.Errorf("disconnected: %v", ev.Reason))
	case ev.Kind != link.Message || len(ev.Data) == 0:
	case ev.Data[0] == pingByte:
		ev.Data[0] = pongByte
		s.link.Send(s.peer, link.Input, ev.Data)
	case ev.Data[0] == pongByte:
		s.trips = append(s.trips, time.Since(s.start)-time.Duration(binary.BigEndian.Uint64(ev.Data[1:])))
	case ev.Data[0] == rawByte:
		s.raw += len(ev.Data)
	default:
		s.err = cmp.Or(s.err, s.x.Receive(time.Now(), ev.Data))
	}
}

// call runs f on the goroutine that owns the exchange.
func (s *station) call(f func()) {
	done := make(chan struct{})
	s.do <- func() { f(); close(done) }
	<-done
}

// takeTrips returns the round trips of pings since the last call, sorted.
func (s *station) takeTrips() (trips []time.Duration) {
	s.call(func() { trips, s.trips = s.trips, nil })
	slices.Sort(trips)
	return trips
}

// stations joins two machines by real ENet links through a relay that impairs.
func stations(t testing.TB, imp impair.Impairment) (a, b *station) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		must.Succeed(t, err)
	}
	to, err := udp.Listen(udp.Config{Bind: "127.0.0.1"})
	must(err)
	t.Cleanup(func() { to.Close() })
	from, err := udp.Listen(udp.Config{Bind: "127.0.0.1"})
	must(err)
	t.Cleanup(func() { from.Close() })
	relay, err := badline.Start(badline.Config{Target: to.Addr(), Seed: 1})
	must(err)
	t.Cleanup(func() { relay.Close() })
	must(relay.Set(imp))
	return joined(t, from, to, relay.Addr())
}

// joined makes two links into stations; to is at addr.
func joined(t testing.TB, from, to link.Link, addr string) (a, b *station) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	peer, err := from.Dial(ctx, addr)
	must.Succeed(t, err)
	<-from.Events()
	a, b = newStation(from, peer), newStation(to, (<-to.Events()).Peer)
	t.Cleanup(func() {
		for _, s := range []*station{a, b} {
			close(s.quit)
			s.ended.Wait()
		}
	})
	return a, b
}

// Parts cross a real line that loses, doubles and reorders datagrams, in both
// directions at the same time.
func TestPartsCrossARealLine(t *testing.T) {
	a, b := stations(t, impair.Impairment{
		Delay: 10 * ms, Jitter: 5 * ms, Loss: 0.02, Duplicate: 0.01, Reorder: 0.01, Bandwidth: 2e6,
	})
	both := []*station{a, b}
	raw := [][]byte{noise(1, 1_000_000), bytes.Repeat([]byte("savestate"), 100_000)}
	for i, s := range both {
		s.call(func() { s.x.Offer(manifestOf(ds.Seat(i), mustPut(t, s.store, KindState, raw[i]))) })
	}
	for _, s := range both {
		m := hears(t, s, 0, "the other's manifest").(ManifestReceived)
		s.call(func() { s.x.Fetch(m.Manifest.Parts) })
	}
	for i, s := range both {
		done, ok := hears(t, s, 1, "the part").(PartDone)
		if !ok {
			t.Fatalf("end %d did not get its part", i)
		}
		if got, ok := s.store.Get(done.Part.SHA256); !ok || !bytes.Equal(got, raw[1-i]) {
			t.Errorf("end %d got something else", i)
		}
	}
}

// hears waits for the n-th event that a station hears.
func hears(t testing.TB, s *station, n int, what string) (e Event) {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(5 * ms) {
		var err error
		s.call(func() {
			if err = s.err; len(s.heard) > n {
				e = s.heard[n]
			}
		})
		if err != nil {
			t.Fatalf("waiting for %s: %v", what, err)
		}
		if e != nil {
			return e
		}
	}
	t.Fatalf("%s did not come in a minute", what)
	return nil
}

// All of a state, the start included, takes nine tenths of what the line has room
// for, and an input comes at most a frame later for it; a line that jitters takes
// some seconds to be known. The link is the in-memory
// twin and time is simulated: the figures are the same on any machine.
func TestUploadFillsTheLineAndLetsInputsPass(t *testing.T) {
	for i, x := range []struct {
		name  string
		imp   memnet.Impairment
		share float64
		later time.Duration
	}{
		{"2 MB/s, 40 ms", memnet.Impairment{Delay: 20 * ms, Bandwidth: 2e6}, 0.9, frameTime},
		{"2 MB/s, 100 ms", memnet.Impairment{Delay: 50 * ms, Bandwidth: 2e6}, 0.9, frameTime},
		{"5 MB/s, 20 ms", memnet.Impairment{Delay: 10 * ms, Bandwidth: 5e6}, 0.9, frameTime},
		{"0.5 MB/s, 40 ms", memnet.Impairment{Delay: 20 * ms, Bandwidth: 500e3}, 0.9, frameTime},
		{"1 MB/s, 10 ms", memnet.Impairment{Delay: 5 * ms, Bandwidth: 1e6}, 0.9, frameTime},
		{"1 MB/s with a short queue", memnet.Impairment{Delay: 20 * ms, Bandwidth: 1e6, Queue: 16 << 10}, 0.9, frameTime},
		{"2 MB/s with loss", memnet.Impairment{Delay: 50 * ms, Jitter: 10 * ms, Loss: 0.01, Bandwidth: 2e6}, 0.65, 2 * frameTime},
	} {
		if must.RaceDetector && i > 0 {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			var share float64
			var later time.Duration
			synctest.Test(t, func(t *testing.T) { share, later = fillLine(t, x.imp) })
			t.Logf("%.0f %% of the line, inputs later by %v", 100*share, later)
			if share < x.share {
				t.Errorf("used %.0f %% of the line, want %.0f %%", 100*share, 100*x.share)
			}
			if later > x.later {
				t.Errorf("1 %% of inputs were later by %v, want at most %v", later, x.later)
			}
		})
	}
}

// fillLine sends for ten seconds' worth of a line, and says which share of it was
// used, and by how much later the worst hundredth of inputs came than on the empty
// line.
func fillLine(t *testing.T, imp memnet.Impairment) (share float64, later time.Duration) {
	m := memnet.New(3, imp)
	to, from := m.Listen("to"), m.Listen("from")
	t.Cleanup(func() { to.Close(); from.Close() })
	a, b := joined(t, from, to, "to")
	time.Sleep(time.Second)
	idle := a.worstTrip()
	var p Part
	a.call(func() {
		p = mustPut(t, a.store, KindState, noise(1, 10*imp.Bandwidth))
		a.x.Offer(manifestOf(0, p))
	})
	begin := time.Now()
	b.call(func() { b.x.Fetch([]Part{p}) })
	for b.fetched() < p.PackedSize {
		time.Sleep(5 * ms)
	}
	given := float64(imp.Bandwidth) * (1 - imp.Loss) * datagramShare
	return float64(p.PackedSize) / time.Since(begin).Seconds() / given, a.worstTrip() - idle
}
