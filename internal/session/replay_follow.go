package session

import (
	"sync"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/savestate"
)

// A player can follow a game up to the frame at which its machine comes into it. It plays
// the log of the game as fast as the machine can, up to the last input that has come, and
// passes over to the newest place from which it can go on. Where the game stands for a
// resync it stands, too: so at the resync with which the machine comes in, it has what
// all others have, and puts that into the machine's store.

// following is what a player that follows a game is told, and tells.
type following struct {
	store *savestate.Store
	stood func() // the consoles of the frame are in the store; on the goroutine of Run
}

// standAt has a player that follows a game put its consoles into the store when they
// stand at a frame at which the game does, and end there.
func (p *Player) standAt(frame int64) { p.order(func(r *playing) { r.standing = frame }) }

// worthPassing is how many frames further a place must be to be quicker than playing.
const worthPassing = 300

// passOver goes to a place that is far ahead.
func (r *playing) passOver() error {
	n := len(r.cfg.Log.Restarts)
	if r.cfg.follow == nil || n == 0 || !r.cfg.Log.Whole(n) {
		return nil
	}
	if x := r.cfg.Log.Restarts[n-1]; x.Frame > r.g.slowest()+worthPassing {
		return r.resync(x)
	}
	return nil
}

// goOn lets go of what holds up meetings. In a replay nobody waits for players who talk;
// who follows a game stands where that does, for as long as it does.
func (r *playing) goOn() {
	if r.cfg.follow == nil {
		r.g.release(host.Pause)
		return
	}
	for i := range r.g.meetings {
		if m := &r.g.meetings[i]; m.frame < r.length() {
			delete(m.hold, host.Pause)
		}
	}
}

// stand ends a player that follows a game where its machine comes in.
func (r *playing) stand() {
	if r.standing == 0 || r.stood || len(r.g.meetings) == 0 {
		return
	}
	if m := &r.g.meetings[0]; m.frame != r.standing || !m.began || !m.hold[host.Pause] {
		return
	}
	var list []console
	for _, s := range r.g.seats {
		if !s.left {
			list = append(list, s.run.console)
		}
	}
	expectStanding(list, r.g.radio, r.cfg.follow.store)
	r.stood = true
	r.cfg.follow.stood()
}

// expectStanding has a store expect the states and saves of consoles that stand between
// two frames, and the air. What cannot be had is not there. It runs on any goroutine.
func expectStanding(list []console, radio *radio, store *savestate.Store) {
	var all sync.WaitGroup
	for _, c := range list {
		all.Go(func() {
			if source, ok := c.(states); ok {
				if state, err := source.Save(); err == nil {
					_ = store.Expect(savestate.KindState, state.Data)
				}
			}
			if sram, err := c.SRAM(); err == nil && len(sram) > 0 {
				_ = store.Expect(savestate.KindSRAM, sram)
			}
		})
	}
	if radio != nil {
		if b, err := radio.air.Save(); err == nil {
			_ = store.Expect(savestate.KindAir, b)
		}
	}
	all.Wait()
}
