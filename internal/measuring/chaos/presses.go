package chaos

import "math/rand/v2"

// Presses come in bursts at the same time for all, as when players trade something,
// with calm between them in which saves are kept.
const (
	burstEvery  = 150 // frames
	burstFrames = 24
	firstBurst  = 45 // frames: a program is up by then
)

// presses are a player's for the bursts that begin in some frames.
func presses(r *rand.Rand, from, to int64) (list []int64) {
	for burst := int64(firstBurst); burst < to; burst += burstEvery {
		if burst < from {
			continue
		}
		at := burst
		for range r.IntN(4) {
			at += 2 + r.Int64N(burstFrames/4)
			list = append(list, at)
		}
	}
	return list
}

// settled is within how many frames a press is in the backup memory.
const settled = 8

// pressesFrom counts the presses that the cartridge of a machine whose console was switched on at a
// frame knows of after so many frames, at least and at most. As a delay gets shorter, presses of one burst may become one.
func (p *Plan) pressesFrom(machine int, first, frame int64) (least, most int) {
	soonest, latest := p.delays(machine)
	last := int64(-burstEvery) // the press that was counted last
	for _, at := range p.Presses[machine] {
		if at < first {
			continue
		}
		if at+int64(latest)+settled <= frame && (soonest == latest || at-last > burstFrames) {
			least, last = least+1, at
		}
		if at+int64(soonest) < frame {
			most++
		}
	}
	return least, most
}

// promised is the number of frames for which what happened may not be in the save yet, while nothing
// goes wrong: players are calm after each burst, and it takes a moment.
func (p *Plan) promised() int64 { return burstFrames + 45 + 2*int64(p.Hash) + 150 }
