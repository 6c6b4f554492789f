package client

import (
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host/access"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
)

// takeReconnectChallenge proves that we are who we were.
func (c *Client) takeReconnectChallenge(now time.Time, msg []byte) error {
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
	c.joining.transcript = access.Transcript(c.joining.hello, msg, b, access.SignSize)
	m.Proof = migration.Sign(c.self.Sign, access.Signed(access.LabelReconnect, c.joining.transcript))
	c.send(&m)
	c.stage, c.since = awaitReconnect, now
	return nil
}

// takeReconnected is in the room again. Messages on the old connection may not have come.
func (c *Client) takeReconnected(now time.Time, m *message.Reconnected, _ []byte) error {
	if c.stage != awaitReconnect {
		return errors.New("it takes us back, and we were not gone")
	}
	if p, _ := c.room.Player(c.room.Host); !migration.Verify(p.Sign, access.Signed(access.LabelReconnected, c.joining.transcript), m.Proof) {
		return errors.New("it only pretends to be the room that we were in")
	}
	if err := c.checkRoom(m.Room); err != nil {
		return fmt.Errorf("it took us back into a room that cannot be: %w", err)
	}
	// One that was named may have been elected as well, when it had not heard of that.
	if m.Room.Host != c.room.Host || m.Room.Epoch < c.room.Epoch || !migration.Believable(m.Room.Epoch, c.room.Epoch, 0) {
		return errors.New("it took us back into another room")
	}
	c.report.at = time.Time{} // it may not know what we told another game host
	c.stage, c.since, c.room, c.joining.hello, c.lostAt = inside, now, m.Room, nil, time.Time{}
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

// takeReconnectRefused is not taken back on this connection, which the game host closes: for good, or
// until the next one.
func (c *Client) takeReconnectRefused(r room.Refusal) {
	switch r.Code {
	case room.CodeGone, room.CodeBanned, room.CodeProtocol:
		c.giveUp(r.Error())
	}
}
