package session

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
)

// watcherSlot is the number of the first spectator's machine, viewerSlot that of one on
// which recordings are played.
const (
	watcherSlot = 8
	viewerSlot  = 16
)

// watcher is a spectator.
type watcher struct {
	t      testing.TB
	stop   context.CancelFunc
	done   chan struct{}
	report notice.Report
	err    error

	mu     sync.Mutex
	player *player.Player
	shown  map[int]int64 // frames by seat
	first  int64         // the first one that was shown
}

// watch has somebody watch the table's room. Change may be nil.
func (tb *table) watch(name string, change func(*spectate.WatchConfig)) *watcher {
	tb.t.Helper()
	s := &watcher{t: tb.t, done: make(chan struct{}), shown: make(map[int]int64), first: -1}
	cfg := spectate.WatchConfig{
		Link: tb.listen(name), Addr: tb.addr, Nickname: name, Version: "test", Core: tb.core, ROMs: []*emucore.ROM{tb.rom}, Once: true,
		Watched: func(p *player.Player) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.player = p
		},
		Show: func(seat ds.Seat, f emucore.Frame) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.shown[int(seat)] = f.Number + 1; s.first < 0 {
				s.first = f.Number
			}
		},
	}
	if tb.turns != nil {
		cfg.Start = starter(tb.model(watcherSlot + tb.watchers))
		tb.watchers++
	}
	if change != nil {
		change(&cfg)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	go func() {
		defer close(s.done)
		s.report, s.err = spectate.Watch(ctx, cfg)
	}()
	tb.t.Cleanup(func() { stop(); <-s.done })
	return s
}

// end waits for the end of the watching.
func (s *watcher) end() notice.Report {
	s.t.Helper()
	select {
	case <-s.done:
	case <-time.After(patience()):
		s.t.Fatal("the watching does not end")
	}
	return s.report
}

// sees waits until some frame is shown.
func (s *watcher) sees(frame int64) {
	s.t.Helper()
	for range patience() / (5 * time.Millisecond) {
		s.mu.Lock()
		now := s.shown[0]
		s.mu.Unlock()
		if now > frame {
			return
		}
		select {
		case <-s.done:
			s.t.Fatalf("the watching ended before frame %d: %v", frame, s.err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	s.t.Fatalf("frame %d is not seen", frame)
}

// sawAll checks that a spectator has computed what the players have.
func (s *watcher) sawAll(players ...*machine) {
	s.t.Helper()
	r := s.end()
	if s.err != nil || r.Result != notice.ResultOK || !r.Spectated || r.Desyncs != 0 {
		s.t.Errorf("%q (%v), spectated %v, %d desyncs", r.Result, s.err, r.Spectated, r.Desyncs)
	}
	if want := players[0].report.Seats; !slices.Equal(r.Seats, want) {
		s.t.Errorf("the spectator's consoles end as %+v, the players' as %+v", r.Seats, want)
	}
	if s.player == nil || s.player.Status().Proofs == 0 {
		s.t.Fatal("nothing was compared")
	}
	consoles := s.player.Consoles()
	if !slices.EqualFunc(consoles, r.Seats, func(p room.SeatPlan, o game.SeatReport) bool { return p.Seat == o.Seat && p.Nickname == o.Owner }) {
		s.t.Errorf("the spectator knows of the consoles %+v, of %+v", consoles, r.Seats)
	}
}

// likeWireless makes a spectator's consoles what wireless makes the players'.
func likeWireless(c *spectate.WatchConfig) {
	like := Config{}
	wireless(&like)
	c.TestOptions, c.TestTweak = like.TestOptions, like.TestTweak
}
