package client

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/access"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Connected tells that the connection to the game host is open, and begins to join.
func (c *Client) Connected(now time.Time, peer ds.PeerID) {
	if c.stage != unconnected && c.stage != disconnected {
		return
	}
	now = c.clock.At(now)
	c.peer, c.stage, c.since, c.heard = peer, awaitChallenge, now, now
	b, err := c.send(&message.Hello{Speaker: room.Speaker{Protocol: message.Protocol, Program: c.self.Program}, Nonce: c.joining.nonce})
	if err != nil {
		c.confused(err.Error())
	}
	c.joining.hello = b
}

// Disconnected tells that the connection is gone, for whatever reason.
func (c *Client) Disconnected(_ time.Time, peer ds.PeerID, reason string) {
	if c.election.Disconnected(peer) || peer != c.peer || c.stage == unconnected || c.stage == over {
		return
	}
	reason = room.Brackets(wire.Clean(reason, room.MaxReason))
	if c.reconnecting() {
		c.stage, c.peer = disconnected, 0 // another attempt may do better
		return
	}
	if c.stage == inside {
		c.end("", event.RoomLost{Words: room.JoinWords("the connection to", c.hostName(), "was lost", reason)})
	} else {
		c.end("", event.RoomLost{Words: room.JoinWords("the connection was lost while joining the room", reason)})
	}
}

// Receive takes a message that came on the connection's control channel. The answer
// to a room with a password takes about 0.1 s.
func (c *Client) Receive(now time.Time, peer ds.PeerID, msg []byte) {
	if c.stage == over {
		return
	}
	if k := c.election.Link(peer); k != nil {
		c.fromLink(c.clock.At(now), k, msg)
		return
	}
	if peer != c.peer || c.stage == unconnected {
		return
	}
	now = c.clock.At(now)
	c.heard = now
	if !c.flood.Admit(now, len(msg)) {
		c.confused("it sends more than anyone has to say")
		return
	}
	m, err := message.Decode(msg)
	if err != nil {
		c.confused(err.Error())
		return
	}
	c.take(now, m, msg)
	c.flush(now)
}

// take acts on a message of the game host, as registry says.
func (c *Client) take(now time.Time, m message.Message, msg []byte) {
	e, k := registry[message.KindOf(m)], message.KindOf(m)
	var err error
	switch {
	case c.stage != inside && !e.joining:
		err = fmt.Errorf("%v came before welcome", k)
	case c.joining.spectating && !message.Public(m) && !e.joining:
		err = fmt.Errorf("%v is not for spectators", k)
	case e.fromHost == nil:
		err = fmt.Errorf("%v is not for a game host to say", k)
	default:
		err = e.fromHost(c, now, m, msg)
	}
	if err != nil {
		c.confused(err.Error())
	}
}

func (c *Client) takeRefused(_ time.Time, m *message.Refused, _ []byte) error {
	switch {
	case c.stage == inside:
		return errors.New("it refused someone who is in the room")
	case c.reconnecting():
		c.takeReconnectRefused(m.Refusal)
	default:
		m.Sentence = orNoReason(m.Sentence)
		c.end("goodbye", event.Refused{Refusal: m.Refusal})
	}
	return nil
}

func (c *Client) takeClosed(_ time.Time, m *message.Closed, _ []byte) error {
	c.end("goodbye", event.RoomClosed{Reason: m.Reason, Words: orNoReason(m.Why)})
	return nil
}

// refuse ends the attempt to join: this machine does not want to after all.
func (c *Client) refuse(r room.Refusal) { c.end(r.Sentence, event.Refused{Refusal: r}) }

// takeChallenge joins, unless the room is not what it should be. A room without a password
// takes everybody, with or without one.
func (c *Client) takeChallenge(now time.Time, m *message.Challenge, msg []byte) error {
	switch {
	case c.stage != awaitChallenge:
		return errors.New("a challenge that was not asked for")
	case c.reconnecting():
		return c.takeReconnectChallenge(now, msg)
	}
	c.self.Salt = m.Salt
	switch {
	case m.Protocol != message.Protocol:
		c.refuse(room.ProtocolRefusal(m.Speaker, room.Speaker{Protocol: message.Protocol, Program: c.self.Program}, ""))
		return nil
	case m.Locked && c.joining.password == "":
		c.refuse(room.Refusal{
			Code: room.CodePassword, Sentence: fmt.Sprintf("the room %q asks for a password", m.Room), Hint: "ask the game host for it and join with it",
		})
		return nil
	}
	if m.Locked {
		key, err := access.PasswordKey(c.joining.password, m.Salt, c.joining.work)
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
	c.joining.transcript = access.Transcript(c.joining.hello, msg, b, access.ProofSize)
	prove(access.Proof(c.self.Key, access.LabelClient, c.joining.transcript))
	c.send(ask)
	c.stage, c.since = awaitWelcome, now
	return nil
}

func (c *Client) takeWelcome(now time.Time, m *message.Welcome, _ []byte) error {
	if c.stage != awaitWelcome || c.joining.spectating {
		return errors.New("a welcome that was not asked for")
	}
	c.machine, c.self.Door = m.Machine, m.Door
	return c.enter(now, m.Proof, m.Room, func() event.Event { return event.Welcomed{Me: c.Me(), Door: m.Door} })
}

// enter comes into the room, if that has proven that it knows the password, and says so with an event.
func (c *Client) enter(now time.Time, proof [32]byte, r room.Room, entered func() event.Event) error {
	if !access.Proven(proof, access.Proof(c.self.Key, access.LabelHost, c.joining.transcript)) {
		c.refuse(room.Refusal{
			Code: room.CodePassword, Sentence: "the room took your password without knowing it: it only pretends to be the room that you mean", Hint: "check the address",
		})
		return nil
	}
	if err := c.checkRoom(r); err != nil {
		return err
	}
	c.stage, c.since, c.room, c.joining.hello = inside, now, r, nil
	c.emit(entered())
	c.emit(event.RoomChanged{})
	if c.joining.password != "" { // it may not be the room that the player means
		c.joining.password = ""
		c.emit(event.ChatLine{Seat: -1, Text: "this room has no password: everybody may come in, and yours was not needed"})
	}
	return nil
}

// checkRoom tells what is wrong with a room that is told to us.
func (c *Client) checkRoom(r room.Room) error {
	if err := r.Settings.Check(); err != nil {
		return err
	}
	for i, p := range r.Players {
		if i > 0 && p.Seat <= r.Players[i-1].Seat {
			return fmt.Errorf("the roster has seat %v after seat %v", p.Seat, r.Players[i-1].Seat)
		}
	}
	if err := room.CheckSpectators(r.Spectators); err != nil {
		return err
	}
	mine := c.joining.spectating || slices.ContainsFunc(r.Players, func(p room.Player) bool { return p.Machine == c.machine })
	if _, hosted := r.Player(r.Host); !hosted || !mine {
		return fmt.Errorf("the roster of %d has not both the game host and this machine", len(r.Players))
	}
	return nil
}
