package report

import (
	"fmt"
	"image"
	"maps"
	"slices"
	"sync"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/savestate"
)

// At a resync the odd machine has its own consoles and those of another, both as they are
// after the same frame. They are read before the old ones go, in the background, and end up
// in a file for a bug report (bundle.go). Nobody waits for the disk, and the game goes on
// where something cannot be kept.

// Evidence is the material kept of one desync. Nil is that of a resync for which no machines differ;
// its methods do nothing.
type Evidence struct {
	verdict message.Desync
	keeps   bool  // this machine has something to keep
	donor   int   // machine whose consoles all take; -1 for none
	frame   int64 // frames done by the consoles that are kept
	taking  bool  // our own ones are still being read; only for the session's goroutine

	mu      sync.Mutex // guards what follows, until all are read
	own     map[ds.Seat]*console
	theirs  map[ds.Seat]*console
	ownAir  []byte
	parts   map[ds.Seat][32]byte // of the donor's states
	air     [32]byte             // of the donor's air
	missing []string
	bytes   int
}

// console is the material kept of one console.
type console struct {
	frame  int64 // frames done; 0 where there is no state
	state  []byte
	ram    []byte
	sram   []byte
	screen *image.RGBA
	log    []string
}

// maxEvidence bounds the bytes of consoles that are kept in memory until they are in a file: two
// consoles with the largest states there are, or all sixteen of usual ones.
const maxEvidence = 256 << 20

func newEvidence(v message.Desync) *Evidence {
	return &Evidence{
		verdict: v, donor: -1, own: make(map[ds.Seat]*console), theirs: make(map[ds.Seat]*console), parts: make(map[ds.Seat][32]byte),
	}
}

// Reading reports whether our own consoles are still being read, and must stay.
func (e *Evidence) Reading() bool { return e != nil && e.taking }

// lacks notes what cannot be kept.
func (e *Evidence) lacks(format string, args ...any) {
	e.missing = append(e.missing, fmt.Sprintf(format, args...))
}

// concerns reports whether this machine has something to keep: it is the odd one out, all
// take its consoles, or it owns the console that differs.
func (e *Evidence) concerns(s Scene) bool {
	seat, plays := s.Game.Seat(e.verdict.Seat)
	return e.verdict.Machine == s.Machine || e.donor == s.Machine || plays && seat.Owner == s.Machine
}

// readable are the consoles of some seats that can be read.
func (e *Evidence) readable(g *game.Game, seats []ds.Seat) map[ds.Seat]game.Console {
	list := make(map[ds.Seat]game.Console)
	for _, number := range seats {
		switch seat, _ := g.Seat(number); {
		case seat.Dead:
			e.lacks("the console of seat %v here: it is gone", number)
		case seat.Gone:
			e.lacks("the console of seat %v here: its player had left", number)
		case seat.Console != nil: // one that is still to come has none
			list[number] = seat.Console
		}
	}
	return list
}

// captureAll reads our own consoles. It runs on any goroutine.
func (e *Evidence) captureAll(consoles map[ds.Seat]game.Console) {
	seats := slices.Sorted(maps.Keys(consoles))
	if i := slices.Index(seats, e.verdict.Seat); i > 0 { // first, for when there is not room for all
		seats = slices.Insert(slices.Delete(seats, i, i+1), 0, e.verdict.Seat)
	}
	for _, seat := range seats {
		e.capture(e.own, seat, consoles[seat], true)
	}
}

// capture reads a console between two frames. It runs on any goroutine.
func (e *Evidence) capture(into map[ds.Seat]*console, seat ds.Seat, c game.Console, withState bool) {
	r := new(console)
	err := r.read(c, withState)
	e.mu.Lock()
	defer e.mu.Unlock()
	switch size := len(r.state) + len(r.ram) + len(r.sram); {
	case err != nil:
		e.lacks("the console of seat %v: %v", seat, err)
	case e.bytes+size > maxEvidence:
		e.lacks("the console of seat %v: there is too much to keep", seat)
	default:
		e.bytes += size
		into[seat] = r
	}
}

func (r *console) read(c game.Console, withState bool) (err error) {
	if v := c.Video(); len(v.Pix) > 0 {
		r.screen = v.Image()
	}
	r.log = c.Log()
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

func (e *Evidence) captureAir(r *game.Radio) {
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

// Received reads a console that came from the donor, before its first frame here. It runs
// on any goroutine.
func (e *Evidence) Received(m savestate.Manifest, c game.Console) {
	if e == nil || !e.keeps {
		return
	}
	e.capture(e.theirs, m.Seat, c, false)
	e.mu.Lock()
	defer e.mu.Unlock()
	if p, ok := m.Part(savestate.KindState); ok {
		e.parts[m.Seat] = p.SHA256
	}
	if p, ok := m.Part(savestate.KindAir); ok {
		e.air = p.SHA256
	}
}
