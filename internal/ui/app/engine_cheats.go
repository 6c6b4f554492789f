package app

import "github.com/nettplay/nettplay/internal/ui/screen/room"

// findCheats looks for the cheats of a game.
func (e *engine) findCheats(m *Shell, c room.FindCheats) {
	machine := e.machine(m)
	e.jobs.Go(func() {
		found := machine.FindCheats(c.Game, c.Files...)
		e.post(func(m *Shell) { m.session.CheatsFound(c.Key, found) })
	})
}
