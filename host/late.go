package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
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
		if m.local == 0 && h.waits(m) && h.ready(m) && h.problem(m, "") == "" && h.guard.Struck(h.clock.Now(), m.addr()) == 0 {
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

// waits tells whether a member is not in the game that runs.
func (h *Host) waits(m *member) bool {
	return h.phase == room.PhasePlaying && m.present && h.round.part(m.machine) == nil
}

// inGame tells whether a member is in the game that runs.
func (h *Host) inGame(m *member) bool {
	return h.phase == room.PhasePlaying && m.present && h.round.part(m.machine) != nil
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
		return fmt.Errorf("admit machine %d: it does not wait for it", machine)
	}
	r := h.round
	decisions := r.timeline.Decisions()
	if h.occupied() {
		return fmt.Errorf("admit %s: %w, something else goes on", plans[0].Nickname, room.ErrPhase)
	}
	if p := r.part(donor); p == nil || !p.in {
		return fmt.Errorf("admit %s with the consoles of machine %d: it does not play", plans[0].Nickname, donor)
	}
	who := h.first(machine)
	r.parts = append(r.parts, newPart(who))
	h.send(who.peer, &message.LateJoin{Round: r.number, Settings: h.settings, Seats: decisions.Began(r.seats)})
	for i, d := range decisions {
		h.send(who.peer, &message.Decision{Round: r.number, Number: i, Decision: d})
	}
	for _, p := range plans {
		if _, err := h.Decide(now, timeline.Decision{Kind: timeline.Enter, Plan: p, Why: p.Nickname + " comes into the game"}); err != nil {
			h.outOfGame(now, machine, err.Error())
			return err
		}
	}
	_, err := h.Decide(now, timeline.Decision{Kind: timeline.Resync, Machine: donor})
	h.news.dirty = true
	return err
}

// shortStay is the least time to stay for one who was let into a game, for which all have stood; else
// nobody from its address comes in for a while.
const shortStay = time.Minute

// strikeLate notes that a late joiner is out of the game again.
func (h *Host) strikeLate(now time.Time, p *part) {
	coming := h.round.timeline.Decisions().Incoming().Has(p.machine)
	if !coming && (p.came.IsZero() || now.Sub(p.came) >= shortStay) {
		return
	}
	if m := h.first(p.machine); m != nil {
		wait, where := h.guard.Strike(now, m.addr()), "address"
		if relayed(m.reached.seen) {
			where = "relay"
		}
		h.say(fmt.Sprintf("Nobody comes into the game from %s's %s for %v: all have stood still for it", m.nickname, where, wait))
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

// joiningLate tells whether a plan is of a machine that is being admitted.
func (h *Host) joiningLate(p room.SeatPlan) bool {
	part := h.round.part(p.Machine)
	return part != nil && part.in && !h.plays(p.Seat)
}

// here is the number of players in the room; those who left during a game are not.
func (h *Host) here() int {
	n := 0
	for _, m := range h.members {
		if m.present {
			n++
		}
	}
	return n
}

// mayJoinNow tells whether somebody may come at this time.
func (h *Host) mayJoinNow(join *message.Join) (r room.Refusal, did string, ok bool) {
	const did0 = "cannot join while the game is running"
	wait := func(why string) (room.Refusal, string, bool) {
		return room.Refusal{Code: room.CodeRunning, Sentence: why, Hint: "join when the game is over"}, did0, false
	}
	switch {
	case h.phase == room.PhaseLobby:
		return room.Refusal{}, "", true
	case h.phase == room.PhasePreparing:
		return room.Refusal{Code: room.CodeRunning, Sentence: "a game is just beginning in this room", Hint: "try again in some seconds"}, did0, false
	case h.settings.NoLateJoin:
		return wait("a game is running in this room, and the game host lets nobody in meanwhile")
	case h.freeMachine() >= ds.MaxMachines,
		int(h.freeSeat())+len(join.LocalPlayers) >= ds.MaxSeats:
		return wait("a game is running in this room, in which too many have come and gone")
	}
	games := []*room.ROMID{join.ROM}
	for _, p := range join.LocalPlayers {
		games = append(games, p.ROM)
	}
	for _, id := range games {
		if id != nil && !slices.ContainsFunc(h.round.seats, func(s room.SeatPlan) bool { return s.ROM.SHA256 == id.SHA256 }) {
			return wait(fmt.Sprintf("a game is running in this room, and nobody in it plays %v, so the others need not have it", *id))
		}
	}
	return room.Refusal{}, "", true
}

// rejoining is a player whose connection is gone and who joins as if for the first time: its
// program has been started again, and cannot go on where it was, so nobody needs to wait
// for it; nil where it is somebody else. The console's address is the player's own, but all
// in the room know it: so it must also be the same installation, or come from where the player
// was, which says nothing behind a relay.
func (h *Host) rejoining(p *peer, join *message.Join) *member {
	i := slices.IndexFunc(h.members, func(m *member) bool {
		return !m.disconnectedAt.IsZero() && m.firmware.MAC == join.Firmware.MAC && m.firmware.Nickname == join.Firmware.Nickname &&
			(p.key != [32]byte{} && p.key == m.key || slices.ContainsFunc(m.reach(), func(addr string) bool { return bare(addr) == p.addr && !relayed(addr) }))
	})
	if i < 0 {
		return nil
	}
	return h.members[i]
}

// fitsWithout is fits as if a member, which may be nil, and all at its machine had left.
func (h *Host) fitsWithout(gone *member, join *message.Join, name string) (r room.Refusal, did string, ok bool) {
	if gone == nil {
		return h.fits(join, name)
	}
	for _, m := range h.at(gone.machine) {
		defer func(was bool) { m.present = was }(m.present)
		m.present = false
	}
	return h.fits(join, name)
}

// renumberSeats gives those who have a seat beyond the room's, which there are during a game,
// one of the free ones.
func (h *Host) renumberSeats() {
	for _, m := range h.members {
		if int(m.seat) >= h.settings.Seats {
			m.seat = h.freeSeat()
		}
	}
	slices.SortFunc(h.members, func(a, b *member) int { return int(a.seat - b.seat) })
}

// tellGame queues a message to everyone who is or was in the game.
func (h *Host) tellGame(m message.Message) {
	b := h.encoded(m)
	for _, p := range h.peers {
		if p.member != nil && b != nil && h.round.part(p.member.machine) != nil {
			h.box.Send(p.id, b)
		}
	}
}
