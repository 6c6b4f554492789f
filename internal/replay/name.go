package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

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
	case name[0] == '.' || !filepath.IsLocal(name) || strings.ContainsFunc(name, func(r rune) bool { return r == '/' || r == utf8.RuneError || !unicode.IsPrint(r) }):
		return fmt.Errorf("%q cannot be the name of a file", name)
	case windows && strings.ContainsAny(name, `\:*?"<>|`):
		return errors.New(`the name of a file cannot have any of \ / : * ? " < > |`)
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
