package emucore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// radioGame is consoles on one air that are played by a small driver: each as
// fast as it can, up to the next stop.
type radioGame struct {
	consoles int
	frames   int64
	every    int64 // hashes are taken at stops so many frames apart; 0: at the end
	air      air.Config
	options  map[string]string         // of all consoles
	seats    map[int]map[string]string // of one
	seed     uint64                    // of what is pressed
	deaf     bool                      // consoles have no radio
	apart    bool                      // each has an air of its own, on which it is alone
	lobby    bool                      // it is our ROM's game: A opens one, B joins it
	still    bool                      // nobody presses anything
	rollback bool                      // consoles make snapshots
	off      ds.Seat                   // presses what switches its console off; 0: nobody
	core     Core
	rom      *ROM
	profile  *Profile // nil: the core's own
}

// pocketGame is a game of test cores; options are pairs of key and value.
func pocketGame(t testing.TB, consoles int, frames int64, options ...string) *radioGame {
	t.Helper()
	cfg := worldConfig(t)
	core := opened(t, testcore.Path(t))
	g := &radioGame{
		consoles: consoles, frames: frames, air: air.Config{Skew: 1},
		options: map[string]string{}, seats: map[int]map[string]string{}, core: core, rom: cfg.ROM,
	}
	for i := 0; i < len(options); i += 2 {
		g.options["testcore_"+options[i]] = options[i+1]
	}
	p := *ProfileFor(core.Name)
	p.Scrub = melondsdsProfile().Scrub // it sends the same garbage
	g.profile = &p
	return g
}

// config is what a seat's console is built from.
func (g *radioGame) config(a *air.Air, seat ds.Seat) Config {
	cfg := Config{
		Core: g.core, ROM: g.rom, RTC: 1_000_000_000, TestOptions: maps.Clone(g.options),
		Firmware: ds.Firmware{MAC: [6]byte{0, 9, 0xbf, 0, 0, byte(seat)}, Language: 1, BirthMonth: 1, BirthDay: 1},
		limits:   patient, profile: g.profile, Rollback: g.rollback,
	}
	if g.profile != nil {
		cfg.TestOptions["testcore_mac"] = fmt.Sprintf("00:09:bf:00:00:%02x", int(seat))
	}
	maps.Copy(cfg.TestOptions, g.seats[int(seat)])
	if !g.deaf {
		cfg.Radio = &Radio{Air: a, Seat: seat}
	}
	return cfg
}

// radioRoom is such a game while it is played.
type radioRoom struct {
	t     testing.TB
	game  *radioGame
	air   *air.Air
	on    []*Console // nil: gone
	frame int64
	trace []air.Record
}

func (g *radioGame) open(t testing.TB) *radioRoom {
	t.Helper()
	a, err := air.New(g.air)
	must.Succeed(t, err)
	r := &radioRoom{t: t, game: g, air: a, on: make([]*Console, g.consoles)}
	t.Cleanup(r.close)
	for i := range r.on {
		on := a
		if g.apart {
			on = ownAir(t, g.air, ds.Seat(i))
		}
		if r.on[i], err = Start(context.Background(), g.config(on, ds.Seat(i))); err != nil {
			t.Fatal(err)
		}
		if g.deaf || g.apart {
			continue
		}
		must.Succeed(t, a.Plug(ds.Seat(i)))
	}
	return r
}

// ownAir is one with a single console, which never stops.
func ownAir(t testing.TB, cfg air.Config, seat ds.Seat) *air.Air {
	t.Helper()
	a, err := air.New(cfg)
	must.Succeed(t, err)
	t.Cleanup(func() { a.Close() })
	must.Succeed(t, errors.Join(a.Plug(seat), a.Resume()))
	return a
}

func (r *radioRoom) close() {
	for _, c := range r.on {
		if c != nil {
			c.Close()
		}
	}
	r.air.Close()
}

// run plays all consoles up to frame to and leaves them standing there; it
// returns each one's error. It reads the trace meanwhile.
func (r *radioRoom) run(to int64) []error {
	r.t.Helper()
	must.Succeed(r.t, errors.Join(r.air.Resume(), r.air.StopAt(to)))
	errs := make([]error, len(r.on))
	var all sync.WaitGroup
	for i, c := range r.on {
		if c != nil {
			all.Go(func() { errs[i] = r.game.playTo(c, ds.Seat(i), to) })
		}
	}
	over := make(chan struct{})
	go func() { all.Wait(); close(over) }()
	for done := false; !done; r.drain() {
		select {
		case <-over:
			done = true
		case <-time.After(20 * time.Millisecond):
		}
	}
	r.frame = to
	return errs
}

// playTo gives a console the same keys in each run.
func (g *radioGame) playTo(c *Console, seat ds.Seat, to int64) error {
	for f := c.Frame(); f < to; f++ {
		if _, err := c.Step(g.keys(seat, f)); err != nil {
			return err
		}
	}
	return nil
}

func (g *radioGame) keys(seat ds.Seat, frame int64) Input {
	if g.off > 0 && seat == g.off {
		return Input{Keys: powerKeys}
	}
	if g.still {
		return Input{}
	}
	in := mash(g.seed<<32+uint64(frame/7)*ds.MaxSeats+uint64(seat), 1)[0]
	if g.options["testcore_power"] != "" {
		in.Keys &^= inputdelay.KeyL
	}
	if !g.lobby {
		return in
	}
	in = Input{Keys: in.Keys & (inputdelay.KeyRight | inputdelay.KeyLeft | inputdelay.KeyUp | inputdelay.KeyDown)}
	switch {
	case seat == 0 && frame >= 100 && frame < 105:
		in.Keys = inputdelay.KeyA
	case seat > 0 && frame >= 150 && frame < 155:
		in.Keys = inputdelay.KeyB
	}
	return in
}

func (r *radioRoom) drain() {
	got, lost, err := r.air.Trace()
	if err != nil || lost > 0 {
		r.t.Errorf("%v, %d records of the trace lost", err, lost)
	}
	r.trace = append(r.trace, got...)
}

func (r *radioRoom) hashes() (list []ds.Hash) {
	r.t.Helper()
	for _, c := range r.on {
		if c == nil {
			list = append(list, ds.Hash{})
			continue
		}
		h, err := c.Hash()
		must.Succeed(r.t, err)
		list = append(list, h)
	}
	return list
}

func (r *radioRoom) status() air.Status {
	r.t.Helper()
	st, err := r.air.Status()
	must.Succeed(r.t, err)
	return st
}

// radioRun is what must be the same in every run of a game.
type radioRun struct {
	hashes []ds.Hash
	trace  []air.Record
	chain  uint64
	status air.Status
}

func (g *radioGame) play(t testing.TB) radioRun {
	t.Helper()
	r := g.open(t)
	defer r.close()
	var run radioRun
	for r.frame < g.frames {
		to := g.frames
		if g.every > 0 {
			to = min(to, r.frame+g.every)
		}
		must.Succeed(t, errors.Join(r.run(to)...))
		run.hashes = append(run.hashes, r.hashes()...)
	}
	run.trace, run.status = r.trace, r.status()
	run.chain = run.status.Chain
	return run
}

// differs says in what one run differs from another.
func (a *radioRun) differs(b *radioRun) error {
	for i := range min(len(a.trace), len(b.trace)) {
		if a.trace[i] != b.trace[i] {
			return fmt.Errorf("packet %d: %v or %v", i, a.trace[i], b.trace[i])
		}
	}
	if len(a.trace) != len(b.trace) || a.chain != b.chain {
		return fmt.Errorf("%d or %d packets", len(a.trace), len(b.trace))
	}
	if !slices.Equal(a.hashes, b.hashes) {
		return fmt.Errorf("hashes %v or %v", a.hashes, b.hashes)
	}
	return nil
}

// TestRadioThatIsNone: a seat that no air has is refused, and nothing is left of
// what was made for the console before.
func TestRadioThatIsNone(t *testing.T) {
	cfg := seatConfig()
	cfg.Core = needDesmume(t)
	var err error
	if cfg.ROM, err = OpenROM("../roms-test/pad.nds"); err != nil {
		t.Fatal(err)
	}
	checkLeaks(t)
	for _, radio := range []Radio{{}, {Air: new(air.Air), Seat: -1}, {Air: new(air.Air), Seat: ds.MaxSeats}} {
		cfg.Radio = &radio
		if c, err := Start(t.Context(), cfg); err == nil {
			c.Close()
			t.Errorf("%+v is taken", radio)
		}
	}
}
