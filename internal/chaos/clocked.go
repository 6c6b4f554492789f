package chaos

import (
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/replay"
)

// In a clocked game nobody knows beforehand in which frame a press takes effect: what was
// late is made up for later, or not at all. The recordings say what the consoles got. It is
// compared with the plan, in which there is no press fewer, and none earlier.

// Stamped are the presses that took effect at a machine's own console.
type Stamped struct {
	Presses []int64 // by rising frame
	Frames  int64   // for which that is known; 0 for a machine that is in no recording
}

// stampedIn are the presses of a seat in a recording.
func stampedIn(log *replay.Log, s replay.Seat) (found Stamped) {
	inputs, err := log.From(s.From)
	if err != nil {
		return Stamped{}
	}
	held := false
	for found.Frames = s.From; ; found.Frames++ {
		in, ok, err := inputs.Input(s.Plan.Seat, found.Frames)
		if !ok || err != nil {
			return found
		}
		if now := in.Keys&inputdelay.KeyA != 0; now != held {
			if held = now; now {
				found.Presses = append(found.Presses, found.Frames)
			}
		}
	}
}

// pressesFrom counts the presses that a machine's cartridge knows of after so many frames, at least and
// at most, if its console was switched on at a frame.
func (j *judge) pressesFrom(machine int, first, frame int64) (least, most int) {
	if !j.plan.Clocked {
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

// mostGoneOn is the limit of frames that a clocked game goes on while nothing is heard of a machine:
// game.maxLag, and a little.
const mostGoneOn = 400

// unheard bounds the frames of a clocked game in which nothing is heard of a machine.
func (f facts) unheard(machine int) int64 {
	switch {
	case !f.plan.Clocked:
		return 0
	case f.gone(machine), f.killed(machine):
		return mostGoneOn
	}
	return min(int64(f.darkest(machine)/frameTime), mostGoneOn)
}

// silent bounds the frames of a clocked game in which any machine is not heard.
func (f facts) silent() (frames int64) {
	for m := range f.plan.Machines() {
		if f.was(m) {
			frames = max(frames, f.unheard(m))
		}
	}
	return frames
}

// goneOn bounds the frames that a clocked game goes on until a machine that is wrong can be compared
// with the others, whose hashes come later than in lockstep. Three that are heard need not wait for the
// rest, if two of them are half of all.
func (f facts) goneOn(machine int) (frames int64) {
	frames = f.silent()
	heard, all := 0, 0
	for m := range f.plan.Machines() {
		if !f.was(m) {
			continue
		}
		if all++; f.unheard(m) == 0 {
			heard++
		}
	}
	const patience = 60 // frames, as in package desync
	if f.unheard(machine) == 0 && heard >= 3 && 2*(heard-1) >= all {
		return min(frames, patience)
	}
	return frames
}
