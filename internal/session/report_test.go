package session

import (
	"encoding/json"
	"testing"
	"time"
)

func TestPercentiles(t *testing.T) {
	var d durations
	if d.percentile(0.99) != 0 {
		t.Error("a percentile of nothing is not 0")
	}
	for i := range 1000 {
		d.add(time.Duration(i) * 100 * time.Microsecond) // 0 to 99.9 ms
	}
	d.add(time.Hour) // must not write out of the buckets
	d.add(-time.Hour)
	if got := d.report(); got.P50 < 49 || got.P50 > 51 || got.P99 < 98 || got.P99 > 100 {
		t.Errorf("got %+v, want about 50 and 99 ms", got)
	}
}

// Scripts compare the hashes of two reports as text.
func TestHashSurvivesJSON(t *testing.T) {
	for _, h := range []Hash{0, 1, 0xfedcba9876543211} {
		b, err := json.Marshal(SeatReport{Hash: h})
		if err != nil {
			t.Fatal(err)
		}
		var back SeatReport
		if err := json.Unmarshal(b, &back); err != nil || back.Hash != h {
			t.Errorf("%v came back as %v from %s (%v)", h, back.Hash, b, err)
		}
	}
}
