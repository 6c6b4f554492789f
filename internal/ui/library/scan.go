package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/roms"
)

// The time between two reports of a scan's progress, also as a multiple of what a report takes, and between two times that
// what was read is kept.
const (
	tellEvery  = 100 * time.Millisecond
	tellFactor = 10
)

// run is one scan: headers first, with which the list fills, then the contents of the files.
func (s *Shelf) run(ctx context.Context, folders []string) {
	if p, err := s.library.Print(ctx); err == nil { // before: what changes meanwhile is found by a look
		s.watch.Know(p)
	}
	var games []Game
	var troubles []Trouble
	tell := s.teller(ctx)
	s.mu.Lock()
	before := s.walked
	s.mu.Unlock()
	walk, err := s.library.Scan(ctx, func(f emucore.Scanned) bool {
		for _, r := range f.ROMs {
			games = append(games, newGame(r))
		}
		for _, not := range f.Not {
			troubles = append(troubles, Trouble{not.Path, Why(not.Path, not)})
		}
		tell(false, func(l *List) { l.Read, l.Of = 0, 0 }, func() []Game { return s.withThose(games, before) })
		return true
	})
	if err != nil {
		return // given up
	}
	missing := slices.DeleteFunc(walk.Missing, func(path string) bool { return path == s.links })
	tell(true, func(l *List) { l.Troubles, l.Missing, l.Skipped = troubles, missing, walk.Skipped }, func() []Game { return games })
	var unread []*emucore.ROM
	for _, g := range games {
		if g.ROM.Unread() && g.ROM.Archive == "" {
			unread = append(unread, g.ROM)
		}
	}
	for i, r := range unread {
		if _, err := s.library.Read(ctx, r); err != nil && ctx.Err() == nil {
			troubles = append(troubles, Trouble{r.Path, Why(r.Path, err)})
		}
		if ctx.Err() != nil {
			break
		}
		tell(false, func(l *List) { l.Read, l.Of = i+1, len(unread) }, nil)
	}
	s.library.Save()
	tell(true, func(l *List) { l.Scanning, l.Read, l.Of, l.Troubles = false, 0, 0, troubles }, nil)
	debug.FreeOSMemory() // a scan takes several times what it leaves, and the window may then lie idle for hours
}

// teller returns what changes the list on behalf of a scan, now or where it was not told for a while, with the games
// that were found; nil: the same.
func (s *Shelf) teller(ctx context.Context) func(now bool, change func(*List), games func() []Game) {
	next := time.Time{}
	return func(now bool, change func(*List), games func() []Game) {
		began := time.Now()
		if !now && began.Before(next) {
			return
		}
		s.put(ctx, func(l *List) {
			change(l)
			if games != nil {
				s.walked = s.kept(games())
			}
			l.Games = once(s.walked)
		})
		next = time.Now().Add(max(tellEvery, tellFactor*time.Since(began)))
	}
}

// withThose are games and those of before that are at other paths: a scan finds these again, or they are gone at its end.
func (s *Shelf) withThose(games, before []Game) []Game {
	found := make(map[string]bool, len(games))
	for _, g := range games {
		found[g.ROM.Path], found[s.target(g.ROM.Path)] = true, true
	}
	list := slices.Clone(games)
	for _, g := range before {
		if !found[g.ROM.Path] {
			list = append(list, g)
		}
	}
	return list
}

// kept are games with what is known of them meanwhile. The shelf is locked.
func (s *Shelf) kept(games []Game) []Game {
	read := map[string]Game{}
	for _, g := range s.walked {
		if !g.ROM.Unread() {
			read[s.target(g.ROM.Path)] = g
		}
	}
	games = slices.Clone(games)
	for i, g := range games {
		if k, is := read[s.target(g.ROM.Path)]; is && g.ROM.Unread() && k.ROM.FileSize == g.ROM.FileSize && s.library.Knows(k.ROM) {
			games[i] = k
		}
	}
	return games
}

// once are the games by title, each contents once: a file of its own rather than one in an archive.
func once(walked []Game) []Game {
	at := make(map[[32]byte]int, len(walked))
	list := make([]Game, 0, len(walked))
	for _, g := range walked {
		key := g.Key()
		i, there := at[key]
		switch {
		case !there:
			at[key] = len(list)
			list = append(list, g)
		case list[i].ROM.Archive != "" && g.ROM.Archive == "":
			list[i] = g
		}
	}
	Sort(list, nil)
	tellApart(list)
	return list
}

// known takes a game that was read.
func (s *Shelf) known(r *emucore.ROM) {
	s.mu.Lock()
	i := slices.IndexFunc(s.walked, func(g Game) bool { return g.ROM.Path == r.Path })
	alone := !s.list.Scanning
	if i >= 0 {
		s.walked[i] = newGame(r)
		if alone {
			s.list.Games = once(s.walked)
		}
	}
	s.mu.Unlock()
	if i >= 0 && alone { // a scan tells itself
		s.changed()
	}
}

// Read reads all of a game of the list, so that it can be played.
func (s *Shelf) Read(ctx context.Context, g Game) (Game, error) {
	r, err := s.library.Read(ctx, g.ROM)
	if err != nil {
		return g, err
	}
	s.library.Save()
	return newGame(r), nil
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

// Why says in words what is wrong with a file that is no game.
func Why(path string, err error) string {
	var not *emucore.NotROMError
	switch strings.ToLower(filepath.Ext(path)) {
	case ".rar", ".gz", ".xz", ".zst":
		return "nettplay cannot open this kind of archive. Unpack it and use the .nds file inside, or pack that as .zip or .7z."
	case ".sav", ".dsv":
		return "It is a save, not a game."
	}
	switch {
	case errors.As(err, &not) && filepath.Base(not.Path) != filepath.Base(path): // in an archive
		return phrase.Ended(filepath.Base(not.Path) + ": " + not.Why)
	case errors.As(err, &not):
		return phrase.Sentence(not.Why)
	case errors.Is(err, fs.ErrNotExist):
		return "The file is gone."
	case errors.Is(err, fs.ErrPermission):
		return "You have no permission to read this file."
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
