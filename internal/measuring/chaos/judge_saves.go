package chaos

import (
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// A player's save knows how often A was pressed, and when it was pressed is known: so
// what a save of any frame must be is known, too.
//
// In a clocked game nobody knows beforehand in which frame a press takes effect: what was
// late is made up for later, or not at all. The recordings say what the consoles got. It is
// compared with the plan, in which there is no press fewer, and none earlier.

// pressesFrom counts the presses that a machine's cartridge knows of after so many frames, at least and
// at most, if its console was switched on at a frame.
func (j *judge) pressesFrom(machine int, first, frame int64) (least, most int) {
	if j.plan.Sync != room.Clocked {
		return j.plan.pressesFrom(machine, first, frame)
	}
	known := j.o.Machines[machine].Stamped
	for _, at := range known.Presses {
		if at >= first && at < frame {
			if most++; at+settled <= frame {
				least++
			}
		}
	}
	if frame > known.Frames {
		_, more := j.plan.pressesFrom(machine, 0, frame)
		most = max(most, more)
	}
	return least, most
}

// stamped judges whether presses took effect that nobody made, or too early.
func (j *judge) stamped(m int) {
	for n, at := range j.o.Machines[m].Stamped.Presses {
		if _, most := j.plan.pressesFrom(m, 0, at+1); n+1 > most {
			j.say("%s's press %d took effect at frame %d, and by then there had been only %d", Name(m), n+1, at, most)
			return
		}
	}
}

// presses counts those that a machine's cartridge knows of after so many frames. One that came again
// has the saves of the first time, and goes on from the last of them.
func (j *judge) presses(m int, frame int64) (least, most int) {
	l := &j.o.Machines[m]
	switch first := j.plan.first(m); {
	case m < j.plan.Players:
		return j.pressesFrom(m, 0, frame)
	case l.Entry >= 0 && frame >= l.Entry:
		least, most = j.pressesFrom(m, l.Entry, frame)
		return least + l.Brought, most + l.Brought
	case first >= 0 && frame == 0 && j.plan.InFile[m]:
		return l.Brought, l.Brought // the file of the first time
	case first >= 0:
		return j.pressesFrom(first, 0, frame)
	}
	return 0, 0
}

// saves judges one machine's saves.
func (j *judge) saves(m int) {
	l, name := &j.o.Machines[m], Name(m)
	for _, d := range l.Damage {
		j.say("%s's saves: %s", name, d)
	}
	for i, s := range l.Saves {
		least, most := j.presses(m, s.Frame)
		if j.plan.Sync == room.Clocked && j.lost(m) && !s.Confirmed {
			// It may have been game host for itself in the end, and have stamped what the others have not.
			_, more := j.plan.pressesFrom(m, 0, s.Frame)
			least, most = 0, max(most, more)
		}
		if (s.Steps < least || s.Steps > most) && !j.another(m) {
			j.say("%s's save %d, of frame %d, knows of %d presses, not %d to %d", name, s.Number, s.Frame, s.Steps, least, most)
		}
		if i > 0 && l.Saves[i-1].Frame < s.Frame {
			j.say("%s's save %d is of frame %d, but the one before it of frame %d", name, l.Saves[i-1].Number, l.Saves[i-1].Frame, s.Frame)
		}
	}
	j.stamped(m)
	j.told(m)
	if !j.killed(m) && l.Report != nil {
		j.kept(m)
	}
}

// another reports whether a machine that came, and was not in the game, was in the room's next one, which
// those begin who are left in it when all first players are gone.
func (j *judge) another(m int) bool {
	if m < j.plan.Players || j.was(m) || j.o.Machines[m].Absent {
		return false
	}
	r, until := j.o.Machines[m].Report, j.o.Machines[m].Until
	return r != nil && j.ended(m, notice.ResultOK) && r.Frames > 0 ||
		!slices.ContainsFunc(j.o.Machines[:j.plan.Players], func(first Left) bool { return first.Until >= until })
}

// told compares with what the player was told.
func (j *judge) told(m int) {
	l := &j.o.Machines[m]
	for _, frame := range l.Told {
		if least, _ := j.presses(m, frame); current(l.Saves).Steps < least {
			j.say("%s was told that the save of frame %d is kept, but it is of frame %d", Name(m), frame, current(l.Saves).Frame)
			return
		}
	}
}

// deadFrames is the number of frames that a seat can have gone on without its console until the frame
// at which it would have got another one.
const deadFrames = 64

// kept judges whether what happened is in the saves of a machine that ended by
// itself: as the current one, or beside it when the game ended badly.
func (j *judge) kept(m int) {
	l, name := &j.o.Machines[m], Name(m)
	now, end := current(l.Saves), l.Report.Frames
	if j.full(m) || end == 0 && len(l.Saves) == 0 { // who never came in opened none
		return
	}
	// Who leaves while the end is there, but not yet everybody's word for it, has the newest save beside.
	if j.finished(m) && !j.lacking(m) && !j.quit(m) {
		if least, _ := j.presses(m, end); now.Steps < least {
			j.say("the game came to its end, but %s's save is of frame %d: %d of %d presses", name, now.Frame, now.Steps, least)
		}
		return
	}
	known := end // a console that waits in the middle of a frame is known as it was compared last
	if j.plan.Radio || j.did(m, KillWorker) {
		known = end - int64(j.plan.Hash) - 1
	}
	if j.did(m, KillWorker) {
		known -= deadFrames + j.unheard(m) // so long nobody heard it ask for another one
	}
	if least, _ := j.presses(m, known); newest(l.Saves).Steps < least {
		j.say("%s's machine ended after frame %d, but the newest save, of frame %d, has %d of %d presses", name, end, newest(l.Saves).Frame, newest(l.Saves).Steps, least)
	}
	if j.plan.Max || j.did(-1, DiskFull) {
		return // how many frames pass while the disk works nobody knows
	}
	if least, _ := j.presses(m, end-j.plan.promised()-j.silent()); now.Steps < least {
		j.say("%s's machine ended after frame %d, but the save is of frame %d: older than promised", name, end, now.Frame)
	}
}

// together judges whether players were told of saves of the same frames: what one machine
// could not write nobody's has. Only games are judged in which no machine is special.
func (j *judge) together() {
	words := int64(90) // frames within which all have written a save, and have each other's word for it
	if slices.ContainsFunc(j.plan.Lines, func(l impair.Impairment) bool { return l.Loss > 0.1 }) {
		words *= 2
	}
	if j.did(-1, ends...) || j.did(-1, KillWorker, Fault, Join, JoinGone, Again) {
		return
	}
	for a := range j.plan.Players {
		for b := range j.plan.Players {
			if !j.finished(a) || !j.finished(b) {
				continue
			}
			for _, frame := range j.o.Machines[a].Told {
				if frame < j.plan.Frames-words && !j.onItsWay(b, frame, words) && j.missedSave(b, frame) {
					j.say("%s was told that the save of frame %d is kept, and %s was not", Name(a), frame, Name(b))
				}
			}
		}
	}
}

// onItsWay reports whether the word of a save may have been on its way to a player until that of a later one came in
// its place, at most that of the end, which all have: in a game that runs as fast as it can nobody knows how many frames
// pass until it is there.
func (j *judge) onItsWay(m int, frame, words int64) bool {
	told := j.o.Machines[m].Told
	next := slices.IndexFunc(told, func(f int64) bool { return f >= frame })
	return j.plan.Max && (next < 0 || told[next] > frame && told[next] <= frame+words)
}

// missedSave reports whether a player was not told of the save of a frame, though something
// had happened since the one before. One that was written may not have become current: the
// disk failed between the two steps.
func (j *judge) missedSave(m int, frame int64) bool {
	if slices.ContainsFunc(j.o.Machines[m].Saves, func(s Save) bool { return s.Frame == frame }) {
		return false
	}
	before := int64(0)
	for _, told := range j.o.Machines[m].Told {
		if told == frame {
			return false
		}
		if told < frame {
			before = told
		}
	}
	least, _ := j.presses(m, frame)
	_, most := j.presses(m, before)
	return least > most
}

// trades compares the saves of all players: what happened between two of them is in
// both saves or in neither.
func (j *judge) trades() {
	for a := range j.o.Machines {
		for b := range j.o.Machines {
			if a != b {
				j.trade(a, b)
			}
		}
	}
}

// trade judges whether b has the save of the frame of which a's is.
func (j *judge) trade(a, b int) {
	mine, theirs := current(j.o.Machines[a].Saves), j.o.Machines[b].Saves
	for _, m := range []int{a, b} {
		if m >= j.plan.Players && (!j.was(m) || j.unmet(m) || mine.Frame < j.o.Machines[m].Entry) {
			return // not of the time that they played together
		}
	}
	least, _ := j.presses(b, mine.Frame)
	if current(theirs).Steps >= least {
		return // it may also have a later one, if a was gone by then
	}
	switch {
	case j.lacking(b), j.full(b):
		return // its console was gone at the end, or its disk was full
	case j.parted(b, mine.Frame):
		return // a was without b by then
	case j.ended(b, notice.ResultDesync) && j.did(b, Fault) && j.foundLate():
		return // it is not alike, was found out when nothing could be mended any more, and kept what the game left
	case newest(theirs).Frame >= mine.Frame && (j.killed(b) || j.gone(b) || j.quit(b) || j.hostGone() && j.lost(b)):
		return // it waits, not confirmed: the word to confirm it did not come any more
	}
	j.say("%s's save is of frame %d, but %s's of frame %d, which is without what happened until then", Name(a), mine.Frame, Name(b), current(theirs).Frame)
}

// parted reports whether a machine's part in the game was over at a frame, since it left,
// was not heard, or had no consoles any more, or was a game host that the others could not
// hear. A killed machine may have been anywhere.
func (j *judge) parted(m int, frame int64) bool {
	r := j.o.Machines[m].Report
	over := j.quit(m) || j.gone(m) || m == 0 && j.deposed()
	if m > 0 && j.lost(m) && j.hostGone() && (!j.handedOn() || m >= j.plan.Players && r.Frames == 0) {
		over = true // it did not hear which one comes after the game host, or was just coming in
	}
	return j.killed(m) || r != nil && (over || r.Result == notice.ResultCore) && r.Frames <= frame
}
