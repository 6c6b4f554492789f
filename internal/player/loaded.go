package player

// With some options a core's states are no place from which one machine can go on alone: see
// emucore.Profile.ExactStates. A viewer makes no keyframes then. It goes on from where all
// machines of the game built their consoles anew from the same states: at resyncs, late joins and
// checkpoints.

// knowPlaces notes where all have loaded. The caller holds mu.
func (p *Player) knowPlaces() {
	if !p.cold {
		return
	}
	p.places = nil
	for _, x := range p.cfg.Log.Ready() {
		p.places = append(p.places, x.Frame)
	}
}

// placeBefore is the last place up to a frame at which all have loaded, 0 for none.
func (p *Player) placeBefore(frame int64) (at int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, place := range p.places {
		if place <= frame {
			at = place
		}
	}
	return at
}
