package host

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
)

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

// resultHeard notes that a machine has seen the lobby after the game: it was told of the
// end before that.
func (h *Host) resultHeard(machine int) {
	for _, m := range h.at(machine) {
		m.pendingResult = nil
	}
}

// waitedFor reports whether the room waits for a disconnected member.
func (h *Host) waitedFor(m *member) bool {
	return h.phase == room.PhasePlaying && h.takesPart(m) || h.phase == room.PhaseLobby && m.pendingResult != nil
}

// reconnectLimit is the time to wait for a disconnected player. In the lobby that wait holds
// up the next game.
func (h *Host) reconnectLimit() time.Duration {
	if h.phase == room.PhaseLobby {
		return min(h.self.Timeouts.Reconnect, pendingResultLimit)
	}
	return h.self.Timeouts.Reconnect
}

// pendingResultLimit is the time in which a machine may come back after a game.
const pendingResultLimit = 30 * time.Second

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
