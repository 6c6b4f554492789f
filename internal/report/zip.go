package report

import (
	"archive/zip"
	"cmp"
	"compress/flate"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nettplay/nettplay/internal/disk"
)

// Part is one file of a report.
type Part struct {
	Name  string
	Write func(io.Writer) error
}

// Text is a part that is there already.
func Text(name, text string) Part { return Bytes(name, []byte(text)) }

// Bytes is a part that is there already.
func Bytes(name string, b []byte) Part {
	return Part{name, func(w io.Writer) error { _, err := w.Write(b); return err }}
}

// Copy is a part that is the beginning of a file.
func Copy(name, path string, size int64) Part {
	return Part{name, func(w io.Writer) error {
		f, _, err := disk.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, io.LimitReader(f, size))
		return err
	}}
}

// Write makes a report of some parts, in their order. Nothing is left behind when it
// fails. It takes about a second for 50 MB.
func Write(path string, parts ...Part) error {
	return write(path, nil, parts)
}

// Add puts further parts into a report.
func Add(path string, parts ...Part) error {
	old, err := zip.OpenReader(path)
	if err != nil {
		return fmt.Errorf("adding to the bug report %s: %w", path, err)
	}
	defer old.Close()
	return write(path, old, parts)
}

// write makes a report of what an old one has, if there is one, and further parts. It closes the old one, since Windows
// replaces no file that is open.
func write(path string, old *zip.ReadCloser, parts []Part) error {
	err := disk.WriteFunc(path, 0o600, func(w io.Writer) error {
		z := zip.NewWriter(w)
		z.RegisterCompressor(zip.Deflate, quickly)
		if old != nil {
			for _, f := range old.File {
				if err := z.Copy(f); err != nil {
					return fmt.Errorf("%s: %w", f.Name, err)
				}
			}
			old.Close()
		}
		for _, part := range parts {
			f, err := z.CreateHeader(&zip.FileHeader{Name: part.Name, Method: zip.Deflate, Modified: time.Now()})
			if err == nil {
				err = part.Write(f)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", part.Name, err)
			}
		}
		return z.Close()
	})
	if err != nil {
		return fmt.Errorf("writing the bug report %s: %w", path, err)
	}
	return nil
}

// quickly packs with little effort: a report is often written while a game runs, and more
// effort shrinks consoles' memory, which is most of it, only a little more.
func quickly(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) }

// Limits of a folder of reports.
const (
	KeepReports = 5
	KeepBytes   = 1 << 30
)

// extension is the ending of reports' names.
const extension = ".zip"

// Place makes a folder, if it is not there, and returns a name for a new report in it
// that no file has.
func Place(folder, game string, at time.Time) (string, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("making the folder for bug reports: %w", err)
	}
	base := filepath.Join(folder, at.Format(dated)+"-"+plain(game, 60))
	path := base + extension
	for n := 2; ; n++ {
		if _, err := os.Lstat(path); err != nil {
			return path, nil
		}
		path = fmt.Sprintf("%s-%d%s", base, n, extension)
	}
}

// plain makes a text fit for a file's name anywhere: letters, digits and dashes.
func plain(s string, limit int) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if b.Len()+1+len(word) > limit {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('-')
		}
		b.WriteString(word)
	}
	if b.Len() == 0 {
		return "game"
	}
	return b.String()
}

// Tidy removes the oldest reports of a folder until there are at most [KeepReports], and
// [KeepBytes] in all; the newest one always stays. Only what is called like a report is
// touched.
func Tidy(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var list []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && dateOf(e.Name()) != "" {
			list = append(list, info)
		}
	}
	slices.SortStableFunc(list, func(a, b fs.FileInfo) int {
		return cmp.Or(cmp.Compare(dateOf(b.Name()), dateOf(a.Name())), b.ModTime().Compare(a.ModTime()))
	})
	size := int64(0)
	for i, info := range list {
		if size += info.Size(); i > 0 && (i >= KeepReports || size > KeepBytes) {
			if err := os.Remove(filepath.Join(folder, info.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// dated is the beginning of reports' names, a time layout.
const dated = "2006-01-02-150405"

// dateOf is the date of a report by its name, "" if it is none.
func dateOf(name string) string {
	if !strings.HasSuffix(name, extension) || len(name) < len(dated)+1 || name[len(dated)] != '-' {
		return ""
	}
	if _, err := time.Parse(dated, name[:len(dated)]); err != nil {
		return ""
	}
	return name[:len(dated)]
}
