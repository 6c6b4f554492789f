package saves

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// Save is one save in a list.
type Save struct {
	Meta
	Number    int
	Current   bool  // a game starts from it
	Confirmed bool  // it was committed; false for one that a game left when it ended badly
	Damage    error // why it cannot be used, nil for a good one; then Meta may be empty
}

// listOf returns all saves in a folder, the one with the highest number first: that is the
// order in which they were made, whatever the clock showed.
func listOf(dir string) ([]Save, error) {
	c, err := scan(dir)
	if err != nil {
		return nil, fmt.Errorf("listing saves: %w", err)
	}
	now := c.current()
	var list []Save
	for _, e := range c.entries {
		list = append(list, Save{Meta: e.meta, Number: e.n, Current: e == now, Confirmed: !e.pending, Damage: e.damage})
	}
	return list, nil
}

// Read returns a save, raw.
func (s *Store) Read(number int) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return readOf(s.dir, number)
}

func readOf(dir string, number int) ([]byte, error) {
	c, err := scan(dir)
	if err != nil {
		return nil, err
	}
	e := c.find(number)
	if e == nil {
		return nil, fmt.Errorf("save %d: %w", number, ErrNoSave)
	}
	return e.read(dir)
}

// Restore makes an older save, or one that was not confirmed, the current one
// again. It becomes a new save with the highest number; the one that it replaces
// stays as a generation.
func (s *Store) Restore(number int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.restore(number); err != nil {
		return fmt.Errorf("restoring save %d of %s: %w", number, s.name(), err)
	}
	return nil
}

func (s *Store) restore(number int) error {
	c, err := scan(s.dir)
	if err != nil {
		return err
	}
	e := c.find(number)
	if e == nil {
		return ErrNoSave
	}
	sram, err := e.read(s.dir)
	if err != nil {
		return err
	}
	m := s.meta(sram, Restored, fmt.Sprintf("save %d", number))
	m.Room, m.Players, m.Frame = e.meta.Room, slices.Clone(e.meta.Players), e.meta.Frame
	return s.replace(sram, m)
}

// Import makes backup memory, raw, the current save. From is the name of the file
// that it comes from, for people.
func (s *Store) Import(sram []byte, from string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	sram = slices.Clone(sram)
	if err := s.replace(sram, s.meta(sram, Imported, filepath.Base(from))); err != nil {
		return fmt.Errorf("importing a save of %s: %w", s.name(), err)
	}
	return nil
}

// replace is prepare and commit in one.
func (s *Store) replace(sram []byte, m Meta) error {
	if len(s.live) > 0 {
		return errors.New("a game is being saved")
	}
	if s.user != nil && s.lock != nil {
		if err := s.adopt(); err != nil {
			return err
		}
	}
	p, err := s.prepare(sram, m)
	if err != nil {
		return err
	}
	if p.n == 0 {
		return ErrSame
	}
	if err := p.commit(); err != nil {
		if dropped := p.drop(); !errors.Is(dropped, ErrCommitted) {
			err = errors.Join(err, dropped)
		}
		delete(s.live, p.n)
		return err
	}
	return nil
}
