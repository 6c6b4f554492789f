package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/ds"
)

// A trial of a game plays two consoles of it twice from a cold boot, on the air where the core has a radio:
// first with nothing pressed, then with somebody mashing, the same in both runs.
const (
	trialSeats   = corecheck.Consoles
	idleFrames   = 180 // with nothing pressed
	trialFrames  = 480 // in all: eight seconds
	pictureEvery = 10  // frames between two pictures that are looked at
	trialStride  = 20  // frames between two looks at what is left to do
	trialWarmUp  = 120 // frames that are not timed: most games load something first
	trialSpan    = time.Second
	trialRuns    = 2
	trialTime    = 90 * time.Second // limit of everything about a game
)

// GameTrial says which game is tried, and how.
type GameTrial struct {
	Core    emucore.Core
	ROM     *emucore.ROM // read
	Options []ds.Option  // a room's choices
	// Tell hears how many of all steps are done, on the caller's goroutine; nil: nobody does.
	Tell func(done, all int)

	// tweak changes a console of a run, from 1, for tests.
	tweak func(run int, seat ds.Seat, cfg *emucore.Config)
	span  time.Duration // for each number of consoles; 0: the usual one
}

// Seen is what a trial of a game showed.
type Seen struct {
	Core emucore.Core
	ROM  *emucore.ROM

	// Err is why the game did not run to the end: an error of emucore, or context.DeadlineExceeded where
	// there was no time left; nil: it did. Frame is that of the console that failed; -1: none had started.
	Err   error
	Frame int64

	// Differs says where the second run was not like the first, in words that go on from "Two runs of it differ:"; "" for
	// nowhere, or where there were no two.
	Differs string

	Radio       bool // the consoles were on the air
	Sent, Heard uint64
	Chip        savefile.Chip
	OffAt       int64     // frame at which the first console was off; -1: none was
	LastChange  int64     // frame of the last such change; -1: none
	Blank       bool      // each screen of both consoles was of one colour in every picture
	Rates       []float64 // frames a second with one console, with two and so on; nil: not measured
}

// TrialSeconds is how long a game is played in each run.
const TrialSeconds = trialFrames / 60

// trialSteps is the number of steps that GameTrial.Tell counts.
const trialSteps = trialRuns*trialFrames/trialStride + maxConsoles

// Name is what a player calls the game: its banner's title, else its file.
func (s *Seen) Name() string { return gameName(s.ROM) }

func gameName(r *emucore.ROM) string {
	base := filepath.Base(r.Path)
	return cmp.Or(r.BannerTitle, strings.TrimSuffix(base, filepath.Ext(base)))
}

// Run tries the game, which takes some 20 seconds, and at most a minute and a half. An error says that nothing was
// found out: ctx ended, or this machine could not do it. It leaves nothing behind.
func (g GameTrial) Run(ctx context.Context) (s Seen, err error) {
	s = Seen{Core: g.Core, ROM: g.ROM, OffAt: -1, LastChange: -1, Frame: -1, Radio: g.Core.Wireless, Blank: true}
	if err := emucore.ProfileFor(g.Core.Name).Reads(g.ROM); err != nil {
		s.Err = err
		return s, nil
	}
	limited, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	var first [trialSeats][]ds.Hash
	var chain uint64
	for run := 1; run <= trialRuns; run++ {
		t := gameRun{GameTrial: g, Pair: new(corecheck.Pair), number: run}
		err := t.play(limited)
		if ctx.Err() != nil {
			return Seen{}, context.Cause(ctx)
		}
		if run == 1 || err != nil {
			t.report(&s)
		}
		if err != nil {
			s.Err = err
			if limited.Err() != nil {
				s.Err = context.DeadlineExceeded
			}
			return s, nil
		}
		if run == 1 {
			first, chain = t.hashes, t.chain
			continue
		}
		s.Differs = differs(first, t.hashes)
		if s.Differs == "" && chain != t.chain {
			s.Differs = "the consoles' radio packets"
		}
	}
	if s.OffAt < 0 {
		if s.Rates, err = g.rates(limited); ctx.Err() != nil {
			return Seen{}, context.Cause(ctx)
		}
		if err != nil {
			s.Rates, s.Err, s.Frame = nil, err, trialWarmUp
			if limited.Err() != nil {
				s.Err = context.DeadlineExceeded
			}
		}
	}
	g.tell(trialSteps)
	return s, nil
}

func (g GameTrial) tell(done int) {
	if g.Tell != nil {
		g.Tell(done, trialSteps)
	}
}

// rates measures the speed of consoles that are not on the air, with nothing pressed.
func (g GameTrial) rates(ctx context.Context) ([]float64, error) {
	begun := 0
	return speed(ctx, func(ctx context.Context) (Console, error) {
		g.tell(trialSteps - maxConsoles + begun)
		begun++
		c, err := emucore.Start(ctx, g.config(trialRuns+1, 0, new(corecheck.Pair)))
		if err != nil {
			return nil, err
		}
		return c, nil
	}, maxConsoles, trialWarmUp, cmp.Or(g.span, trialSpan))
}

func (g GameTrial) config(run int, seat ds.Seat, in *corecheck.Pair) emucore.Config {
	cfg := in.ConsoleConfig(g.Core, g.ROM, seat)
	cfg.Options = g.Options
	if g.tweak != nil {
		g.tweak(run, seat, &cfg)
	}
	return cfg
}

// gameRun is one run of two consoles.
type gameRun struct {
	GameTrial
	*corecheck.Pair
	number  int
	scripts [trialSeats]*inputdelay.Script

	hashes [trialSeats][]ds.Hash // of each frame
	offAt  [trialSeats]int64     // -1: it is on
	drawn  [trialSeats]bool      // some picture was not blank
	chain  uint64
	sent   uint64
	heard  uint64
	chip   savefile.Chip
}

func (t *gameRun) play(ctx context.Context) (err error) {
	p, err := corecheck.NewPair(t.Core.Wireless, 0)
	if err != nil {
		return err
	}
	t.Pair = p
	defer t.Close()
	for seat := range trialSeats {
		t.scripts[seat], t.offAt[seat] = inputdelay.RandomScript(uint64(seat+1), trialFrames), -1
	}
	if err := t.open(ctx); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, t.End)()
	for t.At < trialFrames {
		t.tell((t.number-1)*trialFrames/trialStride + int(t.At)/trialStride)
		if err := t.PlayTo(t.At+trialStride, t.step); err != nil {
			return err
		}
		if err := t.sampleAir(); err != nil {
			return err
		}
	}
	t.chip, err = t.Consoles[0].Chip()
	return err
}

func (t *gameRun) open(ctx context.Context) (err error) {
	for seat := range ds.Seat(trialSeats) {
		if _, err := t.Start(ctx, t.config(t.number, seat, t.Pair)); err != nil {
			return err
		}
		if t.Air != nil {
			if err := t.Air.Plug(seat); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *gameRun) step(seat int, c *emucore.Console, f int64) error {
	in := emucore.Input{}
	if f >= idleFrames {
		in = t.scripts[seat].At(f)
	}
	play := c.Advance
	if f%pictureEvery == pictureEvery-1 {
		play = c.Step // which fetches the picture
	}
	frame, err := play(in)
	if err != nil {
		return err
	}
	if frame.Off && t.offAt[seat] < 0 {
		t.offAt[seat] = f
	}
	if !frame.Off && !t.drawn[seat] && frame.Video.Width > 0 {
		t.drawn[seat] = !blank(frame.Video)
	}
	h, err := c.Hash()
	t.hashes[seat] = append(t.hashes[seat], h)
	return err
}

// sampleAir notes what has been on the air so far.
func (t *gameRun) sampleAir() error {
	if t.Air == nil {
		return nil
	}
	status, err := t.Air.Status()
	t.chain, t.sent, t.heard = status.Chain, 0, 0
	for _, c := range status.Consoles[:trialSeats] {
		t.sent += c.Sent
		t.heard += c.Heard
	}
	return err
}

// report puts into s what the run showed.
func (t *gameRun) report(s *Seen) {
	s.Sent, s.Heard, s.Chip, s.Frame = t.sent, t.heard, t.chip, -1
	if len(t.Consoles) > 0 {
		s.Frame = int64(len(t.hashes[0]))
	}
	for seat, list := range t.hashes {
		if len(t.Consoles) > seat {
			s.Frame = min(s.Frame, int64(len(list)))
		}
		if at := t.offAt[seat]; at >= 0 && (s.OffAt < 0 || at < s.OffAt) && len(list) > 0 {
			s.OffAt = at
		}
		s.Blank = s.Blank && !t.drawn[seat]
		for f := 1; f < len(list); f++ {
			if list[f].Video != list[f-1].Video {
				s.LastChange = max(s.LastChange, int64(f))
			}
		}
	}
}

// differs says where two runs are not alike; "" for nowhere.
func differs(a, b [trialSeats][]ds.Hash) string {
	for f := range trialFrames {
		for seat := range a {
			if region := a[seat][f].Differs(b[seat][f]); region != "" {
				return fmt.Sprintf("console %v after %s (%s)", ds.Seat(seat), seconds(int64(f)), region)
			}
		}
	}
	return ""
}

// blank reports whether each of the two screens of a picture is all of one colour.
func blank(v emucore.Video) bool {
	half := v.Height / 2 * v.Pitch
	return half > len(v.Pix) || oneColour(v.Pix[:half], v.Format.Size()) && oneColour(v.Pix[half:], v.Format.Size())
}

func oneColour(pix []byte, size int) bool {
	for i := size; size > 0 && i+size <= len(pix); i += size {
		if string(pix[i:i+size]) != string(pix[:size]) {
			return false
		}
	}
	return true
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// seconds is a time of a game in words.
func seconds(frame int64) string {
	return fmt.Sprintf("%.1f seconds", ds.FrameTime(frame).Seconds())
}
