package player

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/replay"
)

// A player can play a log that still grows: that of a game which is watched. It begins at
// the newest resync, which is nearest to the end, goes as fast as the machine can until
// it is where the game is, as far as that may be seen, and then at the game's speed.

// live is a player's state of a log that grows.
type live struct {
	on        bool // more can still come
	waits     bool // for more
	edge      edge
	decisions int // of the log, that were looked at
	restarts  int
}

// liveTick is the time between two looks at a log that grows.
const liveTick = 10 * time.Millisecond

// How close to the newest frame a live game is played. It comes in pieces of up to 0.8
// seconds, so what is not a piece behind stands still before each.
const (
	edgeNear  = 60  // frames: no faster than the game from here on
	edgeFar   = 180 // frames: faster again from here on
	edgeStart = 45  // frames that must be there to go on after a stop
)

// edge decides how fast to play by how much there is to play. It is pure.
type edge struct{ slow, stopped bool }

// The paces of an edge.
const (
	paceStop = iota
	paceGame // as fast as the game
	paceFast
)

// pace returns the pace with so many frames ahead.
func (e *edge) pace(ahead int64) int {
	switch {
	case ahead <= 0:
		e.slow, e.stopped = true, true
	case ahead >= edgeFar:
		e.slow = false
	case ahead <= edgeNear:
		e.slow = true
	}
	if e.stopped = e.stopped && ahead < edgeStart; e.stopped {
		return paceStop
	}
	if e.slow {
		return paceGame
	}
	return paceFast
}

// await begins to play: at the first frame, or, of a game that is watched, at the newest
// place from which it can. It waits for what the consoles start from, and returns false
// when that does not come.
func (r *playing) await() (bool, error) {
	log := r.cfg.Log
	for log.Live() && (!log.Whole(0) || r.cfg.Join != nil && !log.Whole(len(log.Restarts))) {
		r.sleep(liveTick)
		if r.ctx.Err() != nil {
			return false, nil
		}
		if _, err := log.Grow(); err != nil {
			return false, err
		}
	}
	r.p.know()
	r.measure()
	if r.live.on = log.Live(); r.live.on {
		if ready := log.Ready(); len(ready) > 0 {
			return true, r.resync(ready[len(ready)-1])
		}
	}
	r.cutShort()
	if x := log.RestartBefore(r.cfg.Near); x != nil {
		return true, r.resync(*x)
	}
	return true, r.restart(0)
}

// cutShort is for a log of which nothing more comes: it ends where consoles are to be built
// anew of something that has not come.
func (r *playing) cutShort() {
	ready := len(r.cfg.Log.Ready())
	if ready == len(r.cfg.Log.Restarts) {
		return
	}
	end := r.cfg.Log.Restarts[ready].Frame
	r.p.mu.Lock()
	r.p.length = min(r.p.length, end)
	r.p.mu.Unlock()
	r.resyncs = slices.DeleteFunc(r.resyncs, func(x replay.Restart) bool { return x.Frame >= end })
}

// isReady reports whether all is here for a restart.
func (r *playing) isReady(x replay.Restart) bool {
	return slices.ContainsFunc(r.cfg.Log.Ready(), func(o replay.Restart) bool { return o.Frame == x.Frame })
}

// measure notes how much of the log can be played.
func (r *playing) measure() {
	n := playable(r.cfg.Log)
	if r.cfg.Join != nil {
		n = r.cfg.Log.Length()
	}
	if r.cfg.End > 0 {
		n = min(n, r.cfg.End)
	}
	r.p.mu.Lock()
	r.p.length = max(r.p.length, n)
	r.p.mu.Unlock()
}

// grow takes what a live log has got since the last look, and how fast it is played.
func (r *playing) grow(now time.Time) error {
	if !r.live.on {
		return nil
	}
	log := r.cfg.Log
	if _, err := log.Grow(); err != nil {
		return err
	}
	r.p.know()
	for ; r.live.restarts < len(log.Restarts); r.live.restarts++ {
		r.comesTo(log.Restarts[r.live.restarts])
	}
	for ; r.live.decisions < len(log.Decisions); r.live.decisions++ {
		r.learn(log.Decisions[r.live.decisions])
	}
	r.sortPending()
	r.measure()
	if !log.Live() {
		r.live.on = false
		r.cutShort()
		r.g.StopAt(r.p.Length())
	}
	r.keepUp(now)
	return nil
}

// keepUp sets the speed of a live game that is not on its way to somewhere else. One that
// is over is played on as fast as before.
func (r *playing) keepUp(now time.Time) {
	if !r.live.on || !r.on || r.target >= 0 {
		return
	}
	if r.cfg.Join != nil {
		r.speed = NoLimit
		return
	}
	speed := 1.0
	switch r.live.edge.pace(r.p.Length() - r.g.Slowest()) {
	case paceFast:
		speed = NoLimit
	case paceStop:
		r.live.waits = true
		r.rebase(now)
		return
	}
	r.live.waits = false
	if speed != r.speed {
		r.speed = speed
		r.rebase(now)
	}
}
