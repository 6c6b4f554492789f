package report

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
)

// Side is one machine's material on a game whose machines differed.
type Side struct {
	Name    string      // the machine's player
	Log     *replay.Log // what it recorded
	Verdict *Verdict    // nil where that is not known
	Rerun   *RerunFile  // what it got when it played that again; nil for nothing
}

// span is where a game is to be looked at: a console that was alike after From frames,
// and not after To.
type span struct {
	Seat     ds.Seat
	Nickname string
	From, To int64
	Region   string
}

// Finding is the result of the search for the first frame that differs.
type Finding struct {
	Words  []string // a sentence each
	Differ bool     // something is not as it should be
	Frame  int64    // the first frames done after which something differs, 0 if it is not known exactly
	Seat   ds.Seat
}

func (f *Finding) say(format string, args ...any) {
	f.Words = append(f.Words, fmt.Sprintf(format, args...))
}

// ErrOtherGame says that two recordings are not of one game.
var ErrOtherGame = errors.New("these are not recordings of one game")

// Bisect looks for the first frame after which machines were not alike: it compares what
// one or two of them recorded, plays that again here, twice, from the last place from
// which that is exact, hashes all consoles after each frame where they parted, and
// compares with what the machines had, and got when they played it again. How says with
// what it is played; its Log does not count. Progress is told in words and may be nil.
func Bisect(ctx context.Context, sides []Side, how player.Config, progress func(string)) (*Finding, error) {
	f := new(Finding)
	if progress == nil {
		progress = func(string) {}
	}
	if len(sides) == 2 {
		if same, err := f.compareInputs(sides[0], sides[1]); err != nil || !same {
			return f, err
		}
	}
	how.Log = sides[0].Log
	progress("Looking for where the consoles part")
	sp, err := findSpan(ctx, sides, how)
	if err != nil {
		return f, err
	}
	if sp == nil {
		f.say("All consoles are what they were in the game, as far as it was recorded")
		return f, nil
	}
	f.Differ, f.Seat = true, sp.Seat
	f.say("The console of seat %v (%s) was alike after frame %d, and not in %s after frame %d", sp.Seat, sp.Nickname, sp.From, sp.Region, sp.To)
	var runs [2]*Rerun
	for i := range runs {
		progress(fmt.Sprintf("Playing it again up to frame %d (%d of 2)", sp.To, i+1))
		if runs[i], err = PlayAgain(ctx, how, sp.From, sp.To); err != nil {
			return f, err
		}
	}
	if d, seat, differ := firstOfAll(runs[0].trace, runs[1].trace, seatsOf(how.Log)); differ {
		f.Frame, f.Seat = d.Frame, seat
		f.say("Played again twice on this computer, it gives two results: seat %v differs first in %v after frame %d. The core here does not compute the same each time, or the computer has a fault", seat, d.Region, d.Frame)
		return f, nil
	}
	f.say("Played again on this computer from frame %d on, it gives the same each time", runs[0].Start)
	for _, side := range sides {
		if err := f.judge(side, sp, runs[0]); err != nil {
			return f, err
		}
	}
	f.compareReruns(sides)
	return f, nil
}

func (r *Rerun) trace(seat ds.Seat) desync.Trace { return r.Traces[seat] }

// judge compares what a machine had in the game, and got when it played it again, with
// what comes out here.
func (f *Finding) judge(side Side, sp *span, here *Rerun) error {
	recorded, err := Recorded(side.Log, sp.Seat, here.From, here.To)
	if err != nil {
		return err
	}
	d, common, differ := desync.First(Kept(here.Traces[sp.Seat]), recorded, recordable...)
	switch {
	case common == 0:
		f.say("%s's recording has no hash of that console there", side.Name)
	case differ:
		f.say("It is not what the console was in the game on %s's machine (%v after frame %d)", side.Name, d.Region, d.Frame)
	default:
		f.say("It is what the console was in the game on %s's machine", side.Name)
	}
	again := side.Rerun
	if again == nil || again.To <= here.From {
		if differ {
			f.say("To tell a passing fault from a core that computes otherwise there, look at it on %s's machine, too", side.Name)
		}
		return nil
	}
	exact, seat, otherwise := firstOfAll(here.trace, again.Trace, seatsOf(side.Log))
	switch {
	case otherwise:
		f.Frame, f.Seat = exact.Frame, seat
		f.say("Played again on %s's machine it differs from here, too: first in frame %d, seat %v, %v. The core computes otherwise on one of the two machines", side.Name, exact.Frame, seat, exact.Region)
	case differ:
		f.say("Played again on %s's machine it was as it is here: a passing fault (a memory error?), or something that is not in the recording", side.Name)
	}
	return nil
}

// compareReruns compares what two machines got when they played it again.
func (f *Finding) compareReruns(sides []Side) {
	if len(sides) < 2 || sides[0].Rerun == nil || sides[1].Rerun == nil {
		return
	}
	d, seat, differ := firstOfAll(sides[0].Rerun.Trace, sides[1].Rerun.Trace, seatsOf(sides[0].Log))
	if differ {
		f.Frame, f.Seat = d.Frame, seat
		f.say("Played again on both, %s's and %s's machines differ first in frame %d, seat %v, %v", sides[0].Name, sides[1].Name, d.Frame, seat, d.Region)
	} else {
		f.say("Played again on both, %s's and %s's machines give the same", sides[0].Name, sides[1].Name)
	}
}

// seatsOf are the seats of a recording, rising.
func seatsOf(l *replay.Log) (list []ds.Seat) {
	for _, s := range l.Seats {
		list = append(list, s.Plan.Seat)
	}
	slices.Sort(list)
	return list
}

// firstOfAll finds the first difference in any of some seats; in one frame, the lowest
// seat's.
func firstOfAll(a, b func(seat ds.Seat) desync.Trace, seats []ds.Seat) (first desync.Difference, at ds.Seat, differ bool) {
	for _, seat := range seats {
		d, _, is := desync.First(a(seat), b(seat), desync.RAM, desync.SRAM, desync.Air, desync.Video)
		if is && (!differ || d.Frame < first.Frame) {
			first, at, differ = d, seat, true
		}
	}
	return first, at, differ
}

// findSpan finds the frames to look at: from a verdict, from what two machines
// recorded, or by playing it again; nil if nothing differs.
func findSpan(ctx context.Context, sides []Side, how player.Config) (*span, error) {
	log := sides[0].Log
	name := func(seat ds.Seat) string {
		i := slices.IndexFunc(log.Seats, func(s replay.Seat) bool { return s.Plan.Seat == seat })
		return log.Seats[max(i, 0)].Plan.Nickname
	}
	for _, side := range sides {
		if v := side.Verdict; v != nil {
			if !slices.Contains(seatsOf(log), v.Seat) || v.Frame <= max(v.Agreed, 0) {
				return nil, fmt.Errorf("the report speaks of seat %v after frame %d, which is not in its recording", v.Seat, v.Frame)
			}
			return &span{v.Seat, name(v.Seat), max(v.Agreed, 0), v.Frame, v.Region}, nil
		}
	}
	if len(sides) == 2 {
		d, seat, differ, err := compareRecorded(sides[0].Log, sides[1].Log)
		if err != nil || differ {
			return &span{seat, name(seat), max(d.Agreed, 0), d.Frame, d.Region.String()}, err
		}
	}
	how.StopAtDifference, how.EndAtEnd = true, true
	p, err := player.New(how)
	if err != nil {
		return nil, err
	}
	p.Speed(player.NoLimit)
	if err := errors.Join(p.Run(ctx), ctx.Err()); err != nil {
		return nil, err
	}
	if d := p.Status().Difference; d != nil {
		return &span{d.Seat, d.Nickname, max(d.Agreed, 0), d.Frames, d.Region}, nil
	}
	return nil, nil
}

// compareRecorded finds the first difference between what two machines recorded.
func compareRecorded(a, b *replay.Log) (first desync.Difference, at ds.Seat, differ bool, err error) {
	trace := func(l *replay.Log) func(ds.Seat) desync.Trace {
		return func(seat ds.Seat) desync.Trace {
			t, failed := Recorded(l, seat, 0, min(a.Length(), b.Length()))
			err = errors.Join(err, failed)
			return t
		}
	}
	first, at, differ = firstOfAll(trace(a), trace(b), seatsOf(a))
	return first, at, differ && err == nil, err
}

// compareInputs checks that two machines recorded one game, and that all consoles got
// the same in it on both.
func (f *Finding) compareInputs(a, b Side) (same bool, err error) {
	if a.Log.Settings.RTC != b.Log.Settings.RTC || a.Log.Settings.Core != b.Log.Settings.Core || len(a.Log.Seats) != len(b.Log.Seats) {
		return false, ErrOtherGame
	}
	for i, s := range a.Log.Seats {
		o := b.Log.Seats[i]
		if s.Plan != o.Plan || !slices.Equal(s.Start.Append(nil), o.Start.Append(nil)) || s.Hash != o.Hash {
			return false, ErrOtherGame
		}
	}
	for _, seat := range seatsOf(a.Log) {
		ca, cb := a.Log.From(0), b.Log.From(0)
		for frame := range min(a.Log.Frames(seat), b.Log.Frames(seat)) {
			x, _, errA := ca.Input(seat, frame)
			y, _, errB := cb.Input(seat, frame)
			if err := errors.Join(errA, errB); err != nil {
				return false, err
			}
			if x != y {
				f.Differ, f.Seat, f.Frame = true, seat, frame+1
				f.say("Seat %v got other buttons in frame %d on %s's machine than on %s's: that is a fault of nettplay, and not of the core", seat, frame, a.Name, b.Name)
				return false, nil
			}
		}
	}
	f.say("All consoles got the same buttons on %s's and %s's machines", a.Name, b.Name)
	return true, nil
}
