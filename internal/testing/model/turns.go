// Package model has consoles and machines for tests: real ones (real.go), and what a test needs to run whole sessions in a testing/synctest bubble,
// in milliseconds and exactly the same each time: a console in plain Go, and turns, in which
// goroutines go on one after the other.
//
// Goroutines that can run at the same instant run in any order. So each hand-over between
// goroutines is a turn on an agenda that all share. There is one at a time, and all that
// went on before comes to rest first.
package model

import (
	"testing/synctest"

	"github.com/nettplay/nettplay/internal/testing/agenda"
)

// NewTurns is the agenda of one bubble.
func NewTurns() *agenda.Agenda { return agenda.New(synctest.Wait) }
