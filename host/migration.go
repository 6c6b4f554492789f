package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// A game host's part in host migration; package migration has the rules.

const (
	followSoon  = 3 * time.Second  // until it is said whom a new game host waits for
	followLobby = 10 * time.Second // until they are not waited for any more in the lobby
)

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
	return migration.Sustains(h.lead.voters, here)
}

// mayReconnect tells whether who comes back has done nothing in the game that is not so
// here: it may come from another game host than the one that it was with before.
func (h *Host) mayReconnect(m *message.Reconnect) bool {
	if h.phase != room.PhasePlaying || h.round.number != m.Round {
		return true
	}
	t := h.round.timeline
	if m.Decisions > len(t.Decisions()) || m.Promised > max(t.Announced().Frame, h.round.earlierPromise) || t.Decisions()[:m.Decisions].Digest() != m.Digest {
		return false
	}
	return !slices.ContainsFunc(t.Decisions()[m.Decisions:], func(d timeline.Decision) bool { return d.Frame < m.Promised })
}

// checkFollowers tells, some time after this machine became game host, who did not
// follow.
func (h *Host) checkFollowers(now time.Time) {
	if !h.lead.unannounced || now.Sub(h.lead.since) < followSoon {
		return
	}
	h.lead.unannounced = false
	for _, m := range h.members {
		if !m.disconnectedAt.IsZero() {
			h.tellDisconnected(m)
		}
	}
}

func (h *Host) leadership() migration.Leadership {
	c := migration.Leadership{Room: h.self.Salt, Host: h.me, Epoch: h.lead.epoch, Voters: h.lead.voters, Players: h.Roster()}
	if h.round != nil {
		c.Round = h.round.number
	}
	return c
}

// takePeerStatus tells a member that looks for the game host on a new connection that it
// has found it.
func (h *Host) takePeerStatus(_ time.Time, p *peer, m *migration.PeerStatusMsg, _ []byte) {
	if m.HostLost {
		h.send(p, &h.lead.proof)
	} else {
		h.close(p, "goodbye")
	}
}

// tellProof tells a candidate that there is a game host, and a voter that its candidate is.
func tellProof[P message.Message](h *Host, _ time.Time, p *peer, _ P, _ []byte) {
	h.send(p, &h.lead.proof)
}

// takeLeaderProof gives way to a later game host.
func (h *Host) takeLeaderProof(_ time.Time, p *peer, m *migration.ProofMsg, _ []byte) {
	c, err := h.leadership().Follow(m)
	if err != nil {
		h.close(p, "this machine is not the game host")
		return
	}
	name := fmt.Sprintf("machine %d", c.Host)
	where := ""
	if o := h.first(c.Host); o != nil {
		name = o.nickname
		if list := o.reach(); len(list) > 0 {
			where = " at " + list[0]
		}
	}
	for _, p := range slices.Clone(h.peers) {
		h.close(p, "there is another game host")
	}
	h.phase, h.round = room.PhaseClosed, nil
	h.emit(event.SteppedDown{Words: wire.Clean(fmt.Sprintf("the others went on without this machine, which they could not hear: %s is the game host now; join the room again%s", name, where), room.MaxSentence)})
}

// ProveLeadership says on a connection that this machine opened that it is the game host.
func (h *Host) ProveLeadership(id ds.PeerID) {
	if p := h.peer(id); p != nil && p.stage == awaitHello {
		h.send(p, &h.lead.proof)
	}
}

// nextHost is the member that becomes game host when we leave; nil for none. In a game it is a
// voter, if there is one: voters also count when another game host is elected.
func (h *Host) nextHost() *member {
	var next *member
	for _, m := range h.members {
		able := m.peer != nil && m.present && m.machine != h.me
		if able && h.phase == room.PhasePlaying {
			able = h.takesPart(m) && !h.round.timeline.Decisions().Incoming().Has(m.machine)
		}
		if slices.Contains(m.status.Missing, h.own().rom.SHA256) {
			able = false // a room without its game is nobody's gain
		}
		if able && (next == nil || h.before(m, next)) {
			next = m
		}
	}
	return next
}

// before tells whether a member is rather game host after us than another one.
func (h *Host) before(m, other *member) bool {
	if a, b := h.lead.voters.Has(m.machine), h.lead.voters.Has(other.machine); a != b {
		return a
	}
	return m.machine < other.machine
}

// CanHandOver tells whether there is someone who can be game host after us.
func (h *Host) CanHandOver() bool {
	return h.phase != room.PhaseClosed && migration.MayHandOver(h.lead.epoch) && h.nextHost() != nil
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
		h.failStart(now, h.own().nickname+" left the room", h.me)
	}
	if h.round != nil && h.round.committing != nil {
		h.round.committing = nil
		h.emit(h.round.newestOrder) // all others are told before they are told this
	}
	next := h.nextHost()
	h.lead.successor = next.machine
	h.publish(now) // it may be the last word on who is here
	m := &migration.HandoverMsg{Why: wire.Clean(why, room.MaxReason), Inputs: inputs, Handover: migration.Handover{From: h.me, To: next.machine, Epoch: h.lead.epoch + 1}}
	m.Handover.Sign = migration.Sign(h.self.Sign, h.leadership().HandoverText(next.machine, h.lead.epoch+1))
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
