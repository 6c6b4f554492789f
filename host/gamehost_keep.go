package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/wire"
)

// Keep asks this machine to write its own cartridges' saves, as they are after so many
// frames, beside the current ones, and to say Kept; with Commit, to make those that it
// has written current. So either all players have what happened in their saves, a trade
// for instance, or none has.
type Keep struct {
	Frame  int64
	Commit bool
}

func (Keep) event() {}

// keep is a round of writing saves.
type keep struct {
	frame int64
	kept  []int // machines that have
}

// Keep lets all machines keep their saves as they are after so many frames, in two
// steps. At that frame all of them were known to be alike. It does nothing while the
// last time is not over.
func (h *Host) Keep(now time.Time, frame int64) error {
	switch {
	case h.phase != PhasePlaying:
		return fmt.Errorf("keep the saves: %w, the room is %v", ErrPhase, h.phase)
	case h.Keeping():
		return nil
	}
	now = h.clock.at(now)
	h.round.keep = &keep{frame: frame}
	h.orderKeep(Keep{Frame: frame})
	h.flush(now)
	return nil
}

func (h *Host) orderKeep(k Keep) {
	h.round.newest = k
	h.tellGame(&keepMsg{h.round.number, k.Frame, k.Commit})
	h.emit(k)
}

// Kept tells that this machine has written its saves beside the current ones, or why it
// could not.
func (h *Host) Kept(now time.Time, round uint32, frame int64, why string) error {
	return h.keptOwn(now, &keptMsg{Round: round, Frame: frame, Why: why})
}

// Committed tells that this machine has made them current.
func (h *Host) Committed(now time.Time, round uint32, frame int64) error {
	return h.keptOwn(now, &keptMsg{Round: round, Frame: frame, Committed: true})
}

func (h *Host) keptOwn(now time.Time, m *keptMsg) error {
	if err := h.inRound(m.Round, PhasePlaying); err != nil {
		return fmt.Errorf("saves are written: %w", err)
	}
	now = h.clock.at(now)
	h.kept(now, h.round.part(h.me), m)
	h.flush(now)
	return nil
}

func (h *Host) takeKept(now time.Time, p *peer, m *keptMsg) {
	if part := h.current(now, p, m.Round, PhasePlaying); part != nil {
		h.kept(now, part, m)
	}
}

// kept notes who has written. What one machine cannot keep nobody keeps.
func (h *Host) kept(now time.Time, p *part, m *keptMsg) {
	k := h.round.keep
	if c := h.round.commit; c != nil && c.frame == m.Frame {
		if m.Committed { // else said again, since the line broke
			c.kept = append(c.kept, p.machine)
			h.checkCommit()
		}
		return
	}
	switch {
	case k == nil || k.frame != m.Frame:
		return // of an earlier time
	case m.Why != "":
		h.round.keep = nil
		h.say(wire.Clean(fmt.Sprintf("The saves stay as they were, for all: %s's could not be written (%s)", p.nickname, m.Why), maxChat))
		return
	case !slices.Contains(k.kept, p.machine):
		k.kept = append(k.kept, p.machine)
	}
	h.checkKeep(now)
}

// checkKeep makes the saves current when all have written theirs.
func (h *Host) checkKeep(time.Time) {
	h.checkCommit()
	if h.round == nil || h.round.keep == nil {
		return
	}
	k := h.round.keep
	for _, p := range h.round.parts {
		if p.in && !slices.Contains(k.kept, p.machine) {
			return
		}
	}
	h.round.keep, h.round.commit = nil, &keep{frame: k.frame}
	h.round.newest = Keep{Frame: k.frame, Commit: true}
	h.broadcast(&keepMsg{h.round.number, k.frame, true})
	h.checkCommit()
}

// checkCommit makes this machine's own saves current when enough others have: whoever is
// game host after us has then heard of it, from one of those who elect it, and sees to it
// that all do. Otherwise ours could be the only ones.
func (h *Host) checkCommit() {
	if h.round == nil || h.round.commit == nil {
		return
	}
	done := Voters(0).with(h.me)
	for _, machine := range h.round.commit.kept {
		done = done.with(machine)
	}
	if h.voters.sustains(done) {
		h.round.commit = nil
		h.emit(h.round.newest)
	}
}

// Keeping tells whether saves are being kept now.
func (h *Host) Keeping() bool {
	return h.phase == PhasePlaying && (h.round.keep != nil || h.round.commit != nil)
}
