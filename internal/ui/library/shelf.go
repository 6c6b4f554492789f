package library

import (
	"bytes"
	"context"
	"crypto/sha256"
	"image"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/emucore"
)

// Game is one game on the shelf.
type Game struct {
	ROM   *emucore.ROM    // unread while nobody has needed more than its header, which stays so for those in archives
	Title string          // what players call it
	More  string          // the other lines of its banner: a subtitle, who made it; may be ""
	Apart string          // in a list: what tells it apart from others of that title; "" where there are none
	Icon  *image.Paletted // 32x32 pixels, colour 0 is clear; nil when it has none
}

// Key tells games apart: the SHA-256 of its ROM, or while that is not known what stands for its path.
func (g Game) Key() [32]byte {
	if g.ROM.Unread() {
		return sha256.Sum256([]byte(g.ROM.Path))
	}
	return g.ROM.SHA256
}

// Is reports whether a SHA-256 names the game: that of its image, or of its file, by which earlier versions remembered it.
func (g Game) Is(sum [32]byte) bool {
	return !g.ROM.Unread() && (sum == g.ROM.SHA256 || sum == g.ROM.Other())
}

// Played is when the game was last played, of the times at which each game was, by SHA-256; zero for never.
func (g Game) Played(played map[[32]byte]time.Time) time.Time {
	if g.ROM.Unread() {
		return time.Time{}
	}
	at, before := played[g.ROM.SHA256], played[g.ROM.Other()]
	if before.After(at) {
		return before
	}
	return at
}

// Trouble is a file that looks like a game and cannot be played.
type Trouble struct {
	Path string
	Why  string // a sentence, without the path
}

// List is all that is known of the games at one moment. It is not to be changed.
type List struct {
	Scanning bool      // there may be more soon
	Read, Of int       // how many files a scan has read, of how many that it reads; 0 while it looks for more
	Games    []Game    // each contents once, as far as that is known, by title
	Troubles []Trouble // by path
	Missing  []string  // folders that do not exist
	Skipped  []emucore.Skipped
}

// Find returns a game by the SHA-256 of its ROM, nil where there is none. It is not to be changed.
func (l List) Find(rom [32]byte) *Game {
	i := slices.IndexFunc(l.Games, func(g Game) bool { return g.ROM.SHA256 == rom })
	if i < 0 {
		return nil
	}
	return &l.Games[i]
}

// Has reports whether a game is there, by the SHA-256 of its ROM.
func (l List) Has(rom [32]byte) bool { return l.Find(rom) != nil }

// MayHave reports whether a game may be there, by the SHA-256 of its ROM or the start of it, and its title: those that are unread
// go by that.
func (l List) MayHave(rom []byte, title string) bool {
	return slices.ContainsFunc(l.Games, func(g Game) bool {
		return !g.ROM.Unread() && bytes.HasPrefix(g.ROM.SHA256[:], rom) || g.ROM.Unread() && g.Title == title
	})
}

// Shelf is the games of some folders. All methods may be called from any
// goroutine.
type Shelf struct {
	links   string // folder of links to files that were added
	library *emucore.Library
	changed func()
	jobs    sync.WaitGroup
	life    context.Context // ends with Close
	end     context.CancelFunc

	mu      sync.Mutex // guards what follows
	folders []string   // absolute
	walked  []Game     // all that was found, in the order of the walk
	list    List
	stop    context.CancelFunc // ends the newest scan
	watch   emucore.Watch
	looks   bool      // a look runs
	rests   time.Time // until then there is none
}

// Open makes a shelf of the games that were opened by their path, which are links in
// the folder links; that folder is made when it is needed. changed is called, on
// goroutines of the shelf, when List has become another; it must not block. Nothing is
// looked at before Scan.
func Open(links string, changed func()) *Shelf {
	life, end := context.WithCancel(context.Background())
	s := &Shelf{
		links: links, changed: changed, stop: func() {}, life: life, end: end,
		library: emucore.NewLibrary([]string{links}),
	}
	s.library.Tell(s.known)
	return s
}

// Library finds the games of the shelf by their contents. It is for sessions,
// and shares with the shelf what is known of each file.
func (s *Shelf) Library() *emucore.Library { return s.library }

// List returns all that is known now.
func (s *Shelf) List() List {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list
}

// Scan looks through some folders (absolute), in the background; from now on the library
// has these. A scan that still runs ends. The list keeps its games until more is known.
func (s *Shelf) Scan(folders []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders = slices.Clone(folders)
	s.library.SetDirs(append(slices.Clone(folders), s.links))
	s.rescan()
}

// rescan scans the folders again. The shelf is locked.
func (s *Shelf) rescan() {
	if s.life.Err() != nil {
		return
	}
	folders := s.folders
	s.stop()
	ctx, stop := context.WithCancel(s.life)
	s.stop = stop
	s.list.Scanning = true
	s.jobs.Go(func() {
		defer stop()
		s.run(ctx, folders)
	})
}

// lookRest is the pause between two looks at the folders, as a multiple of the time that a look took:
// they may be on a slow disk, or large.
const lookRest = 20

// Look looks for files that have come, gone or changed since the last scan, in the background
// and without reading any. Once they rest, it scans. It is to be called every few seconds
// while somebody looks at the games.
func (s *Shelf) Look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil || s.looks || s.list.Scanning && s.list.Of == 0 || time.Now().Before(s.rests) {
		return
	}
	s.looks = true
	s.jobs.Go(func() {
		began := time.Now()
		p, err := s.library.Print(s.life)
		s.mu.Lock()
		s.looks, s.rests = false, time.Now().Add(lookRest*time.Since(began))
		if err == nil && s.watch.Changed(p) {
			s.rescan()
		}
		s.mu.Unlock()
	})
}

// Close ends the work of the shelf; when it returns, changed is not called any
// more. It may be called more than once.
func (s *Shelf) Close() {
	s.mu.Lock()
	s.end()
	s.mu.Unlock()
	s.jobs.Wait()
}
