package session

import (
	"errors"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
)

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
		s.connectionOpened(now, e)
	case link.Disconnected:
		delete(s.opened, e.Peer)
		s.connectionFailed(e.Peer)
		if _, member := s.machine(e.Peer); e.Reason.By == link.ByTimeout || e.Reason.By == link.ByLoss || member && s.game != nil {
			// A player who leaves a game says so in the room's words.
			s.connectionLost(now, e.Peer, e.Reason.String())
		} else {
			s.room.Disconnected(now, e.Peer, e.Reason.String())
		}
	case link.Message:
		s.message(now, e)
	}
}

// connectionOpened takes a connection that is open: to the game host or from somebody; or, on a game
// client, between members.
func (s *session) connectionOpened(now time.Time, e link.Event) {
	s.opened[e.Peer] = e
	switch {
	case s.host != nil:
		s.host.Connected(now, e.Peer, e.Addr)
		s.host.Proven(e.Peer, e.Key)
	case e.Incoming:
		s.client.PeerConnected(now, e.Peer, e.Addr, e.Key)
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

// bulk takes a message of the bulk channel.
func (s *session) bulk(now time.Time, peer link.PeerID, b []byte) error {
	if watches, err := s.spectators.Receive(peer, b); watches {
		return err
	}
	machine, known := s.machine(peer)
	if !known {
		return errors.New("bulk message from outside the room")
	}
	if about, err := s.fromMember(now, peer, machine, b); about {
		return err
	}
	return s.assembler.Exchange(machine).Receive(now, b)
}

// datagram takes a message of the input channel.
func (s *session) datagram(now time.Time, peer link.PeerID, b []byte) error {
	machine, known := s.machine(peer)
	if !known {
		return nil // it has just left
	}
	if s.game == nil {
		return nil // others may begin, or still play, when we do not
	}
	return s.game.Receive(now, machine, b)
}

// roomEvents does what the room asks for, and what comes of that.
func (s *session) roomEvents(now time.Time) error {
	for {
		events := s.room.Events()
		if len(events) == 0 && s.client != nil && s.game != nil {
			s.client.Promised(s.game.Promised())
		}
		if len(events) == 0 {
			return nil
		}
		for _, e := range events {
			if err := s.roomEvent(now, e); err != nil {
				return err
			}
		}
	}
}

// roomEvent does what the room asks for.
func (s *session) roomEvent(now time.Time, told event.Event) error {
	switch e := told.(type) {
	case event.Welcomed:
		s.cfg.Link.SetRoom(e.Door.Secret, e.Door.Neighbours)
		s.gameHost = s.room.Room().Host
		host, _ := s.room.Room().Player(s.gameHost)
		s.joined = host.Sign
		s.Say("You are in seat %v.", e.Me.Seat)
		if int(e.Me.Seat) >= s.room.Room().Settings.Seats {
			s.Say("Seats of players who left this game stay empty until it ends.")
		}
		s.roomChanged(now)
	case event.RoomChanged:
		s.roomChanged(now)
	case event.ChatLine:
		if e.Name == "" && !s.farewell.IsZero() {
			return nil // all others go, too
		}
		if e.Name == "" {
			s.Say("%s", e.Text)
		} else {
			s.notify(notice.Message{From: e.Name, Text: e.Text})
		}
		s.recorder().Chat(e.Name, e.Text)
	case event.JoinFailed:
		s.notify(notice.JoinFailed{Nickname: e.Nickname, Code: e.Code, Words: e.Words})
	case event.PlayerJoined:
		s.roomChanged(now)
	case event.SpectatorJoined:
		s.spectators.Joined(e.Peer)
	case event.SpectatorLeft:
		s.spectators.Left(e.Peer)
	case event.PlayerLeft:
		return s.playerLeft(now, e)
	case event.SeatLeft:
		return s.seatLeft(now, e)
	case event.Prepare:
		s.prepare(e)
	case event.StartFailed:
		return s.startFailed(e)
	case event.Begin:
		return s.startGame(e)
	case event.LateJoined:
		s.joining = spectate.Enter(e)
	case event.Decided:
		return s.decided(e)
	case event.PlayerDisconnected:
		s.abrupt = true
		s.notify(notice.Disconnected{Machine: e.Machine, Nickname: s.nickname(e.Machine), MayGoOn: true})
	case event.PlayerReconnected:
		s.abrupt = false
		s.newLine(e.Machine)
		s.notify(notice.Reconnected{Machine: e.Machine})
	case event.ConnectionLost:
		s.connectionGone(e)
	case event.Reconnected:
		s.abrupt = false
		if s.hostLost { // else the game host left, and we have come to the next one
			s.Say("The connection is back.")
		}
		s.hostLost = false
		s.notify(notice.Reconnected{Machine: s.gameHost})
		s.offerConsoles()
	case event.ConnectPeers:
		s.connectPeers(e.Players)
	case event.Candidacy:
		s.giveVote(e)
	case event.Elected:
		return s.promote(now, e)
	case event.HostChanged:
		return s.hostChanged(e)
	case event.SteppedDown:
		return s.steppedDown(e)
	case event.JoinAgain:
		s.joinAgain(joinTries)
	case event.SaveOrder:
		s.saveOrder(e)
	case event.ResyncRequested:
		return s.otherBroken(now, e)
	case event.HashReport:
		return s.compare(now, e.Machine, e.Frame, e.Hashes)
	case event.Arrivals:
		s.handleArrivals(now, e)
	case event.DesyncFound:
		if s.game != nil {
			s.reports.Differ(s.game, e.Desync)
		}
	case event.Reran:
		s.handleRerun(now, e.Machine, e.Rerun)
	case event.Ended:
		return s.ended(e)
	case event.Refused:
		return notice.Refused(e.Refusal)
	case event.RoomClosed:
		return s.roomClosed(e)
	case event.RoomLost:
		return &notice.Failure{Result: notice.ResultLost, Err: errors.New(e.Words)}
	}
	return nil
}
