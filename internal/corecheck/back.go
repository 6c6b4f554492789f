package corecheck

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
)

// Going back in time: a pair plays frames with stops between them, and another one the same, but it runs up to
// furthest frames ahead with other inputs now and then, and goes back. In what is confirmed they are to be alike, whatever
// the core has beside the memory that is put back.

// furthest is the most frames that a pair goes back.
const furthest = 6

// confirmed is what a pair showed of each frame that counts.
type confirmed struct {
	frames [][consoles][32]byte // of picture, sound and memories
	chains []uint64             // of all that was sent up to the frame
}

// goesBack tries the ways in which a room may have the console's CPUs emulated. A machine that makes no snapshots tries
// nothing.
func (c *check) goesBack(ctx context.Context) error {
	if len(emucore.SnapshotWays()) == 0 {
		return nil
	}
	main := c.plan
	defer func() { c.plan = main }()
	for i, options := range main.returning {
		c.plan.options = options
		if c.Tell != nil {
			c.Tell(fourthRun+2*i, main.steps())
		}
		same, why, err := c.backAndForth(ctx)
		for _, o := range options {
			why += fmt.Sprintf(", with %s at %q", o.Key, o.Value)
		}
		if err != nil {
			return err
		}
		if !same {
			c.verdict.set(Back, Lacking, "Consoles of this core do not go back in time as they must for rollback: "+why+". Rooms play with everyone waiting.")
			return nil
		}
	}
	c.verdict.set(Back, Passed, "")
	return nil
}

// backAndForth reports whether consoles that go back are those that do not, and if not, why.
func (c *check) backAndForth(ctx context.Context) (same bool, why string, err error) {
	var runs [2]confirmed
	for i := range runs {
		if runs[i], err = c.playBack(ctx, straightRun+i); err != nil {
			if ctx.Err() != nil || !ofCore(err) && !is[*staysError](err) {
				return false, "", err
			}
			return false, err.Error(), nil
		}
	}
	for f := range runs[0].frames {
		for seat := range consoles {
			if runs[0].frames[f][seat] != runs[1].frames[f][seat] {
				return false, fmt.Sprintf("frame %d of console %v is another one", f, ds.Seat(seat)), nil
			}
		}
		if runs[0].chains[f] != runs[1].chains[f] {
			return false, fmt.Sprintf("what the consoles sent by radio in frame %d is something else", f), nil
		}
	}
	return true, "", nil
}

// staysError is a console that makes no snapshots.
type staysError struct{}

func (*staysError) Error() string { return "the core has threads" }

// playBack is the straight run, or the one that goes back.
func (c *check) playBack(ctx context.Context, number int) (seen confirmed, err error) {
	t, err := c.seat(ctx, number, nil)
	if err != nil {
		return seen, err
	}
	defer t.Close()
	defer context.AfterFunc(ctx, t.End)()
	b := &backward{table: t, seen: &seen}
	for _, console := range t.Consoles {
		if number == backRun && !console.Returns() {
			return seen, &staysError{}
		}
	}
	rng := rand.New(rand.NewPCG(2, 7)) // the same on each machine
	for t.At < c.turns {
		if number == backRun && rng.IntN(4) == 0 {
			if err := b.guess(rng); err != nil {
				return seen, err
			}
		}
		if err := b.frame(t.input); err != nil {
			return seen, err
		}
	}
	return seen, nil
}

// backward is a table whose consoles go back.
type backward struct {
	*table
	seen *confirmed
}

// inputs are those of each console in each frame.
type inputs func(seat int, frame int64) inputdelay.Input

// guess runs some frames ahead with other inputs, and goes back.
func (b *backward) guess(rng *rand.Rand) error {
	from := b.At
	var radio []byte
	if b.Air != nil {
		var err error
		if radio, err = b.Air.Save(); err != nil {
			return err
		}
	}
	for range 1 + rng.IntN(furthest) {
		wrong := [consoles]inputdelay.Keys{inputdelay.Keys(rng.IntN(1 << 12)), inputdelay.Keys(rng.IntN(1 << 12))}
		err := b.run(func(seat int, _ int64) inputdelay.Input { return inputdelay.Input{Keys: wrong[seat]} }, true)
		if err != nil {
			return err
		}
	}
	for _, c := range b.Consoles {
		if err := c.Return(place(from)); err != nil {
			return err
		}
	}
	b.At, b.seen.frames, b.seen.chains = from, b.seen.frames[:from], b.seen.chains[:from]
	if b.Air == nil {
		return nil
	}
	return b.Air.Restore(radio)
}

// place is where consoles are noted before a frame.
func place(frame int64) int { return int(frame % emucore.MaxSnapshots) }

// frame runs one that counts.
func (b *backward) frame(in inputs) error { return b.run(in, false) }

// run runs a frame, before which the consoles are noted if they are to go back.
func (b *backward) run(in inputs, noted bool) error {
	var marks [consoles][32]byte
	err := b.PlayTo(b.At+1, func(seat int, c *emucore.Console, f int64) (err error) {
		var frame emucore.Frame
		if noted {
			frame, err = c.AdvanceFrom(place(f), in(seat, f))
		} else {
			frame, err = c.Advance(in(seat, f))
		}
		if err != nil {
			return err
		}
		h, err := c.Hash()
		if err != nil {
			return err
		}
		sum := sha256.New()
		noteFrame(sum, frame, h)
		marks[seat] = [32]byte(sum.Sum(nil))
		return nil
	})
	if err != nil {
		return err
	}
	chain := uint64(0)
	if b.Air != nil {
		status, err := b.Air.Status()
		if err != nil {
			return err
		}
		chain = status.Chain
	}
	b.seen.frames, b.seen.chains = append(b.seen.frames, marks), append(b.seen.chains, chain)
	return nil
}
