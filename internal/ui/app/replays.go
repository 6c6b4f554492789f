package app

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/gameview"
)

// Recordings of games: the list, and watching one.

// Recording is one line of the list.
type Recording struct {
	Path    string
	Game    string
	Players string
	Began   time.Time
	Length  time.Duration
	Why     string // why it cannot be watched, in words; "" when it can
}

// Watching is a recording, or a room, that is being watched.
type Watching struct {
	Title  string
	Player Remote // nil until the consoles are being built
	Status session.PlayerStatus
	Room   *SeenRoom       // nil of a recording
	Seats  []gameview.Seat // whose consoles are to be seen where it stands
	Large  int             // whose console is large; AllSeats: all
	number int             // of the watching, to know what is late
}

// AllSeats stands for every console of what is watched.
const AllSeats = -1

// Remote moves a recording; session.Player does.
type Remote interface {
	Play()
	Pause()
	SeekTo(frame int64)
	Speed(times float64)
	Step(frames int64)
}

// Watch begins to show a recording.
func (m *Model) Watch(r Recording) {
	if r.Why != "" {
		m.Trouble = &Trouble{Title: "This recording cannot be watched", Words: r.Why}
		return
	}
	if m.needCore() {
		return
	}
	m.beginWatching(Watching{Title: r.Game}, WatchReplay{r.Path})
}

func (m *Model) beginWatching(w Watching, c Command) {
	m.watches++
	w.number, w.Large = m.watches, AllSeats
	m.Watching = &w
	m.command(c)
	m.goTo(ScreenWatching)
}

// watched is the number of what is watched now.
func (m *Model) watched() int { return m.watches }

// Watched tells that the consoles of a recording are being built, and how it is
// moved.
func (m *Model) Watched(p Remote) {
	if m.Watching != nil {
		m.Watching.Player, m.Watching.Status = p, session.PlayerStatus{Loading: true}
	}
}

// WatchStatus tells how far a recording is.
func (m *Model) WatchStatus(s session.PlayerStatus) {
	if m.Watching != nil {
		m.Watching.Status = s
	}
}

// WatchSeats tells whose consoles there are where it stands, and whose is large.
func (m *Model) WatchSeats(seats []gameview.Seat, large int) {
	if m.Watching != nil {
		m.Watching.Seats, m.Watching.Large = seats, large
	}
}

// EnlargeSeat lets a console of what is watched be large, or with AllSeats all.
func (m *Model) EnlargeSeat(seat int) {
	if m.Watching != nil {
		m.Watching.Large = seat
		m.command(Enlarge{seat})
	}
}

// WatchOver tells that a recording is not shown any more, and why, if it should be.
func (m *Model) WatchOver(trouble *Trouble) {
	if m.Watching == nil {
		return
	}
	m.Watching = nil
	m.Trouble = trouble
	if m.Screen == ScreenWatching {
		m.pop()
	}
}

// showing is what is needed to show a recording or a room.
type showing struct {
	core  emucore.Core
	games *emucore.Library
	cast  *cast
	post  func(func(*Model)) // what comes too late, when something else is watched, is dropped

	player atomic.Pointer[session.Player]
	told   atomic.Bool // the last status has not been taken yet
}

// begins shows what a player plays.
func (s *showing) begins(p *session.Player) {
	s.player.Store(p)
	s.post(func(m *Model) { m.Watched(p) })
}

// status tells the stage and the model how the player stands, the model at most as often
// as that is taken. It is
// called on the player's goroutine.
func (s *showing) status() {
	if p := s.player.Load(); p != nil {
		s.cast.at(p.ConsolesAt(p.Status().Frame))
	}
	if s.told.CompareAndSwap(false, true) {
		s.post(func(m *Model) {
			s.told.Store(false)
			if m.Watching.Player != nil {
				m.WatchStatus(s.player.Load().Status())
				m.WatchSeats(s.cast.seen())
			}
		})
	}
}

// watch shows something, until the player goes back.
func (e *engine) watch(number int, play func(context.Context, *showing) *Trouble, core emucore.Core) {
	e.stopWatching()
	ctx, stop := context.WithCancel(e.life)
	before, done, shelf := e.watched, make(chan struct{}), e.shelf
	e.watching, e.watched, e.cast = stop, done, newCast(e.stage)
	show := &showing{core: core, cast: e.cast, post: func(f func(*Model)) {
		e.post(func(m *Model) {
			if m.Watching != nil && m.Watching.number == number {
				f(m)
			}
		})
	}}
	e.jobs.Go(func() {
		defer close(done)
		defer stop()
		if before != nil {
			<-before // its consoles are to be gone
		}
		show.games = shelf.Library()
		trouble := play(ctx, show)
		if ctx.Err() != nil {
			trouble = nil
		}
		show.post(func(m *Model) { m.WatchOver(trouble) })
	})
}

// stopWatching ends the recording that is shown; it is over soon.
func (e *engine) stopWatching() {
	if e.watching != nil {
		e.watching()
		e.watching, e.cast = nil, nil
	}
}

// playRecording plays a recording and says why it could not.
func (e *engine) playRecording(ctx context.Context, path string, show *showing) *Trouble {
	log, err := replay.Open(path)
	if err != nil {
		return &Trouble{Title: "This recording cannot be watched", Words: sentence(err.Error())}
	}
	defer log.Close()
	roms, needs, err := session.ReplayNeeds(ctx, log, show.core, false, nil, show.games)
	if err != nil {
		return &Trouble{Title: "This recording cannot be watched", Words: sentence(err.Error())}
	}
	if len(needs) > 0 {
		return &Trouble{Title: "Something is missing to watch this", Words: sentence("it needs " + needs[0].What), Hint: sentence(needs[0].Hint)}
	}
	player, err := session.NewPlayer(session.ReplayConfig{
		Log: log, Core: show.core, ROMs: roms, Show: show.cast.show, Keyframes: replay.KeyframesIn(e.places.Keyframes, log, show.core.SHA256), Build: true,
		Notify: show.status,
	})
	if err != nil {
		return &Trouble{Title: "This recording cannot be watched", Words: sentence(err.Error())}
	}
	var seats []gameview.Seat
	for _, s := range log.Seats {
		if s.From == 0 {
			seats = append(seats, gameview.Seat{Number: s.Plan.Seat, Name: s.Plan.Nickname})
		}
	}
	show.cast.begin(seats, []int{log.Mine()}, player.Consoles)
	show.begins(player)
	player.Play()
	if err := player.Run(ctx); err != nil {
		return &Trouble{Title: "The recording could not go on", Words: sentence(err.Error())}
	}
	return nil
}

// listRecordings reads what is in the folder for recordings.
func (e *engine) listRecordings(cfg config.Recording) {
	e.jobs.Go(func() {
		dir, err := cfg.Dir()
		var entries []replay.Entry
		if err == nil {
			entries, err = replay.List(dir)
		}
		if err != nil {
			e.complain("The recordings could not be listed", err)
			return
		}
		var list []Recording
		for _, r := range entries {
			list = append([]Recording{recordingOf(r)}, list...) // the newest first
		}
		e.post(func(m *Model) { m.Recordings = list })
	})
}

func recordingOf(e replay.Entry) Recording {
	if e.Err != nil || e.Head == nil {
		return Recording{Path: e.Path, Game: filepath.Base(e.Path), Why: sentence(fmt.Sprint(e.Err))}
	}
	return Recording{
		Path: e.Path, Game: e.Head.Game(), Players: strings.Join(e.Head.Players(), ", "),
		Began: e.Head.Began, Length: ds.FrameTime(e.Frames),
	}
}
