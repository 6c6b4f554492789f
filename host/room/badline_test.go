package room

import (
	"testing"
	"time"
)

func TestBadLine(t *testing.T) {
	player := func(machine, ms, loss int) Player {
		return Player{Machine: machine, Present: true, Beat: Beat{Ping: time.Duration(ms) * time.Millisecond, Loss: loss}}
	}
	local := player(3, 300, 0)
	local.Local = 1
	for name, tt := range map[string]struct {
		players []Player
		want    int // 0 for none
	}{
		"nobody":              {nil, 0},
		"two machines":        {[]Player{player(0, 0, 0), player(1, 900, 500)}, 0},
		"all alike":           {[]Player{player(0, 0, 0), player(1, 40, 0), player(2, 90, 10)}, 0},
		"one far away":        {[]Player{player(0, 0, 0), player(1, 40, 0), player(2, 300, 0)}, 2},
		"further players":     {[]Player{player(0, 0, 0), player(3, 300, 0), local, player(2, 40, 0)}, 3},
		"two far away":        {[]Player{player(0, 0, 0), player(1, 320, 0), player(2, 300, 0), player(3, 20, 0)}, 0},
		"one loses much":      {[]Player{player(0, 0, 0), player(1, 40, 100), player(2, 40, 3), player(3, 50, 20)}, 1},
		"all lose much":       {[]Player{player(0, 0, 0), player(1, 40, 100), player(2, 40, 80)}, 0},
		"one is not measured": {[]Player{player(0, 0, 0), player(1, 0, 100), player(2, 300, 0)}, 0},
	} {
		if m, bad := BadLine(tt.players); bad != (tt.want > 0) || bad && m != tt.want {
			t.Errorf("%s: machine %d, %v", name, m, bad)
		}
	}
	away := player(2, 900, 0)
	away.Present = false
	if m, bad := BadLine([]Player{player(1, 20, 0), away, player(3, 30, 0)}); bad {
		t.Errorf("machine %d, which is away", m)
	}
}
