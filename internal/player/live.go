package player

import (
	"cmp"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/savestate"
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

// How far the log is read ahead, in frames.
const (
	feedAhead = 128
	// decideAhead is the number of frames by which a decision is applied early: within the window of a
	// line of inputs, and before a console has come there.
	decideAhead = 200
)

// feed hands the recorded inputs to the consoles' lines.
func (r *playing) feed() error {
	for _, s := range r.g.Seats() {
		for end := min(s.Frame+feedAhead, s.End, r.p.Length()); r.fed[s.Seat] < end; r.fed[s.Seat]++ {
			frame := r.fed[s.Seat]
			in, ok, err := r.cursor.Input(s.Seat, frame)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			if err := r.g.Put(s.Seat, frame, in); err != nil {
				return err
			}
		}
	}
	return nil
}

// learn takes a decision of the log. A resync has all consoles come together, whether anything
// came of it or the game host left meanwhile: what comes over the radio depends on where
// consoles have met. In a replay nobody is waited for, so it is like a pause.
func (r *playing) learn(d timeline.Decision) {
	switch d.Kind {
	case timeline.End:
		r.g.StopAt(d.Frame)
	case timeline.Leave, timeline.Pause, timeline.SwitchOn:
		r.pending = append(r.pending, d)
	case timeline.Resync:
		r.pending = append(r.pending, timeline.Decision{Kind: timeline.Pause, Frame: d.Frame})
	}
}

// decide applies the decisions that are near, in their order.
func (r *playing) decide() error {
	for len(r.pending) > 0 && r.pending[0].Frame-decideAhead <= r.g.Slowest() {
		d := r.pending[0]
		r.pending = r.pending[1:]
		if (d.Kind == timeline.Leave || d.Kind == timeline.SwitchOn) && !r.g.Plays(d.Seat) {
			continue // it comes in before that: see begin
		}
		// The inputs of the log are those that were applied, neutral ones included.
		d.InputEnd = d.Frame
		if err := r.g.Decide(d); err != nil {
			return err
		}
	}
	// In a replay nobody waits for players who talk; a late joiner's player stands where the game
	// does, for as long as it does.
	before := int64(game.Never)
	if r.cfg.Join != nil {
		before = r.p.Length()
	}
	r.g.ReleaseBefore(timeline.Pause, before)
	return nil
}

// comesTo notes a restart that is still to come. All consoles meet for it, as for a pause.
func (r *playing) comesTo(x replay.Restart) {
	r.resyncs = append(r.resyncs, x)
	r.pending = append(r.pending, timeline.Decision{Kind: timeline.Pause, Frame: x.Frame})
}

func (r *playing) sortPending() {
	slices.SortStableFunc(r.pending, func(a, b timeline.Decision) int { return cmp.Compare(a.Frame, b.Frame) })
}
