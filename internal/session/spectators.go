package session

import (
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/spectate"
)

// The session's part of the spectator server: whom it answers, and with how much of the game.

// workSpectators answers spectators and late joiners, on the game host.
func (s *session) workSpectators(now time.Time) {
	if s.host != nil {
		s.spectators.Work(now)
	}
	if s.spectators.Lingered(now) {
		s.leave("the game is over")
	}
}

// audience is the spectator server's view of the session.
type audience struct{ *session }

// Readers lists the spectators, and the machines that wait to come into the game.
func (a audience) Readers() []spectate.Reader {
	if a.host == nil {
		return nil
	}
	var list []spectate.Reader
	for _, spectator := range a.host.Spectators() {
		if p, ok := a.host.SpectatorPeer(spectator.Number); ok {
			list = append(list, spectate.Reader{Peer: p})
		}
	}
	for machine, peer := range a.connected() {
		if n := a.lateJoiners[machine]; n != nil {
			list = append(list, spectate.Reader{Peer: peer, Joins: true, Held: !n.Follows() || a.checkpoint.Comes})
		}
	}
	return list
}

// Played returns the number of frames all our consoles have done.
func (a audience) Played() (frames int64, running bool) {
	if a.game == nil {
		return 0, false
	}
	return a.game.Slowest(), true
}

// Connections measures the connections to the players.
func (a audience) Connections() []spectate.Connection {
	var list []spectate.Connection
	for _, peer := range a.connected() {
		if stats, ok := a.cfg.Link.Stats(peer); ok && stats.RTT > 0 {
			list = append(list, spectate.Connection{Peer: peer, RTT: stats.RTT, Jitter: stats.Jitter})
		}
	}
	return list
}

// Flush writes what is recorded to the recording's file.
func (a audience) Flush() { a.recorder().Flush() }

// Send sends a message; the peer has gone if that fails.
func (a audience) Send(peer ds.PeerID, message []byte) {
	_ = a.cfg.Link.Send(peer, link.Bulk, message)
}

// Background runs a job that reads the log.
func (a audience) Background(job func() func(time.Time)) {
	a.session.Background(func() (func(), func()) {
		after := job()
		return func() { after(time.Now()) }, nil
	})
}
