package session

import (
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/savestate"
)

// connections are those to other machines.
type connections struct {
	peer     link.PeerID // the game host's, on game clients
	seek     seek
	gameHost int                         // the game host's machine
	joined   int                         // the machine that is at the address that we joined
	keys     map[link.PeerID]seal.Public // that the machines have proven
	lines    map[link.PeerID]link.Stats
	pinged   time.Time
}

// The connections to other machines: what arrives, and whose they are.

// ping looks at the lines once a second and tells the room what they measure.
func (s *session) ping(now time.Time) {
	if now.Sub(s.pinged) >= time.Second {
		s.pinged = now
		s.measureLines()
		if s.game != nil {
			s.keepStagger()
		}
		if s.client != nil {
			s.reportStatus(now)
		}
		s.checkRecording()
	}
}

// event takes what the link has to tell, and what the room makes of it: a later
// event must find everything as this one has left it.
func (s *session) event(e link.Event) {
	now := time.Now()
	s.linkEvent(now, e)
	if err := s.roomEvents(now); err != nil {
		s.fail(err)
	}
}

func (s *session) linkEvent(now time.Time, e link.Event) {
	switch e.Kind {
	case link.Connected:
		s.lineOpened(now, e)
	case link.Disconnected:
		delete(s.seek.addrs, e.Peer)
		delete(s.keys, e.Peer)
		s.lineFailed(e.Peer)
		if _, member := s.machine(e.Peer); e.Reason.By == link.ByTimeout || e.Reason.By == link.ByLoss || member && s.game != nil {
			// A player who leaves a game says so in the room's words.
			s.lineLost(now, e.Peer, e.Reason.String())
		} else {
			s.room.Disconnected(now, e.Peer, e.Reason.String())
		}
	case link.Message:
		s.message(now, e)
	}
}

func (s *session) message(now time.Time, e link.Event) {
	var err error
	switch e.Channel {
	case link.Control:
		s.room.Receive(now, e.Peer, e.Data)
		// Before the next message: a machine that fails leaves right after it
		// has said so.
		if err := s.roomEvents(now); err != nil {
			s.fail(err)
		}
		if s.room.Belongs(e.Peer) {
			s.cfg.Link.Vouch(e.Peer)
		}
		if s.room.Plays(e.Peer) {
			s.cfg.Link.Introduce(e.Peer)
		}
	case link.Bulk:
		err = s.bulk(now, e.Peer, e.Data)
	case link.Input:
		err = s.datagram(now, e.Peer, e.Data)
	}
	if err != nil {
		s.hangUp(now, e.Peer, "broke the rules: "+err.Error())
	}
}

// hangUp ends the line to a machine that does wrong: it can only end its own
// part in the room.
func (s *session) hangUp(now time.Time, p link.PeerID, why string) {
	if _, inRoom := s.machine(p); inRoom {
		s.abrupt = true
	}
	s.cfg.Link.Disconnect(p, why)
	s.room.Disconnected(now, p, why)
}

// machine returns the machine at the other end of a line.
func (s *session) machine(p link.PeerID) (int, bool) {
	if s.host != nil {
		return s.host.Machine(p)
	}
	return s.gameHost, p == s.peer
}

// line is the line to a machine that is directly connected.
func (s *session) line(machine int) (link.PeerID, bool) {
	if s.host != nil {
		p, ok := s.host.Peer(machine)
		return p, ok
	}
	return s.peer, machine == s.gameHost
}

// seen is the room as it is shown. The game host says which keys the others have proven; its
// own is the one that it has proven to us.
func (s *session) seen() room.Room {
	r := s.room.Room()
	for i := range r.Players {
		if p := &r.Players[i]; s.client != nil && p.Machine == s.gameHost {
			p.Key = s.keys[s.peer]
		}
	}
	return r
}

// datagram takes a message of the input channel: inputs, or a probe of an
// exchange.
func (s *session) datagram(now time.Time, peer link.PeerID, b []byte) error {
	machine, known := s.machine(peer)
	if !known {
		return nil // it has just left
	}
	if savestate.IsProbe(b) {
		return s.assembler.Exchange(machine).Receive(now, b)
	}
	if s.game == nil {
		return nil // others may begin, or still play, when we do not
	}
	return s.game.Receive(now, machine, b)
}
