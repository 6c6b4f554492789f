package saves

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Save is one save in a list.
type Save struct {
	Meta
	Number    int
	Current   bool  // a game starts from it
	Blank     bool  // there is nothing in it: no game starts from it
	Confirmed bool  // it was committed; false for one that a game left when it ended badly
	Deleted   bool  // the player deleted it. It is kept, until [MaxDeleted] newer ones are deleted
	Damage    error // why it cannot be used, nil for a good one; then Meta may be empty
}

// listOf returns all saves in a folder, the one with the highest number first: that is the
// order in which they were made, whatever the clock showed.
func listOf(dir string, blanks blankSums) ([]Save, error) {
	c, err := scan(dir)
	if err != nil {
		return nil, fmt.Errorf("listing saves: %w", err)
	}
	now := c.current()
	var list []Save
	for _, e := range c.entries {
		blank := e.damage == nil && blanks.has(e.meta)
		list = append(list, Save{Meta: e.meta, Number: e.n, Current: e == now && !blank, Blank: blank, Confirmed: !e.pending, Deleted: e.deleted, Damage: e.damage})
	}
	return list, nil
}

// blankSums are the SHA-256 of blank saves by their size: a list tells them without reading them.
type blankSums map[int][2][32]byte

func (b blankSums) has(m Meta) bool {
	sums, known := b[m.Size]
	if !known {
		for i, v := range []byte{0, 0xff} {
			sums[i] = sha256.Sum256(bytes.Repeat([]byte{v}, m.Size))
		}
		b[m.Size] = sums
	}
	return m.SHA256 == sums[0] || m.SHA256 == sums[1]
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

// Delete has games start without a save. The one that is current now stays as an older one, and can
// be restored. Without one the error matches [ErrNoSave].
func (s *Store) Delete() error {
	sram, _, err := s.Current()
	if err == nil && sram == nil {
		err = ErrNoSave
	}
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		blank := bytes.Repeat([]byte{0xff}, len(sram))
		err = s.replace(blank, s.meta(blank, Deleted, ""))
	}
	if err != nil {
		return fmt.Errorf("deleting the save of %s: %w", s.name(), err)
	}
	return nil
}

// Discard deletes an older save, or one that was not confirmed. It stays in the list as one that is deleted, and can be
// restored; one that is deleted already goes for good. The save that a game begins with is for [Store.Delete].
func (s *Store) Discard(number int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.discard(number); err != nil {
		return fmt.Errorf("deleting save %d of %s: %w", number, s.name(), err)
	}
	return nil
}

func (s *Store) discard(number int) error {
	if s.lock == nil {
		return ErrClosed
	}
	c, err := scan(s.dir)
	if err != nil {
		return err
	}
	switch e := c.find(number); {
	case e == nil:
		return ErrNoSave
	case s.live[number]:
		return errors.New("a game is being saved")
	case e == c.current():
		return errors.New("a game begins with it")
	case e.deleted:
		return s.disk.erase(s.dir, number, extDeleted)
	default:
		if err := s.disk.rename(numbered(s.dir, number, e.ext()), numbered(s.dir, number, extDeleted)); err != nil {
			return err
		}
	}
	return s.tidy()
}

// Began returns the save that a game begins with, or the blank one in its place, of a list; nil for none. All others can
// be discarded.
func Began(list []Save) *Save {
	for i := range list {
		if s := &list[i]; s.Confirmed && !s.Deleted {
			return s
		}
	}
	return nil
}

// SameMinute tells whether a list has another save of the same minute: then it takes seconds to tell them apart.
func SameMinute(list []Save, s *Save) bool {
	return slices.ContainsFunc(list, func(o Save) bool {
		return o.Number != s.Number && o.At.Truncate(time.Minute).Equal(s.At.Truncate(time.Minute))
	})
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

// SetAside keeps backup memory, raw, in the folder of the saves as a file of its own, and
// returns that. It is lasting, no save takes its place, and nobody but the player removes it.
func (s *Store) SetAside(sram []byte) (path string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.lock == nil:
		return "", ErrClosed
	case len(sram) == 0:
		return "", ErrEmpty
	}
	if path, is := s.isAside(sram); is {
		return path, nil
	}
	base := filepath.Join(s.dir, asidePrefix+s.opt.Now().Format("2006-01-02 15.04.05"))
	path = base + extSave
	for n := 2; ; n++ {
		err := s.disk.create(path, sram, 0o600)
		if err == nil {
			return path, s.disk.syncDir(s.dir)
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("setting the save of %s aside: %w", s.name(), err)
		}
		path = fmt.Sprintf("%s-%d%s", base, n, extSave)
	}
}

// asidePrefix begins the name of each file of SetAside.
const asidePrefix = "set aside "

// isAside finds the file that has this backup memory already.
func (s *Store) isAside(sram []byte) (path string, is bool) {
	files, _ := os.ReadDir(s.dir)
	for _, f := range files {
		if st, err := f.Info(); err != nil || !strings.HasPrefix(f.Name(), asidePrefix) || st.Size() != int64(len(sram)) {
			continue
		}
		path := filepath.Join(s.dir, f.Name())
		if there, _ := readFile(path, int64(len(sram))); bytes.Equal(there, sram) {
			return path, true
		}
	}
	return "", false
}
