package roms

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Links is a folder of links to games that were opened by their path. A library that looks there
// finds them by their contents, wherever they are.
type Links string

// MaxLinks is the number of games that are remembered: those that were opened last.
const MaxLinks = 256

// Keep remembers the game at path, which is absolute.
func (l Links) Keep(path string) error {
	if err := l.keep(path); err != nil {
		return fmt.Errorf("remembering where %s is: %w", path, err)
	}
	return nil
}

func (l Links) keep(path string) error {
	if err := os.MkdirAll(string(l), 0o700); err != nil {
		return err
	}
	known, err := l.list()
	if err != nil {
		return err
	}
	if l.hard(path) {
		return nil
	}
	name := l.freeName(path, known)
	if i := slices.IndexFunc(known, func(k linked) bool { return k.to == path }); i >= 0 {
		name = known[i].name
		known = slices.Delete(known, i, i+1)
	}
	for len(known) >= MaxLinks {
		if err := os.Remove(l.at(known[0].name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		known = known[1:]
	}
	next := l.at(".next") // libraries pass over what begins with a dot
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := point(next, path); err != nil {
		return err
	}
	return os.Rename(next, l.at(name))
}

// point makes a link to a file: a hard link where the system lets only administrators make symbolic ones, as Windows does,
// which works on one drive alone. Nobody counts those, since they take no room and cannot be told from a file.
func point(link, path string) error {
	err := os.Symlink(path, link)
	if to, _ := os.Readlink(link); err == nil && to == path {
		return nil
	}
	_ = os.Remove(link)
	if os.Link(path, link) == nil {
		return nil
	}
	return err
}

// hard tells whether one of the links is the file itself.
func (l Links) hard(path string) bool {
	file, err := os.Stat(path)
	if err != nil {
		return false
	}
	entries, _ := os.ReadDir(string(l))
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		st, err := os.Lstat(l.at(e.Name())) // what a folder says of its files is not enough to compare them on Wine
		return err == nil && os.SameFile(file, st)
	})
}

// Target is where a path leads that is one of the symbolic links; any other path is itself.
func (l Links) Target(path string) string {
	if l.holds(path) {
		if to, err := os.Readlink(path); err == nil {
			return to
		}
	}
	return path
}

// Leads tells whether a path is a file's own, or that of a link to it, also of a hard one.
func (l Links) Leads(from, path string) bool {
	if l.Target(from) == path {
		return true
	}
	if !l.holds(from) {
		return false
	}
	a, err := os.Lstat(from)
	b, err2 := os.Stat(path)
	return err == nil && err2 == nil && os.SameFile(a, b)
}

func (l Links) holds(path string) bool { return filepath.Dir(path) == filepath.Clean(string(l)) }

func (l Links) at(name string) string { return filepath.Join(string(l), name) }

// linked is one link.
type linked struct {
	name, to string
	made     time.Time
}

// list returns the links, the oldest first.
func (l Links) list() (list []linked, err error) {
	entries, err := os.ReadDir(string(l))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		to, err := os.Readlink(l.at(e.Name()))
		st, statErr := e.Info()
		if err != nil || statErr != nil || strings.HasPrefix(e.Name(), ".") {
			continue // no link of ours
		}
		list = append(list, linked{e.Name(), to, st.ModTime()})
	}
	slices.SortFunc(list, func(a, b linked) int { return cmp.Or(a.made.Compare(b.made), strings.Compare(a.name, b.name)) })
	return list, nil
}

// freeName returns a name like the file's that no link has: a game without a banner is called
// by it.
func (l Links) freeName(path string, known []linked) string {
	ext := filepath.Ext(path)
	base := strings.TrimLeft(strings.TrimSuffix(filepath.Base(path), ext), ".")
	name := base + ext
	for n := 2; ; n++ {
		if _, err := os.Lstat(l.at(name)); err != nil && !slices.ContainsFunc(known, func(k linked) bool { return k.name == name }) {
			return name
		}
		name = fmt.Sprintf("%s (%d)%s", base, n, ext)
	}
}
