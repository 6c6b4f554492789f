package session

import (
	"slices"

	"github.com/nettplay/nettplay/host"
)

// Consoles are those of the recording, by seat, with the ones whose players came into the
// running game; of a live log, as far as it is known. Any goroutine may ask, and may keep
// the list.
func (p *Player) Consoles() []host.SeatPlan {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.consoles)
}

// know notes the consoles of the log. It is for the goroutine of Run, or before that.
func (p *Player) know() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.consoles) == len(p.cfg.Log.Seats) {
		return
	}
	p.consoles = nil
	for _, s := range p.cfg.Log.Seats {
		p.consoles = append(p.consoles, s.Plan)
	}
}
