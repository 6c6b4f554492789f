package app

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/ui/library"
)

// seek looks for open rooms and friends, or ends that.
func (e *engine) seek(m *Shell, on bool) {
	e.seeking()
	if !on || len(m.Config.Net.Relays) == 0 {
		return
	}
	ctx := e.begin(&e.seeking)
	post := e.during(ctx) // rooms that come too late are of another time
	machine := e.machine(m)
	cores := append(slices.Clone(m.Core.All), m.Core.Core) // which a room's core is chosen from
	e.jobs.Go(func() {
		cfg := machine.Online(cores)
		cfg.Browse, cfg.Have = true, e.have
		cfg.Tell = func(v online.View) { post(func(m *Shell) { m.online.See(v) }) }
		s, err := online.New(cfg)
		if err == nil {
			err = s.Run(ctx)
		}
		if err != nil {
			post(func(m *Shell) { m.online.Failed(err) })
		}
	})
}

// have reports whether a game is among those of the list, on any goroutine.
func (e *engine) have(rom [32]byte) bool {
	return slices.ContainsFunc(e.shelf.List().Games, func(g library.Game) bool { return g.ROM.SHA256 == rom })
}

// listed tells the player once how it stands with the place of the room in the list.
func (e *engine) listed() func(online.View) {
	said := ""
	return func(v online.View) {
		words, good := "", false
		for _, r := range v.Relays {
			switch {
			case r.Kept:
				words, good = "Everybody can find your room now.", true
			case r.Why != "" && !good:
				words = fmt.Sprintf("Your room is not in the list of open rooms: the relay %s says: %s.", r.Name, r.Why)
			}
		}
		if words == said || words == "" {
			return
		}
		said = words
		e.post(func(m *Shell) {
			if good {
				m.Tell(words)
			} else {
				m.Say(words)
			}
		})
	}
}
