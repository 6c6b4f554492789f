package game

import (
	"fmt"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// The one line that loses in bursts is found, wherever it is; on lines that are alike none is.
func TestBadLineIsFound(t *testing.T) {
	for bad := range 4 { // 0: none
		t.Run(fmt.Sprint("machine ", bad), func(t *testing.T) {
			w := newWorld(t, uint64(bad), 4, 6)
			w.steady = true
			w.set(impair.Impairment{Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.01})
			if bad > 0 {
				w.set(bursts, bad)
			}
			k := autodelay.NewKeeper(autodelay.Party, w.Time())
			event := keep(w, k, autodelay.Party)
			found, wrong := 0, 0
			w.run(60*time.Second, func(ms int) {
				event(ms)
				if ms%1000 != 999 {
					return
				}
				switch m, is := k.BadLine(w.Time(), w.machines[0].g.Delays()); {
				case is && m == bad && bad > 0:
					found++
				case is:
					wrong++
				}
			})
			if wrong > 0 || (found > 5) != (bad > 0) {
				t.Errorf("found in %d of 60 looks, another in %d", found, wrong)
			}
		})
	}
}
