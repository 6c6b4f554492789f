package client

import (
	"errors"
	"time"

	"github.com/nettplay/nettplay/host/access"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
)

// NewSpectator prepares to watch a room: a [Client] that has no seat, hears what happens
// in the room, and plays no game. Of cfg only Nickname, Password, Core, BIOS, Version,
// Random and Timeouts count.
func NewSpectator(cfg Config) (*Client, error) {
	cfg.LocalPlayers, cfg.ROM = nil, nil
	c, err := New(cfg)
	if err != nil {
		return nil, err
	}
	c.joining.spectating, c.machine = true, -1
	return c, nil
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

func (c *Client) takeAdmitted(now time.Time, m *message.Admitted, _ []byte) error {
	if c.stage != awaitWelcome || !c.joining.spectating {
		return errors.New("it lets us watch, which was not asked for")
	}
	if !access.Proven(m.Proof, access.Proof(c.self.Key, access.LabelHost, c.joining.transcript)) {
		c.refuse(impostor())
		return nil
	}
	if err := c.checkRoom(m.Room); err != nil {
		return err
	}
	c.stage, c.since, c.room, c.joining.hello = inside, now, m.Room, nil
	c.emit(event.Admitted{Number: m.Number})
	c.emit(event.RoomChanged{})
	c.tellUnasked()
	return nil
}

// impostor returns the reason to leave somebody who poses as a room.
func impostor() room.Refusal {
	return room.Refusal{
		Code: room.CodePassword, Sentence: "the room took your password without knowing it: it only pretends to be the room that you mean", Hint: "check the address",
	}
}
