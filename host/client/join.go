package client

import (
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
)

func (c *Client) handleRefused(_ time.Time, m *message.Refused, _ []byte) error {
	switch {
	case c.stage == inside:
		return errors.New("it refused someone who is in the room")
	case c.reconnecting():
		switch {
		case m.Code == room.CodeGone && !c.succession.orphaned.IsZero():
			c.joinAgain()
			return nil
		}
		switch m.Code {
		case room.CodeGone, room.CodeBanned, room.CodeProtocol:
			c.giveUp(m.Error()) // else another connection may do better
		}
	default:
		m.Sentence = orNoReason(m.Sentence)
		c.end("goodbye", event.Refused{Refusal: m.Refusal})
	}
	return nil
}

func (c *Client) handleClosed(_ time.Time, m *message.Closed, _ []byte) error {
	c.end("goodbye", event.RoomClosed{Reason: m.Reason, Words: orNoReason(m.Why)})
	return nil
}

// refuse ends the attempt to join: this machine does not want to after all.
func (c *Client) refuse(r room.Refusal) { c.end(r.Sentence, event.Refused{Refusal: r}) }

// handleChallenge joins, unless the room is not what it should be. A room without a password
// takes everybody, with or without one.
func (c *Client) handleChallenge(now time.Time, m *message.Challenge, msg []byte) error {
	switch {
	case c.stage != awaitChallenge:
		return errors.New("a challenge that was not asked for")
	case c.reconnecting():
		return c.handleReconnectChallenge(now, msg)
	}
	c.self.Salt = m.Salt
	switch {
	case m.Protocol != message.Protocol:
		c.refuse(room.ProtocolRefusal(m.Speaker, room.Speaker{Protocol: message.Protocol, Program: c.self.Program}, ""))
		return nil
	case m.Locked && c.joining.password == "" && c.self.Key == nil:
		c.refuse(room.Refusal{
			Code: room.CodePassword, Sentence: fmt.Sprintf("the room %q asks for a password", m.Room), Hint: "ask the game host for it and join with it",
		})
		return nil
	}
	if m.Locked && c.joining.password != "" {
		key, err := membership.PasswordKey(c.joining.password, m.Salt, c.joining.work)
		if err != nil {
			c.refuse(room.Refusal{Code: room.CodePassword, Sentence: err.Error()})
			return nil
		}
		c.self.Key, c.joining.password = key, ""
	}
	ask, prove := c.joinRequest()
	b, err := message.Encode(ask)
	if err != nil {
		return err
	}
	c.joining.transcript = membership.Transcript(c.joining.hello, msg, b, membership.ProofSize)
	prove(membership.Proof(c.self.Key, membership.LabelClient, c.joining.transcript))
	c.send(ask)
	c.stage, c.since = awaitWelcome, now
	return nil
}

// joinRequest returns a client's first message: it wants to play, or to watch.
func (c *Client) joinRequest() (m message.Message, prove func(proof [32]byte)) {
	if c.joining.spectating {
		w := &message.Spectate{Nickname: c.joining.ask.Nickname, Core: c.joining.ask.Core, BIOS: c.joining.ask.BIOS}
		return w, func(p [32]byte) { w.Proof = p }
	}
	join := c.joining.ask
	return &join, func(p [32]byte) { join.Proof = p }
}

func (c *Client) handleWelcome(now time.Time, m *message.Welcome, _ []byte) error {
	if c.stage != awaitWelcome || c.joining.spectating {
		return errors.New("a welcome that was not asked for")
	}
	c.machine, c.self.Door = m.Machine, m.Door
	return c.enter(now, m.Proof, m.Room, func() event.Event { return event.Welcomed{Me: c.Me(), Door: m.Door} })
}

func (c *Client) handleAdmitted(now time.Time, m *message.Admitted, _ []byte) error {
	if c.stage != awaitWelcome || !c.joining.spectating {
		return errors.New("it lets us watch, which was not asked for")
	}
	return c.enter(now, m.Proof, m.Room, func() event.Event { return event.Admitted{} })
}

// handleBanned notes whom the room keeps out, in case that this machine becomes its game host.
func (c *Client) handleBanned(_ time.Time, m *message.Banned) error {
	c.banned = m.List
	return nil
}

// enter comes into the room, if that has proven that it knows the password, and says so with an event.
func (c *Client) enter(now time.Time, proof [32]byte, r room.Room, entered func() event.Event) error {
	if !membership.Proven(proof, membership.Proof(c.self.Key, membership.LabelHost, c.joining.transcript)) {
		c.refuse(room.Refusal{
			Code: room.CodePassword, Sentence: "the room took your password without knowing it: it only pretends to be the room that you mean", Hint: "check the address",
		})
		return nil
	}
	if err := c.checkRoom(r); err != nil {
		return err
	}
	c.stage, c.since, c.room, c.joining.hello = inside, now, r, nil
	c.box.Emit(entered())
	c.box.Emit(event.RoomChanged{})
	if c.joining.password != "" { // it may not be the room that the player means
		c.joining.password = ""
		c.box.Emit(event.ChatLine{Seat: -1, Text: "this room has no password: everybody may come in, and yours was not needed"})
	}
	return nil
}

// handleReconnectChallenge proves that we are who we were.
func (c *Client) handleReconnectChallenge(now time.Time, msg []byte) error {
	if c.Electing() {
		c.dropConnection("it was given up") // for a new game host
		return nil
	}
	m := message.Reconnect{Machine: c.machine}
	if c.game != nil {
		m.Round, m.Decisions, m.Digest, m.Promised = c.game.Round, len(c.game.Decisions), c.game.Decisions.Digest(), c.game.Promised
	}
	b, err := message.Encode(&m)
	if err != nil {
		return err
	}
	c.joining.transcript = membership.Transcript(c.joining.hello, msg, b, membership.SignSize)
	m.Proof = membership.Sign(c.self.Sign, membership.Signed(membership.LabelReconnect, c.joining.transcript))
	c.send(&m)
	c.stage, c.since = awaitReconnect, now
	return nil
}

// handleReconnected is in the room again. Messages on the old connection may not have come.
func (c *Client) handleReconnected(now time.Time, m *message.Reconnected, _ []byte) error {
	if c.stage != awaitReconnect {
		return errors.New("it takes us back, but we were not gone")
	}
	if p, _ := c.room.Player(c.room.Host); !membership.Verify(p.Sign, membership.Signed(membership.LabelReconnected, c.joining.transcript), m.Proof) {
		return errors.New("it only pretends to be the room that we were in")
	}
	if err := c.checkRoom(m.Room); err != nil {
		return fmt.Errorf("it took us back into a room that is not valid: %w", err)
	}
	// One that was named may have been elected as well, when it had not heard of that.
	if m.Room.Host != c.room.Host || m.Room.Epoch < c.room.Epoch || !membership.Believable(m.Room.Epoch, c.room.Epoch, 0) {
		return errors.New("it took us back into another room")
	}
	if m.Room.Epoch != c.room.Epoch {
		c.succession = succession{}
	}
	c.report.at = time.Time{} // it may not know what we told another game host
	c.stage, c.since, c.room, c.joining.hello, c.lostAt = inside, now, m.Room, nil, time.Time{}
	c.succession.orphaned, c.succession.round = time.Time{}, 0
	c.election.End(c.view())
	c.box.Emit(event.Reconnected{})
	c.box.Emit(event.RoomChanged{})
	if c.game == nil || m.Room.Round != c.game.Round || m.Room.Phase != room.PhasePlaying {
		return nil // how it ended is told next
	}
	for _, again := range c.game.Said {
		c.send(again)
	}
	return nil
}
