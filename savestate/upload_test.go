package savestate

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// A station is a machine at a link: a goroutine that owns an exchange. It
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
	heard []Event
	err   error
}

// The first byte of messages that are not the exchange's.
const (
	pingByte = 0xF0
	pongByte = 0xF1
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

func (s *station) fetched() (n int64) {
	s.call(func() { n = s.x.Fetching().Done })
	return n
}

// stations joins two machines by a line.
func stations(t *testing.T, imp memnet.Impairment) (a, b *station) {
	t.Helper()
	m := memnet.New(3, imp)
	to, from := m.Listen("to"), m.Listen("from")
	peer, err := from.Dial(t.Context(), "to")
	must.Succeed(t, err)
	<-from.Events()
	a, b = newStation(from, peer), newStation(to, (<-to.Events()).Peer)
	t.Cleanup(func() {
		for _, s := range []*station{a, b} {
			close(s.quit)
			s.ended.Wait()
			s.link.Close()
		}
	})
	return a, b
}

// Parts cross a line that loses, doubles and reorders datagrams, in both directions at the same time.
func TestPartsCrossABadLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := stations(t, memnet.Impairment{Delay: 10 * ms, Jitter: 5 * ms, Loss: 0.02, Duplicate: 0.01, Reorder: 0.01, Bandwidth: 2e6})
		both := []*station{a, b}
		raw := [][]byte{noise(1, 1_000_000), bytes.Repeat([]byte("savestate"), 100_000)}
		for i, s := range both {
			s.call(func() { s.x.Offer(manifestOf(ds.Seat(i), mustPut(t, s.store, KindState, raw[i]))) })
		}
		time.Sleep(time.Second)
		for _, s := range both {
			s.call(func() { s.x.Fetch(s.heard[0].(ManifestReceived).Manifest.Parts) })
		}
		time.Sleep(5 * time.Second)
		for i, s := range both {
			s.call(func() {
				if done, ok := s.heard[len(s.heard)-1].(PartDone); !ok || s.err != nil {
					t.Errorf("end %d did not get its part: %v", i, s.err)
				} else if got, ok := s.store.Get(done.Part.SHA256); !ok || !bytes.Equal(got, raw[1-i]) {
					t.Errorf("end %d got something else", i)
				}
			})
		}
	})
}

// uploaded is what came of an upload.
type uploaded struct {
	took  time.Duration
	share float64                             // of what the line has room for
	later func(thousandths int) time.Duration // by how much inputs came later than on the empty line
}

// sendOver sends a part that does not shrink.
func sendOver(t *testing.T, imp memnet.Impairment, size int) (u uploaded) {
	const room = 1200 / float64(1200+58) // in a datagram, beside headers
	synctest.Test(t, func(t *testing.T) {
		a, b := stations(t, imp)
		time.Sleep(time.Second)
		idle := a.takeTrips()
		var p Part
		a.call(func() {
			p = mustPut(t, a.store, KindState, noise(1, size))
			a.x.Offer(manifestOf(0, p))
		})
		begin := time.Now()
		b.call(func() { b.x.Fetch([]Part{p}) })
		for b.fetched() < p.PackedSize && time.Since(begin) < 5*time.Minute {
			time.Sleep(5 * ms)
		}
		u.took = time.Since(begin)
		u.share = float64(p.PackedSize) / u.took.Seconds() / (float64(imp.Bandwidth) * (1 - imp.Loss) * room)
		trips := a.takeTrips()
		at := func(l []time.Duration, q int) time.Duration { return l[min(len(l)*q/1000, len(l)-1)] }
		u.later = func(q int) time.Duration { return at(trips, q) - at(idle, q) }
		if st, ok := a.link.Stats(a.peer); ok {
			t.Logf("sent again: %d of %d", st.Repaired, st.SentDatagrams)
		}
	})
	return u
}

// All of a state, the start included, takes nine tenths of what the line has room
// for, and an input comes at most a frame later for it; a line that jitters takes
// some seconds to be known. Package conn does so on many more lines.
func TestUploadFillsTheLineAndLetsInputsPass(t *testing.T) {
	const frame = 16700 * time.Microsecond
	for i, x := range []struct {
		name  string
		imp   memnet.Impairment
		share float64
		later time.Duration
	}{
		{"2 MB/s, 40 ms", memnet.Impairment{Delay: 20 * ms, Bandwidth: 2e6}, 0.9, frame},
		{"0.5 MB/s, 40 ms", memnet.Impairment{Delay: 20 * ms, Bandwidth: 500e3}, 0.9, frame},
		{"1 MB/s with a short queue", memnet.Impairment{Delay: 20 * ms, Bandwidth: 1e6, Queue: 16 << 10}, 0.9, frame},
		{"2 MB/s with loss", memnet.Impairment{Delay: 50 * ms, Jitter: 10 * ms, Loss: 0.01, Bandwidth: 2e6}, 0.65, 2 * frame},
	} {
		if must.RaceDetector && i > 0 {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			u := sendOver(t, x.imp, 10*x.imp.Bandwidth)
			t.Logf("%.0f %% of the line, inputs later by %v", 100*u.share, u.later(990))
			if u.share < x.share {
				t.Errorf("used %.0f %% of the line, want %.0f %%", 100*u.share, 100*x.share)
			}
			if u.later(990) > x.later {
				t.Errorf("1 %% of inputs were later by %v, want at most %v", u.later(990), x.later)
			}
		})
	}
}

// uploadLines are the lines on which controllers are compared.
var uploadLines = []struct {
	name string
	imp  memnet.Impairment
}{
	{"0.25 MB/s, 40 ms", memnet.Impairment{Delay: 20 * ms, Bandwidth: 250e3}},
	{"0.5 MB/s, 40 ms", memnet.Impairment{Delay: 20 * ms, Bandwidth: 500e3}},
	{"0.5 MB/s, 150 ms, 1 MiB queue", memnet.Impairment{Delay: 75 * ms, Bandwidth: 500e3, Queue: 1 << 20}},
	{"1 MB/s, 10 ms", memnet.Impairment{Delay: 5 * ms, Bandwidth: 1e6}},
	{"1 MB/s, 40 ms, 16 KiB queue", memnet.Impairment{Delay: 20 * ms, Bandwidth: 1e6, Queue: 16 << 10}},
	{"1 MB/s, 60 ms, jitter 10 ms", memnet.Impairment{Delay: 30 * ms, Bandwidth: 1e6, Jitter: 10 * ms}},
	{"1 MB/s, 40 ms, loss 5 %", memnet.Impairment{Delay: 20 * ms, Bandwidth: 1e6, Loss: 0.05}},
	{"2 MB/s, 20 ms, loss 1 %", memnet.Impairment{Delay: 10 * ms, Bandwidth: 2e6, Loss: 0.01}},
	{"2 MB/s, 40 ms", memnet.Impairment{Delay: 20 * ms, Bandwidth: 2e6}},
	{"2 MB/s, 100 ms", memnet.Impairment{Delay: 50 * ms, Bandwidth: 2e6}},
	{"2 MB/s, 100 ms, 1 MiB queue", memnet.Impairment{Delay: 50 * ms, Bandwidth: 2e6, Queue: 1 << 20}},
	{"2 MB/s, 100 ms, jitter 10 ms, loss 1 %", memnet.Impairment{Delay: 50 * ms, Jitter: 10 * ms, Loss: 0.01, Bandwidth: 2e6}},
	{"5 MB/s, 20 ms", memnet.Impairment{Delay: 10 * ms, Bandwidth: 5e6}},
	{"5 MB/s, 100 ms", memnet.Impairment{Delay: 50 * ms, Bandwidth: 5e6}},
	{"20 MB/s, 20 ms", memnet.Impairment{Delay: 10 * ms, Bandwidth: 20e6}},
}

// TestUploadFigures prints what decisions about the upload rest on: how long an upload takes, how much of the line it uses, and
// by how much later inputs come: the middle one, the worst hundredth, the worst.
func TestUploadFigures(t *testing.T) {
	if os.Getenv("UPLOAD_FIGURES") == "" {
		t.Skip("set UPLOAD_FIGURES to print the table")
	}
	for _, x := range uploadLines {
		if only := os.Getenv("UPLOAD_LINE"); only != "" && !strings.Contains(x.name, only) {
			continue
		}
		for _, size := range []int{3e6, min(10*x.imp.Bandwidth, 60e6)} {
			u := sendOver(t, x.imp, size)
			fmt.Printf("| %s | %4.1f MB | %5.2f s | %3.0f %% | %4.1f / %4.1f / %4.1f ms |\n", x.name, float64(size)/1e6,
				u.took.Seconds(), 100*u.share, u.later(500).Seconds()*1e3, u.later(990).Seconds()*1e3, u.later(1000).Seconds()*1e3)
		}
	}
}
