package chaos

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
