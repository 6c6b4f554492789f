package spectate

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// A piece of the log that was on its way when our player came to its end is no matter.
func TestAPieceThatIsTooLate(t *testing.T) {
	log, err := NewDownload(7)
	must.Succeed(t, err)
	f := &Follower{round: 7, log: log, stop: func() {}}
	log.Ask()
	f.Close()
	if err := f.Add(Piece{Round: 7, All: 3, Bytes: []byte("abc")}); err != nil {
		t.Error(err)
	}
}

// The game host lets a late joiner in as soon as it is near, and does not wait for ever for one
// that does not come nearer.
func TestNext(t *testing.T) {
	const second = time.Second
	type moment struct {
		at      time.Duration
		frames  int64 // that it says it has done; -1: it says nothing, -2: that it cannot
		slowest int64
		want    Step
	}
	for name, c := range map[string]struct {
		checkpoint Checkpoint
		moments    []moment
	}{
		"it comes near": {Checkpoint{}, []moment{{0, -1, 300, Wait}, {second, 200, 320, Wait}, {2 * second, 300, 360, Admit}}},
		"it needs the newest checkpoint": {
			Checkpoint{Frame: 300},
			[]moment{{0, -1, 310, Wait}, {second, 290, 340, Wait}, {2 * second, 301, 350, Admit}},
		},
		"the log is long":     {Checkpoint{}, []moment{{0, -1, 700, MakeCheckpoint}}},
		"a checkpoint is new": {Checkpoint{At: time.Unix(90, 0)}, []moment{{0, -1, 700, Wait}, {21 * second, 0, 1900, AdmitAnyway}}},
		"it cannot":           {Checkpoint{}, []moment{{0, -1, 300, Wait}, {second, -2, 360, AdmitAnyway}}},
		"it is silent":        {Checkpoint{}, []moment{{0, -1, 300, Wait}, {15 * second, -1, 500, Wait}, {16 * second, -1, 500, AdmitAnyway}}},
		"it falls behind": {
			Checkpoint{},
			[]moment{{0, 10, 300, Wait}, {7 * second, 20, 700, Wait}, {9 * second, 30, 800, AdmitAnyway}},
		},
		"it comes nearer for too long": {
			Checkpoint{},
			[]moment{{0, 10, 5000, Wait}, {60 * second, 4000, 7000, Wait}, {119 * second, 8000, 10000, Wait}, {121 * second, 9000, 10100, AdmitAnyway}},
		},
	} {
		var p Progress
		for _, m := range c.moments {
			now := time.Unix(100, 0).Add(m.at)
			if m.frames != -1 {
				p.Update(now, Near{Frames: max(m.frames, 0), Cannot: m.frames == -2})
			}
			if got := p.Next(now, m.slowest, c.checkpoint); got != m.want {
				t.Errorf("%s: after %v step %d, not %d", name, m.at, got, m.want)
			}
		}
	}
}
