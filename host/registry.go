package host

import (
	"fmt"
	"reflect"
	"time"

	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/wire"
)

// message is what one machine says to another. Each type of message has one row in
// registry.
type message interface{ Fields(c *wire.Coder) }

// kind is the number of a type of message, its first byte on the wire.
type kind uint8

// entry is all that a room knows of a type of message: its name, how it comes to life,
// who may say it and when, and who acts on it. A message that nobody acts on breaks the
// rules.
type entry struct {
	name       string
	blank      func() message
	typ        reflect.Type
	fromClient [stages]func(h *Host, now time.Time, p *peer, m message, b []byte)
	fromHost   func(c *Client, now time.Time, m message, b []byte) error
	fromPeer   func(c *Client, now time.Time, l *peerLink, m message)
	joining    bool // a game host says it before its client is in the room, too
	public     bool // spectators are told, too
	uncounted  bool // the game bounds how often it comes, so it does not count as flood
}

// registry has every type of message by its number, which is part of the protocol. A new
// message needs its type with Fields, a row here, and what the row names: the function
// that acts on it. It is filled by init, because those functions send messages themselves.
var registry map[kind]entry

var kinds map[reflect.Type]kind

func init() {
	registry = map[kind]entry{
		1:  row[helloMsg]("hello", onConnection(awaitHello, (*Host).takeHello)),
		2:  row[refusedMsg]("refused", byHostEarly((*Client).takeRefused), byPeer((*Client).refusedByPeer)),
		3:  row[challengeMsg]("challenge", byHostEarly((*Client).takeChallenge)),
		4:  row[joinMsg]("join", onConnection(awaitJoin, (*Host).takeJoin)),
		5:  row[welcomeMsg]("welcome", byHostEarly((*Client).takeWelcome)),
		6:  row[roomMsg]("room", byHost((*Client).takeRoom), public),
		7:  row[pulseMsg]("pulse", byHost((*Client).takePulse), public),
		8:  row[statusMsg]("status", byMember((*Host).takeStatus), bySpectator((*Host).spectatorIsThere)),
		9:  row[gameMsg]("game", byMember((*Host).takeGame)),
		10: row[chatMsg]("chat", byMember((*Host).takeChat)),
		11: row[chatLineMsg]("chat line", byHost((*Client).takeChatLine), public),
		12: row[prepareMsg]("prepare", byHost((*Client).takePrepare)),
		13: row[installedMsg]("installed", inGame((*Host).takeInstalled, room.PhasePreparing)),
		14: row[failedMsg]("failed", inGame((*Host).takeFailed, room.PhasePreparing, room.PhasePlaying)),
		15: row[startFailedMsg]("start failed", byHost((*Client).takeStartFailed)),
		16: row[beginMsg]("begin", byHost((*Client).takeBegin)),
		17: row[decisionMsg]("decision", byHost((*Client).takeDecision)),
		18: row[hashesMsg]("hashes", inGame((*Host).takeHashes, room.PhasePlaying), uncounted),
		19: row[finishedMsg]("finished", inGame((*Host).takeFinished, room.PhasePlaying)),
		20: row[endedMsg]("ended", byHost((*Client).takeEnded)),
		21: row[leaveMsg]("leave", byMember((*Host).takeLeave), bySpectator((*Host).spectatorLeaves)),
		22: row[closedMsg]("closed", byHostEarly((*Client).takeClosed)),
		23: row[pauseMsg]("pause", inGame((*Host).takePause, room.PhasePlaying)),
		24: row[resyncRequestMsg]("resync request", inGame((*Host).takeResyncRequest, room.PhasePlaying)),
		25: row[repairedMsg]("repaired", inGame((*Host).takeRepaired, room.PhasePlaying)),
		26: row[reconnectMsg]("reconnect", onConnection(awaitJoin, (*Host).takeReconnect)),
		27: row[reconnectedMsg]("reconnected", byHostEarly((*Client).takeReconnected)),
		28: row[commitMsg]("commit", byHost((*Client).takeCommit)),
		29: row[committedMsg]("committed", inGame((*Host).takeCommitted, room.PhasePlaying)),
		40: row[migration.PeerStatusMsg]("peer status", onConnection(awaitHello, (*Host).takePeerStatus), byHostEarly((*Client).statusOfHost), byPeer((*Client).takePeerStatus)),
		41: row[migration.CandidacyMsg]("candidacy", onConnection(awaitHello, (*Host).takeCandidacy), byHostEarly((*Client).candidacyOfHost), byPeer((*Client).takeCandidacy)),
		42: row[migration.VoteMsg]("vote", onConnection(awaitHello, (*Host).takeVote), byHostEarly((*Client).voteOfHost), byPeer((*Client).takeVote)),
		43: row[migration.ProofMsg]("leader proof", onConnection(awaitHello, (*Host).takeLeaderProof), byHostEarly((*Client).proofOfHost), byPeer((*Client).takeLeaderProof)),
		44: row[migration.HandoverMsg]("handover", byHost((*Client).takeHandover)),
		50: row[desyncFoundMsg]("desync found", byHost((*Client).takeDesyncFound)),
		51: row[rerunMsg]("rerun", byMember((*Host).takeRerun)),
		60: row[localPlayersMsg]("local players", byMember((*Host).takeLocalPlayers)),
		61: row[lateJoinMsg]("late join", byHost((*Client).takeLateJoin)),
		70: row[spectateMsg]("spectate", onConnection(awaitJoin, (*Host).takeSpectate)),
		71: row[admittedMsg]("admitted", byHostEarly((*Client).takeAdmitted)),
	}
	kinds = make(map[reflect.Type]kind, len(registry))
	for k, e := range registry {
		kinds[e.typ] = k
	}
}

// option is who may say a message, and who acts on it.
type option func(*entry)

// row is the entry of a type of message.
func row[M any, P interface {
	*M
	message
}](name string, options ...option) entry {
	e := entry{name: name, blank: func() message { return P(new(M)) }, typ: reflect.TypeFor[P]()}
	for _, o := range options {
		o(&e)
	}
	return e
}

// onConnection is for what somebody says who is not in the room yet. The function is also
// given the message as it was sent.
func onConnection[P message](s stage, take func(h *Host, now time.Time, p *peer, m P, b []byte)) option {
	return func(e *entry) {
		e.fromClient[s] = func(h *Host, now time.Time, p *peer, m message, b []byte) { take(h, now, p, m.(P), b) }
	}
}

// byMember is for what a machine in the room says in any phase.
func byMember[P message](take func(h *Host, now time.Time, p *peer, m P)) option {
	return onConnection(inRoom, func(h *Host, now time.Time, p *peer, m P, _ []byte) { take(h, now, p, m) })
}

// bySpectator is for what a spectator says.
func bySpectator[P message](take func(h *Host, now time.Time, p *peer, m P)) option {
	return onConnection(spectating, func(h *Host, now time.Time, p *peer, m P, _ []byte) { take(h, now, p, m) })
}

// aboutGame is a message about one game.
type aboutGame interface {
	message
	game() uint32
}

// inGame is for what a machine says about the game that it takes part in, in these phases
// of it. Messages about an earlier game, and from a machine that is out of this one, are
// ignored: they crossed with the news of that.
func inGame[P aboutGame](take func(h *Host, now time.Time, p *peer, part *part, m P), phases ...room.Phase) option {
	return func(e *entry) {
		e.fromClient[inRoom] = func(h *Host, now time.Time, p *peer, m message, b []byte) {
			about := m.(P)
			if part := h.current(now, p, about.game(), phases...); part != nil {
				take(h, now, p, part, about)
			} else if e.uncounted && h.peer(p.id) == p && !p.flood.admit(now, len(b)) {
				h.expel(now, p, floods)
			}
		}
	}
}

// byHost is for what the game host says to those in the room.
func byHost[P message](take func(c *Client, now time.Time, m P) error) option {
	return func(e *entry) {
		e.fromHost = func(c *Client, now time.Time, m message, _ []byte) error { return take(c, now, m.(P)) }
	}
}

// byHostEarly is for what the game host also says to those who are not in the room yet, or not
// any more. The function is also given the message as it was sent.
func byHostEarly[P message](take func(c *Client, now time.Time, m P, b []byte) error) option {
	return func(e *entry) {
		e.joining = true
		e.fromHost = func(c *Client, now time.Time, m message, b []byte) error { return take(c, now, m.(P), b) }
	}
}

// byPeer is for what members say to each other when the game host is gone.
func byPeer[P message](take func(c *Client, now time.Time, l *peerLink, m P)) option {
	return func(e *entry) {
		e.fromPeer = func(c *Client, now time.Time, l *peerLink, m message) { take(c, now, l, m.(P)) }
	}
}

func public(e *entry)    { e.public = true }
func uncounted(e *entry) { e.uncounted = true }

// kindOf returns the number of a message; 0 if its type has no row in registry.
func kindOf(m message) kind { return kinds[reflect.TypeOf(m)] }

// String is the kind's name.
func (k kind) String() string {
	if e, ok := registry[k]; ok {
		return e.name
	}
	return fmt.Sprintf("message of kind %d", uint8(k))
}
