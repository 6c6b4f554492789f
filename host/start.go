package host

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/internal/wire"
)

// Start begins to prepare a game, or tells with a *BlockedError what is in the
// way. All machines, this one by its events, are asked to Prepare.
func (h *Host) Start(now time.Time) error {
	if blockers := h.Blockers(); len(blockers) > 0 {
		return &BlockedError{blockers}
	}
	clock := h.settings.StartClock(now)
	now = h.clock.At(now)
	h.lastRound++
	r := &round{number: h.lastRound, begun: now, moved: now, lobbyClock: h.settings.RTC, lobbyEvery: h.settings.HashEvery}
	h.settings.Delay, h.settings.RTC = h.firstDelay(), clock
	if h.buildsDiffer() {
		h.settings.HashEvery = 1
	}
	for _, m := range h.members {
		r.seats = append(r.seats, room.SeatPlan{Seat: m.seat, Machine: m.machine, Nickname: m.nickname, Firmware: m.firmware, ROM: h.romOf(m)})
		if r.part(m.machine) == nil {
			r.parts = append(r.parts, newPart(h.primary(m)))
		}
		m.status.Up, m.status.Down = room.Progress{}, room.Progress{}
	}
	slices.SortFunc(r.parts, func(a, b *part) int { return a.machine - b.machine })
	h.round, h.phase = r, room.PhasePreparing
	h.publish(now)
	h.broadcast(&message.Prepare{Round: r.number, Settings: h.settings, Seats: r.seats})
	h.box.Emit(event.Prepare{Round: r.number, Settings: h.settings.Clone(), Seats: slices.Clone(r.seats)})
	return nil
}

// firstDelay is the input delay with which a game begins: where it is automatic, one that suits the pings.
func (h *Host) firstDelay() int {
	auto := h.settings.AutoDelay
	if auto == 0 {
		return h.settings.Delay
	}
	players := h.Roster()
	for _, p := range players {
		if p.Present && p.Machine != h.me && p.Ping <= 0 {
			delay := h.settings.Delay
			if h.settings.Sync == room.Rollback {
				delay = max(delay-rollback.FirstDepth, 0)
			}
			return min(delay, auto.Cap())
		}
	}
	return min(room.SuggestRoomDelay(players, h.settings.Sync), auto.Cap())
}

// Installed tells that this machine has built all consoles, with the hashes of
// all of them by rising seat.
func (h *Host) Installed(now time.Time, round uint32, hashes []room.SeatHash) error {
	return h.ownPart(now, round, room.PhasePreparing, "consoles are installed", func(now time.Time, own *part) error {
		return h.install(now, own, hashes)
	})
}

func (h *Host) handleInstalled(now time.Time, _ *peer, part *part, m *message.Installed) error {
	return h.install(now, part, m.Hashes)
}

// install notes what a machine built and, when it was the last, compares.
func (h *Host) install(now time.Time, p *part, hashes []room.SeatHash) error {
	if p.installed != nil {
		return errors.New("consoles are installed twice")
	}
	if !slices.EqualFunc(hashes, h.round.seats, func(a room.SeatHash, b room.SeatPlan) bool { return a.Seat == b.Seat }) {
		return fmt.Errorf("consoles are installed, but not those of all %d seats", len(h.round.seats))
	}
	p.installed, h.round.moved = slices.Clone(hashes), now
	var built []room.Installation
	for _, p := range h.round.parts {
		if p.installed == nil {
			return nil
		}
		built = append(built, room.Installation{Machine: p.machine, Nickname: p.nickname, Hashes: p.installed})
	}
	if d := room.CompareStart(h.round.seats, built); d.Words != "" {
		h.failStart(now, room.CauseDiffer, d.Words, d.Odd...)
		return nil
	}
	h.startConsoles(now)
	return nil
}

// startConsoles lets the consoles run.
func (h *Host) startConsoles(now time.Time) {
	r := h.round
	r.timeline = timeline.NewTimeline(h.settings.Delay, h.settings.Frames)
	r.timeline.Slack(h.settings.Slack())
	h.phase, h.lead.voters = room.PhasePlaying, 0
	for _, p := range r.parts {
		h.lead.voters = h.lead.voters.With(p.machine)
	}
	h.publish(now)
	first := slices.Clone(r.timeline.Decisions())
	h.broadcast(&message.Begin{Round: r.number, Horizon: r.timeline.Announced().Frame, Decisions: first})
	h.box.Emit(event.Begin{Round: r.number, Decisions: first, Horizon: r.timeline.Announced()})
}

func (h *Host) handleFailed(now time.Time, _ *peer, part *part, m *message.Failed) error {
	words := wire.Clean(part.nickname+"'s computer failed: "+m.Why, room.MaxSentence)
	if h.phase == room.PhasePreparing {
		h.failStart(now, m.Cause, words, part.machine)
		return nil
	}
	h.Say(words)
	h.outOfGame(now, part.machine, words)
	return nil
}

// failLate names those for whom everyone has waited.
func (h *Host) failLate(now time.Time, how string) {
	var words []string
	var machines []int
	for _, p := range h.round.parts {
		if p.installed == nil {
			moved := ""
			if p.total > 0 {
				moved = fmt.Sprintf("(%s of %s)", phrase.Megabytes(p.done()), phrase.Megabytes(p.total))
			}
			words = append(words, room.JoinWords(p.nickname+"'s computer", moved))
			machines = append(machines, p.machine)
		}
	}
	h.failStart(now, room.CauseLate, fmt.Sprintf("the consoles were not ready in time on %s: %s", phrase.List(words), how), machines...)
}
