package host

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Horizon promises a horizon for the frame of this machine's slowest console,
// and returns it for the next datagrams; before and after a game it is zero. The
// game host's own machine is bound by it like all others. See [Margin] for how
// far it is ahead.
func (h *Host) Horizon(hostFrame int64) ds.Horizon {
	if h.phase != room.PhasePlaying {
		return ds.Horizon{}
	}
	return h.round.timeline.Horizon(hostFrame)
}

// Decide makes a decision for all machines, at d.Frame or, if that is later, at
// the promised horizon, and returns it as it stands. A Start cannot be decided
// here, and a Leave or Idle only for a seat that nobody plays any more: see SeatLeft. A Leave beyond the end of the game is in order: it still
// fills in the inputs up to there.
func (h *Host) Decide(now time.Time, d timeline.Decision) (timeline.Decision, error) {
	if h.phase != room.PhasePlaying {
		return timeline.Decision{}, fmt.Errorf("decide %v: %w, the room is %v", d.Kind, room.ErrPhase, h.phase)
	}
	t := h.round.timeline
	if d.EndsSeat() {
		if err := h.mayLeave(d.Seat); err != nil {
			return timeline.Decision{}, err
		}
	}
	if d.Kind == timeline.Enter && !h.joiningLate(d.Plan) {
		return timeline.Decision{}, errors.New("decide enter: see Admit")
	}
	now = h.clock.At(now)
	coming := t.Decisions().Incoming()
	if d.Kind == timeline.Resync {
		if p := h.round.part(d.Machine); p == nil || !p.in {
			return timeline.Decision{}, fmt.Errorf("decide %v from machine %d: it does not play", d.Kind, d.Machine)
		}
	}
	d, err := t.Decide(d)
	if err != nil {
		return timeline.Decision{}, err
	}
	if d.Kind == timeline.Enter {
		h.round.seats = timeline.InOrder(h.round.seats, d.Plan)
	}
	if d.Kind == timeline.Resync {
		h.round.resyncs++
		h.round.moved, h.round.resync = now, &resync{number: h.round.resyncs, donor: d.Machine, keeps: d.Keep}
		for _, p := range h.round.parts {
			p.base, p.total = p.moved, 0
		}
		if d.Machine != h.me {
			h.round.wrong = h.round.wrong.With(h.me) // else it would be ours
		}
	}
	if d.Kind == timeline.Resynced {
		h.round.wrong, h.news.dirty = 0, true
		for _, p := range h.round.parts {
			if coming.Has(p.machine) {
				p.came = now
			}
		}
	}
	number := len(t.Decisions()) - 1
	h.tellGame(&message.Decision{Round: h.round.number, Number: number, Decision: d})
	h.emit(event.Decided{Number: number, Decision: d})
	h.flush(now)
	return d, nil
}

// Pause lets all consoles stand at the first frame at which all machines can, or
// go on again. It says to everyone who wanted it.
func (h *Host) Pause(now time.Time, pause bool) error { return h.pause(now, h.own(), pause) }

func (h *Host) pause(now time.Time, by *member, pause bool) error {
	d := timeline.Decision{Kind: timeline.Resume, Why: by.nickname + " goes on"}
	if pause {
		d = timeline.Decision{Kind: timeline.Pause, Why: by.nickname + " pauses the game"}
	}
	if h.phase == room.PhasePlaying && h.round.timeline.Decisions().Paused() == pause {
		return nil // somebody else was faster
	}
	_, err := h.Decide(now, d)
	return err
}

// takePause pauses or resumes for a player. Commands beyond one a second are ignored, and pauses
// beyond a few a minute: each is a decision, of which a game has so many.
func (h *Host) takePause(now time.Time, p *peer, _ *part, m *message.Pause) {
	if p.chat.Take(now, 1) && (!m.Pause || p.pauses.Take(now, 1)) {
		_ = h.pause(now, p.member, m.Pause) // a game may have as many decisions as it can
	}
}

// mayLeave tells why a seat's leaving cannot be decided.
func (h *Host) mayLeave(seat ds.Seat) error {
	i := slices.IndexFunc(h.round.seats, func(s room.SeatPlan) bool { return s.Seat == seat })
	switch {
	case i < 0:
		return fmt.Errorf("unplug seat %v: it does not play", seat)
	case h.round.timeline.Decisions().SeatEnded(seat):
		return fmt.Errorf("unplug seat %v: that is decided already", seat)
	case h.round.part(h.round.seats[i].Machine).in:
		return fmt.Errorf("unplug seat %v: %s plays it", seat, h.round.seats[i].Nickname)
	}
	return nil
}

// End decides the end of the game at the first frame at which all machines can.
func (h *Host) End(now time.Time, why string) (timeline.Decision, error) {
	return h.Decide(now, timeline.Decision{Kind: timeline.End, Why: why})
}

// outOfGame takes a machine out of the running game and asks the caller to
// unplug its seats.
func (h *Host) outOfGame(now time.Time, machine int, words string) {
	p := h.round.part(machine)
	if p == nil || !p.in {
		return
	}
	p.in, p.why, h.news.dirty = false, words, true
	h.strikeLate(now, p)
	if h.endIfFinished(now) || h.resyncWithout(now, p, words) {
		return
	}
	h.checkWritten(now)
	again := slices.ContainsFunc(h.members, func(m *member) bool { return m.machine == machine && m.again })
	for _, s := range h.round.seats {
		if s.Machine == machine {
			h.emit(event.SeatLeft{Seat: s.Seat, Machine: machine, Again: again, Words: words})
		}
	}
}

// takeHashes surfaces a report. Reports must go up in frames and not run ahead
// of what may run, which bounds their number by the length of the game: so they
// are not counted as others are. Reports about a game that is over are counted.
func (h *Host) takeHashes(now time.Time, p *peer, part *part, m *message.Hashes) {
	if len(m.Hashes) == 0 || m.Frame > h.round.timeline.Announced().Frame {
		h.expel(now, p, fmt.Sprintf("hashes of %d consoles after frame %d, which nobody can have", len(m.Hashes), m.Frame))
		return
	}
	for _, s := range m.Hashes {
		if m.Frame <= part.hashed[s.Seat] || !h.plays(s.Seat) {
			h.expel(now, p, fmt.Sprintf("a hash of seat %v after frame %d came too late or is of nobody", s.Seat, m.Frame))
			return
		}
		part.hashed[s.Seat] = m.Frame
	}
	h.emit(event.HashReport{Machine: part.machine, Frame: m.Frame, Hashes: m.Hashes})
}

func (h *Host) plays(seat ds.Seat) bool {
	return slices.ContainsFunc(h.round.seats, func(s room.SeatPlan) bool { return s.Seat == seat })
}

// ReportDesync tells all machines that they are not alike, so that those concerned can keep
// what they have for a bug report. The caller decides next how the game goes on.
func (h *Host) ReportDesync(now time.Time, d message.Desync) error {
	d, err := h.checkDesync(d)
	if err != nil {
		return err
	}
	now = h.clock.At(now)
	h.round.wrong = h.round.wrong.With(d.Machine)
	h.broadcast(&message.DesyncFound{Round: h.round.number, Desync: d})
	h.emit(event.DesyncFound{Desync: d})
	h.flush(now)
	return nil
}

// checkDesync makes a verdict fit to be told.
func (h *Host) checkDesync(d message.Desync) (message.Desync, error) {
	if h.phase != room.PhasePlaying {
		return d, fmt.Errorf("tell of a desync: %w, the room is %v", room.ErrPhase, h.phase)
	}
	if !h.plays(d.Seat) || h.round.part(d.Machine) == nil {
		return d, fmt.Errorf("tell of a desync: seat %v or machine %d does not play", d.Seat, d.Machine)
	}
	d.Frame = min(max(d.Frame, 0), ds.MaxFrame)
	d.Agreed = min(max(d.Agreed, -1), d.Frame)
	d.Region, d.Words = wire.Clean(d.Region, room.MaxName), wire.Clean(d.Words, room.MaxSentence)
	if d.Words == "" {
		d.Words = h.desyncWords(d)
	}
	return d, nil
}

// Desync ends the game for all with a verdict on machines that are not alike.
func (h *Host) Desync(now time.Time, d message.Desync) error {
	d, err := h.checkDesync(d)
	if err != nil {
		return err
	}
	h.endRound(h.clock.At(now), event.Ended{Outcome: message.OutcomeDesync, Why: d.Words, Desync: &d})
	return nil
}

func (h *Host) desyncWords(d message.Desync) string {
	owner, odd := "", h.round.part(d.Machine).nickname
	for _, s := range h.round.seats {
		if s.Seat == d.Seat {
			owner = s.Nickname
		}
	}
	return wire.Clean(fmt.Sprintf("the machines are no longer identical: after frame %d, %s of %s's console differs on %s's machine", d.Frame, d.Region, owner, odd), room.MaxSentence)
}

// takeRerun passes on what came out when a machine played a part of a game again, which may be
// over. Machines that were not alike do, each for itself and beside the game, so that all can
// be told whose machine differs, and first after which frame.
func (h *Host) takeRerun(now time.Time, p *peer, m *message.Rerun) {
	if m.Round == 0 || m.Round > h.lastRound {
		h.expel(now, p, fmt.Sprintf("it has played game %d again, and there were %d", m.Round, h.lastRound))
		return
	}
	h.emit(event.Reran{Machine: p.member.machine, Rerun: *m})
}

// Finished tells that this machine has run every console to the end: frames of
// its own console, the final hashes by rising seat, what it counted. It serves
// inputs on until Ended comes.
func (h *Host) Finished(now time.Time, round uint32, frames int64, hashes []room.SeatHash, stats message.Stats) error {
	return h.ownPart(now, round, room.PhasePlaying, "the game is finished", func(now time.Time, own *part) error {
		m := &message.Finished{Round: round, Frames: frames, Hashes: slices.Clone(hashes), Stats: stats}
		if _, err := message.Encode(m); err != nil {
			return err
		}
		return h.finish(now, own, m)
	})
}

func (h *Host) takeFinished(now time.Time, p *peer, part *part, m *message.Finished) {
	if part.reconnected && part.result != nil {
		return // said again, since the connection broke
	}
	if err := h.finish(now, part, m); err != nil {
		h.expel(now, p, err.Error())
	}
}

// finish notes a machine's result.
func (h *Host) finish(now time.Time, p *part, m *message.Finished) error {
	end, decided := h.round.timeline.Decisions().EndFrame()
	switch {
	case !decided:
		return errors.New("the game is finished, but no end is decided")
	case end > h.round.timeline.Announced().Frame || m.Frames > end:
		return fmt.Errorf("the game is finished at frame %d, but ends at %d", m.Frames, end)
	case p.result != nil:
		return errors.New("the game is finished twice")
	}
	for _, s := range m.Hashes {
		if !h.plays(s.Seat) {
			return fmt.Errorf("the game is finished with a console of seat %v, which does not play", s.Seat)
		}
	}
	p.finish(m)
	if p.machine == h.me {
		h.round.finished = now
	}
	h.endIfFinished(now)
	return nil
}

func (p *part) finish(m *message.Finished) {
	p.result = &message.Result{Machine: p.machine, Nickname: p.nickname, Finished: true, Frames: m.Frames, Hashes: m.Hashes, Stats: m.Stats}
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
		h.failStart(now, e.Why, h.me)
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
	h.emit(e)
	h.notePendingResults(e)
	h.toLobby(now)
}

// LeaveKind is the decision by which a player's part in the running game ends: as the
// room's settings say, the console stays with nothing pressed, or is switched off.
func (h *Host) LeaveKind() timeline.Kind {
	if h.settings.KeepConsoles {
		return timeline.Idle
	}
	return timeline.Leave
}
