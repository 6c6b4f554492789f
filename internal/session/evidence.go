package session

import (
	"context"
	"fmt"
	"image"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/player"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/bugreport"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/savestate"
)

// Machines that are not alike leave something to look at: at a resync the odd machine
// has its own consoles and those of another, both as they are after the same frame. They
// are kept there before the old ones go, beside the game, and end up in a file for a bug
// report (bundle.go). Nobody waits for the disk; what cannot be kept is no reason not to
// play on.

// evidence is what is kept of one desync.
type evidence struct {
	verdict host.Desync
	donor   int   // machine whose consoles all take; -1 for none
	frame   int64 // frames done by the consoles that are kept
	taking  bool  // our own ones are still being read; only for the session's goroutine

	mu      sync.Mutex // guards what follows, until all are read
	own     map[int]*remains
	theirs  map[int]*remains
	ownAir  []byte
	parts   map[int][32]byte // of the donor's states, by seat
	air     [32]byte         // of the donor's air
	missing []string
	bytes   int
}

// remains is one console.
type remains struct {
	frame  int64 // frames done; 0 where there is no state
	hash   ds.Hash
	state  []byte
	ram    []byte
	sram   []byte
	screen *image.RGBA
	log    []string
}

// bundles are the files that a session has written.
type bundles struct {
	writing sync.Mutex      // held by who writes one
	life    context.Context // of playing again; ends when the player wants to go
	hurry   context.CancelFunc

	mu    sync.Mutex // guards paths
	paths []string
}

func (b *bundles) add(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.paths = append(b.paths, path)
}

// list is a copy of the paths, oldest first.
func (b *bundles) list() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.paths)
}

// maxEvidence is how much of consoles is kept in memory until it is in a file: two
// consoles with the largest states there are, or all sixteen of usual ones.
const maxEvidence = 256 << 20

// lastFrame is how long consoles have to finish their frame when the game is over.
const lastFrame = 5 * time.Second

func newEvidence(v host.Desync) *evidence {
	return &evidence{
		verdict: v, donor: -1, own: make(map[int]*remains), theirs: make(map[int]*remains), parts: make(map[int][32]byte),
	}
}

// pending tells whether our own consoles are still being read, and must stay.
func (e *evidence) pending() bool { return e != nil && e.taking }

// lacks notes what cannot be kept.
func (e *evidence) lacks(format string, args ...any) {
	e.missing = append(e.missing, fmt.Sprintf(format, args...))
}

// differ notes that machines differ; it is called on all of them.
func (s *session) differ(d host.Desync) {
	if s.game != nil {
		s.reruns = newReruns(s.game, d)
	}
	if s.game != nil && s.cfg.Desyncs != "" {
		s.evidence = newEvidence(d)
	}
}

// concerns tells whether this machine has something to keep: it is the odd one out, it
// is the one whose consoles are taken, or it owns the console.
func (s *session) concerns(e *evidence) bool {
	me := s.me()
	seat, plays := s.game.Seat(e.verdict.Seat)
	return e.verdict.Machine == me || e.donor == me || plays && seat.Owner == me
}

// order puts the console that differs first, for when there is not room for all.
func (e *evidence) order(seats []int) []int {
	list := slices.Clone(seats)
	slices.SortStableFunc(list, func(a, b int) int {
		switch {
		case a == e.verdict.Seat:
			return -1
		case b == e.verdict.Seat:
			return 1
		}
		return 0
	})
	return list
}

// holdEvidence begins to read our own consoles, which stand still for a resync, before
// they are replaced.
func (s *session) holdEvidence(st *assembly) {
	e := s.evidence
	if e == nil {
		return
	}
	s.evidence, st.verdict = nil, &e.verdict
	e.donor, e.frame = st.resyncing().Decision.Machine, st.resyncing().Frame()
	if !s.concerns(e) {
		return
	}
	st.evidence = e
	g := s.game
	consoles := make(map[int]game.Console)
	for _, number := range e.order(st.resyncing().Seats) {
		if seat, _ := g.Seat(number); seat.Dead {
			e.lacks("the console of seat %d here: it is gone", number+1)
		} else {
			consoles[number] = seat.Console
		}
	}
	radio := g.Radio().Hold()
	e.taking = true
	s.background(func() (func(), func()) {
		for _, number := range e.order(st.resyncing().Seats) {
			if c := consoles[number]; c != nil {
				e.take(e.own, number, c, true)
			}
		}
		e.takeAir(radio)
		radio.Close()
		return func() {
			e.taking = false
			if s.assembly == st {
				s.installed()
			}
		}, nil
	})
}

// take reads a console between two frames. It runs on any goroutine.
func (e *evidence) take(into map[int]*remains, seat int, c game.Console, withState bool) {
	r := new(remains)
	err := r.read(c, withState)
	e.mu.Lock()
	defer e.mu.Unlock()
	switch size := len(r.state) + len(r.ram) + len(r.sram); {
	case err != nil:
		e.lacks("the console of seat %d: %v", seat+1, err)
	case e.bytes+size > maxEvidence:
		e.lacks("the console of seat %d: there is too much to keep", seat+1)
	default:
		e.bytes += size
		into[seat] = r
	}
}

func (r *remains) read(c game.Console, withState bool) (err error) {
	if v := c.Video(); len(v.Pix) > 0 {
		r.screen = v.Image()
	}
	r.log = c.Log()
	if r.hash, err = c.Hash(); err != nil {
		return err
	}
	if r.ram, err = c.RAM(); err != nil {
		return err
	}
	if r.sram, err = c.SRAM(); err != nil {
		return err
	}
	if withState {
		var state emucore.State
		state, err = c.Save()
		r.state, r.frame = state.Data, state.Frame
	}
	return err
}

func (e *evidence) takeAir(r *game.Radio) {
	if r == nil {
		return
	}
	b, err := r.Save()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ownAir = b; err != nil {
		e.lacks("the radio here: %v", err)
	}
}

// installs reads a console that came from the donor, before its first frame here.
func (e *evidence) installs(m savestate.Manifest, c game.Console) {
	if e == nil {
		return
	}
	e.take(e.theirs, m.Seat, c, false)
	e.mu.Lock()
	defer e.mu.Unlock()
	if p, ok := m.Part(savestate.KindState); ok {
		e.parts[m.Seat] = p.SHA256
	}
	if p, ok := m.Part(savestate.KindAir); ok {
		e.air = p.SHA256
	}
}

// closeGame ends the consoles of the game that is over. When machines differed and there
// was no resync, they are read first, beside the session.
func (s *session) closeGame(g *game.Game) {
	e := s.evidence
	s.evidence = nil
	if e == nil || !s.concerns(e) {
		g.Close()
		return
	}
	var numbers []int
	consoles := make(map[int]game.Console)
	for _, seat := range g.Seats() {
		if seat.Dead {
			e.lacks("the console of seat %d here: it is gone", seat.Seat+1)
			continue
		}
		numbers = append(numbers, seat.Seat)
		consoles[seat.Seat] = seat.Console
	}
	report := s.reporting(g, e)
	s.jobs.Go(func() {
		// One that is in the middle of a frame may wait for others, which do not go on.
		late := time.AfterFunc(lastFrame, func() {
			for _, c := range consoles {
				c.Close()
			}
		})
		for _, number := range e.order(numbers) {
			e.take(e.own, number, consoles[number], true)
		}
		late.Stop()
		g.Close()
		s.keepBundle(report)
	})
}

// reportEvidence has a bundle written of a desync whose consoles have been replaced.
func (s *session) reportEvidence(e *evidence) {
	if e == nil {
		return
	}
	report := s.reporting(s.game, e)
	store := s.store // forgets the donor's states with the next start
	s.jobs.Go(func() {
		for seat, sum := range e.parts {
			if r := e.theirs[seat]; r != nil {
				r.state, _ = store.Get(sum)
			}
		}
		if e.air != ([32]byte{}) {
			report.donorAir, _ = store.Get(e.air)
		}
		s.keepBundle(report)
	})
}

// reporting gathers, on the session's goroutine, what else a bundle has.
func (s *session) reporting(g *game.Game, e *evidence) *bundle {
	b := &bundle{
		evidence: e, round: g.Round(), folder: s.cfg.Desyncs, program: s.cfg.Version, settings: s.room.Room().Settings, began: time.Now(),
		names: make(map[int]string), reports: s.history.Reports(), core: s.cfg.Core,
	}
	if r, ok := s.cfg.Recorder.(interface{ Path() string }); ok {
		b.log = r.Path()
	}
	if err := s.recorder().Problem(); err != nil {
		e.lacks("the end of the recording: %v", err)
	}
	for _, p := range g.Plan() {
		b.names[p.Machine] = p.Nickname
		if p.Seat == e.verdict.Seat {
			b.game = p.ROM.Title
		}
	}
	d := e.verdict
	b.verdict = bugreport.Verdict{
		Format: bugreport.Format, Words: d.Words, Frame: d.Frame, Agreed: d.Agreed, Seat: d.Seat, Region: d.Region,
		Odd: d.Machine, OddName: g.Owner(d.Machine), Machine: s.me(), MachineName: g.Owner(s.me()),
		Donor: e.donor, Game: b.game, Program: s.cfg.Version,
		Core: s.cfg.Core.Name + " " + s.cfg.Core.Version, CoreSum: fmt.Sprintf("%x", s.cfg.Core.SHA256), Options: options(b.settings),
	}
	b.again = player.Config{
		Core: s.cfg.Core, ROMs: s.romsOf(g), Background: true, Start: s.cfg.Start, TestOptions: s.cfg.TestOptions, TestTweak: s.cfg.TestTweak,
	}
	return b
}

// romsOf are the games of all seats.
func (s *session) romsOf(g *game.Game) map[[32]byte]*emucore.ROM {
	roms := make(map[[32]byte]*emucore.ROM)
	for _, p := range g.Plan() {
		if rom := s.games.roms[p.ROM.SHA256]; rom != nil {
			roms[p.ROM.SHA256] = rom
		}
	}
	return roms
}

// remember keeps what a machine reported, for a bundle.
func (s *session) remember(machine, seat int, frame int64, h desync.Hashes) {
	if s.cfg.Desyncs != "" {
		s.history.Add(desync.Report{Machine: machine, Seat: seat, Frame: frame, Hashes: h})
	}
}
