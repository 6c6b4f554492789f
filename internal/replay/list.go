package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/savestate"
)

// Entry is a recording in a folder.
type Entry struct {
	Path   string
	Head   *Head // nil if it cannot be read
	Frames int64 // that can be played
	Size   int64 // bytes
	Ended  bool
	Shot   []byte // a picture of the game, PNG by its maker's word; nil for none
	Err    error  // why it cannot be read
}

// List reads the heads of all recordings in a folder, the newest last. A folder
// that is not there has none.
func List(dir string) ([]Entry, error) { return listed(dir, Extension, "recordings", entry) }

// listed reads the files in a folder that have an extension, the newest last.
func listed[F interface{ began() time.Time }](dir, extension, what string, read func(path string) F) ([]F, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for %s: %w", what, err)
	}
	var list []F
	for _, f := range files {
		if strings.HasSuffix(f.Name(), extension) && !f.IsDir() {
			list = append(list, read(filepath.Join(dir, f.Name())))
		}
	}
	slices.SortStableFunc(list, func(a, b F) int { return a.began().Compare(b.began()) })
	return list, nil
}

func entry(path string) Entry {
	l, err := Open(path)
	if err != nil {
		return Entry{Path: path, Err: err}
	}
	defer l.Close()
	return Entry{Path: path, Head: &l.Head, Frames: l.Length(), Size: l.Size, Ended: l.Ended, Shot: l.Shot}
}

func (e Entry) began() time.Time { return e.Head.began() }

// began returns the time at which the game began; of a file that cannot be read, long ago.
func (h *Head) began() time.Time {
	if h == nil {
		return time.Time{}
	}
	return h.Began
}

// OpenMoment opens a kept moment, all of which must be there.
func OpenMoment(path string) (*Log, error) {
	l, err := Open(path)
	if err != nil {
		return nil, err
	}
	if err := l.isMoment(); err != nil {
		l.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

func (l *Log) isMoment() error {
	switch {
	case l.Moment == nil:
		return ErrNotAMoment
	case l.Cut != "" || !l.Ended || l.whole < 1:
		return errors.New("the kept moment is not whole")
	}
	for _, s := range l.Seats {
		if _, has := s.Start.Part(savestate.KindState); !has {
			return fmt.Errorf("the kept moment has no state of seat %v", s.Plan.Seat)
		}
	}
	return nil
}

// A KeptFile is a kept moment in a folder.
type KeptFile struct {
	Path   string
	Head   *Head   // nil if it cannot be read
	Moment *Moment // the same
	Kept   room.Kept
	Err    error // why it cannot be read
}

// Moments lists the kept moments in a folder, the newest first. A folder that is not there has
// none.
func Moments(dir string) ([]KeptFile, error) {
	list, err := listed(dir, MomentExtension, "kept moments", ReadMoment)
	slices.Reverse(list)
	return list, err
}

// Name returns a player's name for it; "" for none.
func (e KeptFile) Name() string {
	base := strings.TrimSuffix(filepath.Base(e.Path), MomentExtension)
	if e.Head == nil {
		return base
	}
	if name := given(base, momentName(e.Head, e.Moment.Name)); name != "" {
		return name
	}
	return e.Moment.Name
}

// ReadMoment reads what one file has.
func ReadMoment(path string) KeptFile {
	l, err := OpenMoment(path)
	if err != nil {
		return KeptFile{Path: path, Err: err}
	}
	defer l.Close()
	return KeptFile{Path: path, Head: &l.Head, Moment: l.Moment, Kept: l.Kept()}
}

func (e KeptFile) began() time.Time { return e.Head.began() }
