package draw

import "testing"

// TestIconsDiffer: no two icons are alike at the size at which most are seen, and none is empty.
func TestIconsDiffer(t *testing.T) {
	const size = 17
	ink := func(i Icon, x, y int) float64 {
		return min(max(iconOpacity(i, (float64(x)+0.5)*24/size, (float64(y)+0.5)*24/size, size/24.0), 0), 1)
	}
	for i := IconCheck; i < icons; i++ {
		all := 0.0
		for x := range size {
			for y := range size {
				all += ink(i, x, y)
			}
		}
		if all < 10 {
			t.Errorf("icon %d is empty", i)
		}
		for j := IconCheck; j < i; j++ {
			apart := 0.0
			for x := range size {
				for y := range size {
					d := ink(i, x, y) - ink(j, x, y)
					apart += max(d, -d)
				}
			}
			if apart < 12 {
				t.Errorf("icons %d and %d differ by %.0f pixels only", i, j, apart)
			}
		}
	}
}
