package stage

import (
	"image"
	"math/rand/v2"
	"testing"
)

// FuzzGaps: each pixel is either covered or in exactly one gap.
func FuzzGaps(f *testing.F) {
	f.Add(uint64(1), 2)
	f.Add(uint64(2), 0)
	f.Add(uint64(3), 9)
	f.Fuzz(func(t *testing.T, seed uint64, n int) {
		if n < 0 || n > 20 {
			return
		}
		random := rand.New(rand.NewPCG(seed, 0))
		all := image.Rect(0, 0, 1+random.IntN(40), 1+random.IntN(40))
		var covered []image.Rectangle
		for range n {
			at := image.Pt(random.IntN(50)-5, random.IntN(50)-5)
			covered = append(covered, image.Rectangle{Min: at, Max: at.Add(image.Pt(random.IntN(20), random.IntN(20)))})
		}
		list := gaps(all, covered)
		for y := range all.Max.Y {
			for x := range all.Max.X {
				p, is, in := image.Pt(x, y), false, 0
				for _, r := range covered {
					is = is || p.In(r)
				}
				for _, r := range list {
					if p.In(r) {
						in++
					}
				}
				if is && in != 0 || !is && in != 1 {
					t.Fatalf("%v of %v: covered %v, in %d gaps %v", p, covered, is, in, list)
				}
			}
		}
	})
}
