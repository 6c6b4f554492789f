package host

import (
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// Horizon promises a horizon for the frame of this machine's slowest console,
// and returns it for the next datagrams; before and after a game it is zero. The
// game host's own machine is bound by it like all others. See [timeline.Margin] for how
// far it is ahead.
func (h *Host) Horizon(hostFrame int64) ds.Horizon {
	if h.phase != room.PhasePlaying {
		return ds.Horizon{}
	}
	return h.round.timeline.Horizon(hostFrame)
}

// Decide makes a decision for all machines, at d.Frame or, if that is later, at
// the promised horizon, and returns it as it stands. A Start cannot be decided
// here, and a Leave or Idle only for a seat that nobody plays any more: see SeatLeft. A
// Leave beyond the end of the game is in order: it still fills in the inputs up to there.
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
	switch d.Kind {
	case timeline.Enter:
		h.round.seats = timeline.InOrder(h.round.seats, d.Plan)
	case timeline.Resync:
		h.round.resyncs++
		h.round.moved, h.round.resync = now, &resync{number: h.round.resyncs, donor: d.Machine, alike: d.Alike, keeps: d.Keep}
		for _, p := range h.round.parts {
			p.base, p.total = p.moved, 0
		}
		if d.Machine != h.me && !d.Alike {
			h.round.wrong = h.round.wrong.With(h.me) // else it would be ours
		}
	case timeline.Resynced:
		h.round.wrong, h.news.dirty = 0, true
		for _, p := range h.round.parts {
			if coming.Has(p.machine) {
				p.came = now
			}
		}
	}
	number := len(t.Decisions()) - 1
	h.tellGame(&message.Decision{Round: h.round.number, Number: number, Decision: d})
	h.box.Emit(event.Decided{Number: number, Decision: d})
	h.flush(now)
	return d, nil
}

// joiningLate tells whether a plan is of a machine that is being admitted.
func (h *Host) joiningLate(p room.SeatPlan) bool {
	part := h.round.part(p.Machine)
	return part != nil && part.in && h.round.plan(p.Seat) == nil
}

// mayLeave tells why a seat's leaving cannot be decided.
func (h *Host) mayLeave(seat ds.Seat) error {
	plan := h.round.plan(seat)
	switch {
	case plan == nil:
		return fmt.Errorf("unplug seat %v: it does not play", seat)
	case h.round.timeline.Decisions().SeatEnded(seat):
		return fmt.Errorf("unplug seat %v: that is decided already", seat)
	case h.round.part(plan.Machine).in:
		return fmt.Errorf("unplug seat %v: %s plays it", seat, plan.Nickname)
	}
	return nil
}

// LeaveKind is the decision by which a player's part in the running game ends: as the
// room's settings say, the console stays with nothing pressed, or is switched off.
func (h *Host) LeaveKind() timeline.Kind {
	if h.settings.KeepConsoles {
		return timeline.Idle
	}
	return timeline.Leave
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

// handlePause pauses or resumes for a player. Commands beyond one a second are ignored, and pauses
// beyond a few a minute: each is a decision, of which a game has so many.
func (h *Host) handlePause(now time.Time, p *peer, _ *part, m *message.Pause) error {
	if p.chat.AllowN(now, 1) && (!m.Pause || p.pauses.AllowN(now, 1)) {
		_ = h.pause(now, p.member, m.Pause) // a game may have as many decisions as it can
	}
	return nil
}

// SwitchOn switches on a console whose game has switched it off, at the first frame at which all machines can: one of
// our own, or one that nobody plays any more. One that is on by then is left alone.
func (h *Host) SwitchOn(now time.Time, seat ds.Seat) error {
	plan := h.round.plan(seat)
	if plan != nil && plan.Machine != h.me && !h.round.timeline.Decisions().SeatEnded(seat) {
		return fmt.Errorf("switch on seat %v: %s plays it", seat, plan.Nickname)
	}
	return h.switchOn(now, seat)
}

func (h *Host) switchOn(now time.Time, seat ds.Seat) error {
	plan := h.round.plan(seat)
	if h.phase == room.PhasePlaying && plan == nil {
		return fmt.Errorf("switch on seat %v: it does not play", seat)
	}
	_, err := h.Decide(now, timeline.Decision{Kind: timeline.SwitchOn, Seat: seat})
	return err
}

// handleSwitchOn switches a player's console on. Whether it is off only the consoles know, so what is asked for too often is
// passed over, as with pauses.
func (h *Host) handleSwitchOn(now time.Time, p *peer, _ *part, m *message.SwitchOn) error {
	plan := h.round.plan(m.Seat)
	if plan == nil || plan.Machine != p.member.machine {
		return fmt.Errorf("switches on seat %v, which is not its own", m.Seat)
	}
	if p.pauses.AllowN(now, 1) {
		_ = h.switchOn(now, m.Seat) // a game may have as many decisions as it can
	}
	return nil
}

// End decides the end of the game at the first frame at which all machines can.
func (h *Host) End(now time.Time, why string) (timeline.Decision, error) {
	return h.Decide(now, timeline.Decision{Kind: timeline.End, Why: why})
}
