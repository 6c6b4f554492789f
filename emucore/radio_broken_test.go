//go:build nettplay_faults

package emucore

import (
	"testing"

	"github.com/nettplay/nettplay/internal/air"
)

// TestRadioBroken: with a schedule that is wrong on purpose the comparison fails.
func TestRadioBroken(t *testing.T) {
	for name, fault := range map[string]air.Break{"early": air.BreakEarly, "order": air.BreakOrder} {
		t.Run(name, func(t *testing.T) {
			g := pocketGame(t, 4, 90, "radio", "mac")
			want := g.play(t)
			g.air.Break = fault
			for range 5 {
				if got := g.play(t); got.differs(&want) != nil {
					return
				}
			}
			t.Error("not seen")
		})
	}
}
