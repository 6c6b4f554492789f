package session

import (
	"cmp"
	"errors"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// A machine may keep its connection alive and send nothing to play on with. For as long as a
// player is waited for whose connection is gone, so long it is waited for, too.

// standstill is the time play has stood still because of other machines, with their connections
// alive.
type standstill struct {
	at     time.Time // when that was looked at last
	frames int64     // that our consoles had done then
	stood  time.Duration
	before bool      // the game host was given up for it once
	shun   time.Time // nobody comes back to it before
}

const (
	defaultWait = time.Minute
	// waitLeast is the time a connected machine is waited for at least, whatever the game
	// host wants: its console may hang, and gets replaced once that is clear.
	waitLeast = emucore.HangTime + 13*time.Second
	// hostGrace is the time that game clients wait longer: the game host drops machines that hold it up.
	hostGrace = 10 * time.Second
	// frameWorth is the time that a frame takes off a standstill: one that comes now and then ends
	// none, and a machine that is merely slow causes none.
	frameWorth = time.Second
	// redialMute is the time nobody comes back to a game host that stood still, so that
	// the others can find another one.
	redialMute = 20 * time.Second
)

// update takes the time, and tells for how long play stands still.
func (w *standstill) update(now time.Time, stands bool, frames int64) time.Duration {
	passed, done := min(now.Sub(w.at), tick*2), frames-w.frames
	w.at, w.frames = now, frames
	if stands {
		w.stood += passed
	}
	w.stood = max(0, w.stood-time.Duration(max(0, done))*frameWorth)
	return w.stood
}

// workStandstill goes on without a machine that all have waited for long enough.
func (s *session) workStandstill(now time.Time) error {
	g := s.game
	_, since := g.Waiting(now)
	other := g.Paused() || g.Resync() != nil || g.Solo() || s.client != nil && s.client.Reconnecting() || s.host != nil && s.host.SomeoneDisconnected()
	stood := s.standstill.update(now, since > 0 && !other, g.Slowest())
	if s.host == nil {
		return s.leaveMuteHost(now, stood)
	}
	wait := max(cmp.Or(s.cfg.Host.Wait, defaultWait), waitLeast)
	if machine, ok := g.HoldsUp(); ok && stood >= wait {
		s.standstill = standstill{at: now, frames: g.Slowest()}
		s.abrupt = true
		s.host.PutOut(now, machine, "has sent nothing to play on with for "+phrase.Span(wait))
	}
	return nil
}

// leaveMuteHost gives a game host up that sends nothing to play on with, and does not drop
// anybody else for it: for another one, where that can be.
func (s *session) leaveMuteHost(now time.Time, stood time.Duration) error {
	wait := max(cmp.Or(s.cfg.Join.Wait, defaultWait), waitLeast) + hostGrace
	if stood < wait {
		return nil
	}
	words := "the game host's computer has sent nothing to play on with for " + phrase.Span(wait)
	again := s.standstill.before
	s.standstill = standstill{at: now, frames: s.game.Slowest(), before: true, shun: now.Add(redialMute)}
	if again || !s.client.CanElect() {
		return &notice.Failure{Result: notice.ResultLost, Err: errors.New(words)}
	}
	peer := s.peer
	s.cfg.Link.Disconnect(peer, words)
	s.connectionLost(now, peer, words)
	return nil
}
