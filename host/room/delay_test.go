package room

import (
	"math"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

func TestSuggestDelay(t *testing.T) {
	ms := time.Millisecond
	for _, tt := range []struct {
		rtt, jitter time.Duration
		want        int
	}{
		{0, 0, 1},
		{ms, 0, 2},
		{2 * ms, ms / 2, 2},             // a cable in the house
		{20 * ms, 2 * ms, 3},            // the same town
		{50 * ms, 5 * ms, 5},            // the same country
		{100 * ms, 10 * ms, 7},          // across a continent, the measured case and some more
		{100 * ms, 6700 * ms / 1000, 6}, // 50 +-10 ms each way has a mean deviation of 6.7
		{300 * ms, 30 * ms, 15},
		{time.Hour, time.Hour, ds.MaxDelay},
		{math.MaxInt64, math.MaxInt64 / 2, ds.MaxDelay},
		{-ms, -ms, 1},
	} {
		if got := SuggestDelay(tt.rtt, tt.jitter); got != tt.want {
			t.Errorf("round trip %v, jitter %v: delay %d, want %d", tt.rtt, tt.jitter, got, tt.want)
		}
	}
	for rtt := time.Duration(0); rtt < time.Second; rtt += ms {
		if SuggestDelay(rtt, 0) > SuggestDelay(rtt+ms, 0) {
			t.Fatalf("at %v a longer way asks for less delay", rtt)
		}
	}
}

// In rollback a press waits only for what nobody guesses.
func TestSuggestRollbackDelay(t *testing.T) {
	for ping, want := range map[time.Duration]int{5 * time.Millisecond: 0, 60 * time.Millisecond: 0, 100 * time.Millisecond: 1, 300 * time.Millisecond: 7, time.Hour: ds.MaxDelay} {
		players := []Player{{Machine: 1, Present: true, Beat: Beat{Ping: ping, Jitter: ping / 10}}}
		if got := SuggestRoomDelay(players, Rollback); got != want {
			t.Errorf("a ping of %v: %d frames, want %d", ping, got, want)
		}
	}
}

// What machines have found out of themselves counts from a game's beginning, of the weakest.
func TestSuggestRollbackDelayByDepth(t *testing.T) {
	at := func(depths ...Depth) int {
		players := []Player{{Present: false, Beat: Beat{Depth: DepthOf(0)}}}
		for i, d := range depths {
			players = append(players, Player{Machine: i, Present: true, Beat: Beat{Ping: time.Duration(i) * 160 * time.Millisecond, Depth: d}})
		}
		return SuggestRoomDelay(players, Rollback)
	}
	for _, tt := range []struct {
		depths []Depth
		want   int
	}{{[]Depth{0, 0}, 3}, {[]Depth{DepthOf(12), 0}, 3}, {[]Depth{DepthOf(12), DepthOf(12)}, 0}, {[]Depth{DepthOf(12), DepthOf(5)}, 1}, {[]Depth{DepthOf(0), DepthOf(12)}, 6}} {
		if got := at(tt.depths...); got != tt.want {
			t.Errorf("with depths %v: %d frames, want %d", tt.depths, got, tt.want)
		}
	}
}

func TestSuggestRoomDelay(t *testing.T) {
	ms := time.Millisecond
	p := func(machine int, ping time.Duration, present bool) Player {
		return Player{Machine: machine, Beat: Beat{Ping: ping, Jitter: ping / 10}, Present: present}
	}
	for _, tt := range []struct {
		players []Player
		want    int
	}{
		{nil, SuggestDelay(0, 0)},
		{[]Player{p(0, 0, true), p(1, 80*ms, true)}, SuggestDelay(80*ms, 8*ms)},
		{[]Player{p(0, 0, true), p(1, 80*ms, true), p(1, 80*ms, true)}, SuggestDelay(80*ms, 8*ms)},
		{[]Player{p(1, 20*ms, true), p(2, 80*ms, true), p(3, 40*ms, true), p(4, 500*ms, false)}, SuggestDelay(120*ms, 12*ms)},
		{[]Player{p(1, 90*ms, true), p(2, 80*ms, true), p(3, 85*ms, true)}, SuggestDelay(175*ms, 17500*time.Microsecond)},
	} {
		if got := SuggestRoomDelay(tt.players, Lockstep); got != tt.want {
			t.Errorf("%+v: delay %d, want %d", tt.players, got, tt.want)
		}
	}
}

// A clocked game's delay is for the round trip of the client in the middle: one that is far away
// makes it longer for nobody.
func TestSuggestClockedDelay(t *testing.T) {
	player := func(machine int, ms int) Player {
		return Player{Machine: machine, Present: true, Beat: Beat{Ping: time.Duration(ms) * time.Millisecond, Jitter: time.Millisecond}}
	}
	for _, tt := range []struct {
		players []Player
		want    int
	}{
		{[]Player{player(0, 0)}, 1},
		{[]Player{player(0, 0), player(1, 60)}, 6},
		{[]Player{player(0, 0), player(1, 40), player(1, 40), player(2, 60), player(3, 400)}, 6},
		{[]Player{player(0, 0), {Machine: 1, Beat: Beat{Ping: time.Second}}, player(2, 60)}, 6},
	} {
		if got := SuggestRoomDelay(tt.players, Clocked); got != tt.want {
			t.Errorf("%v: %d, not %d", tt.players, got, tt.want)
		}
	}
}
