package agenda

import "time"

// Turn is the time at which a goroutine may go on.
type Turn struct {
	agenda *Agenda
	entry  *Entry
	come   chan struct{}
}

// Turn asks for a turn of a class after d.
func (a *Agenda) Turn(class int, d time.Duration) Turn {
	come := make(chan struct{})
	return Turn{a, a.At(time.Now().Add(d), class, func(time.Time) { close(come) }), come}
}

// Wait waits for the turn, or for stop; false: it was stopped.
func (t Turn) Wait(stop <-chan struct{}) bool {
	select {
	case <-t.come:
		return true
	case <-stop:
		t.agenda.Cancel(t.entry)
		return false
	}
}

// Sleep waits for a turn of a class after d, or for stop; false: it was stopped.
func (a *Agenda) Sleep(class int, d time.Duration, stop <-chan struct{}) bool {
	return a.Turn(class, d).Wait(stop)
}
