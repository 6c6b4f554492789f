package host

import (
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
)

// entry is all that a game host does with a type of message: who acts on it, by the stage of the
// connection on which it is said. A message that nobody acts on breaks the rules.
type entry [stages]func(h *Host, now time.Time, p *peer, m message.Message, b []byte)

// registry has every type of message that a game host is told; package client has those that a
// client is told. A new message needs its type with Fields and its number, both in package
// message, a row here or there, and what the row names: the function that acts on it. It is
// filled by init, because those functions send messages themselves.
var registry = map[message.Kind]entry{}

func init() {
	onConnection(awaitHello, (*Host).takeHello)
	onConnection(awaitJoin, (*Host).takeJoin)
	byMember((*Host).takeStatus)
	bySpectator((*Host).spectatorIsThere)
	byMember((*Host).takeGame)
	byMember((*Host).takeChat)
	inGame((*Host).takeInstalled, room.PhasePreparing)
	inGame((*Host).takeFailed, room.PhasePreparing, room.PhasePlaying)
	inGame((*Host).takeHashes, room.PhasePlaying)
	inGame((*Host).takeLines, room.PhasePlaying)
	inGame((*Host).takeFinished, room.PhasePlaying)
	byMember((*Host).takeLeave)
	bySpectator((*Host).spectatorLeaves)
	inGame((*Host).takePause, room.PhasePlaying)
	inGame((*Host).takeResyncRequest, room.PhasePlaying)
	inGame((*Host).takeRemade, room.PhasePlaying)
	onConnection(awaitJoin, (*Host).takeReconnect)
	inGame((*Host).takeSaveAnswer, room.PhasePlaying)
	onConnection(awaitHello, (*Host).takePeerStatus)
	onConnection(awaitHello, tellProof[*migration.CandidacyMsg])
	onConnection(awaitHello, tellProof[*migration.VoteMsg])
	onConnection(awaitHello, (*Host).takeLeaderProof)
	byMember((*Host).takeRerun)
	byMember((*Host).takeLocalPlayers)
	onConnection(awaitJoin, (*Host).takeSpectate)
}

// uncounted is the kind of message that does not count as flood: the game bounds how often it comes.
var uncounted = message.KindOf(&message.Hashes{})

// onConnection is for what somebody says who is not in the room yet. The function is also
// given the message as it was sent.
func onConnection[P message.Message](s stage, take func(h *Host, now time.Time, p *peer, m P, b []byte)) {
	var m P
	e := registry[message.KindOf(m)]
	e[s] = func(h *Host, now time.Time, p *peer, m message.Message, b []byte) { take(h, now, p, m.(P), b) }
	registry[message.KindOf(m)] = e
}

// byMember is for what a machine in the room says in any phase.
func byMember[P message.Message](take func(h *Host, now time.Time, p *peer, m P)) {
	onConnection(inRoom, func(h *Host, now time.Time, p *peer, m P, _ []byte) { take(h, now, p, m) })
}

// bySpectator is for what a spectator says.
func bySpectator[P message.Message](take func(h *Host, now time.Time, p *peer, m P)) {
	onConnection(spectating, func(h *Host, now time.Time, p *peer, m P, _ []byte) { take(h, now, p, m) })
}

// aboutGame is a message about one game.
type aboutGame interface {
	message.Message
	Game() uint32
}

// inGame is for what a machine says about the game that it takes part in, in these phases
// of it. Messages about an earlier game, and from a machine that is out of this one, are
// ignored: they crossed with the news of that.
func inGame[P aboutGame](take func(h *Host, now time.Time, p *peer, part *part, m P), phases ...room.Phase) {
	onConnection(inRoom, func(h *Host, now time.Time, p *peer, m P, b []byte) {
		if part := h.current(now, p, m.Game(), phases...); part != nil {
			take(h, now, p, part, m)
		} else if message.KindOf(m) == uncounted && h.peer(p.id) == p && !p.flood.Admit(now, len(b)) {
			h.expel(now, p, floods)
		}
	})
}
