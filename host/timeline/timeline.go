package timeline

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
)

// HorizonSpare is the number of frames that [Margin] adds to what it must cover.
const HorizonSpare = 8

// Margin is the number of frames the horizon is ahead of the frame of the game host's
// slowest console, for an input delay in frames. It must never be the reason why a
// machine waits. A console that samples inputs is at most 16 frames ahead of the slowest
// that its machine knows of, because it waits then; all other consoles are at
// most delay frames ahead of the one that samples for them, since there is no
// input beyond that. The frame and the horizon travel in the same datagram, so
// the promise is never older than the frame that limits a machine; the spare is
// for a longer delay that is decided but not yet in force. The price of the
// margin: decisions apply that much later.
//
// In rollback, consoles run ahead of the confirmed frames that they report; [Timeline.Slack] covers that
// distance.
func Margin(delay int) int64 { return ds.MaxBehind + int64(delay) + HorizonSpare }

// Timeline is the game host's side: it decides.
type Timeline struct {
	decisions Log
	announced ds.Horizon
	delay     int // the longest ever decided, in frames
	slack     int64
	orphaned  bool // the machine of the resync under way cannot give its consoles
}

// NewTimeline begins the timeline of a game that ends by itself after the given number of
// frames, or never if that is 0.
func NewTimeline(delay int, frames int64) *Timeline {
	t := &Timeline{delay: delay, decisions: Log{{Kind: Start}}}
	if frames > 0 {
		t.decisions = append(t.decisions, Decision{Kind: End, Frame: frames, Why: "all frames are played"})
	}
	t.Horizon(0)
	return t
}

// Continue returns the timeline with which a new game host takes over a game: the
// decisions so far, the longest delay ever decided, and the highest frame promised to any
// machine.
func Continue(decisions Log, delay int, promised int64) *Timeline {
	return &Timeline{decisions: decisions, delay: delay, announced: ds.Horizon{Frame: promised, Decisions: uint32(len(decisions))}}
}

// Slack moves the horizon the given number of frames further ahead from now on: machines report confirmed frames
// and may themselves be that far ahead of them.
func (t *Timeline) Slack(frames int) { t.slack = int64(frames) }

// Decisions returns all decisions so far. The caller must not modify them.
func (t *Timeline) Decisions() Log { return t.decisions }

// Announced returns the newest promise.
func (t *Timeline) Announced() ds.Horizon { return t.announced }

// Promise records that a machine was promised a frame, maybe by another game host.
func (t *Timeline) Promise(frame int64) { t.announced.Frame = max(t.announced.Frame, frame) }

// Orphan records that the machine of the resync under way cannot give its consoles: the
// next decision may be another Resync.
func (t *Timeline) Orphan() { t.orphaned = true }

// Horizon promises and returns a horizon for the frame of the game host's
// slowest console. Its frame never decreases.
func (t *Timeline) Horizon(hostFrame int64) ds.Horizon {
	frame := min(max(hostFrame, 0), ds.MaxFrame-Margin(ds.MaxDelay)-t.slack) + Margin(t.delay) + t.slack
	t.announced = ds.Horizon{Frame: max(t.announced.Frame, frame), Decisions: uint32(len(t.decisions))}
	return t.announced
}

// Decide adds a decision at the frame it asks for, or at the promised horizon if
// that is later, and returns it as it stands.
func (t *Timeline) Decide(d Decision) (Decision, error) {
	d.Frame = max(d.Frame, t.announced.Frame)
	d.InputEnd = min(max(d.InputEnd, 0), d.Frame)
	d, err := d.told()
	if err != nil {
		return Decision{}, err
	}
	limit, resyncing, paused := MaxDecisions, t.decisions.Resyncing(), t.decisions.Paused()
	switch d.Kind {
	case SetDelay, SeatDelay, AutoDelay, Enter, Pause, SwitchOn:
		limit -= reserveDecisions
	case Resync:
		if !resyncing {
			limit -= reserveDecisions
		}
	}
	switch {
	case d.Kind == Start:
		return Decision{}, fmt.Errorf("%v cannot be decided in a game", d.Kind)
	case d.Kind == Enter && resyncing:
		return Decision{}, errors.New("a player joins during a resync")
	case d.Kind == Resync && resyncing && !t.orphaned, (d.Kind == Resynced || d.Kind == GiveUp) && !resyncing:
		return Decision{}, fmt.Errorf("%v: that is decided already", d.Kind)
	case d.Kind == Pause && paused, d.Kind == Resume && !paused:
		return Decision{}, fmt.Errorf("%v: the game is that already", d.Kind)
	}
	if len(t.decisions) >= limit {
		return Decision{}, fmt.Errorf("%v at frame %d: this game has had %d decisions, which is all it can", d.Kind, d.Frame, len(t.decisions))
	}
	if d.Kind == SetDelay || d.Kind == SeatDelay {
		t.delay = max(t.delay, d.Delay)
	}
	if d.Kind == Resync {
		t.orphaned = false
	}
	t.decisions = append(t.decisions, d)
	return d, nil
}
