//go:build nettplay_faults && unix

package air

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestBroken: with a schedule that is wrong on purpose, the comparison fails.
func TestBroken(t *testing.T) {
	for name, broken := range map[string]Break{"early": BreakEarly, "order": BreakOrder} {
		t.Run(name, func(t *testing.T) {
			seen := 0
			for seed := range uint64(20) {
				sc := newScenario(seed, 3+int(seed%4), 1, 20)
				if compare(t, sc, Config{Faults: Faults{Break: broken}}, modelled(t, sc, 1), 2) != nil {
					seen++
				}
			}
			if seen < 10 {
				t.Errorf("seen in %d of 20 games only", seen)
			}
		})
	}
}

// TestDeadWithLock: a worker that dies while it has the lock keeps up nobody who waits for it when
// its death is told, nor the other consoles, and nothing that it left half written is used: these hear
// what they hear when it dies before it has written anything. (Once it has put a new state in place, what
// they hear depends on when its death is told, as with any that dies while it stands.)
func TestDeadWithLock(t *testing.T) {
	for _, consoles := range []int{2, 4} {
		for _, serial := range []bool{false, true} {
			sc := &scenario{seed: uint64(consoles), consoles: consoles, skew: 1, frames: 40, stops: []int64{40}, dies: -1}
			locked := dying(t, sc, serial, DeathLocked)
			if decided := dying(t, sc, serial, DeathDecided); !slices.Equal(decided, locked) {
				t.Errorf("%d consoles, serial %v: with the lock %q, with a decision %q", consoles, serial, locked, decided)
			}
			dying(t, sc, serial, DeathCommitted)
			dying(t, sc, serial, DeathOpened)
		}
	}
}

// dying has seat 1 die in frame 20, and returns what has become of the others.
func dying(t *testing.T, sc *scenario, serial bool, at Where) (heard []string) {
	t.Helper()
	a, err := New(Config{Skew: sc.skew, Serial: serial, Faults: Faults{Death: Death{Where: at, Seat: 1, Frame: 20}}})
	must.Succeed(t, err)
	defer a.Close()
	workers := startOn(t, sc, a)
	workers[1].end(t, a, 1) // which nobody has been told of
	waits := make(chan error, 1)
	go func() { waits <- a.Open(1000) }()
	for deadline := time.Now().Add(time.Minute); word(a, atLock)&0x800000ff != 0x80000002; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the lock is %#x: nobody waits for seat 1", word(a, atLock))
		}
	}
	must.Succeed(t, errors.Join(a.Dead(1), <-waits))
	for i, w := range workers {
		if i != 1 {
			heard = append(heard, w.end(t, a, ds.Seat(i)))
		}
	}
	st, err := a.Status()
	must.Succeed(t, err)
	if st.Consoles[1].Plugged || st.Open != 1000 || word(a, atBaton)&0xff != 0 {
		t.Errorf("%+v, baton %#x", st, word(a, atBaton))
	}
	return append(heard, fmt.Sprintf("%d packets, chain %x", st.Packets, st.Chain))
}
