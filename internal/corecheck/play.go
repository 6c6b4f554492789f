package corecheck

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/ds"
)

const consoles = Consoles

// moment is two consoles and their radio between two frames.
type moment struct {
	air    []byte
	states [consoles]emucore.State
}

// look is the state of two consoles at a frame.
type look struct {
	frame  int64
	hashes [consoles]ds.Hash
	chain  uint64 // of all that was sent
}

// run is what a run showed.
type run struct {
	looks  []look
	radio  air.Status
	state  *moment  // at the split, of a run from the start; nil: the core has no states
	passed int64    // frames before the first one
	sum    [32]byte // of every frame of all consoles, of the state and of the packets
}

// heard reports whether both consoles sent and heard something, in a game that went well.
func (r *run) heard() bool {
	return !slices.ContainsFunc(r.radio.Consoles[:consoles], func(c air.Console) bool { return c.Sent == 0 || c.Heard == 0 })
}

// difference says where two runs that should be the same were not.
type difference struct {
	part  Part
	words string
}

// differs compares two runs, which were the same until after; nil: they are the same to the end.
func (r *run) differs(other *run, after string) *difference {
	for i := range r.looks {
		a, b := r.looks[i], other.looks[i]
		when := fmt.Sprintf("within %d frames after %s", a.frame-r.passed, after)
		for seat := range consoles {
			if region := a.hashes[seat].Differs(b.hashes[seat]); region != "" {
				return &difference{Repeat, fmt.Sprintf("console %v differs %s (%s)", ds.Seat(seat), when, region)}
			}
		}
		if a.chain != b.chain {
			return &difference{Radio, "the consoles' radio packets differ " + when}
		}
	}
	return nil
}

// stateError is a core that could not save or load a state.
type stateError struct{ err error }

func (e *stateError) Error() string { return e.err.Error() }
func (e *stateError) Unwrap() error { return e.err }

// ofCore reports whether a failure is the core's own.
func ofCore(err error) bool {
	return is[*stateError](err) || OfCore(err)
}

// is reports whether an error is, or wraps, one of a type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// table is the consoles of a run while it goes on.
type table struct {
	*check
	*Pair
	scripts [consoles]*inputdelay.Script
	record  [consoles]hash.Hash // of every frame; nil in runs that are not for the fingerprint
}

// playOnce plays from the start to the end, and from a moment to the end.
func (c *check) playOnce(ctx context.Context, number int, from *moment) (r run, err error) {
	if from != nil {
		r.passed = c.split
	}
	t, err := c.seat(ctx, number, from)
	if err != nil {
		return run{}, err
	}
	defer t.Close()
	if number%2 == 1 { // the second of two runs is compared with the first as far as is needed
		for seat := range t.record {
			t.record[seat] = sha256.New()
		}
	}
	defer context.AfterFunc(ctx, t.End)()
	for t.At < c.end {
		if err := t.PlayTo(t.At+c.every, t.step); err != nil {
			return run{}, err
		}
		seen, err := t.hashes()
		if err != nil {
			return run{}, err
		}
		r.looks = append(r.looks, seen)
		if t.At == c.split {
			if r.state, err = t.keep(); err != nil {
				return run{}, err
			}
		}
	}
	if t.Air != nil {
		r.radio, err = t.Air.Status()
	}
	if err == nil && (number == firstRun || t.chip > 0) {
		err = t.ask()
	}
	if t.record[0] != nil {
		r.sum = t.sum(&r)
	}
	return r, err
}

// seat has two consoles ready to play, from the start or from a moment.
func (c *check) seat(ctx context.Context, number int, from *moment) (t *table, err error) {
	t = &table{check: c}
	frame := int64(0)
	if from != nil {
		frame = c.split
	}
	if t.Pair, err = NewPair(c.radio, frame); err != nil {
		return nil, err
	}
	for seat := range t.scripts {
		t.scripts[seat] = inputdelay.RandomScript(uint64(seat+1), max(c.end, c.turns))
	}
	if err := t.open(ctx, number, from); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// ask asks the first console what its profile takes for granted.
func (t *table) ask() error {
	unlike, err := t.Consoles[0].Unlike(t.chip)
	if err != nil {
		return err
	}
	for _, u := range unlike {
		if !slices.Contains(t.unlike, u) {
			t.unlike = append(t.unlike, u)
		}
	}
	return nil
}

// open starts the consoles.
func (t *table) open(ctx context.Context, number int, from *moment) (err error) {
	for seat := range ds.Seat(consoles) {
		c, err := t.Start(ctx, t.config(number, seat))
		if err != nil {
			return err
		}
		if t.check.options == nil {
			if t.check.options, err = c.Declared(); err != nil {
				return err
			}
		}
		if t.Air != nil && from == nil {
			err = t.Air.Plug(seat)
		}
		if err != nil {
			return err
		}
	}
	if from == nil {
		return nil
	}
	for seat, c := range t.Consoles {
		if err := c.Load(from.states[seat]); err != nil {
			return &stateError{err}
		}
	}
	if t.Air != nil {
		return t.Air.Restore(from.air)
	}
	return nil
}

func (t *table) config(number int, seat ds.Seat) emucore.Config {
	cfg := t.ConsoleConfig(t.Core, t.file, seat)
	cfg.Options, cfg.Rollback = t.plan.options, number == backRun
	if t.TestOptions != nil {
		cfg.TestOptions = t.TestOptions(number, seat)
	}
	if t.Tweak != nil {
		t.Tweak(&cfg)
	}
	return cfg
}

// step plays a frame of a console and notes all that it made.
func (t *table) step(seat int, c *emucore.Console, f int64) error {
	frame, err := c.Advance(t.input(seat, f))
	if err != nil {
		return err
	}
	if t.record[seat] == nil {
		return nil
	}
	h, err := c.Hash()
	if err != nil {
		return err
	}
	noteFrame(t.record[seat], frame, h)
	return nil
}

// noteFrame adds a frame to a record: its sound, and the hashes of picture, main memory and save memory.
func noteFrame(to io.Writer, f emucore.Frame, h ds.Hash) {
	var b []byte
	for _, v := range []uint64{uint64(f.Number), h.RAM, h.Video, h.SRAM, uint64(len(f.Audio))} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	for _, s := range f.Audio {
		b = binary.LittleEndian.AppendUint16(b, uint16(s))
	}
	_, _ = to.Write(b) // a hash
}

// sum is of all that a run showed.
func (t *table) sum(r *run) (s [32]byte) {
	all := sha256.New()
	for _, h := range t.record {
		_, _ = all.Write(h.Sum(nil))
	}
	for _, l := range r.looks {
		_ = binary.Write(all, binary.LittleEndian, l.chain)
	}
	if r.state != nil {
		for _, state := range r.state.states {
			noteState(all, emucore.ProfileFor(t.Core.Name), state)
		}
	}
	return [32]byte(all.Sum(nil))
}

// noteState adds what of a state is the same whatever build made it.
func noteState(to io.Writer, p *emucore.Profile, s emucore.State) {
	fmt.Fprintf(to, "state of %d bytes\n", len(s.Data))
	if p.WriteState != nil {
		if err := s.Core(func(state []byte) error { return p.WriteState(state, to) }); err != nil {
			fmt.Fprintln(to, "not readable")
		}
	}
}

// noteOptions adds the options that a core declares, without those that a build may lack and do the same, and without what
// the core lists of this machine.
func noteOptions(to io.Writer, p *emucore.Profile, list []emucore.DeclaredOption) {
	for _, o := range list {
		if p.OfAllBuilds(o.Key) {
			fmt.Fprintf(to, "%q %q %q\n", o.Key, o.Default, o.Values)
		}
	}
}

// The keys with which the test ROM's game is opened and joined.
const (
	opensAt, joinsAt = 40, 60
	pressedFor       = 5
	cross            = inputdelay.KeyRight | inputdelay.KeyLeft | inputdelay.KeyUp | inputdelay.KeyDown
)

// input returns a console's input. Over the radio one opens a game and the other joins it.
func (t *table) input(seat int, frame int64) inputdelay.Input {
	in := t.scripts[seat].At(frame)
	if !t.radio {
		return in
	}
	return meets(seat, frame, inputdelay.Input{Keys: in.Keys & cross})
}

// meets is an input, but for the keys with which consoles find each other.
func meets(seat int, frame int64, in inputdelay.Input) inputdelay.Input {
	switch {
	case seat == 0 && frame >= opensAt && frame < opensAt+pressedFor:
		in.Keys = inputdelay.KeyA
	case seat > 0 && frame >= joinsAt && frame < joinsAt+pressedFor:
		in.Keys = inputdelay.KeyB
	}
	return in
}

func (t *table) hashes() (l look, err error) {
	l.frame = t.At
	for seat, c := range t.Consoles {
		if l.hashes[seat], err = c.Hash(); err != nil {
			return l, err
		}
	}
	if t.Air == nil {
		return l, nil
	}
	status, err := t.Air.Status()
	l.chain = status.Chain
	return l, err
}

// keep takes the moment, if the core can.
func (t *table) keep() (m *moment, err error) {
	m = &moment{}
	for seat, c := range t.Consoles {
		m.states[seat], err = c.Save()
		if errors.Is(err, emucore.ErrNoState) {
			return nil, nil
		}
		if err != nil {
			return nil, &stateError{err}
		}
	}
	if t.Air != nil {
		m.air, err = t.Air.Save()
	}
	return m, err
}
