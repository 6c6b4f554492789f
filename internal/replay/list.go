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
)

// Entry is a recording in a folder.
type Entry struct {
	Path   string
	Head   *Head // nil if it cannot be read
	Frames int64 // that can be played
	Size   int64 // bytes
	Ended  bool
	Err    error // why it cannot be read
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
	return Entry{Path: path, Head: &l.Head, Frames: l.Length(), Size: l.Size, Ended: l.Ended}
}

func (e Entry) began() time.Time { return e.Head.began() }

// began returns the time at which the game began; of a file that cannot be read, long ago.
func (h *Head) began() time.Time {
	if h == nil {
		return time.Time{}
	}
	return h.Began
}
