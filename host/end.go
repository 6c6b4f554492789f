package host

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/wire"
)

// Failed tells that this machine cannot go on with a game: while it is prepared
// it does not start then, for that cause, and when it runs it is over for all.
func (h *Host) Failed(now time.Time, round uint32, cause room.Cause, why string) error {
	if h.round == nil || h.round.number != round {
		return fmt.Errorf("the game fails: %w, game %d is over", room.ErrPhase, round)
	}
	return h.abort(now, cause, h.own().nickname+"'s computer failed: "+why)
}

// CallOff calls off the game that is being prepared; there must be one.
func (h *Host) CallOff(now time.Time) error {
	if h.phase != room.PhasePreparing {
		return fmt.Errorf("call off the start: %w, the room is %v", room.ErrPhase, h.phase)
	}
	return h.abort(now, room.CauseCalledOff, h.own().nickname+" called it off")
}

// abort calls off the game that is being prepared, for that cause, or ends the one that runs at once, wherever the consoles are.
func (h *Host) abort(now time.Time, cause room.Cause, why string) error {
	now, why = h.clock.At(now), wire.Clean(why, room.MaxSentence)
	if h.phase == room.PhasePreparing {
		h.failStart(now, cause, why, h.me)
		return nil
	}
	h.endRound(now, event.Ended{Outcome: message.OutcomeAborted, Why: why})
	return nil
}

// failStart takes everyone back to the lobby.
func (h *Host) failStart(now time.Time, cause room.Cause, why string, machines ...int) {
	failed := event.StartFailed{Round: h.round.number, Cause: cause, Why: wire.Clean(why, room.MaxSentence), Machines: machines}
	h.broadcast((*message.StartFailed)(&failed))
	h.box.Emit(failed)
	h.toLobby(now)
}

// endIfFinished ends the game when everyone who still takes part has finished,
// and tells whether it did.
func (h *Host) endIfFinished(now time.Time) bool {
	for _, p := range h.round.parts {
		if p.in && p.result == nil {
			return false
		}
	}
	why := ""
	if end, decided := h.round.timeline.Decisions().EndFrame(); decided {
		i := slices.IndexFunc(h.round.timeline.Decisions(), func(d timeline.Decision) bool { return d.Kind == timeline.End && d.Frame == end })
		why = h.round.timeline.Decisions()[i].Why
	}
	h.endRound(now, event.Ended{Outcome: message.OutcomeFinished, Why: why})
	return true
}

// endRound tells everyone that the game is over.
func (h *Host) endRound(now time.Time, e event.Ended) {
	if h.phase == room.PhasePreparing {
		h.failStart(now, room.CauseOther, e.Why, h.me)
		return
	}
	e.Round = h.round.number
	for _, p := range h.round.parts {
		r := message.Result{Machine: p.machine, Nickname: p.nickname, Why: p.why}
		if p.result != nil {
			r = *p.result
		}
		e.Results = append(e.Results, r)
	}
	slices.SortFunc(e.Results, func(a, b message.Result) int { return cmp.Compare(a.Machine, b.Machine) })
	h.tellGame((*message.Ended)(&e))
	h.box.Emit(e)
	h.notePendingResults(e)
	h.toLobby(now)
}

// toLobby ends the present game's books. Everyone has to be ready anew.
func (h *Host) toLobby(now time.Time) {
	if h.round.lobbyEvery > 0 {
		h.settings.HashEvery = h.round.lobbyEvery
	}
	if h.phase == room.PhasePlaying {
		h.settings.RTC = h.settings.NextClock(h.round.frames())
		h.endKept()
	} else {
		h.settings.RTC = h.round.lobbyClock
	}
	h.round, h.phase, h.lead.voters = nil, room.PhaseLobby, 0
	for _, m := range h.members {
		m.beat.Repeated = 0
	}
	h.forgetDisconnected()
	h.revision++
	h.dismiss()
	h.publish(now)
}

// forgetDisconnected is for the end of a game: those who are not here then are not in the
// room any more.
func (h *Host) forgetDisconnected() {
	for _, m := range h.members {
		if !m.disconnectedAt.IsZero() && m.pendingResult == nil {
			m.disconnectedAt = time.Time{}
			for _, each := range h.at(m.machine) {
				each.present = false
			}
			h.box.Emit(event.PlayerLeft{Player: h.player(m), Words: m.nickname + " did not come back before the end"})
		}
	}
}

// dismiss takes those who are gone out of the roster.
func (h *Host) dismiss() {
	h.change(func() {
		h.members = slices.DeleteFunc(h.members, func(m *member) bool { return !m.present })
		h.renumberSeats()
	})
}

// A machine that played to the end of a game must hear how it ended: only then can it tell
// that all machines were alike to the end, and commit the last save as all others do. So
// the room waits for it, and it may reconnect, until it has heard.

// notePendingResults notes that the machines that came to the end are to hear of it.
func (h *Host) notePendingResults(e event.Ended) {
	if e.Outcome != message.OutcomeFinished {
		return
	}
	for _, m := range h.members {
		if part := h.round.part(m.machine); m.machine != h.own().machine && m.present && part != nil && part.in {
			m.pendingResult = &e
		}
	}
}

// ResultPending reports whether a machine may not have heard yet how the last game ended.
func (h *Host) ResultPending() bool {
	return slices.ContainsFunc(h.members, func(m *member) bool { return m.pendingResult != nil && m.present })
}

// waitedFor reports whether the room waits for a disconnected member.
func (h *Host) waitedFor(m *member) bool {
	return h.phase == room.PhasePlaying && h.takesPart(m) || h.phase == room.PhaseLobby && m.pendingResult != nil
}

// tellResult tells a reconnected machine how its game ended meanwhile.
func (h *Host) tellResult(p *peer, round uint32) {
	if round == 0 || h.round != nil && h.round.number == round {
		return
	}
	e := event.Ended{Round: round, Outcome: message.OutcomeAborted, Why: "the game ended while the connection was gone"}
	if pending := p.member.pendingResult; pending != nil && pending.Round == round {
		e = *pending
	}
	h.send(p, (*message.Ended)(&e))
}
