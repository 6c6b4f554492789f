package session

import (
	"sync"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/game"
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
	if x := r.cfg.Log.Restarts[n-1]; x.Frame > r.g.Slowest()+worthPassing {
		return r.resync(x)
	}
	return nil
}

// goOn lets go of what holds up meetings. In a replay nobody waits for players who talk;
// who follows a game stands where that does, for as long as it does.
func (r *playing) goOn() {
	if r.cfg.follow == nil {
		r.g.ReleaseBefore(host.Pause, game.Never)
		return
	}
	r.g.ReleaseBefore(host.Pause, r.length())
}

// stand ends a player that follows a game where its machine comes in.
func (r *playing) stand() {
	if r.standing == 0 || r.stood || !r.g.HeldAt(r.standing, host.Pause) {
		return
	}
	var list []game.Console
	for _, s := range r.g.Seats() {
		if !s.Left {
			list = append(list, s.Console)
		}
	}
	expectStanding(list, r.g.Radio(), r.cfg.follow.store)
	r.stood = true
	r.cfg.follow.stood()
}

// expectStanding has a store expect the states and saves of consoles that stand between
// two frames, and the air. What cannot be had is not there. It runs on any goroutine.
func expectStanding(list []game.Console, radio *game.Radio, store *savestate.Store) {
	var all sync.WaitGroup
	for _, c := range list {
		all.Go(func() {
			if state, err := c.Save(); err == nil {
				_ = store.Expect(savestate.KindState, state.Data)
			}
			if sram, err := c.SRAM(); err == nil && len(sram) > 0 {
				_ = store.Expect(savestate.KindSRAM, sram)
			}
		})
	}
	if b, err := radio.Save(); err == nil && b != nil {
		_ = store.Expect(savestate.KindAir, b)
	}
	all.Wait()
}
