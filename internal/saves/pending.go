package saves

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/emucore/savefile"
)

// maxLive is the limit of one store's saves that wait for their commit.
const maxLive = MaxPending / 2

// Pending is a save that is on the disk and waits to become the current one. Its
// methods may be called from any goroutine.
type Pending struct {
	s     *Store
	n     int      // its number; 0 if it was the current save when it was prepared
	sum   [32]byte // SHA-256 of it
	after int      // s.newest at that time
	tried bool     // Commit was called
	done  bool     // committed
	gone  bool     // dropped
}

// isBlank reports whether a save is blank.
func (s *Store) isBlank(e *entry) bool {
	sram, err := e.read(s.dir)
	return err == nil && savefile.Blank(sram)
}

// Prepare writes backup memory, raw, to the disk as what it is after a frame, and
// returns when it is safe there. The current save stays as it was. When Prepare
// fails, nothing is left. Sram is not kept. A blank one in the place of none is no save: nothing
// is written.
//
// Saves must be prepared in the order of the game, and not more than a few at a
// time: those that the machines do not agree on are to be dropped.
func (s *Store) Prepare(frame int64, sram []byte, about About) (*Pending, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.meta(sram, Played, "")
	m.Frame, m.Room = max(frame, 0), clean(about.Room, maxText)
	for _, p := range about.Players[:min(len(about.Players), maxPlayers)] {
		m.Players = append(m.Players, clean(p, maxText))
	}
	p, err := s.prepare(sram, m)
	if err != nil {
		return nil, fmt.Errorf("saving %s: %w", s.name(), err)
	}
	return p, nil
}

func (s *Store) prepare(sram []byte, m Meta) (*Pending, error) {
	switch {
	case s.lock == nil:
		return nil, ErrClosed
	case len(sram) == 0:
		return nil, ErrEmpty
	case len(sram) > MaxSize:
		return nil, fmt.Errorf("%d bytes of backup memory, a cartridge has %d at most", len(sram), MaxSize)
	case len(s.live) >= maxLive:
		return nil, fmt.Errorf("%d saves wait to be committed already", len(s.live))
	}
	c, err := scan(s.dir)
	if err != nil {
		return nil, err
	}
	if savefile.Blank(sram) && len(s.live) == 0 {
		// No save in the place of none is none.
		if e := c.current(); e == nil || e.damage == nil && s.isBlank(e) {
			return &Pending{s: s, sum: m.SHA256, after: s.newest}, nil
		}
	}
	if e := c.current(); e != nil && len(s.live) == 0 && e.meta.SHA256 == m.SHA256 {
		if _, err := e.read(s.dir); err == nil && !(s.user != nil && s.user.blank()) {
			return &Pending{s: s, sum: m.SHA256, after: s.newest}, nil
		}
	}
	if c.next > maxNumber {
		return nil, errors.New("the numbers of saves are used up")
	}
	if s.user != nil {
		if err := s.user.prepare(c.next, sram); err != nil {
			return nil, err
		}
	}
	if err := s.disk.write(s.dir, c.next, extPending, sram, m); err != nil {
		if s.user != nil {
			err = errors.Join(err, s.disk.remove(s.user.temporary(c.next)))
		}
		return nil, err
	}
	s.live[c.next] = true
	_ = s.tidy() // the save is safe; what is too much goes the next time
	return &Pending{s: s, n: c.next, sum: m.SHA256, after: s.newest}, nil
}

// Commit makes the save the current one; the one before stays as a generation.
// It happens in one step: after an error the current save is the one or the other,
// whole, and Commit may be tried again. A save that has not changed since the
// current one makes no generation. A second call does nothing.
func (p *Pending) Commit() error {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if err := p.commit(); err != nil {
		return fmt.Errorf("saving %s: %w", p.s.name(), err)
	}
	return nil
}

func (p *Pending) commit() error {
	s := p.s
	switch {
	case p.done:
		return nil
	case p.gone:
		return ErrDropped
	case s.lock == nil:
		return ErrClosed
	case s.newest > max(p.n, p.after):
		return errors.Join(ErrSuperseded, p.drop())
	}
	p.tried = true
	if p.n > 0 {
		if err := s.commit(p.n, p.sum); err != nil {
			return err
		}
		s.newest = p.n
		delete(s.live, p.n)
	}
	p.done = true
	_ = s.tidy() // the save is safe; what is too much goes the next time
	return nil
}

// commit makes pending save n the current one.
func (s *Store) commit(n int, sum [32]byte) error {
	c, err := scan(s.dir)
	if err != nil {
		return err
	}
	e, now := c.find(n), c.current()
	switch {
	case e != nil && !e.pending, e == nil && now != nil && now.meta.SHA256 == sum:
		return s.disk.syncDir(s.dir) // an earlier try came that far
	case e == nil:
		return fmt.Errorf("save %d: somebody has removed it", n)
	}
	sram, err := e.read(s.dir)
	if err != nil {
		return err
	}
	if s.user != nil {
		if err := s.commitFile(n, sram); err != nil {
			return err
		}
		if c, err = scan(s.dir); err != nil {
			return err
		}
	}
	return s.commitPending(c, e, sram)
}

// Number is the number that the save has in lists, until it is committed: then it
// may be the current one's. It is 0 for a save that has not changed.
func (p *Pending) Number() int { return p.n }

// Drop removes the save. After Commit, and a second time, it does nothing. After a
// Commit that failed too late it returns an error that matches [ErrCommitted]:
// then the save is the current one, and Commit should be tried again.
func (p *Pending) Drop() error {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if err := p.drop(); err != nil {
		return fmt.Errorf("dropping a save of %s: %w", p.s.name(), err)
	}
	return nil
}

func (p *Pending) drop() error {
	switch {
	case p.done || p.gone:
		return nil
	case p.s.lock == nil:
		return ErrClosed
	}
	if p.n > 0 {
		if err := p.erase(); err != nil {
			return err
		}
	}
	delete(p.s.live, p.n)
	p.gone = true
	return nil
}

// erase removes a save that is still pending.
func (p *Pending) erase() error {
	s := p.s
	c, err := scan(s.dir)
	if err != nil {
		return err
	}
	if e := c.find(p.n); e != nil && !e.pending {
		return ErrCommitted
	}
	if s.user != nil {
		if p.tried && s.user.is(p.sum) {
			return ErrCommitted
		}
		if err := s.disk.remove(s.user.temporary(p.n)); err != nil {
			return err
		}
	}
	if err := s.disk.erase(s.dir, p.n, extPending); err != nil {
		return err
	}
	return s.disk.syncDir(s.dir)
}
