package player

import (
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/savestate"
)

// A late joiner's player follows the game up to the frame at which its machine comes into
// it. It plays the log as fast as the machine can, up to the last input that has come, and
// skips to the newest place from which it can go on. Where the game stands for a resync it
// stands, too: so at the resync with which the machine comes in, it has what all others
// have, and puts that into the machine's store.

// Joining is the part of a late joiner's player.
type Joining struct {
	Store   *savestate.Store // gets the consoles of the frame of [Player.StopAt]
	Reached func()           // they are in the store; called on the goroutine of Run
}

// StopAt has the player of a late joiner put its consoles into the store when they stand
// at a frame at which the game stands, too, and end there.
func (p *Player) StopAt(frame int64) { p.order(func(r *playing) { r.standing = frame }) }

// worthPassing is the distance in frames from which on passing to a place is quicker than playing.
const worthPassing = 300

// passOver skips to a place that is far ahead.
func (r *playing) passOver() error {
	n := len(r.cfg.Log.Restarts)
	if r.cfg.Join == nil || n == 0 || !r.cfg.Log.Whole(n) {
		return nil
	}
	if x := r.cfg.Log.Restarts[n-1]; x.Frame > r.g.Slowest()+worthPassing {
		return r.resync(x)
	}
	return nil
}

// stand ends a late joiner's player where its machine comes in.
func (r *playing) stand() {
	if r.standing == 0 || r.stood || !r.g.HeldAt(r.standing, timeline.Pause) {
		return
	}
	var list []game.Console
	for _, s := range r.g.Seats() {
		if !s.Left {
			list = append(list, s.Console)
		}
	}
	game.Expect(list, r.g.Radio(), r.cfg.Join.Store)
	r.stood = true
	r.cfg.Join.Reached()
}
