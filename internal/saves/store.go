package saves

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	disk disk

	mu     sync.Mutex
	lock   *os.File // nil when closed
	user   *userFile
	live   map[int]bool // pending saves of this store
	newest int          // number of the newest pending save that was committed
}

// Open opens the saves of a game below dir, which is made if it is not there.
// Until Close no other process can; it gets an *InUseError. It first
// brings in order what a crash has left half done.
func Open(dir string, g Game, o Options) (*Store, error) {
	o.Console = max(o.Console, 1)
	if o.Console > maxPlayers {
		return nil, fmt.Errorf("opening saves: console %d, not 1 to %d", o.Console, maxPlayers)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Store{game: g, opt: o, live: map[int]bool{}, disk: disk{o.before}}
	_, _ = rand.Read(s.play[:]) // never fails
	if err := s.open(dir); err != nil {
		var used *InUseError
		if errors.As(err, &used) {
			return nil, err
		}
		return nil, fmt.Errorf("opening the saves of %s: %w", s.name(), err)
	}
	return s, nil
}

// name returns the saves' game, or file, in words.
func (s *Store) name() string {
	if s.opt.File != "" {
		return s.opt.File
	}
	return clean(s.game.Title, maxText)
}

func (s *Store) open(dir string) (err error) {
	if s.opt.File != "" {
		if s.user, err = openUserFile(s.opt.File, s.disk); err != nil {
			return err
		}
		s.opt.File = s.user.path
	}
	s.dir = folder(dir, s.game, s.opt.Console, s.opt.File)
	if err := s.disk.mkdir(s.dir); err != nil {
		return err
	}
	lock, err := lockFile(s.dir, s.name(), s.opt.Doing, s.opt.Now())
	if err != nil {
		return err
	}
	defer func() {
		if s.lock == nil {
			lock.Close()
		}
	}()
	if err := s.recover(); err != nil {
		return err
	}
	if err := s.ours(); err != nil {
		return err
	}
	s.lock = lock
	return nil
}

// ours makes sure that the folder is not of another game whose SHA-256 begins in
// the same way.
func (s *Store) ours() error {
	c, err := scan(s.dir)
	if err != nil || s.user != nil {
		return err
	}
	for _, e := range c.entries {
		if e.damage == nil && e.meta.ROM != s.game.SHA256 {
			return fmt.Errorf("the folder %s has saves of another game, %x", s.dir, e.meta.ROM)
		}
	}
	return nil
}

// folder is where the saves of a game are. A folder that is there is taken by what
// it is of, whatever title it has.
func folder(dir string, g Game, console int, file string) string {
	end := tail(g, console, file)
	list, _ := os.ReadDir(dir) // what cannot be read is not there yet, or fails later
	for _, e := range list {
		if e.IsDir() && strings.HasSuffix(e.Name(), end) {
			return filepath.Join(dir, e.Name())
		}
	}
	return filepath.Join(dir, folderName(g, console, file))
}

// recover brings in order what was cut off.
func (s *Store) recover() error {
	if err := s.disk.remove(filepath.Join(s.dir, newName)); err != nil {
		return err
	}
	c, err := scan(s.dir)
	if err != nil {
		return err
	}
	for _, n := range c.orphans {
		if err := s.disk.remove(numbered(s.dir, n, extSave)); err != nil {
			return err
		}
	}
	if s.user != nil {
		if err := s.recoverFile(c); err != nil {
			return err
		}
	}
	return s.tidy()
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

// Current returns the save that a game starts from, raw, and what is known of it;
// nil and nil when there is none yet. A save that is not what was written is a
// *DamagedError: going back to an older one is the player's decision.
func (s *Store) Current() ([]byte, *Meta, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return nil, nil, ErrClosed
	}
	if s.user != nil {
		if s.user.blank() {
			return nil, nil, nil // the player may have taken the file away
		}
		if err := s.adopt(); err != nil {
			return nil, nil, fmt.Errorf("reading your save: %w", err)
		}
	}
	c, err := scan(s.dir)
	e := c.current()
	if err == nil && e == nil {
		return nil, nil, nil
	}
	var sram []byte
	if err == nil {
		sram, err = e.read(s.dir)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading your save of %s: %w", s.name(), err)
	}
	return sram, &e.meta, nil
}

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
