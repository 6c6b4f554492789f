package host

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// handleHashes surfaces a report. Reports must go up in frames and not run ahead
// of what may run, which bounds their number by the length of the game: so they
// are not counted as others are. Reports about a game that is over are counted.
func (h *Host) handleHashes(_ time.Time, _ *peer, part *part, m *message.Hashes) error {
	if len(m.Hashes) == 0 || m.Frame > h.round.timeline.Announced().Frame {
		return fmt.Errorf("hashes of %d consoles after frame %d, which nobody can have reached", len(m.Hashes), m.Frame)
	}
	for _, s := range m.Hashes {
		if m.Frame <= part.hashed[s.Seat] || h.round.plan(s.Seat) == nil {
			return fmt.Errorf("hash of seat %v after frame %d: it was reported before, or nobody plays that seat", s.Seat, m.Frame)
		}
		part.hashed[s.Seat] = m.Frame
	}
	h.box.Emit(event.HashReport{Machine: part.machine, Frame: m.Frame, Hashes: m.Hashes})
	return nil
}

// handleArrivals surfaces how the inputs of others arrive at a machine. A machine says nothing of its own
// seats.
func (h *Host) handleArrivals(_ time.Time, _ *peer, part *part, m *message.Arrivals) error {
	for _, l := range m.List {
		if plan := h.round.plan(l.Seat); plan == nil || plan.Machine == part.machine {
			return fmt.Errorf("it reports how the inputs of seat %v arrive, but it plays that seat itself, or nobody does", l.Seat)
		}
	}
	h.box.Emit(event.Arrivals{Machine: part.machine, List: m.List})
	return nil
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
	h.box.Emit(event.DesyncFound{Desync: d})
	h.flush(now)
	return nil
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

// checkDesync makes a verdict fit to be told.
func (h *Host) checkDesync(d message.Desync) (message.Desync, error) {
	if h.phase != room.PhasePlaying {
		return d, fmt.Errorf("tell of a desync: %w, the room is %v", room.ErrPhase, h.phase)
	}
	if h.round.plan(d.Seat) == nil || h.round.part(d.Machine) == nil {
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

func (h *Host) desyncWords(d message.Desync) string {
	owner, odd := h.round.plan(d.Seat).Nickname, h.round.part(d.Machine).nickname
	return wire.Clean(fmt.Sprintf("the computers are no longer identical: after frame %d, %s of %s's console differs on %s's computer", d.Frame, d.Region, owner, odd), room.MaxSentence)
}

// handleRerun passes on what came out when a machine played a part of a game again, which may be
// over. Machines that were not alike do, each for itself and beside the game, so that all can
// be told whose machine differs, and first after which frame.
func (h *Host) handleRerun(now time.Time, p *peer, m *message.Rerun) {
	if m.Round == 0 || m.Round > h.lastRound {
		h.expel(now, p, fmt.Sprintf("it has played game %d again, and there were %d", m.Round, h.lastRound))
		return
	}
	h.box.Emit(event.Reran{Machine: p.member.machine, Rerun: *m})
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

func (h *Host) handleFinished(now time.Time, _ *peer, part *part, m *message.Finished) error {
	if part.reconnected && part.result != nil {
		return nil // said again, since the connection broke
	}
	return h.finish(now, part, m)
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
		if h.round.plan(s.Seat) == nil {
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
