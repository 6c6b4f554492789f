package replay

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/nettplay/nettplay/internal/disk"
)

// A Tail reads a log while it is written, for spectators, some time later. It
// gives out a log's bytes, and nothing of what happened in later frames than it may.
// Safe for concurrent use; it reads the disk.
type Tail struct {
	mu    sync.Mutex
	file  *os.File
	path  string
	log   *Log   // nil before its head is there
	open  int64  // bytes that may be given out
	later []span // what may not yet
}

// span is a piece of a log with the inputs of frames before frame, up to a byte.
type span struct{ end, frame int64 }

// OpenTail opens the log that a recorder writes.
func OpenTail(path string) (*Tail, error) {
	f, _, err := disk.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the recording for those who watch: %w", err)
	}
	return &Tail{file: f, path: path}, nil
}

// Close lets go of the file.
func (t *Tail) Close() error { return t.file.Close() }

// Read gives out at most limit bytes from a place on, of what happened before a frame. All returns the
// bytes that may be given out by now; ended tells that the log is at its end, and that all of it may
// be.
func (t *Tail) Read(at, frame int64, limit int) (b []byte, all int64, ended bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.update(); err != nil {
		return nil, 0, false, err
	}
	for len(t.later) > 0 && t.later[0].frame <= frame {
		t.open = t.later[0].end
		t.later = t.later[1:]
	}
	ended = t.log != nil && t.log.Ended && len(t.later) == 0
	if at < 0 || at >= t.open {
		return nil, t.open, ended, nil
	}
	b = make([]byte, min(int64(limit), t.open-at))
	if _, err := t.file.ReadAt(b, at); err != nil {
		return nil, 0, false, fmt.Errorf("reading the recording for those who watch: %w", err)
	}
	return b, t.open, ended, nil
}

// update takes note of what was written since the last time.
func (t *Tail) update() error {
	info, err := t.file.Stat()
	if err != nil {
		return fmt.Errorf("reading the recording for those who watch: %w", err)
	}
	if t.log == nil {
		log := &Log{Path: t.path, file: t.file, close: func() error { return nil }, watch: t.note}
		switch err := log.scan(info.Size()); {
		case errors.Is(err, errNoHead), errors.Is(err, ErrNotALog):
			return nil // not yet
		case err != nil:
			return err
		}
		t.log = log
		return nil
	}
	_, err = t.log.growTo(info.Size())
	return err
}

// note takes a block: what is in it may be seen with the frames in it.
func (t *Tail) note(l *Log, end int64) {
	frame := int64(0)
	for _, e := range l.ends {
		frame = max(frame, e.frames)
	}
	if n := len(t.later); n > 0 && t.later[n-1].frame == frame {
		t.later[n-1].end = end
		return
	}
	t.later = append(t.later, span{end, frame})
}
