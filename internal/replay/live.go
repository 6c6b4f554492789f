package replay

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/nettplay/nettplay/internal/disk"
)

// A Live is a log that comes from elsewhere, piece by piece, while the game runs. It
// keeps the pieces in a file that has no name any more, so that nothing of it is left
// behind, whatever becomes of the process. Write comes from one goroutine; the log is
// read on another.
type Live struct {
	file *os.File

	mu   sync.Mutex
	size int64
	over bool // nothing more comes
}

// NewLive makes an empty one in a folder, "" for that of temporary files.
func NewLive(dir string) (*Live, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	f, err := disk.Nameless(dir)
	if err != nil {
		return nil, fmt.Errorf("keeping what is watched: %w", err)
	}
	return &Live{file: f}, nil
}

// Size returns the bytes that have come: where the next piece must begin.
func (l *Live) Size() int64 {
	size, _ := l.now()
	return size
}

// Write adds a piece. It is an error if it does not begin where the last one ended, or
// makes the log longer than any log is.
func (l *Live) Write(at int64, b []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case at != l.size:
		return fmt.Errorf("a piece of a log for byte %d, after %d bytes", at, l.size)
	case at+int64(len(b)) > maxFile:
		return fmt.Errorf("a log of more than %d bytes", int64(maxFile))
	case l.over:
		return errors.New("a piece of a log that is over")
	}
	if _, err := l.file.WriteAt(b, at); err != nil {
		return fmt.Errorf("keeping what is watched: %w", err)
	}
	l.size += int64(len(b))
	return nil
}

// End says that nothing more comes.
func (l *Live) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
}

// now returns the bytes that there are, and whether that is all.
func (l *Live) now() (size int64, over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.size, l.over
}

// Log opens what has come so far. ErrShort says that the head is not here yet. The log is
// valid until the Live is closed.
func (l *Live) Log() (*Log, error) {
	log := &Log{Path: "of the room", file: l.file, close: func() error { return nil }, live: l}
	size, _ := l.now()
	if size < int64(headerSize) {
		return nil, ErrShort
	}
	err := log.scan(size)
	if errors.Is(err, errNoHead) && size < maxHead+int64(headerSize)+16 {
		return nil, ErrShort
	}
	if err != nil {
		return nil, fmt.Errorf("the room's log of the game: %w", err)
	}
	return log, nil
}

// ErrShort says that the beginning of a log has not come yet.
var ErrShort = errors.New("the game's log has not begun yet")

// Close forgets everything.
func (l *Live) Close() error { return l.file.Close() }

// Grow looks for more of a log that is still being written, and tells whether there was
// any. The log's own figures are those of that moment. Only the goroutine that reads the log
// and its cursors may call it.
func (l *Log) Grow() (bool, error) {
	if l.live == nil {
		return false, nil
	}
	size, _ := l.live.now()
	return l.growTo(size)
}

// growTo looks at the blocks up to a size.
func (l *Log) growTo(size int64) (bool, error) {
	before := l.Size
	if size <= before || size == l.looked {
		return false, nil
	}
	l.looked, l.Cut = size, ""
	s := newScanner(l.file, before, size)
	if err := l.scanBlocks(s); err != nil {
		return false, fmt.Errorf("the room's log of the game: %w", err)
	}
	if size-l.Size > maxBlock+16 {
		return false, fmt.Errorf("the room's log of the game is damaged after %d bytes", l.Size)
	}
	return l.Size > before, nil
}

// Live reports whether more of the log can still come: after its end, too, as long as what consoles start from after
// a restart is not here.
func (l *Log) Live() bool {
	if l.live == nil || l.Complete() {
		return false
	}
	size, over := l.live.now()
	return !over || size > l.looked
}

// again lets a cursor go on that had come to the end of a log which has grown since.
func (c *Cursor) again() {
	if l := c.log; errors.Is(c.err, io.EOF) && l.Size > c.s.at {
		c.s, c.err = newScanner(l.file, c.s.at, l.Size), nil
	}
}

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
