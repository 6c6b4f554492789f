package host

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// round is one game, from the moment at which it is prepared.
type round struct {
	number      uint32
	seats       []room.SeatPlan    // that play or have played
	parts       []*part            // those that began it by machine, then late joiners
	begun       time.Time          // of preparing
	moved       time.Time          // when anything last went on while preparing
	timeline    *timeline.Timeline // nil while preparing
	finished    time.Time          // when the game host's own machine was at the end
	resync      *resync            // consoles are being made anew
	resyncs     int                // how often that was decided
	wrong       room.MachineSet    // machines of whose consoles that is known, until they have others
	writing     *commitStep        // saves are being written; nil when none are
	committing  *commitStep        // saves are being made current; nil when none are
	newestOrder event.SaveOrder    // as last ordered
	// earlierPromise is the bound of an earlier game host's promises to those who come to us from it; 0
	// when there was none.
	earlierPromise int64
}

// part is one machine's part in a game.
type part struct {
	machine     int
	nickname    string
	in          bool            // takes part still
	why         string          // in words, when it does not
	came        time.Time       // into the running game; zero: it began it
	moved       int64           // bytes that have moved between it and us, as measured here; -1: not known
	base        int64           // of them, before what is under way
	total       int64           // bytes to move, as it says
	installed   []room.SeatHash // nil before it said so
	hashed      [ds.MaxSeats]int64
	result      *message.Result
	reconnected bool // on another connection: what it says may have been said before
	unsaved     int  // how often in a row it has not written its saves; see notWritten
}

func newPart(m *member) *part {
	p := &part{machine: m.machine, nickname: m.nickname, in: true, moved: -1, base: -1}
	for seat := range p.hashed {
		p.hashed[seat] = -1
	}
	return p
}

func (r *round) part(machine int) *part {
	for _, p := range r.parts {
		if p.machine == machine {
			return p
		}
	}
	return nil
}

// done returns the bytes that have moved for what is under way.
func (p *part) done() int64 { return p.moved - p.base }

// Moved tells how many bytes of consoles have moved between a machine and this one, ever, as
// measured here: nobody is waited for because of what it claims.
func (h *Host) Moved(now time.Time, machine int, bytes int64) {
	if h.round == nil {
		return
	}
	switch p := h.round.part(machine); {
	case p == nil:
	case p.moved < 0:
		p.moved, p.base = bytes, bytes
	case bytes > p.moved:
		p.moved, h.round.moved = bytes, h.clock.At(now)
	}
}

// Blocker is one reason why a game cannot start.
type Blocker struct {
	Seat  ds.Seat // -1 when it is nobody's in particular
	Words string
}

// BlockedError tells why a game does not start.
type BlockedError struct{ Blockers []Blocker }

// Error names everyone who holds up the start, and why.
func (e *BlockedError) Error() string {
	var words []string
	for _, b := range e.Blockers {
		words = append(words, b.Words)
	}
	return "the game cannot start: " + strings.Join(words, "; ")
}

// Blockers are the reasons why a game cannot start now, none when it can.
func (h *Host) Blockers() []Blocker {
	if h.phase != room.PhaseLobby {
		return []Blocker{{-1, fmt.Sprintf("the room is %v", h.phase)}}
	}
	var list []Blocker
	if n := len(h.members); n < h.settings.MinPlayers {
		list = append(list, Blocker{-1, fmt.Sprintf("%d players are needed, and %d here", h.settings.MinPlayers, n)})
	}
	list = append(list, h.absent()...)
	for _, m := range h.members {
		if m.local > 0 {
			continue // its machine speaks for it
		}
		name, state := m.nickname, m.nickname+" is not ready"
		if m.machine == h.me {
			name, state = "", "you are not ready"
		}
		switch problem := h.problem(m, name); {
		case problem != "" && strings.HasPrefix(problem, name):
			list = append(list, Blocker{m.seat, problem})
		case problem != "":
			list = append(list, Blocker{m.seat, name + ": " + problem})
		case !h.ready(m):
			list = append(list, Blocker{m.seat, state})
		}
	}
	return list
}

// Start begins to prepare a game, or tells with a *BlockedError what is in the
// way. All machines, this one by its events, are asked to Prepare.
func (h *Host) Start(now time.Time) error {
	if blockers := h.Blockers(); len(blockers) > 0 {
		return &BlockedError{blockers}
	}
	now = h.clock.At(now)
	h.settings.Delay = h.firstDelay()
	h.lastRound++
	r := &round{number: h.lastRound, begun: now, moved: now}
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
	h.emit(event.Prepare{Round: r.number, Settings: h.settings.Clone(), Seats: slices.Clone(r.seats)})
	return nil
}

// Installed tells that this machine has built all consoles, with the hashes of
// all of them by rising seat.
func (h *Host) Installed(now time.Time, round uint32, hashes []room.SeatHash) error {
	return h.ownPart(now, round, room.PhasePreparing, "consoles are installed", func(now time.Time, own *part) error {
		return h.install(now, own, hashes)
	})
}

// ownPart has this machine's part in a game take something, if the game is the present one and in a phase; what
// names that in errors.
func (h *Host) ownPart(now time.Time, round uint32, phase room.Phase, what string, take func(now time.Time, own *part) error) error {
	switch {
	case h.phase != phase:
		return fmt.Errorf("%s: %w, the room is %v", what, room.ErrPhase, h.phase)
	case h.round.number != round:
		return fmt.Errorf("%s: %w, game %d is over", what, room.ErrPhase, round)
	}
	now = h.clock.At(now)
	if err := take(now, h.round.part(h.me)); err != nil {
		return err
	}
	h.flush(now)
	return nil
}

// Failed tells that this machine cannot go on with a game: while it is prepared
// it does not start then, and when it runs it is over for all.
func (h *Host) Failed(now time.Time, round uint32, why string) error {
	if h.round == nil || h.round.number != round {
		return fmt.Errorf("the game fails: %w, game %d is over", room.ErrPhase, round)
	}
	return h.Abort(now, h.own().nickname+"'s machine failed: "+why)
}

// Abort calls off the game that is being prepared, or ends the one that runs
// at once, wherever the consoles are.
func (h *Host) Abort(now time.Time, why string) error {
	if h.round == nil {
		return fmt.Errorf("call off the game: %w, the room is %v", room.ErrPhase, h.phase)
	}
	now, why = h.clock.At(now), wire.Clean(why, room.MaxSentence)
	if h.phase == room.PhasePreparing {
		h.failStart(now, why, h.me)
	} else {
		h.endRound(now, event.Ended{Outcome: message.OutcomeAborted, Why: why})
	}
	return nil
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

func (h *Host) takeInstalled(now time.Time, p *peer, part *part, m *message.Installed) {
	if err := h.install(now, part, m.Hashes); err != nil {
		h.expel(now, p, err.Error())
	}
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
		h.failStart(now, d.Words, d.Odd...)
		return nil
	}
	h.begin(now)
	return nil
}

func (h *Host) takeFailed(now time.Time, _ *peer, part *part, m *message.Failed) {
	words := wire.Clean(part.nickname+"'s machine failed: "+m.Why, room.MaxSentence)
	if h.phase == room.PhasePreparing {
		h.failStart(now, words, part.machine)
		return
	}
	h.say(words)
	h.outOfGame(now, part.machine, words)
}

// failStart takes everyone back to the lobby.
func (h *Host) failStart(now time.Time, why string, machines ...int) {
	failed := event.StartFailed{Round: h.round.number, Why: wire.Clean(why, room.MaxSentence), Machines: machines}
	h.broadcast((*message.StartFailed)(&failed))
	h.emit(failed)
	h.toLobby(now)
}

// toLobby ends the present game's books. Everyone has to be ready anew.
func (h *Host) toLobby(now time.Time) {
	if h.phase == room.PhasePlaying {
		h.settings.Continues = room.Kept{} // it has gone on
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

// begin lets the consoles run.
func (h *Host) begin(now time.Time) {
	r := h.round
	r.timeline = timeline.NewTimeline(h.settings.Delay, h.settings.Frames)
	h.phase, h.lead.voters = room.PhasePlaying, 0
	for _, p := range r.parts {
		h.lead.voters = h.lead.voters.With(p.machine)
	}
	h.publish(now)
	first := slices.Clone(r.timeline.Decisions())
	h.broadcast(&message.Begin{Round: r.number, Horizon: r.timeline.Announced().Frame, Decisions: first})
	h.emit(event.Begin{Round: r.number, Decisions: first, Horizon: r.timeline.Announced()})
}

// checkRound looks at the deadlines of the present game.
func (h *Host) checkRound(now time.Time) {
	r, t := h.round, h.self.Timeouts
	switch {
	case h.phase == room.PhasePreparing && now.Sub(r.moved) >= t.Prepare:
		h.failLate(now, fmt.Sprintf("nothing moved for %v", t.Prepare))
	case h.phase == room.PhasePreparing && now.Sub(r.begun) >= t.PrepareMax:
		h.failLate(now, fmt.Sprintf("it took more than %v", t.PrepareMax))
	case h.phase == room.PhasePlaying && r.resync != nil && h.checkResyncTime(now):
	case h.phase == room.PhasePlaying && !r.finished.IsZero() && now.Sub(r.finished) >= t.Finish:
		for _, p := range r.parts {
			if p.in && p.result == nil {
				p.in, p.why = false, fmt.Sprintf("%s's machine did not come to the end of the game within %v", p.nickname, t.Finish)
			}
		}
		h.endIfFinished(now)
	}
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
			words = append(words, room.JoinWords(p.nickname+"'s machine", moved))
			machines = append(machines, p.machine)
		}
	}
	h.failStart(now, fmt.Sprintf("the consoles were not ready in time on %s: %s", room.ListWords(words), how), machines...)
}
