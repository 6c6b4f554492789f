package report

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/savestate"
)

// lastFrame is the time that consoles have to finish their frame when the game is over.
const lastFrame = 5 * time.Second

// Session is a [Reporter]'s view of the session.
type Session interface {
	// Background runs a job on another goroutine, and what it returns on the session's; or
	// drop, on whatever goroutine, when the session is over before that.
	Background(job func() (after, drop func()))
	// Go runs job on another goroutine. The session ends no sooner than the job.
	Go(job func())
	// Later runs do on the session's goroutine, when the session ends at the latest. Any
	// goroutine may call it.
	Later(do func())
	// Say tells the player something.
	Say(format string, args ...any)
	// Share sends the game host what this machine got when it played its recording again.
	Share(m message.Rerun)
}

// Config is a [Reporter]'s knowledge from the beginning.
type Config struct {
	Folder  string        // for the files; "" for none
	Program string        // this program's version
	Again   player.Config // how to play a recording again: the core, and how it is started
}

// Scene is the game of a report, and what else belongs to it.
type Scene struct {
	Game     *game.Game
	Machine  int // this one
	Settings room.Settings
	ROMs     map[[32]byte]*emucore.ROM // the games that are here, by SHA-256
	Log      string                    // the recording's file, "" for none
	LogErr   error                     // why the recording ended early
}

// A Reporter makes desync reports. The session tells it what happened; it reads consoles,
// writes files and plays recordings again on other goroutines. Its methods are for the
// session's goroutine, where they do not say otherwise.
type Reporter struct {
	cfg     Config
	session Session
	history desync.History
	kept    *Evidence       // of machines that differ, until their consoles are replaced or gone
	reruns  *reruns         // of the newest desync
	writing chan struct{}   // has room for one: held by the goroutine that writes a file
	life    context.Context // of playing again; ends when the player wants to go
	hurry   context.CancelFunc

	mu    sync.Mutex // guards paths
	paths []string
}

// NewReporter makes the reporter of a session.
func NewReporter(cfg Config, session Session) *Reporter {
	r := &Reporter{cfg: cfg, session: session, writing: make(chan struct{}, 1)}
	r.life, r.hurry = context.WithCancel(context.Background())
	return r
}

// Hurry gives up playing recordings again: the player wants to go. Any goroutine may call
// it, more than once.
func (r *Reporter) Hurry() { r.hurry() }

// Files are the paths of the files that were written, oldest first. Any goroutine may call
// it.
func (r *Reporter) Files() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.paths)
}

// Reset forgets the game before.
func (r *Reporter) Reset() { r.kept, r.history = nil, desync.History{} }

// Heard takes the hashes that a machine reported, for a report.
func (r *Reporter) Heard(report desync.Report) {
	if r.cfg.Folder != "" {
		r.history.Add(report)
	}
}

// Differ takes that machines differ in a game. It is called on all of them.
func (r *Reporter) Differ(g *game.Game, d message.Desync) {
	r.reruns = newReruns(g.Round(), g.Plan(), d)
	if r.cfg.Folder != "" {
		r.kept = newEvidence(d)
	}
}

// Rerun takes what a machine got when it played its recording again, on the game host. It
// returns what that shows, in words, "" for nothing new.
func (r *Reporter) Rerun(machine int, m message.Rerun) string {
	if r.reruns == nil {
		return ""
	}
	return r.reruns.check(machine, m)
}

// Hold begins to read our own consoles, which stand still for a resync, before they are
// replaced. Read is called on the session's goroutine when all are read. It returns nil
// where machines do not differ or nothing is to be kept.
func (r *Reporter) Hold(s Scene, resync *game.Resync, read func()) *Evidence {
	e := r.kept
	if e == nil {
		return nil
	}
	r.kept = nil
	e.donor, e.frame = resync.Decision.Machine, resync.Frame()
	if e.keeps = e.concerns(s); !e.keeps {
		return e
	}
	consoles, radio := e.readable(s.Game, resync.Seats), s.Game.Radio().Hold()
	e.taking = true
	r.session.Background(func() (func(), func()) {
		e.captureAll(consoles)
		e.captureAir(radio)
		radio.Close()
		return func() {
			e.taking = false
			read()
		}, nil
	})
	return e
}

// Dropped says that the resync of some evidence does not come. Consoles that were read are kept until
// the game ends.
func (r *Reporter) Dropped(e *Evidence) {
	if e != nil && e.keeps && !e.taking {
		e.donor, r.kept = -1, e
	}
}

// Again says that another resync comes instead of that of some evidence. Consoles that
// differ are read again there, at another frame.
func (r *Reporter) Again(e *Evidence) {
	if e != nil {
		r.kept = newEvidence(e.verdict)
	}
}

// Resynced writes a report of a desync whose consoles have been replaced. The donor's
// states are still in the store.
func (r *Reporter) Resynced(s Scene, e *Evidence, store *savestate.Store) {
	if e == nil || !e.keeps {
		return
	}
	b := r.bundle(s, e)
	r.session.Go(func() {
		for seat, sum := range e.parts {
			if c := e.theirs[seat]; c != nil {
				c.state, _ = store.Get(sum)
			}
		}
		if e.air != ([32]byte{}) {
			b.donorAir, _ = store.Get(e.air)
		}
		r.write(b)
	})
}

// CloseGame ends the consoles of the game that is over. When machines differed and there
// was no resync, the consoles are read first, in the background.
func (r *Reporter) CloseGame(s Scene) {
	e := r.kept
	r.kept = nil
	if e == nil || !e.concerns(s) {
		s.Game.Close()
		return
	}
	var seats []ds.Seat
	for _, seat := range s.Game.Seats() {
		seats = append(seats, seat.Seat)
	}
	consoles, b := e.readable(s.Game, seats), r.bundle(s, e)
	r.session.Go(func() {
		// One that is in the middle of a frame may wait for others, which do not go on.
		late := time.AfterFunc(lastFrame, func() {
			for _, c := range consoles {
				c.Close()
			}
		})
		e.captureAll(consoles)
		late.Stop()
		s.Game.Close()
		r.write(b)
	})
}

// bundle gathers what else a file has.
func (r *Reporter) bundle(s Scene, e *Evidence) *bundle {
	core := r.cfg.Again.Core
	b := &bundle{
		Evidence: e, round: s.Game.Round(), folder: r.cfg.Folder, settings: s.Settings, began: time.Now(),
		names: make(map[int]string), reports: r.history.Reports(), log: s.Log, again: r.cfg.Again,
	}
	if s.LogErr != nil {
		e.lacks("the end of the recording: %v", s.LogErr)
	}
	b.again.Background, b.again.ROMs = true, make(map[[32]byte]*emucore.ROM)
	title := ""
	for _, p := range s.Game.Plan() {
		b.names[p.Machine] = p.Nickname
		if p.Seat == e.verdict.Seat {
			title = p.ROM.Title
		}
		if rom := s.ROMs[p.ROM.SHA256]; rom != nil {
			b.again.ROMs[p.ROM.SHA256] = rom
		}
	}
	options := map[string]string{} // of the core
	for _, o := range s.Settings.Options {
		options[o.Key] = o.Value
	}
	d := e.verdict
	b.verdict = Verdict{
		Format: Format, Words: d.Words, Frame: d.Frame, Agreed: d.Agreed, Seat: d.Seat, Region: d.Region,
		Odd: d.Machine, OddName: s.Game.Owner(d.Machine), Machine: s.Machine, MachineName: s.Game.Owner(s.Machine),
		Donor: e.donor, Game: title, Program: r.cfg.Program,
		Core: core.Name + " " + core.Version, CoreSum: fmt.Sprintf("%x", core.SHA256), Options: options,
	}
	return b
}

// write writes a bundle and says where it is, then plays the recording again, if that is
// short, and adds what came of it. One goes after the other. It runs on any goroutine.
func (r *Reporter) write(b *bundle) {
	r.writing <- struct{}{} // no mutex: it may take seconds, and a bubble's time stands while one is waited for
	defer func() { <-r.writing }()
	l := b.waitForLog()
	if l != nil {
		defer l.Close()
	}
	path, err := b.write(l)
	if err != nil {
		r.session.Later(func() {
			r.session.Say("The difference could not be kept for a bug report: %v", err)
		})
		return
	}
	r.mu.Lock()
	r.paths = append(r.paths, path)
	r.mu.Unlock()
	r.session.Later(func() {
		r.session.Say("The difference is kept for a bug report, with your saves, in %s", path)
	})
	if l == nil {
		return
	}
	words := b.playAgain(r.life, l, path)
	r.session.Later(func() {
		r.session.Say("%s", words)
		if b.rerun != nil {
			r.session.Share(messageOf(b.round, b.Evidence.verdict.Seat, b.rerun))
		}
	})
}
