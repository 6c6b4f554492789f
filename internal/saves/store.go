package saves

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"os"
	"slices"
	"sync"
	"time"
)

// Errors of a Store.
var (
	ErrClosed     = errors.New("the saves are closed")
	ErrSuperseded = errors.New("a later save was committed already")
	ErrDropped    = errors.New("the save was dropped")
	ErrCommitted  = errors.New("the save is the current one already")
	ErrNoSave     = errors.New("there is no such save")
	ErrSame       = errors.New("it is the current save already")
	ErrEmpty      = errors.New("there is no backup memory to save")
)

// Options say which saves of a game are meant.
type Options struct {
	// Console is 2 and more for further consoles on this machine, which have saves
	// of their own; else 0 or 1.
	Console int
	// File makes the current save the file of this name, as the player wants it:
	// raw, or DeSmuME's if it ends in .dsv. It need not be there yet. Its kept
	// saves lie with the others; the last one is next to it too, in FILE.bak.
	File string
	// Doing is this process's name in words to others that find the saves in use.
	Doing string
	// Now is the wall clock; nil for the usual one.
	Now func() time.Time

	before func(step, path string) error // see disk
}

// Store is the open saves of one game. Its methods may be called from any
// goroutine; one waits for the other, and each for the disk.
type Store struct {
	dir  string
	game Game
	opt  Options
	play [8]byte
	disk steps

	mu     sync.Mutex
	lock   *os.File // nil when closed
	user   *userFile
	live   map[int]bool // pending saves of this store
	newest int          // number of the newest pending save that was committed
}

// name returns the saves' game, or file, in words.
func (s *Store) name() string {
	if s.opt.File != "" {
		return s.opt.File
	}
	return clean(cmp.Or(s.game.Called, s.game.Title), maxText)
}

// Close gives the saves free. A prepared save that was neither committed nor dropped
// stays, not confirmed. It may be called twice.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return nil
	}
	_ = s.lock.Truncate(0)
	err := s.lock.Close()
	s.lock = nil
	return err
}

// Folder is where the saves are kept, for words to the player.
func (s *Store) Folder() string { return s.dir }

// meta describes backup memory that is saved now.
func (s *Store) meta(sram []byte, origin Origin, from string) Meta {
	return Meta{
		ROM: s.game.SHA256, Title: clean(s.game.Title, maxText), Console: s.opt.Console, File: s.opt.File,
		Size: len(sram), SHA256: sha256.Sum256(sram), At: wallTime(s.opt.Now()),
		Origin: origin, From: clean(from, maxText), Play: s.play,
	}
}

// wallTime returns the part of a time that is kept: clocks may show anything, texts have four digits
// for the year.
func wallTime(t time.Time) time.Time {
	t = t.UTC().Truncate(time.Second)
	if y := t.Year(); y < 1 || y > 9999 {
		return time.Unix(0, 0).UTC()
	}
	return t
}

// tidy removes what need not be kept: what is surplus, and whatever was not
// confirmed but is the current save all the same. Saves that wait for their commit
// do not count.
func (s *Store) tidy() error {
	c, err := scan(s.dir)
	if err != nil {
		return err
	}
	still := slices.DeleteFunc(slices.Clone(c.entries), func(e *entry) bool { return s.live[e.n] })
	drop := surplus(still)
	if now := c.current(); now != nil && now.damage == nil {
		for _, e := range still {
			if e.pending && e.damage == nil && e.meta.SHA256 == now.meta.SHA256 {
				drop = append(drop, e)
			}
		}
	}
	for _, e := range drop {
		if err := s.disk.erase(s.dir, e.n, e.ext()); err != nil {
			return err
		}
	}
	return nil
}

// commitPending makes a pending save the committed one with the highest number.
func (s *Store) commitPending(c contents, e *entry, sram []byte) error {
	now := c.current()
	switch {
	case now == nil || now.n < e.n && now.meta.SHA256 != e.meta.SHA256 || now.damage != nil && now.n < e.n:
		return s.disk.rename(numbered(s.dir, e.n, extPending), numbered(s.dir, e.n, extCommitted))
	case now.meta.SHA256 != e.meta.SHA256 || now.damage != nil:
		// Something came between, from outside: numbers must go up.
		if err := s.disk.write(s.dir, c.next, extCommitted, sram, e.meta); err != nil {
			return err
		}
	}
	return s.disk.erase(s.dir, e.n, extPending)
}

// The bounds of a folder.
const (
	// Generations is the least number of saves kept before the current one, and the number of evenings
	// before those whose last one is kept.
	Generations = 10
	// MaxPending is the number of saves kept that were never committed: those prepared last.
	MaxPending = 10
	// MaxDeleted is the number of saves kept that the player deleted: the newest ones.
	MaxDeleted = 10
)

// surplus returns the saves that need not be kept, of entries with the highest
// number first. A game may save often: besides the newest, the last save of each
// evening (of each opened store) stays, lest one evening push out all before it.
func surplus(entries []*entry) (drop []*entry) {
	newest, evenings, pending, deleted := 0, 0, 0, 0
	seen := map[[8]byte]bool{}
	for _, e := range entries {
		if e.deleted {
			if deleted++; deleted > MaxDeleted {
				drop = append(drop, e)
			}
			continue
		}
		if e.pending {
			if pending++; pending > MaxPending {
				drop = append(drop, e)
			}
			continue
		}
		last := e.damage == nil && !seen[e.meta.Play]
		seen[e.meta.Play] = seen[e.meta.Play] || e.damage == nil
		switch {
		case newest <= Generations:
			newest++
		case last && evenings < Generations:
			evenings++
		default:
			drop = append(drop, e)
		}
	}
	return drop
}
