package notice

import (
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
)

// A player is told once that their inputs come late, and again only after they were in time.
func TestTellLate(t *testing.T) {
	var l Lines
	told := 0
	for i, repeated := range []int{0, 29, 30, 200, 20, 40, 6, 90, 5, 31} {
		before := told
		l.TellLate(repeated, func(string, ...any) { told++ })
		if want := i == 2 || i == 9; (told > before) != want {
			t.Errorf("with %d late inputs, the %dth time: told %v", repeated, i, told > before)
		}
	}
}

// The game host is told of a bad line in the lobby of a room in lockstep, and when it is none any more.
func TestTellBad(t *testing.T) {
	player := func(machine, ms int, name string) room.Player {
		return room.Player{Machine: machine, Present: true, Beat: room.Beat{Ping: time.Duration(ms) * time.Millisecond}, Nickname: name}
	}
	far := room.Room{Phase: room.PhaseLobby, Players: []room.Player{player(0, 0, "Ann"), player(1, 20, "Bob"), player(2, 400, "Cleo")}}
	near := room.Room{Phase: room.PhaseLobby, Players: []room.Player{player(0, 0, "Ann"), player(1, 20, "Bob"), player(2, 30, "Cleo")}}
	clocked, playing := far, far
	clocked.Settings.Sync, playing.Phase = room.Clocked, room.PhasePlaying
	var l Lines
	var told []string
	look := func(r room.Room) {
		l.TellBad(r, func(n Notice) { told = append(told, n.(BadLine).Nickname) })
	}
	for _, r := range []room.Room{playing, near, far, far, clocked, far, near} {
		look(r)
	}
	l.Measured(0, false)
	look(near)
	l.Measured(1, true)
	look(near)
	alone := near
	alone.Players = slices.Clone(near.Players)
	alone.Players[2].Present = false
	look(alone) // with two machines, both have the same line
	l.Measured(0, true)
	look(near) // Ann hosts: nobody would be helped
	if want := []string{"Cleo", "", "Cleo", "", "Bob", ""}; !slices.Equal(told, want) {
		t.Errorf("told %q, not %q", told, want)
	}
}
