package emucore

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// JIT returns the choice in Free between the core's JIT and its interpreter. ok is false
// for a core without that choice.
func (p *Profile) JIT() (c Choice, ok bool) {
	i := slices.IndexFunc(p.Free, func(c Choice) bool { return c.JIT != "" })
	if i < 0 {
		return Choice{}, false
	}
	return p.Free[i], true
}

// JITOption returns the room's option that turns the core's JIT on or off. ok is false for a core
// without that choice.
func (p *Profile) JITOption(on bool) (o ds.Option, ok bool) {
	c, _ := p.JIT()
	for _, v := range c.Values {
		if (v == c.JIT) == on {
			return ds.Option{Key: c.Key, Value: v}, true
		}
	}
	return ds.Option{}, false
}

// Compiles reports whether consoles with a room's options run with the core's JIT. Options that
// the room has not chosen have their first value. It is false for an unknown core.
func (p *Profile) Compiles(room []ds.Option) bool {
	c, ok := p.JIT()
	return ok && c.chosen(room) == c.JIT
}

// ExactStates reports whether a console may go on from a state that the other consoles of its
// game did not load. It is false if the start of the program decides what is compiled when, and
// so how long an instruction takes. With such options all machines load a state at the
// same frame, or none does. DeSmuME's states are as inexact, but the resulting differences
// are repaired: see [Profile.MainRAM] and package player. With the JIT it is also false with cheats, as they
// change programs that are compiled already.
func (p *Profile) ExactStates(room []ds.Option, cheats bool) bool {
	c, _ := p.JIT()
	return !c.Cold && !cheats || !p.Compiles(room)
}

// mayCompile reports whether a console may get executable memory after it is loaded. It may with
// the JIT of a build that was not measured, and with an unknown core. Measured: DeSmuME and
// melonDS DS allocate all of theirs while they load, and need no more for resets and states.
func (p *Profile) mayCompile(build Standing, options []ds.Option) bool {
	return p.Library == "" || p.Compiles(options) && build < Measured
}
