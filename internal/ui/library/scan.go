package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/roms"
)

// tellEvery is the time between two reports of a scan's progress.
const tellEvery = 100 * time.Millisecond

// run is one scan: names first, then contents, then what is wrong with the rest.
func (s *Shelf) run(ctx context.Context, folders []string) {
	if p, err := s.library.Print(ctx); err == nil { // before: what changes meanwhile is found by a look
		s.watch.Know(p)
	}
	names, missing := s.names(ctx, folders)
	s.put(ctx, func(l *List) {
		known := map[string]bool{}
		for _, g := range l.Games {
			known[g.ROM.Path] = true
		}
		l.Missing = missing
		l.Names = slices.DeleteFunc(slices.Clone(names), func(path string) bool { return known[path] })
	})
	var told time.Time
	roms, err := s.library.ListWith(ctx, func(files int) {
		if now := time.Now(); now.Sub(told) >= tellEvery {
			told = now
			s.put(ctx, func(l *List) { l.Read, l.Of = files, max(len(names), files) })
		}
	})
	if err != nil {
		return // given up
	}
	games := make([]Game, 0, len(roms))
	for _, r := range roms {
		games = append(games, newGame(r))
	}
	Sort(games, nil)
	s.put(ctx, func(l *List) { l.Games, l.Names, l.Read, l.Of = games, nil, 0, 0 })
	troubles := s.troubles(ctx, names, games)
	s.put(ctx, func(l *List) { l.Scanning, l.Troubles = false, troubles })
}

// put changes the list, on behalf of a scan that has not been ended.
func (s *Shelf) put(scan context.Context, change func(*List)) {
	s.mu.Lock()
	current := scan.Err() == nil
	if current {
		change(&s.list)
	}
	s.mu.Unlock()
	if current {
		s.changed()
	}
}

// names are the files that look like games, and the folders that do not exist.
func (s *Shelf) names(ctx context.Context, folders []string) (names, missing []string) {
	looked := 0
	for _, folder := range append(slices.Clone(folders), s.links) {
		if _, err := os.Stat(folder); err != nil {
			if folder != s.links {
				missing = append(missing, folder)
			}
			continue
		}
		_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			looked++
			switch {
			case ctx.Err() != nil || looked > emucore.MaxLibraryFiles:
				return fs.SkipAll
			case err != nil: // cannot be read: like an empty one
				return nil
			case path != folder && strings.HasPrefix(entry.Name(), "."):
				return skipIf(entry.IsDir())
			case entry.IsDir():
				return skipIf(depth(folder, path) > emucore.MaxLibraryDepth)
			case emucore.IsGameName(path):
				names = append(names, path)
			}
			return nil
		})
	}
	return names, missing
}

func skipIf(is bool) error {
	if is {
		return fs.SkipDir
	}
	return nil
}

// depth returns the number of folders that a path is below another.
func depth(folder, path string) int {
	rel, err := filepath.Rel(folder, path)
	if err != nil || rel == "." {
		return 0
	}
	return strings.Count(rel, string(filepath.Separator)) + 1
}

// troubles says what is wrong with the files that are no games. A second copy of
// a game is nothing wrong.
func (s *Shelf) troubles(ctx context.Context, names []string, games []Game) (list []Trouble) {
	good := map[string]bool{}
	for _, g := range games {
		good[g.ROM.Path] = true
	}
	for _, path := range names {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			if filepath.Dir(path) == filepath.Clean(s.links) {
				continue // a game that was added from a disk that is not there now
			}
			list = append(list, Trouble{path, Why(path, err)})
			continue
		}
		if good[path] || good[real] || ctx.Err() != nil {
			continue
		}
		if _, err := emucore.OpenROM(path); err != nil {
			list = append(list, Trouble{path, Why(path, err)})
		}
	}
	return list
}

// Why says in words what is wrong with a file that is no game.
func Why(path string, err error) string {
	var not *emucore.NotROMError
	switch strings.ToLower(filepath.Ext(path)) {
	case ".zip", ".7z", ".rar", ".gz", ".xz":
		return "It is packed. Unpack it, and take the .nds file that is inside."
	case ".sav", ".dsv":
		return "It is a save, not a game."
	}
	switch {
	case errors.As(err, &not):
		return phrase.Sentence(not.Why)
	case errors.Is(err, fs.ErrNotExist):
		return "The file is not there any more."
	case errors.Is(err, fs.ErrPermission):
		return "You may not read this file."
	}
	return phrase.Sentence(fmt.Sprintf("it cannot be read: %v", err))
}

// newGame reads a game's banner.
func newGame(r *emucore.ROM) Game {
	g := Game{ROM: r}
	g.Title, g.More = roms.Titles(r)
	if b, err := r.Banner(); err == nil {
		g.Icon = b.Icon
	}
	return g
}
