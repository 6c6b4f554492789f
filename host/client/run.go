package client

import (
	"fmt"
	"io"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/phrase"
)

// New prepares to join a room.
func New(cfg Config) (*Client, error) {
	bios, err := room.CheckBIOS(cfg.BIOS)
	if err != nil {
		return nil, err
	}
	rom, err := room.CheckOwnROM(cfg.ROM)
	if err != nil {
		return nil, err
	}
	self, err := cfg.Identity()
	if err != nil {
		return nil, err
	}
	c := &Client{
		joining: joining{
			ask: message.Join{
				Nickname: room.CleanNickname(cfg.Nickname), Firmware: cfg.Firmware, Core: cfg.Core.Cleaned(), BIOS: bios, ROM: rom,
				LocalPlayers: cfg.LocalPlayers, Sign: membership.PublicKey(self.Sign), Addrs: self.Addrs,
			},
			password: cfg.Password, work: cfg.Iterations,
		},
		self: self, flood: membership.HostFlood(), chat: membership.ChatLimit(membership.ClientChat),
	}
	c.election = membership.NewElection(&c.box)
	if _, err := io.ReadFull(cfg.Random, c.joining.nonce[:]); err != nil {
		return nil, fmt.Errorf("random numbers: %w", err)
	}
	return c, nil
}

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

// Tick does what is due. It must be called at least every 100 ms.
func (c *Client) Tick(now time.Time) {
	now = c.clock.At(now)
	switch {
	case !c.succession.orphaned.IsZero():
		c.tickOrphan(now)
	case c.reconnecting() && now.Sub(c.lostAt) >= c.self.Timeouts.Reconnect:
		const why = "it stayed disconnected for too long"
		if !c.orphan(now, c.lostFor(why)) {
			c.giveUp(why)
		}
		c.tickOrphan(now)
	case c.reconnecting():
	case c.stage == inside && now.Sub(c.heard) >= c.self.Timeouts.Silence && c.game != nil && c.game.playing && !c.game.out:
		c.box.Close(c.peer, "nothing was heard of the game host")
		c.Lost(now, c.peer, "")
	case c.stage == inside && now.Sub(c.heard) >= c.self.Timeouts.Silence:
		words := c.hostName() + " has said nothing for " + phrase.Span(c.self.Timeouts.Silence)
		if !c.orphan(now, words) {
			c.end(words, event.RoomLost{Words: words})
		}
	case (c.stage == awaitChallenge || c.stage == awaitWelcome) && now.Sub(c.since) >= c.self.Timeouts.Join:
		words := "the room did not answer for " + phrase.Span(c.self.Timeouts.Join)
		c.end(words, event.RoomLost{Words: words})
	}
	c.tickElection(now)
	c.flush(now)
}
