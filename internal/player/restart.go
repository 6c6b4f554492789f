package player

import (
	"cmp"
	"slices"

	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
)

// first builds the game that Run begins with.
func (r *playing) first() error {
	if x := r.cfg.Log.RestartBefore(r.cfg.Near); x != nil {
		return r.resync(*x)
	}
	return r.restart(0)
}

// restart begins anew at a keyframe, or before the first frame for 0.
func (r *playing) restart(frame int64) error {
	if r.p.cold {
		return r.reload(frame)
	}
	key := replay.Keyframe{}
	if frame > 0 {
		var err error
		if key, err = r.cfg.Keyframes.Load(frame); err != nil {
			r.cfg.Keyframes.Forget(frame)
			frame, key = 0, replay.Keyframe{} // the long way
		}
	}
	r.way = frame
	if r.g != nil && r.reuse(key) {
		return nil
	}
	r.stop()
	return r.launch(key, r.cfg.Log.Seats, frame > 0)
}

// reload begins anew where all have loaded, or before the first frame for 0.
func (r *playing) reload(frame int64) error {
	x := r.cfg.Log.RestartBefore(frame)
	if x != nil && x.Frame == frame {
		r.way = frame
		return r.resync(*x)
	}
	r.way = 0
	r.stop()
	return r.launch(replay.Keyframe{}, r.cfg.Log.Seats, false)
}

// reuse puts the consoles that run into the states of a keyframe, which takes a
// tenth of the time of new ones: their cores and games are loaded, and looked
// through, already. It is not for all: before the first frame consoles are cold,
// and on the air one waits for others in the middle of a frame. Where it returns
// false, nothing is worth keeping.
func (r *playing) reuse(key replay.Keyframe) bool {
	if key.Frame == 0 || r.g.Radio() != nil || r.distrust {
		return false
	}
	seats := slices.DeleteFunc(slices.Clone(r.cfg.Log.Seats), func(s replay.Seat) bool { return s.From > key.Frame })
	if len(seats) != len(r.g.Seats()) {
		return false // somebody has come in between
	}
	slices.SortFunc(seats, func(a, b replay.Seat) int { return cmp.Compare(a.Plan.Seat, b.Plan.Seat) }) // as r.g.seats
	list := make([]game.SeatConfig, len(seats))
	for i, s := range seats {
		list[i] = game.SeatOf(s.Plan, departed{})
		if !key.Has(s.Plan.Seat) {
			continue
		}
		old, _ := r.g.Seat(s.Plan.Seat)
		if _, gone := old.Console.(departed); gone || old.Dead {
			return false
		}
	}
	consoles := r.g.Release()
	r.g = nil
	for i, s := range list {
		if key.Has(s.Seat) {
			list[i].Console = consoles[s.Seat]
		} else {
			consoles[s.Seat].Close()
		}
	}
	err := game.Together(list, func(_ int, s game.SeatConfig) error {
		if _, gone := s.Console.(departed); gone {
			return nil
		}
		return loadKey(s.Console, s.Seat, key)
	})
	if err == nil {
		var g *game.Game
		if g, err = r.assemble(key, list, nil); err == nil {
			r.inPlace = true
			return r.enter(g, key.Frame, true) == nil
		}
	}
	closeAll(list)
	return false
}
