package romstest_test

import (
	"errors"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// room is consoles with one air between them, and what was sent on it.
type room struct {
	*testing.T
	air     *air.Air
	players []player
	scripts []*inputdelay.Script
	trace   []air.Record
}

// roomConfig says what is played in a room.
type roomConfig struct {
	rom      []byte
	broken   bool // the last seat's is broken on purpose
	consoles int
	skew     int
	scripts  []*inputdelay.Script // of seats; nil: nothing is pressed
	from     *roomState           // nil: from the start
}

// wirelessCore is the core that the tests of wireless play run on. There is none
// to be had from a package, so without one they are skipped.
func wirelessCore(t *testing.T) emucore.Core {
	t.Helper()
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if path == "" {
		t.Skip("NOT TESTED: wireless play needs a core that has it: set NETTPLAY_TEST_CORE to the path of melonDS DS")
	}
	core, err := emucore.OpenCore(t.Context(), path)
	must.Succeed(t, err)
	if !isMelonDS(core) {
		t.Skipf("NOT TESTED: wireless play needs melonDS DS, NETTPLAY_TEST_CORE is %s", core.Name)
	}
	return core
}

var names = [...]string{"Zoe", "Yann", "Xenia", "Walter"}

// openRoom starts the consoles; seat 0 has the lowest address.
func openRoom(t *testing.T, cfg roomConfig) *room {
	t.Helper()
	core := wirelessCore(t)
	a, err := air.New(air.Config{Skew: cfg.skew, Frame: cfg.from.frame()})
	must.Succeed(t, err)
	t.Cleanup(func() { a.Close() })
	r := &room{T: t, air: a, scripts: cfg.scripts}
	for seat := range cfg.consoles {
		p := play(t, core, cfg.romOf(ds.Seat(seat)), func(c *emucore.Config) {
			c.Firmware.Nickname = names[seat%len(names)]
			c.Firmware.MAC[5] = byte(0x10 + 3*seat)
			c.Radio = &emucore.Radio{Air: a, Seat: ds.Seat(seat)}
		})
		r.players = append(r.players, p)
	}
	must.Succeed(t, cfg.from.into(r))
	return r
}

// romOf is what a seat plays.
func (cfg *roomConfig) romOf(seat ds.Seat) []byte {
	if cfg.broken && int(seat) == cfg.consoles-1 {
		if rom, err := romstest.Broken(cfg.rom); err == nil {
			return rom
		}
	}
	return cfg.rom
}

// run plays n frames on all consoles and leaves them standing.
func (r *room) run(n int) {
	r.Helper()
	to := r.players[0].console.Frame() + int64(n)
	must.Succeed(r, errors.Join(r.air.Resume(), r.air.StopAt(to)))
	errs := make([]error, len(r.players))
	var all sync.WaitGroup
	for seat := range r.players {
		all.Go(func() { errs[seat] = r.playSeat(ds.Seat(seat), to) })
	}
	over := make(chan struct{})
	go func() { all.Wait(); close(over) }()
	for done := false; !done; r.drain() {
		select {
		case <-over:
			done = true
		case <-time.After(10 * time.Millisecond): // the trace is a ring
		}
	}
	must.Succeed(r, errors.Join(errs...))
}

func (r *room) playSeat(seat ds.Seat, to int64) error {
	c := r.players[seat].console
	for c.Frame() < to {
		var in emucore.Input
		if int(seat) < len(r.scripts) && r.scripts[seat] != nil {
			in = r.scripts[seat].At(c.Frame())
		}
		if _, err := c.Step(in); err != nil {
			return err
		}
	}
	return nil
}

func (r *room) drain() {
	got, lost, err := r.air.Trace()
	if err != nil || lost > 0 {
		r.Errorf("%v, %d records of the trace lost", err, lost)
	}
	r.trace = append(r.trace, got...)
}

func (r *room) status() air.Status {
	r.Helper()
	st, err := r.air.Status()
	must.Succeed(r, err)
	return st
}

func (r *room) hashes() (list []ds.Hash) {
	r.Helper()
	for _, p := range r.players {
		h, err := p.console.Hash()
		must.Succeed(r, err)
		list = append(list, h)
	}
	return list
}

// same compares two rooms in which the same should have happened since a.trace and
// b.trace began.
func (r *room) same(other *room) {
	r.Helper()
	for i := range min(len(r.trace), len(other.trace)) {
		if a, b := r.trace[i], other.trace[i]; a != b {
			r.Errorf("packet %d: %v, other %v", i, a, b)
			return
		}
	}
	if len(r.trace) != len(other.trace) || len(r.trace) == 0 {
		r.Errorf("%d packets, other %d", len(r.trace), len(other.trace))
	}
	if a, b := r.hashes(), other.hashes(); !slices.Equal(a, b) {
		r.Errorf("hashes %v, other %v", a, b)
	}
}

// roomState is a room between two frames.
type roomState struct {
	at     int64
	air    []byte
	states []emucore.State
}

func (r *room) save() *roomState {
	r.Helper()
	b, err := r.air.Save()
	must.Succeed(r, err)
	s := &roomState{at: r.players[0].console.Frame(), air: b}
	for _, p := range r.players {
		state, err := p.console.Save()
		must.Succeed(r, err)
		s.states = append(s.states, state)
	}
	return s
}

func (s *roomState) frame() int64 {
	if s == nil {
		return 0
	}
	return s.at
}

// into makes fresh consoles on a fresh air what they were.
func (s *roomState) into(r *room) error {
	if s == nil {
		for seat := range r.players {
			if err := r.air.Plug(ds.Seat(seat)); err != nil {
				return err
			}
		}
		return nil
	}
	for seat, p := range r.players {
		if err := p.console.Load(s.states[seat]); err != nil {
			return err
		}
	}
	return r.air.Restore(s.air)
}

// mashers are scripts of n players that mash from the first frame on.
func mashers(n int, frames int64) (list []*inputdelay.Script) {
	for seat := range n {
		list = append(list, inputdelay.RandomScript(uint64(100+seat), frames))
	}
	return list
}
