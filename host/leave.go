package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

func (h *Host) handleLeave(now time.Time, p *peer, m *message.Leave) {
	who := p.member
	h.lead.voters = h.lead.voters.Without(who.machine)
	h.disown(who.machine)
	h.close(p, "goodbye")
	h.lose(now, who, room.JoinWords("left the room", room.Brackets(m.Why)))
}

// Kick removes the player of a seat from the room, with the reason in words; with ban their installation is
// kept out, whoever becomes game host, until [Host.Pardon].
func (h *Host) Kick(now time.Time, seat ds.Seat, why string, ban bool) error {
	i := slices.IndexFunc(h.members, func(m *member) bool { return m.seat == seat && h.primary(m).peer != nil })
	if h.phase == room.PhaseClosed || i < 0 {
		return fmt.Errorf("remove the player of seat %v: nobody who could be is there", seat)
	}
	now = h.clock.At(now)
	m, why := h.primary(h.members[i]), wire.Clean(why, room.MaxReason)
	if err := h.remove(m.peer, m.nickname, why, ban); err != nil {
		return err
	}
	h.lose(now, m, room.JoinWords(removed(ban), room.Brackets(why)))
	h.flush(now)
	return nil
}

// PutOut removes a machine that cannot stay, with what it did. Nobody from its address comes
// into a running game for a while.
func (h *Host) PutOut(now time.Time, machine int, did string) {
	m := h.first(machine)
	if h.phase == room.PhaseClosed || m == nil || !m.present || machine == h.me {
		return
	}
	now = h.clock.At(now)
	h.guard.Strike(now, m.addr(), m.key)
	if m.peer != nil {
		h.drop(now, m.peer, did)
	} else {
		h.lose(now, m, "was dropped: the computer "+did)
	}
	h.flush(now)
}

// remove closes the connection of somebody whom the game host's player does not want; with ban they may not come again.
func (h *Host) remove(p *peer, nickname, why string, ban bool) error {
	if ban && p.key == [32]byte{} {
		return fmt.Errorf("ban %s: their connection shows no key by which they could be kept out", nickname)
	}
	if p.member != nil {
		h.disown(p.member.machine)
	}
	did := "the game host removed you from the room"
	if ban {
		did = "the game host banned you from this room"
	}
	h.dismissPeer(p, message.ClosedKicked, room.JoinWords(did, room.Brackets(why)))
	if ban {
		h.ban(p.key, nickname)
	}
	return nil
}

// removed is what the others are told of somebody.
func removed(ban bool) string {
	if ban {
		return "was banned by the game host"
	}
	return "was removed by the game host"
}

const floods = "it sent more than anyone has to say"

// expel closes the connection of a peer that broke the rules.
func (h *Host) expel(now time.Time, p *peer, how string) {
	if h.peer(p.id) != p {
		return // its connection was closed for something else that is wrong with the message
	}
	if p.stage < inRoom {
		h.refuse(p, "", room.Refusal{Code: room.CodeMalformed, Sentence: "the room does not understand your computer: " + how, Hint: "use the same version of nettplay"},
			"sent something that makes no sense: "+how)
		return
	}
	h.drop(now, p, "broke the rules of the room: "+how)
}

// drop closes the connection of somebody in the room who cannot be kept, with what the machine did.
func (h *Host) drop(now time.Time, p *peer, did string) {
	h.dismissPeer(p, message.ClosedDropped, "your computer "+did)
	if p.stage == spectating {
		h.loseSpectator(p, "watches no longer: the computer "+did)
	} else {
		h.lose(now, p.member, "was dropped: the computer "+did)
	}
}

// dismissPeer tells somebody in the room why it is over for them, and closes the connection.
func (h *Host) dismissPeer(p *peer, reason message.CloseReason, words string) {
	h.send(p, &message.Closed{Reason: reason, Why: words})
	h.close(p, words)
}

// lose takes a member out whose connection is already gone; did tells the cause: something that the player did.
// During a game the player stays in the roster, and its seats are the caller's to unplug.
func (h *Host) lose(now time.Time, m *member, did string) {
	words := wire.Clean(m.nickname+" "+did, room.MaxSentence)
	gone := h.player(m)
	gone.Present = false
	m.peer, m.disconnectedAt = nil, time.Time{}
	for _, each := range h.at(m.machine) {
		each.present = false
	}
	h.news.dirty = true
	h.box.Emit(event.PlayerLeft{Player: gone, Words: words})
	h.Say(words)
	switch h.phase {
	case room.PhasePlaying:
		if h.round.part(m.machine) == nil { // it has not played: its seats and its number are free
			h.change(func() {
				h.members = slices.DeleteFunc(h.members, func(o *member) bool { return o.machine == m.machine })
			})
			return
		}
		if h.mayContinueWithout(m.machine) {
			h.outOfGame(now, m.machine, words)
			return
		}
		h.endRound(now, event.Ended{Outcome: message.OutcomeAborted, Why: wire.Clean(words+": too few are left to be sure that the others are not playing on elsewhere", room.MaxSentence)})
	case room.PhasePreparing:
		h.failStart(now, room.CauseGone, words, m.machine)
	default:
		h.dismiss()
	}
}

// mayContinueWithout tells whether the game may go on without a machine that did not leave it by
// itself.
func (h *Host) mayContinueWithout(without int) bool {
	p := h.round.part(without)
	if p == nil || !p.in || !h.lead.voters.Has(without) {
		return true
	}
	here := room.MachineSet(0).With(h.me)
	for _, m := range h.members {
		if m.peer != nil && m.present && m.machine != without {
			here = here.With(m.machine)
		}
	}
	for _, p := range h.round.parts {
		if p.result != nil {
			here = here.With(p.machine) // it is at the end, and waits for nothing
		}
	}
	return membership.Sustains(h.lead.voters, here)
}

// loseSpectator is for one whose connection is closed.
func (h *Host) loseSpectator(p *peer, did string) {
	h.news.dirty = true
	h.box.Emit(event.SpectatorLeft{Peer: p.id})
	h.Say(wire.Clean(p.spectator.Nickname+" "+did, room.MaxSentence))
}
