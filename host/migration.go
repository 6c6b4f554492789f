package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// A game host's part in host migration; package migration has the rules.

func (h *Host) leadership() membership.Leadership {
	c := membership.Leadership{Room: h.self.Salt, Host: h.me, Epoch: h.lead.epoch, Voters: h.lead.voters, Players: h.Roster()}
	if h.round != nil {
		c.Round = h.round.number
	}
	return c
}

// handlePeerStatus tells a member that looks for the game host on a new connection that it
// has found it.
func (h *Host) handlePeerStatus(_ time.Time, p *peer, m *message.PeerStatus, _ []byte) {
	if m.HostLost {
		h.send(p, h.proof())
	} else {
		h.close(p, "goodbye")
	}
}

// tellProof tells a candidate that there is a game host, and a voter that its candidate is.
func tellProof[P message.Message](h *Host, _ time.Time, p *peer, _ P, _ []byte) {
	h.send(p, h.proof())
}

// ProveLeadership says on a connection that this machine opened that it is the game host.
func (h *Host) ProveLeadership(id ds.PeerID) {
	if p := h.peer(id); p != nil && p.stage == awaitHello {
		p.proved = true
		h.send(p, h.proof())
	}
}

// CanHandOver tells whether there is someone who can be game host after us.
func (h *Host) CanHandOver() bool {
	return h.phase != room.PhaseClosed && membership.MayHandOver(h.lead.epoch) && h.nextHost() != nil
}

// GiveUpSeat ends this machine's part in a seat, as the first step of HandOver in a running
// game: its input ends at a frame.
func (h *Host) GiveUpSeat(now time.Time, seat ds.Seat, inputEnd int64) (timeline.Decision, error) {
	if h.phase != room.PhasePlaying {
		return timeline.Decision{}, fmt.Errorf("unplug seat %v: %w, the room is %v", seat, room.ErrPhase, h.phase)
	}
	own := h.round.part(h.me)
	own.in, own.why = false, h.own().nickname+" left the room"
	return h.Decide(now, timeline.Decision{Kind: h.LeaveKind(), Seat: seat, InputEnd: inputEnd, Why: own.why})
}

// HandOver leaves the room to the next game host, with the reason in words and all
// inputs that this machine holds, as for Client.Vote. In a running game all of this
// machine's seats have to be given up first: see [Host.GiveUpSeat]. It tells whether there is
// somebody to hand over to; if not, Close is left. Nothing happens after it; what is
// outgoing still has to be sent.
func (h *Host) HandOver(now time.Time, why string, inputs [][]byte) bool {
	if !h.CanHandOver() {
		return false
	}
	now = h.clock.At(now)
	if h.phase == room.PhasePreparing {
		h.failStart(now, room.CauseGone, h.own().nickname+" left the room", h.me)
	}
	if h.round != nil && h.round.committing != nil {
		h.round.committing = nil
		h.box.Emit(h.round.newestOrder) // all others are told before they are told this
	}
	next := h.nextHost()
	h.lead.successor = next.machine
	h.publish(now) // it may be the last word on who is here
	m := &message.Handover{Why: wire.Clean(why, room.MaxReason), Inputs: inputs, Handover: message.SignedHandover{From: h.me, To: next.machine, Epoch: h.lead.epoch + 1}}
	m.Handover.Sign = membership.Sign(h.self.Sign, h.leadership().HandoverText(m.Handover))
	if h.round != nil {
		m.Promised = h.round.timeline.Announced().Frame
	}
	words := wire.Clean(room.JoinWords(h.own().nickname, "left the room", room.Brackets(m.Why)), room.MaxReason)
	for _, p := range slices.Clone(h.peers) {
		if p.stage == spectating {
			h.send(p, &message.Closed{Reason: message.ClosedMoved, Why: wire.Clean(words+"; "+next.nickname+" is the game host now", room.MaxSentence)})
			h.close(p, words)
			continue
		}
		if p.member == nil {
			h.refuse(p, "", room.Refusal{Code: room.CodeBusy, Sentence: "the game host has just left", Hint: "try again in a few seconds"}, "did not get in, because the room was handed over")
			continue
		}
		h.send(p, m)
		h.close(p, words)
	}
	h.phase = room.PhaseClosed
	return true
}
