package app

import "github.com/nettplay/nettplay/emucore"

// FindCheats implements room.Engine.
func (e *engine) FindCheats(game [32]byte, rom *emucore.ROM, named []string) {
	machine := e.machine()
	e.jobs.Go(func() {
		found := machine.FindCheats(rom, named...)
		e.post(func(m *Shell) { m.session.CheatsFound(game, found) })
	})
}
