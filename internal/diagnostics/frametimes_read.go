package diagnostics

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"github.com/nettplay/nettplay/internal/ds"
)

const (
	// maxFile is the size in bytes of the largest file that ReadFrameTimes takes.
	maxFile = 512 << 20
	// maxTime bounds a time in microseconds, before the epoch or after it: 35 years. No sum of some of
	// them overflows.
	maxTime = 1 << 50
	// maxEpoch is the year 2112, in microseconds.
	maxEpoch = 1 << 52
)

// ReadFrameTimes reads what Write wrote. It refuses what no [FrameRecorder] writes: more frames than one keeps,
// frames, seats and delays that no game has. An error names the field.
func ReadFrameTimes(from io.Reader) (t FrameTimes, err error) {
	if err := json.NewDecoder(io.LimitReader(from, maxFile)).Decode(&t); err != nil {
		return t, fmt.Errorf("reading the times of frames: %w", err)
	}
	if err := t.check(); err != nil {
		return FrameTimes{}, fmt.Errorf("reading the times of frames: %w", err)
	}
	return t, nil
}

func (t *FrameTimes) check() error {
	switch {
	case t.Version != FrameTimesVersion:
		return fmt.Errorf("version %d, this is %d", t.Version, FrameTimesVersion)
	case t.Epoch < 0 || t.Epoch > maxEpoch:
		return fmt.Errorf("epoch_us: %d is out of range", t.Epoch)
	case len(t.Delays) > maxFrames:
		return fmt.Errorf("delays: %d of them", len(t.Delays))
	case len(t.Seats) > ds.MaxSeats:
		return fmt.Errorf("seats: %d of them", len(t.Seats))
	}
	for _, d := range t.Delays {
		if d.Frame < 0 || d.Frame > ds.MaxFrame || d.Delay < 0 || d.Delay > ds.MaxDelay {
			return fmt.Errorf("delays: %d from frame %d on", d.Delay, d.Frame)
		}
	}
	if err := cmp.Or(t.Due.check("due"), t.Begun.check("begun")); err != nil {
		return err
	}
	known := map[ds.Seat]bool{}
	for i := range t.Seats {
		s := &t.Seats[i]
		if s.Seat < 0 || s.Seat >= ds.MaxSeats || known[s.Seat] {
			return fmt.Errorf("seat: %d is out of range, or there twice", int(s.Seat))
		}
		known[s.Seat] = true
		if err := cmp.Or(s.Arrived.check("arrived"), s.Shown.check("shown")); err != nil {
			return err
		}
	}
	return nil
}

func (s *Series) check(name string) error {
	if s.First < 0 || s.First > ds.MaxFrame || len(s.US) > maxFrames {
		return fmt.Errorf("%s: %d frames from frame %d on", name, len(s.US), s.First)
	}
	for i, us := range s.US {
		if us < -maxTime || us > maxTime {
			return fmt.Errorf("%s: frame %d at %d us", name, s.First+int64(i), us)
		}
	}
	return nil
}
