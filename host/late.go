package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
)

// Late join: a player who joins while a game runs is in the room at once, but not yet in
// the game. When the player's machine is ready, the game host admits it: one decision for
// each of its consoles, then a resync in which all machines receive them. Seats and machine
// numbers that have played in a game are not reused before its end.

// LateJoiners are the machines that wait to be admitted to the running game and could be,
// in the order of their numbers.
func (h *Host) LateJoiners() []int {
	var list []int
	for _, m := range h.members {
		if _, problem := h.problem(m, ""); m.local == 0 && h.waits(m) && h.ready(m) && problem == "" && h.guard.Struck(h.clock.Now(), m.addr(), m.key, m.since) == 0 {
			list = append(list, m.machine)
		}
	}
	slices.Sort(list)
	return list
}

// Plans are the consoles with which a machine that waits would come into the game, by
// rising seat.
func (h *Host) Plans(machine int) []room.SeatPlan {
	var plans []room.SeatPlan
	for _, m := range h.at(machine) {
		if h.waits(m) {
			plans = append(plans, room.SeatPlan{Seat: m.seat, Machine: m.machine, Nickname: m.nickname, Firmware: m.firmware, ROM: h.romOf(m)})
		}
	}
	slices.SortFunc(plans, func(a, b room.SeatPlan) int { return int(a.Seat - b.Seat) })
	return plans
}

// AnyWaiting tells whether somebody waits to be let into the running game, ready or not.
func (h *Host) AnyWaiting() bool { return slices.ContainsFunc(h.members, h.waits) }

// Admit lets a machine of LateJoiners into the running game, with a resync that takes the
// other consoles from the machine donor. While something else goes on, a pause, a
// resync, the writing of saves, the wait for somebody, it is an error that wraps
// [room.ErrPhase].
func (h *Host) Admit(now time.Time, machine, donor int) error {
	plans := h.Plans(machine)
	if !slices.Contains(h.LateJoiners(), machine) {
		return fmt.Errorf("admit machine %d: it is not waiting to join", machine)
	}
	r := h.round
	if h.occupied() {
		return fmt.Errorf("admit %s: %w, something else goes on", plans[0].Nickname, room.ErrPhase)
	}
	if p := r.part(donor); p == nil || !p.in {
		return fmt.Errorf("admit %s with the consoles of machine %d: it does not play", plans[0].Nickname, donor)
	}
	who := h.first(machine)
	r.parts = append(r.parts, newPart(who))
	h.tellLetIn(who.peer)
	for _, p := range plans {
		if _, err := h.Decide(now, timeline.Decision{Kind: timeline.Enter, Plan: p, Why: p.Nickname + " is joining the game"}); err != nil {
			h.outOfGame(now, machine, err.Error())
			return err
		}
	}
	_, err := h.Decide(now, timeline.Decision{Kind: timeline.Resync, Machine: donor})
	h.news.dirty = true
	return err
}

// tellLetIn lets a machine into the game that runs, and tells all that was decided in it.
func (h *Host) tellLetIn(p *peer) {
	r := h.round
	h.send(p, &message.LateJoin{Round: r.number, Settings: h.settings, Seats: r.timeline.Decisions().Began(r.seats)})
	h.tellDecisions(p, 0)
}

// tellDecisions tells the decisions of the running game from a number on.
func (h *Host) tellDecisions(p *peer, from int) {
	decisions := h.round.timeline.Decisions()
	for i := from; i < len(decisions); i++ {
		h.send(p, &message.Decision{Round: h.round.number, Number: i, Decision: decisions[i]})
	}
}

// occupied tells whether nobody can be let in for a moment.
func (h *Host) occupied() bool {
	r := h.round
	return r.resync != nil || r.writing != nil || r.timeline.Decisions().Paused() || h.SomeoneDisconnected()
}

// Checkpoint orders a resync in which nobody is wrong, from the machine donor: a place
// from which a machine that waits to be let in can follow the game. Why is for the
// players. While something else goes on it is an error that wraps [room.ErrPhase].
func (h *Host) Checkpoint(now time.Time, donor int, why string) error {
	return h.checkpoint(now, timeline.Decision{Kind: timeline.Resync, Machine: donor, Alike: true, Why: why})
}

// Keep orders a resync in which nobody is wrong, from the machine donor, so that all
// machines keep the same moment under a name. While something else goes on it is an error
// that wraps [room.ErrPhase].
func (h *Host) Keep(now time.Time, donor int, name string) error {
	return h.checkpoint(now, timeline.Decision{Kind: timeline.Resync, Machine: donor, Alike: true, Keep: true, Why: name})
}

func (h *Host) checkpoint(now time.Time, d timeline.Decision) error {
	switch {
	case h.phase != room.PhasePlaying:
		return fmt.Errorf("keep this moment: %w, the room is %v", room.ErrPhase, h.phase)
	case h.round.timeline.Decisions().Paused():
		return fmt.Errorf("keep this moment: %w, the game is paused", room.ErrPhase)
	case h.occupied():
		return fmt.Errorf("keep this moment: %w, something else goes on", room.ErrPhase)
	}
	_, err := h.Decide(now, d)
	return err
}
