package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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

// Extension is the ending of recordings' names.
const Extension = ".nplog"

// create makes the file of a new recording.
func (c Config) create(h *Head) (f *os.File, err error) {
	path := c.Path
	if path == "" {
		if err := os.MkdirAll(c.Folder, 0o700); err != nil {
			return nil, err
		}
		path = filepath.Join(c.Folder, FileName(h))
	}
	err = firstFree(path, func(path string) (err error) {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	})
	return f, err
}

// firstFree tries a path, and then the same with rising numbers, until try finds no file there.
func firstFree(path string, try func(path string) error) error {
	base := strings.TrimSuffix(path, filepath.Ext(path))
	for n := 2; n < 1000; n++ {
		if err := try(path); !errors.Is(err, fs.ErrExist) {
			return err
		}
		path = fmt.Sprintf("%s-%d%s", base, n, filepath.Ext(path))
	}
	return fmt.Errorf("there are a thousand files like %s", path)
}

// FileName returns the name of a game's recording, by time, game and the players who begin it, as in "2026-11-21
// 18.30.05 Mario Kart DS (Ann, Ben).nplog".
func FileName(h *Head) string {
	who := plain(strings.Join(h.beginners(), ", "), 80)
	return fmt.Sprintf("%s %s (%s)%s", h.Began.Format("2006-01-02 15.04.05"), plain(h.Game(), 60), who, Extension)
}

// plain makes a text fit for a file's name on any system: letters, digits and
// harmless marks, at most so many bytes.
func plain(s string, limit int) string {
	var b strings.Builder
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" ,-_'!&+", r) {
			r = '_'
		}
		if b.Len()+utf8.RuneLen(r) > limit {
			break
		}
		b.WriteRune(r)
	}
	if s = strings.TrimSpace(b.String()); s == "" {
		return "_"
	}
	return s
}

// nameLimit bounds the name of a recording, in bytes, without its extension.
const nameLimit = 150

// Name returns a player's name for the recording; "" if it has the name of [FileName].
func (e Entry) Name() string {
	base := strings.TrimSuffix(filepath.Base(e.Path), Extension)
	if e.Head == nil {
		return base
	}
	return given(base, strings.TrimSuffix(FileName(e.Head), Extension))
}

// given is the name of a file that a player chose; "" for the usual one, of any time zone.
func given(base, usual string) string {
	const at = len("2006-01-02 15.04.05 ")
	usual = usual[at:]
	if _, err := time.Parse("2006-01-02 15.04.05 ", base[:min(at, len(base))]); err == nil {
		if rest, ok := strings.CutPrefix(base[at:], usual); ok && strings.Trim(rest, "-0123456789") == "" {
			return ""
		}
	}
	return base
}

// nameable tells why a name cannot be that of a file; nil: it can.
func nameable(name string, windows bool) error {
	switch {
	case name == "":
		return errors.New("it needs a name")
	case len(name) > nameLimit:
		return fmt.Errorf("the name has %d bytes, more than %d", len(name), nameLimit)
	case windows && strings.ContainsAny(name, `\:*?"<>|`):
		return errors.New(`the name of a file cannot have any of \ / : * ? " < > |`)
	case name[0] == '.' || !filepath.IsLocal(name) || strings.ContainsFunc(name, func(r rune) bool { return r == '/' || r == utf8.RuneError || !unicode.IsPrint(r) }):
		return fmt.Errorf("%q cannot be the name of a file", name)
	}
	return nil
}

// Rename gives a recording, or a kept moment, another name, without extension, in its folder, and returns its
// path then. Another file is not replaced: that is an error that wraps fs.ErrExist.
func Rename(path, name string) (string, error) {
	name = strings.TrimSpace(name)
	if err := nameable(name, runtime.GOOS == "windows"); err != nil {
		return "", err
	}
	to := filepath.Join(filepath.Dir(path), name+filepath.Ext(path))
	if to == path {
		return path, nil
	}
	if _, err := os.Lstat(to); err == nil {
		return "", fmt.Errorf("rename to %s: %w", filepath.Base(to), fs.ErrExist)
	}
	return to, os.Rename(path, to)
}
