package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Extension is how the names of recordings end.
const Extension = ".nplog"

// create makes the file of a new recording.
func (c Config) create(h *Head) (*os.File, error) {
	path := c.Path
	if path == "" {
		if err := os.MkdirAll(c.Folder, 0o700); err != nil {
			return nil, err
		}
		path = filepath.Join(c.Folder, FileName(h))
	}
	base := strings.TrimSuffix(path, filepath.Ext(path))
	for n := 2; n < 1000; n++ {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
		path = fmt.Sprintf("%s-%d%s", base, n, filepath.Ext(path))
	}
	return nil, fmt.Errorf("there are a thousand files like %s", path)
}

// FileName is what the recording of a game is called, by time, game and players, as in
// "2026-11-21 18.30.05 Mario Kart DS (Ann, Ben).nplog".
func FileName(h *Head) string {
	who := plain(strings.Join(h.Players(), ", "), 80)
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
