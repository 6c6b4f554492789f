package game

import (
	"encoding/json"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// Scripts compare the hashes of two reports as text.
func TestHashSurvivesJSON(t *testing.T) {
	for _, h := range []Hash{0, 1, 0xfedcba9876543211} {
		b, err := json.Marshal(SeatReport{Hash: h})
		must.Succeed(t, err)
		var back SeatReport
		if err := json.Unmarshal(b, &back); err != nil || back.Hash != h {
			t.Errorf("%v came back as %v from %s (%v)", h, back.Hash, b, err)
		}
	}
}
