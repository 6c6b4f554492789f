package emucore

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/phrase"
)

// Cheats says what is known about a core's support for Action Replay codes.
type Cheats struct {
	// Known says that the core was measured to act on codes. An unknown core may do so, too.
	Known bool
	// Lines is the length in lines of the longest code that the core takes; 0 if it takes none.
	Lines int
	// NeedsEndif says that the core hangs on a code that ends a loop with an IF in it still open.
	NeedsEndif bool
}

// TakesCheats returns an error that names the first of the cheats that the core does not take, and why; else nil.
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

// TakesCheat returns an error that says why the core does not take a cheat that works on other cores; else nil.
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

// setCheats writes the texts of cheats, each followed by NUL; false if they do not fit.
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
