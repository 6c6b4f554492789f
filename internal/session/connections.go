package session

import (
	"iter"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
)

// hangUp ends the connection to a machine that does wrong: it can only end its own
// part in the room.
func (s *session) hangUp(now time.Time, p link.PeerID, why string) {
	if _, inRoom := s.machine(p); inRoom {
		s.abrupt = true
	}
	s.cfg.Link.Disconnect(p, why)
	s.room.Disconnected(now, p, why)
}

// machine returns the machine at the other end of a connection.
func (s *session) machine(p link.PeerID) (int, bool) {
	if s.host != nil {
		return s.host.Machine(p)
	}
	return s.gameHost, p == s.peer
}

// peerOf returns the connection to a machine that is directly connected.
func (s *session) peerOf(machine int) (link.PeerID, bool) {
	if s.host != nil {
		return s.host.Peer(machine)
	}
	return s.peer, machine == s.gameHost
}

// connected are the machines to which there are connections, by rising number.
func (s *session) connected() iter.Seq2[int, link.PeerID] {
	return func(yield func(int, link.PeerID) bool) {
		for machine := range ds.MaxMachines {
			if peer, ok := s.peerOf(machine); ok && peer != 0 && !yield(machine, peer) {
				return
			}
		}
	}
}

// seen is the room as it is shown. The game host says which keys the others have proven; its
// own is the one that it has proven to us.
func (s *session) seen() room.Room {
	r := s.room.Room()
	for i := range r.Players {
		if p := &r.Players[i]; s.client != nil && p.Machine == s.gameHost {
			p.Key = s.opened[s.peer].Key
		}
	}
	return r
}

// bulkPeer returns the connection to a machine, if bulk messages may be sent on it. A machine
// that comes back to the room, or comes anew since nobody waited for it, says nothing before it is let in.
func (s *session) bulkPeer(machine int) (link.PeerID, bool) {
	if s.client != nil && (s.client.Reconnecting() || s.client.Phase() == room.PhaseJoining) {
		return 0, false
	}
	return s.peerOf(machine)
}

// cutOff ends the connection to a machine, if there is one.
func (s *session) cutOff(now time.Time, machine int, why string) {
	if peer, ok := s.peerOf(machine); ok {
		s.hangUp(now, peer, why)
	}
}

// tellSilent tells the room which connections are dead as whose machines somebody comes in.
func (s *session) tellSilent(now time.Time) {
	if s.host == nil {
		return
	}
	for _, p := range s.host.Doubted() {
		if stats, ok := s.cfg.Link.Stats(p); ok {
			s.host.Silent(now, p, stats.Silent)
		}
	}
}

// breaksRules ends the connection to a machine that does.
func (s *session) breaksRules(now time.Time, machine int, err error) {
	s.cutOff(now, machine, "broke the rules: "+err.Error())
}
