package client

import (
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

type clientStage uint8

const (
	unconnected clientStage = iota
	awaitChallenge
	awaitWelcome
	inside
	disconnected   // in a game, but the connection is gone
	awaitReconnect // on a new connection
	over
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

// Lost tells that the connection has fallen silent, without a word of the other side. In a
// game we come back on another one; else it is as Disconnected.
func (c *Client) Lost(now time.Time, peer ds.PeerID, reason string) {
	if c.election.Disconnected(peer) || peer != c.peer {
		return
	}
	switch {
	case c.stage == inside && c.game != nil && c.game.playing && !c.game.out:
		c.lostAt = c.clock.At(now)
		c.box.Emit(event.ConnectionLost{Words: room.JoinWords("the connection to", c.hostName(), "is gone; trying to get it back")})
	case c.reconnecting() && c.stage != disconnected:
	case c.stage == inside && c.orphan(c.clock.At(now), room.JoinWords("the connection to", c.hostName(), "was lost", room.Brackets(wire.Clean(reason, room.MaxReason)))):
		return
	default:
		c.Disconnected(now, peer, reason)
		return
	}
	c.stage, c.peer = disconnected, 0
}

// dropConnection gives up a connection to the game host that is not wanted any more.
func (c *Client) dropConnection(why string) {
	if c.peer != 0 {
		c.box.Close(c.peer, why)
	}
	c.stage, c.peer = disconnected, 0
}

// Reconnecting reports whether our connection is gone, or a new one not yet taken.
func (c *Client) Reconnecting() bool { return c.reconnecting() && c.stage != over }

// reconnecting reports whether we are in the room, but have no connection to it.
func (c *Client) reconnecting() bool { return !c.lostAt.IsZero() }

// giveUp is the end of the attempt to come back.
func (c *Client) giveUp(words string) {
	c.end("", event.RoomLost{Words: c.lostFor(words)})
}

// lostFor says that the connection to the game host is lost for good.
func (c *Client) lostFor(words string) string {
	return room.JoinWords("the connection to", c.hostName(), "was lost and did not come back:", words)
}

// send queues a message to the game host.
func (c *Client) send(m message.Message) ([]byte, error) {
	b, err := message.Encode(m)
	if err != nil {
		return nil, err
	}
	c.box.Send(c.peer, b)
	return b, nil
}

// tell sends what is of the running game, unless our connection is gone: then what matters is
// said again on the next one.
func (c *Client) tell(m message.Message) error {
	if c.stage != inside {
		_, err := message.Encode(m)
		return err
	}
	_, err := c.send(m)
	return err
}

// end is the end of the stay: the connection is closed with the words, and the last
// event comes.
func (c *Client) end(why string, e event.Event) {
	if why != "" {
		c.box.Close(c.peer, wire.Clean(why, room.MaxReason))
	}
	if e != nil {
		c.box.Emit(e)
	}
	c.stage, c.game = over, nil
	c.election.Close()
}

// confused ends the stay because the game host makes no sense.
func (c *Client) confused(how string) {
	words := wire.Clean("the game host's computer broke the rules of the room: "+how, room.MaxSentence)
	c.end(words, event.RoomLost{Words: words})
}

func (c *Client) hostName() string {
	p, ok := c.room.Player(c.room.Host)
	if !ok {
		return "the game host"
	}
	return room.JoinWords("the game host", p.Nickname)
}
