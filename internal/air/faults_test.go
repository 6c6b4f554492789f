//go:build nettplay_faults

package air

import "testing"

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
