package stage

import (
	"image"
	"slices"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// ground paints what no console's picture covers. The rest would be painted twice, which
// without a graphics card costs a good part of a picture's time.
func (s *Stage) ground(list *draw.List) {
	var covered []image.Rectangle
	for _, consoles := range [...][]Placed{s.plan.Mine, s.plan.Others} {
		for _, c := range consoles {
			if s.textures[c.Seat].w != 0 {
				covered = append(covered, c.Screens.Top, c.Screens.Bottom)
			}
		}
	}
	for _, r := range gaps(image.Rectangle{Max: list.Size()}, covered) {
		list.Fill(points(list, r), colorBack)
	}
	list.SetCovered(true)
}

// gaps are rectangles that, with those that are covered, make up all of an area. They
// do not overlap anything.
func gaps(all image.Rectangle, covered []image.Rectangle) (list []image.Rectangle) {
	edges := []int{all.Min.Y, all.Max.Y}
	for _, r := range covered {
		if r = r.Intersect(all); !r.Empty() {
			edges = append(edges, r.Min.Y, r.Max.Y)
		}
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	for i := range len(edges) - 1 {
		strip := image.Rect(all.Min.X, edges[i], all.Max.X, edges[i+1])
		var in []image.Rectangle
		for _, r := range covered {
			if r = r.Intersect(strip); !r.Empty() {
				in = append(in, r)
			}
		}
		slices.SortFunc(in, func(a, b image.Rectangle) int { return a.Min.X - b.Min.X })
		x := strip.Min.X
		for _, r := range append(in, image.Rect(strip.Max.X, strip.Min.Y, strip.Max.X+1, strip.Max.Y)) {
			if r.Min.X > x {
				list = append(list, image.Rect(x, strip.Min.Y, r.Min.X, strip.Max.Y))
			}
			x = max(x, r.Max.X)
		}
	}
	return list
}
