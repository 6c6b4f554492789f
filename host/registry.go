package host

import (
	"reflect"
	"time"

	"github.com/nettplay/nettplay/host/election"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
)

// entry is all that a room does with a type of message: who may say it and when, and who
// acts on it. A message that nobody acts on breaks the rules.
type entry struct {
	typ        reflect.Type
	fromClient [stages]func(h *Host, now time.Time, p *peer, m message.Message, b []byte)
	fromHost   func(c *Client, now time.Time, m message.Message, b []byte) error
	fromPeer   func(c *Client, now time.Time, l *election.Link, m message.Message)
	joining    bool // a game host says it before its client is in the room, too
	public     bool // spectators are told, too
	uncounted  bool // the game bounds how often it comes, so it does not count as flood
}

// registry has every type of message. A new message needs its type with Fields and its
// number, both in package message, a row here, and what the row names: the function that
// acts on it. It is filled by init, because those functions send messages themselves.
var registry = map[message.Kind]entry{}

func init() {
	for _, e := range []entry{
		row[message.Hello](onConnection(awaitHello, (*Host).takeHello)),
		row[message.Refused](byHostEarly((*Client).takeRefused), byPeer((*Client).refusedByPeer)),
		row[message.Challenge](byHostEarly((*Client).takeChallenge)),
		row[message.Join](onConnection(awaitJoin, (*Host).takeJoin)),
		row[message.Welcome](byHostEarly((*Client).takeWelcome)),
		row[message.Room](byHost((*Client).takeRoom), public),
		row[message.Pulse](byHost((*Client).takePulse), public),
		row[message.Status](byMember((*Host).takeStatus), bySpectator((*Host).spectatorIsThere)),
		row[message.Game](byMember((*Host).takeGame)),
		row[message.Chat](byMember((*Host).takeChat)),
		row[message.ChatLine](byHost((*Client).takeChatLine), public),
		row[message.Prepare](byHost((*Client).takePrepare)),
		row[message.Installed](inGame((*Host).takeInstalled, room.PhasePreparing)),
		row[message.Failed](inGame((*Host).takeFailed, room.PhasePreparing, room.PhasePlaying)),
		row[message.StartFailed](byHost((*Client).takeStartFailed)),
		row[message.Begin](byHost((*Client).takeBegin)),
		row[message.Decision](byHost((*Client).takeDecision)),
		row[message.Hashes](inGame((*Host).takeHashes, room.PhasePlaying), uncounted),
		row[message.Finished](inGame((*Host).takeFinished, room.PhasePlaying)),
		row[message.Ended](byHost((*Client).takeEnded)),
		row[message.Leave](byMember((*Host).takeLeave), bySpectator((*Host).spectatorLeaves)),
		row[message.Closed](byHostEarly((*Client).takeClosed)),
		row[message.Pause](inGame((*Host).takePause, room.PhasePlaying)),
		row[message.ResyncRequest](inGame((*Host).takeResyncRequest, room.PhasePlaying)),
		row[message.Remade](inGame((*Host).takeRemade, room.PhasePlaying)),
		row[message.Reconnect](onConnection(awaitJoin, (*Host).takeReconnect)),
		row[message.Reconnected](byHostEarly((*Client).takeReconnected)),
		row[message.SaveOrder](byHost((*Client).takeSaveOrder)),
		row[message.SaveAnswer](inGame((*Host).takeSaveAnswer, room.PhasePlaying)),
		row[migration.PeerStatusMsg](onConnection(awaitHello, (*Host).takePeerStatus), byHostEarly((*Client).statusOfHost), byPeer((*Client).takePeerStatus)),
		row[migration.CandidacyMsg](onConnection(awaitHello, (*Host).takeCandidacy), byHostEarly((*Client).candidacyOfHost), byPeer((*Client).takeCandidacy)),
		row[migration.VoteMsg](onConnection(awaitHello, (*Host).takeVote), byHostEarly((*Client).voteOfHost), byPeer((*Client).takeVote)),
		row[migration.ProofMsg](onConnection(awaitHello, (*Host).takeLeaderProof), byHostEarly((*Client).proofOfHost), byPeer((*Client).takeLeaderProof)),
		row[migration.HandoverMsg](byHost((*Client).takeHandover)),
		row[message.DesyncFound](byHost((*Client).takeDesyncFound)),
		row[message.Rerun](byMember((*Host).takeRerun)),
		row[message.LocalPlayers](byMember((*Host).takeLocalPlayers)),
		row[message.LateJoin](byHost((*Client).takeLateJoin)),
		row[message.Spectate](onConnection(awaitJoin, (*Host).takeSpectate)),
		row[message.Admitted](byHostEarly((*Client).takeAdmitted)),
	} {
		registry[message.KindOf(reflect.Zero(e.typ).Interface().(message.Message))] = e
	}
}

// option is who may say a message, and who acts on it.
type option func(*entry)

// row is the entry of a type of message.
func row[M any, P interface {
	*M
	message.Message
}](options ...option) entry {
	e := entry{typ: reflect.TypeFor[P]()}
	for _, o := range options {
		o(&e)
	}
	return e
}

// onConnection is for what somebody says who is not in the room yet. The function is also
// given the message as it was sent.
func onConnection[P message.Message](s stage, take func(h *Host, now time.Time, p *peer, m P, b []byte)) option {
	return func(e *entry) {
		e.fromClient[s] = func(h *Host, now time.Time, p *peer, m message.Message, b []byte) { take(h, now, p, m.(P), b) }
	}
}

// byMember is for what a machine in the room says in any phase.
func byMember[P message.Message](take func(h *Host, now time.Time, p *peer, m P)) option {
	return onConnection(inRoom, func(h *Host, now time.Time, p *peer, m P, _ []byte) { take(h, now, p, m) })
}

// bySpectator is for what a spectator says.
func bySpectator[P message.Message](take func(h *Host, now time.Time, p *peer, m P)) option {
	return onConnection(spectating, func(h *Host, now time.Time, p *peer, m P, _ []byte) { take(h, now, p, m) })
}

// aboutGame is a message about one game.
type aboutGame interface {
	message.Message
	Game() uint32
}

// inGame is for what a machine says about the game that it takes part in, in these phases
// of it. Messages about an earlier game, and from a machine that is out of this one, are
// ignored: they crossed with the news of that.
func inGame[P aboutGame](take func(h *Host, now time.Time, p *peer, part *part, m P), phases ...room.Phase) option {
	return func(e *entry) {
		e.fromClient[inRoom] = func(h *Host, now time.Time, p *peer, m message.Message, b []byte) {
			about := m.(P)
			if part := h.current(now, p, about.Game(), phases...); part != nil {
				take(h, now, p, part, about)
			} else if e.uncounted && h.peer(p.id) == p && !p.flood.Admit(now, len(b)) {
				h.expel(now, p, floods)
			}
		}
	}
}

// byHost is for what the game host says to those in the room.
func byHost[P message.Message](take func(c *Client, now time.Time, m P) error) option {
	return func(e *entry) {
		e.fromHost = func(c *Client, now time.Time, m message.Message, _ []byte) error { return take(c, now, m.(P)) }
	}
}

// byHostEarly is for what the game host also says to those who are not in the room yet, or not
// any more. The function is also given the message as it was sent.
func byHostEarly[P message.Message](take func(c *Client, now time.Time, m P, b []byte) error) option {
	return func(e *entry) {
		e.joining = true
		e.fromHost = func(c *Client, now time.Time, m message.Message, b []byte) error { return take(c, now, m.(P), b) }
	}
}

// byPeer is for what members say to each other when the game host is gone.
func byPeer[P message.Message](take func(c *Client, now time.Time, l *election.Link, m P)) option {
	return func(e *entry) {
		e.fromPeer = func(c *Client, now time.Time, l *election.Link, m message.Message) { take(c, now, l, m.(P)) }
	}
}

func public(e *entry)    { e.public = true }
func uncounted(e *entry) { e.uncounted = true }
