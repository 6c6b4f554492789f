package saves

import (
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/nettplay/nettplay/emucore/savefile"
)

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
	s := &Store{game: g, opt: o, live: map[int]bool{}, disk: steps{o.before}}
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

func (s *Store) open(dir string) (err error) {
	if s.opt.File != "" {
		if s.user, err = openUserFile(s.opt.File, s.disk); err != nil {
			return err
		}
		s.opt.File = s.user.path
	}
	s.dir, s.game = folder(dir, s.game, s.opt.Console, s.opt.File)
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

// Current returns the save that a game starts from, raw, and what is known of it;
// nil and nil when there is none, or it is blank. A save that is not what was written is a
// *DamagedError: going back to an older one is the player's decision.
func (s *Store) Current() ([]byte, *Meta, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return nil, nil, ErrClosed
	}
	if s.user != nil {
		sram, err := s.user.memory()
		if err == nil && sram == nil {
			return nil, nil, nil // the player may have taken the file away
		}
		if err == nil {
			err = s.adopt()
		}
		if err != nil {
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
	if savefile.Blank(sram) {
		return nil, nil, nil
	}
	return sram, &e.meta, nil
}

// OpenOrCopy is Open for a game that is to be played in any case: while another process
// has the saves open, there is no store, but a copy of what is current to play with (nil
// for none), and the *InUseError to tell.
func OpenOrCopy(dir string, g Game, o Options) (store *Store, sram []byte, err error) {
	store, err = Open(dir, g, o)
	var inUse *InUseError
	if !errors.As(err, &inUse) {
		return store, nil, err
	}
	kept, lookErr := Peek(dir, g, o)
	if lookErr != nil || kept == nil || kept.Current() == nil {
		return nil, nil, err
	}
	sram, readErr := kept.Read(kept.Current().Number)
	return nil, sram, errors.Join(err, readErr)
}
