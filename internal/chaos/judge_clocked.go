package chaos

// In a clocked game nobody knows beforehand in which frame a press takes effect: what was
// late is made up for later, or not at all. The recordings say what the consoles got. It is
// compared with the plan, in which there is no press fewer, and none earlier.

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
