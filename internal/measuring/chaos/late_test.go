package chaos

import (
	"testing"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/replay"
)

// A seat whose player did not come into the game may be another one's later.
func TestASeatIsItsPlayers(t *testing.T) {
	p := Plan{Players: 2, Late: []int{-1, 1}} // Cleo comes, and Bob again
	for _, tt := range []struct {
		nickname string
		machine  int
		words    string
		want     bool
	}{
		{"Bob 2", 3, "You are in seat 3.", true},
		{"Bob", 3, "x\nYou are in seat 3.\n", true},
		{"Bob 2", 2, "You are in seat 3.", false},
		{"Cleo", 2, "You are in seat 3.", true},
		{"Cleo", 2, "You are in seat 4.", false},
		{"Cleo", 2, "", false},
	} {
		s := replay.Seat{From: 100, Plan: room.SeatPlan{Seat: 2, Nickname: tt.nickname}}
		if l := (&Left{Words: tt.words}); l.sits(&p, tt.machine, s) != tt.want {
			t.Errorf("%s's seat is machine %d's, which said %q: %v", tt.nickname, tt.machine, tt.words, !tt.want)
		}
	}
}
