package room

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// How many of 1,000 datagrams a line loses that is bad beside others, and how many those lose at most.
const (
	badLoss  = 80
	goodLoss = 20
)

// BadLine returns the machine of two or more game clients whose line to the game host alone is bad:
// it needs a delay that is longer than the next by more than [ds.MaxOffset], or it alone loses much.
func BadLine(players []Player) (machine int, bad bool) {
	lines := measured(players)
	if len(lines) < 2 {
		return 0, false
	}
	need := func(p Player) int { return SuggestDelay(p.Ping, p.Jitter) }
	loss := func(p Player) int { return p.Loss }
	if m, worst, next := worstOf(lines, need); worst > next+ds.MaxOffset {
		return m, true
	}
	m, worst, next := worstOf(lines, loss)
	return m, worst >= badLoss && next <= goodLoss
}

// worstOf returns the machine with the highest value, that, and the next one.
func worstOf(lines []Player, value func(Player) int) (machine, worst, next int) {
	slices.SortStableFunc(lines, func(a, b Player) int { return value(b) - value(a) })
	return lines[0].Machine, value(lines[0]), value(lines[1])
}
