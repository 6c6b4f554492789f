package game

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/rollback"
)

// stepping is the state of a radio whose consoles all stop before each frame, so that all can go back there
// together. A stop is an event on the air: it is a rule of the room, also on a machine that never goes back.
type stepping struct {
	on     bool
	notes  map[int]note // by place
	sent   []sending    // in the frames that are not confirmed
	before RadioReport  // of what the air has counted, and has forgotten as it went back
}

// note is the air before a frame.
type note struct {
	saved  []byte
	before RadioReport
}

// sending is what was sent in a frame.
type sending struct {
	frame   int64
	records []air.Record
}

// stepwise has all consoles stop before each frame from now on, at the first of which they stand.
func (r *Radio) stepwise() {
	if r != nil {
		r.steps = stepping{on: true, notes: make(map[int]note)}
	}
}

// note notes the air as it stands before a frame.
func (r *Radio) note(frame int64) error {
	if r == nil {
		return nil
	}
	b, err := r.air.Save()
	if err != nil {
		return fmt.Errorf("noting the radio at frame %d: %w", frame, err)
	}
	counts, err := r.counted()
	counts.add(r.steps.before)
	r.steps.notes[rollback.Place(frame)] = note{b, counts}
	return err
}

// step lets all consoles run a frame, before which they stand.
func (r *Radio) step(frame int64) error {
	if r == nil {
		return nil
	}
	err := r.air.Resume()
	if err == nil {
		err = r.air.StopAt(frame + 1)
	}
	if err != nil {
		return fmt.Errorf("going on with the radio at frame %d: %w", frame, err)
	}
	return nil
}

// stood takes what was sent in a frame, which all have done.
func (r *Radio) stood(frame int64) error {
	if r == nil {
		return nil
	}
	records, err := r.heard()
	r.steps.sent = append(r.steps.sent, sending{frame, records})
	return err
}

// back puts the air back to where it was before a frame. All consoles are there, but for those that are gone meanwhile.
func (r *Radio) back(frame int64, gone []ds.Seat) error {
	if r == nil {
		return nil
	}
	n := r.steps.notes[rollback.Place(frame)]
	if err := r.air.Restore(n.saved); err != nil {
		return fmt.Errorf("going back with the radio to frame %d: %w", frame, err)
	}
	for _, seat := range gone {
		if err := r.air.Dead(seat); err != nil {
			return err
		}
	}
	r.steps.before = n.before
	for len(r.steps.sent) > 0 && r.steps.sent[len(r.steps.sent)-1].frame >= frame {
		r.steps.sent = r.steps.sent[:len(r.steps.sent)-1]
	}
	return nil
}

// dead tells the air that a console is gone, which may have heard so before it was put back to a resync's: a console
// that ends while consoles are made alike is one of them by then.
func (r *Radio) dead(seat ds.Seat) {
	if r != nil {
		_ = r.air.Dead(seat) // one that cannot be told fails at its next use
	}
}

// confirm takes down what was sent in a frame that is confirmed.
func (r *Radio) confirm(frame int64) error {
	if r == nil {
		return nil
	}
	for len(r.steps.sent) > 0 && r.steps.sent[0].frame <= frame {
		if err := r.record(r.steps.sent[0].records); err != nil {
			return err
		}
		r.steps.sent = r.steps.sent[1:]
	}
	return nil
}
