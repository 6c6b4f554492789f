package client

import (
	"time"

	"github.com/nettplay/nettplay/host/election"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/migration"
)

// entry is all that a client does with a type of message: who may say it and when, and who
// acts on it. A message that nobody acts on breaks the rules.
type entry struct {
	fromHost func(c *Client, now time.Time, m message.Message, b []byte) error
	fromPeer func(c *Client, now time.Time, l *election.Link, m message.Message)
	joining  bool // a game host says it before its client is in the room, too
}

// registry has every type of message that a client is told. It is filled by init, because the
// functions that act on them send messages themselves.
var registry = map[message.Kind]entry{}

func init() {
	byHostEarly((*Client).takeRefused)
	byPeer((*Client).refusedByPeer)
	byHostEarly((*Client).takeChallenge)
	byHostEarly((*Client).takeWelcome)
	byHost((*Client).takeRoom)
	byHost((*Client).takeHeartbeat)
	byHost((*Client).takeChatLine)
	byHost((*Client).takePrepare)
	byHost((*Client).takeStartFailed)
	byHost((*Client).takeBegin)
	byHost((*Client).takeDecision)
	byHost((*Client).takeEnded)
	byHostEarly((*Client).takeClosed)
	byHostEarly((*Client).takeReconnected)
	byHost((*Client).takeSaveOrder)
	byHostEarly(likeMember[*migration.PeerStatusMsg])
	byPeer((*Client).takePeerStatus)
	byHostEarly(likeMember[*migration.CandidacyMsg])
	byPeer((*Client).takeCandidacy)
	byHostEarly(likeMember[*migration.VoteMsg])
	byPeer((*Client).takeVote)
	byHostEarly((*Client).proofOfHost)
	byPeer((*Client).takeLeaderProof)
	byHost((*Client).takeHandover)
	byHost((*Client).takeDesyncFound)
	byHost((*Client).takeLateJoin)
	byHostEarly((*Client).takeAdmitted)
}

// row changes what registry has for a type of message.
func row[P message.Message](change func(e *entry)) {
	var m P
	e := registry[message.KindOf(m)]
	change(&e)
	registry[message.KindOf(m)] = e
}

// byHost is for what the game host says to those in the room.
func byHost[P message.Message](take func(c *Client, now time.Time, m P) error) {
	row[P](func(e *entry) {
		e.fromHost = func(c *Client, now time.Time, m message.Message, _ []byte) error { return take(c, now, m.(P)) }
	})
}

// byHostEarly is for what the game host also says to those who are not in the room yet, or not
// any more. The function is also given the message as it was sent.
func byHostEarly[P message.Message](take func(c *Client, now time.Time, m P, b []byte) error) {
	row[P](func(e *entry) {
		e.joining = true
		e.fromHost = func(c *Client, now time.Time, m message.Message, b []byte) error { return take(c, now, m.(P), b) }
	})
}

// byPeer is for what members say to each other when the game host is gone.
func byPeer[P message.Message](take func(c *Client, now time.Time, l *election.Link, m P)) {
	row[P](func(e *entry) {
		e.fromPeer = func(c *Client, now time.Time, l *election.Link, m message.Message) { take(c, now, l, m.(P)) }
	})
}
