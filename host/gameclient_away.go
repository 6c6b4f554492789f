package host

import (
	"fmt"
	"time"
)

// LineGone tells a client that its line to the game host is gone in the middle of a
// game. The caller opens another one and says Connected; until Timeouts.Away that
// is in time.
type LineGone struct{ Words string }

// LineBack tells a client that it is in the room again, on another line.
type LineBack struct{}

func (LineGone) event() {}
func (LineBack) event() {}

// Lost tells that the line has fallen silent, without a word of the other side. In a
// game we come back on another one; else it is as Disconnected.
func (c *Client) Lost(now time.Time, peer PeerID, reason string) {
	if peer != c.peer {
		return
	}
	switch {
	case c.stage == inside && c.game != nil && c.game.playing && !c.game.out:
		c.gone = c.clock.at(now)
		c.emit(LineGone{Words: joinWords("the line to", c.hostName(), "is gone; trying to get it back")})
	case c.returning() && c.stage != away:
	default:
		c.Disconnected(now, peer, reason)
		return
	}
	c.stage, c.peer = away, 0
}

// Returning tells whether our line is gone, or a new one not yet taken.
func (c *Client) Returning() bool { return c.returning() && c.stage != over }

// returning tells whether we are in the room, but not on a line of it.
func (c *Client) returning() bool { return !c.gone.IsZero() }

// takeChallengeAgain proves that we are who we were.
func (c *Client) takeChallengeAgain(now time.Time, msg []byte) {
	if c.voted > c.room.Epoch {
		c.leaveLine("it was given up") // for a new game host
		return
	}
	m := returnMsg{Machine: c.machine}
	if c.game != nil {
		m.Round, m.Decisions, m.Digest, m.Promised = c.game.number, len(c.game.decisions), digest(c.game.decisions), c.game.promised
	}
	b, err := encode(&m)
	if err != nil {
		c.confused(err.Error())
		return
	}
	c.sent = transcript(c.hello, msg, b, signSize)
	m.Proof = signature(c.sign, signed(labelReturn, c.sent))
	c.send(&m)
	c.stage, c.since = awaitBack, now
}

// takeBack is in the room again. What was said on the old line may not have come.
func (c *Client) takeBack(now time.Time, m *backMsg) {
	if p, _ := c.room.player(c.room.Host); !verify(p.Sign, signed(labelBack, c.sent), m.Proof) {
		c.confused("it only pretends to be the room that we were in")
		return
	}
	if err := c.checkRoom(m.Room); err != nil || m.Room.Host != c.room.Host || m.Room.Epoch != c.room.Epoch {
		c.confused(fmt.Sprintf("it took us back into another room: %v", err))
		return
	}
	c.council.over(c)
	c.toldAt = time.Time{} // it may not know what we told another game host
	c.stage, c.since, c.room, c.hello, c.gone = inside, now, m.Room, nil, time.Time{}
	c.emit(LineBack{})
	c.emit(RoomChanged{})
	if c.game == nil {
		return
	}
	if m.Room.Round != c.game.number || m.Room.Phase != PhasePlaying {
		return // how it ended is told next
	}
	for _, again := range c.game.said {
		c.send(again)
	}
}

// takeRefusedBack is not taken back on this line, which the game host closes: for good, or
// until the next one.
func (c *Client) takeRefusedBack(r Refusal) {
	switch r.Code {
	case CodeGone, CodeBanned, CodeProtocol:
		c.notBack(r.Error())
	}
}

// notBack is the end of the attempt to come back.
func (c *Client) notBack(words string) {
	c.end("", RoomLost{Words: joinWords("the line to", c.hostName(), "was lost and could not be had again:", words)})
}
