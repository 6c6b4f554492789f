package player

import (
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/replay"
)

// With some options a core's states are no place from which one machine can go on alone: see
// emucore.Profile.ExactStates. A viewer makes no keyframes then. It goes on from where all
// machines of the game built their consoles anew from the same states: at resyncs, late joins and
// checkpoints.

func coldStates(cfg *Config) bool {
	return !emucore.ProfileFor(cfg.Core.Name).ExactStates(cfg.Log.Settings.Options)
}

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

// placeBefore is the last place up to a frame at which all have loaded.
func (p *Player) placeBefore(frame int64) (at int64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, place := range p.places {
		if place <= frame {
			at, ok = place, true
		}
	}
	return at, ok
}

// reload begins anew where all have loaded, or before the first frame for 0.
func (r *playing) reload(frame int64) error {
	for _, x := range r.cfg.Log.Restarts {
		if x.Frame == frame && frame > 0 {
			r.way = frame
			return r.resync(x)
		}
	}
	r.way = 0
	r.stop()
	return r.launch(replay.Keyframe{}, r.cfg.Log.Seats, false)
}
