package client

import (
	"errors"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
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
	return c.enter(now, m.Proof, m.Room, func() event.Event { return event.Admitted{Number: m.Number} })
}
