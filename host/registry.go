package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// entry is all that a game host does with a type of message: who acts on it, by the stage of the
// connection on which it is said. A message that nobody acts on breaks the rules.
type entry [stages]take

// take acts on a message, which it is also given as it was sent.
type take func(h *Host, now time.Time, p *peer, m message.Message, b []byte)

// uncounted is the kind of message that does not count as flood: the game bounds how often it comes.
var uncounted = message.KindOf(&message.Hashes{})

// registry has every type of message that a game host is told; package client has those that a
// client is told. A new message needs its type with Fields and its number, both in package
// message, a row here or there, and what the row names: the function that acts on it.
var registry = table(
	onConnection(awaitHello, (*Host).handleHello),
	onConnection(awaitJoin, (*Host).handleJoin),
	byMember((*Host).handleStatus),
	bySpectator((*Host).spectatorIsThere),
	byMember((*Host).handleGame),
	byMember((*Host).handleChat),
	inGame((*Host).handleInstalled, room.PhasePreparing),
	inGame((*Host).handleFailed, room.PhasePreparing, room.PhasePlaying),
	inGame((*Host).handleHashes, room.PhasePlaying),
	inGame((*Host).handleArrivals, room.PhasePlaying),
	inGame((*Host).handleFinished, room.PhasePlaying),
	byMember((*Host).handleLeave),
	bySpectator((*Host).spectatorLeaves),
	inGame((*Host).handlePause, room.PhasePlaying),
	inGame((*Host).handleSwitchOn, room.PhasePlaying),
	inGame((*Host).handleResyncRequest, room.PhasePlaying),
	inGame((*Host).handleRemade, room.PhasePlaying),
	onConnection(awaitJoin, (*Host).handleReconnect),
	inGame((*Host).handleSaveAnswer, room.PhasePlaying),
	onConnection(awaitHello, (*Host).handlePeerStatus),
	onConnection(awaitHello, tellProof[*message.Candidacy]),
	onConnection(awaitHello, tellProof[*message.Vote]),
	onConnection(awaitHello, (*Host).handleLeaderProof),
	byMember((*Host).handleRerun),
	byMember((*Host).handleLocalPlayers),
	onConnection(awaitJoin, (*Host).handleSpectate),
)

// row is who acts on a type of message at one stage of a connection.
type row struct {
	kind  message.Kind
	stage stage
	take  take
}

// table puts the rows together.
func table(rows ...row) map[message.Kind]entry {
	t := map[message.Kind]entry{}
	for _, r := range rows {
		e := t[r.kind]
		e[r.stage] = r.take
		t[r.kind] = e
	}
	return t
}

// onConnection is for what somebody says who is not in the room yet. The function is also
// given the message as it was sent.
func onConnection[P message.Message](s stage, act func(h *Host, now time.Time, p *peer, m P, b []byte)) row {
	var m P
	return row{message.KindOf(m), s, func(h *Host, now time.Time, p *peer, m message.Message, b []byte) { act(h, now, p, m.(P), b) }}
}

// byMember is for what a machine in the room says in any phase.
func byMember[P message.Message](act func(h *Host, now time.Time, p *peer, m P)) row {
	return onConnection(inRoom, func(h *Host, now time.Time, p *peer, m P, _ []byte) { act(h, now, p, m) })
}

// bySpectator is for what a spectator says.
func bySpectator[P message.Message](act func(h *Host, now time.Time, p *peer, m P)) row {
	return onConnection(spectating, func(h *Host, now time.Time, p *peer, m P, _ []byte) { act(h, now, p, m) })
}

// aboutGame is a message about one game.
type aboutGame interface {
	message.Message
	Game() uint32
}

// inGame is for what a machine says about the game that it takes part in, in these phases
// of it. Messages about an earlier game, and from a machine that is out of this one, are
// ignored: they crossed with the news of that. An error of the function says how it broke the rules.
func inGame[P aboutGame](act func(h *Host, now time.Time, p *peer, part *part, m P) error, phases ...room.Phase) row {
	return onConnection(inRoom, func(h *Host, now time.Time, p *peer, m P, b []byte) {
		if part := h.current(now, p, m.Game(), phases...); part != nil {
			if err := act(h, now, p, part, m); err != nil {
				h.expel(now, p, err.Error())
			}
		} else if message.KindOf(m) == uncounted && h.peer(p.id) == p && !p.flood.Admit(now, len(b)) {
			h.expel(now, p, floods)
		}
	})
}

// current finds a member's part in the game that its message is about: nil when
// that game is over, or the machine is out of it. A game that never was breaks
// the rules, and so does a phase other than these.
func (h *Host) current(now time.Time, p *peer, number uint32, phases ...room.Phase) *part {
	if number > h.lastRound || number == 0 {
		h.expel(now, p, fmt.Sprintf("it speaks of game %d, and there were %d", number, h.lastRound))
		return nil
	}
	if h.round == nil || h.round.number != number {
		return nil
	}
	part := h.round.part(p.member.machine)
	if part == nil || !part.in {
		return nil
	}
	if !slices.Contains(phases, h.phase) {
		h.expel(now, p, fmt.Sprintf("it spoke as if the room were %v, which is %v", phases[0], h.phase))
		return nil
	}
	return part
}

// Receive takes a message that came on a connection's control channel.
func (h *Host) Receive(now time.Time, id ds.PeerID, msg []byte) {
	p := h.peer(id)
	if p == nil || h.phase == room.PhaseClosed {
		return
	}
	now = h.clock.At(now)
	p.heard = now
	h.handle(now, p, msg)
	h.flush(now)
}

// handle acts on a message, as registry says.
func (h *Host) handle(now time.Time, p *peer, msg []byte) {
	free := p.stage == inRoom && len(msg) > 0 && message.Kind(msg[0]) == uncounted
	if !free && !p.flood.Admit(now, len(msg)) {
		h.expel(now, p, floods)
		return
	}
	h.act(now, p, msg)
}

func (h *Host) act(now time.Time, p *peer, msg []byte) {
	m, err := message.Decode(msg)
	if err != nil {
		h.expel(now, p, err.Error())
		return
	}
	take := registry[message.KindOf(m)][p.stage]
	if take == nil {
		how := [stages]string{"came before hello", "came before join", "is not for a member of the room to say", "is not for a spectator to say"}
		h.expel(now, p, fmt.Sprintf("%v %s", message.KindOf(m), how[p.stage]))
		return
	}
	take(h, now, p, m, msg)
}

// hearLater takes what those have said whose turn it is now, in the order in which they came.
func (h *Host) hearLater(now time.Time) {
	for _, p := range slices.Clone(h.peers) {
		if p.later != nil && h.guard.MayTry(now, p.addr) {
			msg := p.later
			p.later, p.proves = nil, true
			h.act(now, p, msg)
		}
	}
}
