package room

import (
	"testing"
	"time"
)

// Of each two clients it is said how they reach each other, and how they would without the game
// host.
func TestPairs(t *testing.T) {
	r := Room{Host: 0, Phase: PhasePlaying, Players: []Player{
		{Machine: 0, Nickname: "Ann", Present: true},
		{Machine: 3, Nickname: "Dan", Present: true, Beat: Beat{Ping: 30 * time.Millisecond}},
		{Machine: 1, Nickname: "Bob", Present: true, Beat: Beat{Ping: 20 * time.Millisecond, Paths: []Path{{Machine: 2, RTT: 12 * time.Millisecond}, {Machine: 3, Way: "through Cleo: nothing else works"}}}},
		{Machine: 1, Local: 1, Nickname: "Bob's sister", Present: true},
		{Machine: 2, Nickname: "Cleo", Present: true},
		{Machine: 4, Nickname: "Eve"},
	}}
	for i, want := range []string{
		"Bob and Cleo: through Ann; directly (12 ms) if Ann leaves",
		"Bob and Dan: through Ann (50 ms); if Ann leaves, through Cleo: nothing else works",
		"Cleo and Dan: through Ann; no other way yet if Ann leaves",
	} {
		if list := r.Pairs(); len(list) != 3 || list[i].Names()+": "+list[i].Words() != want {
			t.Errorf("%s is not in %+v", want, list)
		}
	}
	r.Phase = PhaseLobby
	if words := r.Pairs()[2].Words(); words != "through Ann" {
		t.Errorf("in the lobby: %s", words)
	}
	if r.Players = r.Players[:2]; len(r.Pairs()) != 0 {
		t.Error("two machines have a pair of clients")
	}
}
