package chaos

import (
	"time"

	"github.com/nettplay/nettplay/internal/link/impair"
)

// late returns the time by which a frame may come later than the console's rate on lines that lose
// nothing: inputs go from one player by the game host to another, and the input delay covers only a
// part of that way.
func (p *Plan) late() time.Duration {
	var worst time.Duration
	for _, imp := range p.Lines[1:] {
		worst = max(worst, imp.Delay+imp.Jitter)
	}
	if p.has(Worse) {
		worst += worseDelay + worseJitter
	}
	return max(0, 2*worst-time.Duration(p.Delay)*frameTime)
}

// A line that gets worse has so much more of all.
const (
	worseDelay  = 80 * time.Millisecond
	worseJitter = 40 * time.Millisecond
	worseLoss   = 0.1
)

// worse is a machine's line when it has got worse.
func (p *Plan) worse(machine int) impair.Impairment {
	bad := p.Lines[machine]
	bad.Delay, bad.Jitter, bad.Loss = bad.Delay+worseDelay, bad.Jitter+worseJitter, bad.Loss+worseLoss
	return bad
}
