package host

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

func (h *Host) handleStatus(now time.Time, p *peer, m *message.Status) {
	h.setStatus(p.member.machine, m.Status)
}

// Report tells what the game host's own machine has to say of itself, as a
// client does with its Report.
func (h *Host) Report(now time.Time, s room.Status) {
	if h.phase == room.PhaseClosed {
		return
	}
	now = h.clock.At(now)
	h.setStatus(h.me, s)
	h.flush(now)
}

// setStatus notes what a machine says of itself: it holds for all who play there.
func (h *Host) setStatus(machine int, s room.Status) {
	s = s.Bounded()
	for _, m := range h.at(machine) {
		h.news.dirty = h.news.dirty || !m.status.Same(s)
		m.status = s
		if h.phase == room.PhaseLobby && s.Revision == h.revision {
			m.pendingResult = nil // it has seen the lobby after the game, and was told of the end before
		}
	}
	if h.round == nil {
		return
	}
	if p := h.round.part(machine); p != nil {
		p.total = s.Up.Total + s.Down.Total
	}
}

// Measured tells of the connection to a machine, as that measures it: Ping, Jitter, Loss and Way.
// Everyone in the room is told, a little later.
func (h *Host) Measured(machine int, b room.Beat) {
	for _, m := range h.members {
		if m.machine == machine && machine != h.me {
			m.beat.Ping, m.beat.Jitter = max(b.Ping, 0), max(b.Jitter, 0)
			m.beat.Loss, m.beat.Way = min(max(b.Loss, 0), 1000), wire.Clean(b.Way, room.MaxReason)
		}
	}
}

// Repeated tells for how many of the newest [inputdelay.Recent] frames of a seat no input had
// arrived in time, in clocked play; told to everyone as with Measured.
func (h *Host) Repeated(seat ds.Seat, frames int) {
	for _, m := range h.members {
		if m.seat == seat {
			m.beat.Repeated = min(max(frames, 0), inputdelay.Recent)
		}
	}
}

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
