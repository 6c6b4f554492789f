package emucore

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/phrase"
)

// Cheats is what is known of how a core takes Action Replay codes.
type Cheats struct {
	// Known says that the core acts on codes: it was measured. Of a core nobody knows it may be.
	Known bool
	// Lines is the number of lines of the longest code that it takes, 0 for one that takes none.
	Lines int
	// NeedsEndif says that the core hangs where a code ends a loop and leaves an IF in it open.
	NeedsEndif bool
}

// TakesCheats tells why a core does not take cheats, naming the first that it does not.
func (p *Profile) TakesCheats(list []cheat.Cheat) error {
	if len(list) == 0 {
		return nil
	}
	if err := cheat.Check(list); err != nil {
		return err
	}
	for _, c := range list {
		if err := p.TakesCheat(c); err != nil {
			return fmt.Errorf("cheat %q: %w", c.Name, err)
		}
	}
	return nil
}

// TakesCheat tells why a core does not take a cheat that could be used on another.
func (p *Profile) TakesCheat(c cheat.Cheat) error {
	name := p.Library
	if name == "" {
		name = "this core"
	}
	line := c.LeavesIfOpen()
	switch {
	case p.Cheats.Lines == 0:
		return fmt.Errorf("%s takes no cheats", name)
	case c.Lines() > p.Cheats.Lines:
		return fmt.Errorf("it has %d lines, and %s takes codes of at most %s", c.Lines(), name, phrase.Count(p.Cheats.Lines, "line"))
	case p.Cheats.NeedsEndif && line > 0:
		return fmt.Errorf("line %d ends a loop with an IF open, which %s never gets out of", line, name)
	}
	return nil
}

// setCheats writes the texts of cheats, each with NUL behind it; false if they do not fit.
func setCheats(s *setup, list []cheat.Cheat) bool {
	n := 0
	for _, c := range list {
		text := c.Text()
		if n+len(text)+1 > len(s.cheats) {
			return false
		}
		n += copy(s.cheats[n:], text) + 1 // the zero is there: the memory is new
	}
	s.cheatBytes = uint32(n)
	return true
}
