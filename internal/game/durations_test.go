package game

import (
	"testing"
	"time"
)

func TestPercentiles(t *testing.T) {
	var d Durations
	if d.Percentile(0.99) != 0 {
		t.Error("a percentile of nothing is not 0")
	}
	for i := range 1000 {
		d.add(time.Duration(i) * 100 * time.Microsecond) // 0 to 99.9 ms
	}
	d.add(time.Hour) // must not write out of the buckets
	d.add(-time.Hour)
	if got := d.Report(); got.P50 < 49 || got.P50 > 51 || got.P99 < 98 || got.P99 > 100 {
		t.Errorf("got %+v, want about 50 and 99 ms", got)
	}
	for _, x := range []struct {
		above time.Duration
		want  uint64
	}{{-time.Second, 1000}, {50 * time.Millisecond, 500}, {98950 * time.Microsecond, 11}, {time.Second, 0}} {
		if got := d.Above(x.above); got != x.want {
			t.Errorf("%d above %v, want %d", got, x.above, x.want)
		}
	}
}
