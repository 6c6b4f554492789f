package host

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/wire"
)

// A game host names its successor while all is well, so that the room outlives it whatever becomes of it:
// the standing handover is signed in advance. It holds for the room alone. A game goes on without its game
// host only by election.

// standing is a game host's knowledge of its successor, and of those with whom it was before.
type standing struct {
	handover message.SignedHandover // the newest
	key      [32]byte               // of the machine that it names: its number may be another's one day
	names    map[int]string         // of those that were named
	void     uint32                 // standing handovers up to this one do not hold: their machines left, or were removed
	former   []room.Player          // of the room as this machine took it over
	apart    bool                   // players were told that there are two rooms now
}

// nameSuccessor names who takes over the room when this machine is lost, if that has changed: then all are told.
func (h *Host) nameSuccessor() (told bool) {
	next := h.own()
	if m := h.nextHost(); m != nil && membership.MayHandOver(h.lead.epoch) {
		next = m
	}
	s := &h.standing
	if next.machine == s.handover.To && next.sign == s.key && s.handover.Epoch == h.lead.epoch+1 || next == h.own() && !s.handover.Standing() {
		return false
	}
	if s.names == nil {
		s.names = map[int]string{}
	}
	s.key, s.names[next.machine] = next.sign, next.nickname
	s.handover = message.SignedHandover{From: h.me, To: next.machine, Epoch: h.lead.epoch + 1, Serial: s.handover.Serial + 1}
	s.handover.Sign = membership.Sign(h.self.Sign, h.leadership().HandoverText(s.handover))
	for _, p := range h.peers {
		if p.stage == inRoom {
			h.tellSuccessor(p)
		}
	}
	return true
}

// nameSuccessorTo has a player's machine that has just come in know, too, who takes over the room.
func (h *Host) nameSuccessorTo(p *peer) {
	if !h.nameSuccessor() {
		h.tellSuccessor(p)
	}
}

// tellSuccessor tells a player's machine who takes over the room. Only that one gets the signature.
func (h *Host) tellSuccessor(p *peer) {
	m := message.Successor{Handover: h.standing.handover}
	if !m.Handover.Standing() {
		return
	}
	if p.member == nil || !h.succeeds(p.member.machine) {
		m.Handover.Sign = [64]byte{}
	}
	h.send(p, &m)
}

// succeeds reports whether a machine is to take over the room.
func (h *Host) succeeds(machine int) bool {
	m, s := h.first(machine), h.standing
	return s.handover.Standing() && machine == s.handover.To && m != nil && m.sign == s.key && machine != h.me
}

// disown has the standing handover hold no more for a machine that leaves in good order, or is removed.
func (h *Host) disown(machine int) {
	if h.succeeds(machine) {
		h.standing.void = h.standing.handover.Serial
	}
}

// company is the number of other machines that are in the room and connected.
func (h *Host) company() (n int) {
	for _, m := range h.members {
		if m.peer != nil && m.present {
			n++
		}
	}
	return n
}

// proof shows that this machine is game host, and how many are with it.
func (h *Host) proof() *message.LeaderProof {
	m := h.lead.proof
	m.With = h.company()
	return &m
}

// knows reports whether a machine that says that it is game host of this room, too, may be: this one has
// named it, or it was in the room that this one took over.
func (h *Host) knows(p *peer, m *message.LeaderProof) bool {
	if _, err := h.leadership().Follow(m); err == nil {
		i := slices.IndexFunc(m.Handovers, func(o message.SignedHandover) bool { return o.Epoch == h.lead.epoch+1 })
		return i >= 0 && m.Handovers[i].Serial > h.standing.void && !h.isBanned(p.key)
	}
	return p.key != [32]byte{} && slices.ContainsFunc(h.standing.former, func(o room.Player) bool { return o.Machine == m.Machine && o.Key == p.key })
}

// meet is for another game host of this room, which fell apart: whoever is alone goes to the other one.
func (h *Host) meet(p *peer, m *message.LeaderProof) {
	if !h.knows(p, m) {
		h.close(p, "this machine is not the game host")
		return
	}
	name := h.nameOf(m.Machine)
	alone := h.phase == room.PhaseLobby && h.company() == 0
	if alone && h.leadership().Yields(m) {
		h.stepDown(event.SteppedDown{Peer: p.id, Return: true, Words: name + "'s part of the room is there again: going back to it"})
		return
	}
	if !p.proved {
		p.proved = true
		h.send(p, h.proof())
	}
	if !alone && m.With > 0 && !h.standing.apart {
		h.standing.apart = true
		h.Say(fmt.Sprintf("The room has split: %s hosts the other part, with %d more. To be there, leave this room and join %s.", name, m.With, name))
	}
	h.close(p, "the room goes on here, too")
}

// nameOf is what players call a machine that is, or was, in the room.
func (h *Host) nameOf(machine int) string {
	if m := h.first(machine); m != nil {
		return m.nickname
	}
	for _, p := range h.standing.former {
		if p.Machine == machine && p.Local == 0 {
			return p.Nickname
		}
	}
	return cmp.Or(h.standing.names[machine], fmt.Sprintf("machine %d", machine))
}

// stepDown ends this machine's time as game host, for another one.
func (h *Host) stepDown(e event.SteppedDown) {
	for _, p := range slices.Clone(h.peers) {
		if p.id != e.Peer {
			h.close(p, "there is another game host")
		}
	}
	h.phase, h.round = room.PhaseClosed, nil
	e.Words = wire.Clean(e.Words, room.MaxSentence)
	h.box.Emit(e)
}

// handleLeaderProof gives way to a later game host, which the others elected, or goes back to one whom this
// machine, alone, hears again.
func (h *Host) handleLeaderProof(_ time.Time, p *peer, m *message.LeaderProof, _ []byte) {
	c, err := h.leadership().Follow(m)
	if err != nil || h.leadership().Stands(m) {
		h.meet(p, m)
		return
	}
	where := ""
	if o := h.first(c.Host); o != nil && len(o.reach()) > 0 {
		where = " at " + o.reach()[0]
	}
	name := h.nameOf(c.Host)
	h.close(p, "there is another game host")
	h.stepDown(event.SteppedDown{Words: fmt.Sprintf("the others lost contact with this computer and went on: %s is the game host now; join the room again%s", name, where)})
}
