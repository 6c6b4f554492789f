package client

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/internal/ds"
)

// entry is all that a client does with a type of message: who may say it and when, and who
// acts on it. A message that nobody acts on breaks the rules.
type entry struct {
	fromHost func(c *Client, now time.Time, m message.Message, b []byte) error
	fromPeer func(c *Client, now time.Time, l *membership.Link, m message.Message)
	joining  bool // a game host says it before its client is in the room, too
}

// registry has every type of message that a client is told.
var registry = table(
	byHostEarly((*Client).handleRefused),
	byPeer((*Client).refusedByPeer),
	byHostEarly((*Client).handleChallenge),
	byHostEarly((*Client).handleWelcome),
	byHost((*Client).handleRoom),
	byHost((*Client).handleHeartbeat),
	byHost((*Client).handleChatLine),
	byHost((*Client).handlePrepare),
	byHost((*Client).handleStartFailed),
	byHost((*Client).handleBegin),
	byHost((*Client).handleDecision),
	byHost((*Client).handleEnded),
	byHostEarly((*Client).handleClosed),
	byHostEarly((*Client).handleReconnected),
	byHost((*Client).handleSaveOrder),
	byHostEarly(likeMember[*message.PeerStatus]),
	byPeer((*Client).handlePeerStatus),
	byHostEarly(likeMember[*message.Candidacy]),
	byPeer((*Client).handleCandidacy),
	byHostEarly(likeMember[*message.Vote]),
	byPeer((*Client).handleVote),
	byHostEarly((*Client).proofOfHost),
	byPeer((*Client).handleLeaderProof),
	byHost((*Client).handleHandover),
	byHost((*Client).handleSuccessor),
	byHost((*Client).handleDesyncFound),
	byHost((*Client).handleLateJoin),
	byHostEarly((*Client).handleAdmitted),
	byHost((*Client).handleBanned),
)

// row is what registry has for a type of message, or a part of it.
type row struct {
	kind message.Kind
	add  func(*entry)
}

// table puts the rows together.
func table(rows ...row) map[message.Kind]entry {
	t := map[message.Kind]entry{}
	for _, r := range rows {
		e := t[r.kind]
		r.add(&e)
		t[r.kind] = e
	}
	return t
}

// byHost is for what the game host says to those in the room.
func byHost[P message.Message](take func(c *Client, now time.Time, m P) error) row {
	var m P
	return row{message.KindOf(m), func(e *entry) {
		e.fromHost = func(c *Client, now time.Time, m message.Message, _ []byte) error { return take(c, now, m.(P)) }
	}}
}

// byHostEarly is for what the game host also says to those who are not in the room yet, or not
// any more. The function is also given the message as it was sent.
func byHostEarly[P message.Message](take func(c *Client, now time.Time, m P, b []byte) error) row {
	var m P
	return row{message.KindOf(m), func(e *entry) {
		e.joining = true
		e.fromHost = func(c *Client, now time.Time, m message.Message, b []byte) error { return take(c, now, m.(P), b) }
	}}
}

// byPeer is for what members say to each other when the game host is gone.
func byPeer[P message.Message](take func(c *Client, now time.Time, l *membership.Link, m P)) row {
	var m P
	return row{message.KindOf(m), func(e *entry) {
		e.fromPeer = func(c *Client, now time.Time, l *membership.Link, m message.Message) { take(c, now, l, m.(P)) }
	}}
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
	c.handle(now, m, msg)
	c.flush(now)
}

// handle acts on a message of the game host, as registry says.
func (c *Client) handle(now time.Time, m message.Message, msg []byte) {
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

// fromLink takes a message of another member.
func (c *Client) fromLink(now time.Time, k *membership.Link, msg []byte) {
	m, err := c.election.Decode(now, k, msg)
	switch take := registry[message.KindOf(m)].fromPeer; {
	case err != nil:
		c.election.Drop(k, err.Error())
	case message.KindOf(m) == message.KindOf(&message.Hello{}):
		c.election.Keep(k, msg)
	case take == nil:
		c.election.Drop(k, fmt.Sprintf("%v is not for a member to say", message.KindOf(m)))
	default:
		take(c, now, k, m)
	}
	c.tickElection(now)
}
