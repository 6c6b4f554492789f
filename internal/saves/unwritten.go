package saves

import (
	"errors"
	"path/filepath"
	"slices"
	"sync"
)

// Unwritten are saves that the disk did not take, because it is full, say. They stay in
// memory, the newest of each place, and games begin with them, until they are written. Its
// methods may be called from any goroutine. The zero value is empty.
type Unwritten struct {
	mu   sync.Mutex
	list []*unwritten
}

// unwritten is one of them.
type unwritten struct {
	store   *Store // where it belongs; it may be closed by now
	frame   int64
	sram    []byte
	about   About
	current bool // all machines agree on it: it is to be the current save
	why     error
}

// An UnwrittenSave says what is in memory only.
type UnwrittenSave struct {
	Name string // of the game, or the file
	Why  error  // the last try failed
}

// Keep keeps a save of a store that could not be written. One from before, of the same
// place, is given up.
func (u *Unwritten) Keep(s *Store, frame int64, sram []byte, about About, current bool, why error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.forget(s)
	u.list = append(u.list, &unwritten{store: s, frame: frame, sram: sram, about: about, current: current, why: why})
}

// Forget gives up what a store did not take, since it has something newer.
func (u *Unwritten) Forget(s *Store) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.forget(s)
}

func (u *Unwritten) forget(s *Store) {
	u.list = slices.DeleteFunc(u.list, func(e *unwritten) bool { return e.store.dir == s.dir })
}

// Start tries once more to write what belongs to a store. It returns what a game begins
// with if that failed again, and nil if it begins with the current save.
func (u *Unwritten) Start(s *Store) []byte {
	u.mu.Lock()
	defer u.mu.Unlock()
	i := slices.IndexFunc(u.list, func(e *unwritten) bool { return e.store.dir == s.dir })
	if i < 0 {
		return nil
	}
	e := u.list[i]
	if e.why = e.write(s); e.why == nil {
		u.forget(s)
		return nil
	}
	if !e.current {
		return nil
	}
	return e.sram
}

// Retry tries to write all of them once more, and returns why that failed again.
func (u *Unwritten) Retry() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	var all error
	for _, e := range slices.Clone(u.list) {
		if e.why = e.retry(); e.why == nil {
			u.forget(e.store)
		}
		all = errors.Join(all, e.why)
	}
	return all
}

// List says what is in memory only.
func (u *Unwritten) List() []UnwrittenSave {
	u.mu.Lock()
	defer u.mu.Unlock()
	var list []UnwrittenSave
	for _, e := range u.list {
		list = append(list, UnwrittenSave{Name: e.store.name(), Why: e.why})
	}
	return list
}

// retry writes a save to its store, which is opened again if it is closed.
func (e *unwritten) retry() error {
	err := e.write(e.store)
	if !errors.Is(err, ErrClosed) {
		return err
	}
	s, err := Open(filepath.Dir(e.store.dir), e.store.game, e.store.opt)
	if err != nil {
		return err
	}
	return errors.Join(e.write(s), s.Close())
}

func (e *unwritten) write(s *Store) error {
	p, err := s.Prepare(e.frame, e.sram, e.about)
	if err != nil || !e.current {
		return err
	}
	if err := p.Commit(); err != nil {
		_ = p.Drop() // the next try prepares another one
		return err
	}
	return nil
}
