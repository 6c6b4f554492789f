package launch

import (
	"cmp"
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
)

// JIT tells whether consoles run with the core's JIT in rooms that the player opens. choice is
// false for a core that has none, or of which nettplay knows none.
func JIT(c config.Core, profile *emucore.Profile) (on, choice bool) {
	_, choice = profile.JITOption(true)
	return profile.Compiles(coreOptions(c, profile)), choice
}

// coreOptions are the core's options of a room that the player opens: core.jit, but where
// core.options says it itself.
func coreOptions(c config.Core, profile *emucore.Profile) []room.Option {
	list := make([]room.Option, 0, len(c.Options)+1)
	for key, value := range c.Options {
		list = append(list, room.Option{Key: key, Value: value})
	}
	if o, ok := profile.JITOption(c.JIT == config.JITOn); ok && c.JIT != config.JITAuto {
		if _, said := c.Options[o.Key]; !said {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b room.Option) int { return cmp.Compare(a.Key, b.Key) })
	return list
}
