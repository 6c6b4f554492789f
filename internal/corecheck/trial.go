package corecheck

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/nettplay/nettplay/emucore"
)

// A Trial finds out whether states that another build of a core has made load in this one. It has a
// state of its own, made of the program and the presses that every machine takes; the other's must
// go on exactly as that one does.
type Trial struct {
	cfg   Config
	state emucore.State
	want  run // from our own state to the end
}

// trialPlan is what is played for a trial.
var trialPlan = plan{rom: alone.rom, split: 40, end: 70, every: 10}

// A RefusedError says that another build's state did not do.
type RefusedError struct {
	Why string // of the state
}

func (e *RefusedError) Error() string { return e.Why }

// NewTrial makes a state with a core, in about a second. An error says that this was not possible; it matches
// [emucore.ErrNoState] where the core has no states.
func NewTrial(ctx context.Context, cfg Config) (*Trial, error) {
	t := &Trial{cfg: cfg}
	first, err := t.play(ctx, firstRun, nil)
	if err == nil && first.state == nil {
		err = emucore.ErrNoState
	}
	if err == nil {
		t.state = first.state.states[0]
		t.want, err = t.play(ctx, thirdRun, &t.state)
	}
	if err != nil {
		return nil, fmt.Errorf("try the core's states: %w", err)
	}
	return t, nil
}

// play is one run: from the start, or with both consoles from a state.
func (t *Trial) play(ctx context.Context, number int, from *emucore.State) (r run, err error) {
	dir, err := os.MkdirTemp("", "nettplay-trial-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	c := &check{Config: t.cfg, plan: trialPlan}
	if c.file, err = open(dir, trialPlan.rom); err != nil {
		return r, err
	}
	if from == nil {
		return c.playOnce(ctx, number, nil)
	}
	return c.playOnce(ctx, number, &moment{states: [consoles]emucore.State{*from, *from}})
}

// State is the one that the others are to load.
func (t *Trial) State() emucore.State { return t.state }

// Try loads a state that another build has made, and plays on. It may come from a stranger: it is loaded in a
// worker that is shut in, as states are in a game, and bounded as they are. An error for which [Refused] is true
// says what was wrong with it; any other, that it could not be tried: nothing is known of the state then.
func (t *Trial) Try(ctx context.Context, data []byte) error {
	got, err := t.play(ctx, thirdRun, &emucore.State{Frame: trialPlan.split, Data: data})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && ofCore(err) && !killed(err):
		return &RefusedError{err.Error()}
	case err != nil:
		return err
	}
	if d := t.want.differs(&got, "it was loaded"); d != nil {
		return &RefusedError{"it goes on otherwise than its own: " + d.words}
	}
	if got.sum != t.want.sum {
		return &RefusedError{"it goes on otherwise than its own: the sound, or single frames, differ"}
	}
	return nil
}

// Refused reports whether an error of [Trial.Try] is about the other's state.
func Refused(err error) bool { return is[*RefusedError](err) }

// killed reports whether somebody ended the core from outside, as a system does that is out of memory.
func killed(err error) bool {
	crash, crashed := errors.AsType[*emucore.CrashError](err)
	return crashed && crash.Signal == "SIGKILL"
}
