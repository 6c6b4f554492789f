package gameview

import (
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/pads"
)

// windows are drawing areas as they occur: small, odd, wide, tall, large, and
// what 1.25, 1.5 and 1.75 pixels to a point make of common ones.
var windows = []image.Point{
	{256, 384},
	{640, 480},
	{641, 479},
	{512, 768},
	{768, 1152},
	{800, 600},
	{960, 720},
	{1120, 840},
	{1280, 720},
	{1366, 768},
	{1000, 333},
	{333, 1000},
	{1920, 1080},
	{2880, 1620},
	{3840, 2160},
	{100, 90},
}

// arrangements are all there are, with several gaps.
func arrangements() (all []Options) {
	for _, layout := range config.Layouts() {
		for _, emphasis := range config.Emphases() {
			for _, swap := range []bool{false, true} {
				for _, whole := range []bool{false, true} {
					for _, gap := range []int{0, 7, 90} {
						all = append(all, Options{Layout: layout, Emphasis: emphasis, Swap: swap, Integer: whole, Gap: gap})
						for _, rotation := range config.Rotations()[1:] {
							if gap == 7 {
								all = append(all, Options{Layout: layout, Emphasis: emphasis, Rotation: rotation, Swap: swap, Integer: whole, Gap: gap})
							}
						}
					}
				}
			}
		}
	}
	return all
}

// eachScreens calls check with the screens of each arrangement in each window.
func eachScreens(t *testing.T, check func(t *testing.T, area image.Rectangle, a Options, s Screens)) {
	for _, size := range windows {
		for _, a := range arrangements() {
			area := image.Rectangle{Max: size}.Add(image.Pt(13, 5))
			t.Run(fmt.Sprintf("%v %+v", size, a), func(t *testing.T) { check(t, area, a, a.place(area)) })
		}
	}
}

// eachBottom calls check with each place at which an arrangement shows the bottom screen.
func eachBottom(t *testing.T, check func(t *testing.T, s Screens)) {
	eachScreens(t, func(t *testing.T, _ image.Rectangle, a Options, s Screens) {
		for _, at := range s.bottoms() {
			check(t, Screens{Bottom: at, Turn: s.Turn})
		}
	})
}

func TestScreensStandInsideAndApart(t *testing.T) {
	eachScreens(t, func(t *testing.T, area image.Rectangle, a Options, s Screens) {
		if !s.Bounds().In(area) {
			t.Errorf("%v reaches out of %v", s.Bounds(), area)
		}
		if s.Top.Overlaps(s.Bottom) || s.Again.Overlaps(s.Top) || s.Again.Overlaps(s.Bottom) {
			t.Errorf("%v, %v and %v overlap", s.Top, s.Bottom, s.Again)
		}
		if (a.Layout == Hybrid) == s.Again.Empty() {
			t.Errorf("shown again at %v", s.Again)
		}
		alone := a.Layout == TopOnly || a.Layout == BottomOnly
		if alone != (s.Top.Empty() || s.Bottom.Empty()) {
			t.Errorf("top %v, bottom %v", s.Top, s.Bottom)
		}
	})
}

// A layout uses what space there is: with less than two pixels more for
// each edge nothing larger would fit (one multiple more with whole scaling).
func TestScreensAreAsLargeAsPossible(t *testing.T) {
	eachScreens(t, func(t *testing.T, area image.Rectangle, a Options, s Screens) {
		if a.Integer {
			return
		}
		b := s.Bounds()
		if area.Dx()-b.Dx() > 6 && area.Dy()-b.Dy() > 6 {
			t.Errorf("%v in %v", b, area)
		}
	})
}

func TestWholeMultiples(t *testing.T) {
	eachScreens(t, func(t *testing.T, area image.Rectangle, a Options, s Screens) {
		for _, r := range []image.Rectangle{s.Top, s.Bottom, s.Again} {
			if s.Turn != pads.Upright {
				r = image.Rect(0, 0, r.Dy(), r.Dx())
			}
			if a.Integer && r.Dx() >= screenW && (r.Dx()%screenW != 0 || r.Dy()*screenW != r.Dx()*screenH) {
				t.Errorf("%v is no whole multiple", r)
			}
			if d := r.Dy()*4 - r.Dx()*3; d > 0 || d < -3 {
				t.Errorf("%v is out of shape", r)
			}
		}
	})
}

func TestLayoutsAreWhatTheySay(t *testing.T) {
	area := image.Rect(0, 0, 900, 900)
	for _, c := range []struct {
		a    Options
		want func(s Screens) bool
	}{
		{Options{Layout: Vertical}, func(s Screens) bool { return s.Top.Max.Y == s.Bottom.Min.Y && s.Top.Dx() == s.Bottom.Dx() }},
		{Options{Layout: Vertical, Swap: true}, func(s Screens) bool { return s.Bottom.Max.Y == s.Top.Min.Y }},
		{Options{Layout: Vertical, Gap: 64}, func(s Screens) bool { return s.Bottom.Min.Y-s.Top.Max.Y == s.Top.Dx()/4 }},
		{Options{Layout: Horizontal}, func(s Screens) bool { return s.Top.Max.X == s.Bottom.Min.X && s.Top.Dx() == 450 }},
		{Options{Layout: Horizontal, Swap: true}, func(s Screens) bool { return s.Bottom.Max.X == s.Top.Min.X }},
		{Options{Layout: Horizontal, Emphasis: LargeTop}, func(s Screens) bool { return s.Top.Dx() == 675 && s.Bottom.Dx() == 225 }},
		{Options{Layout: Vertical, Emphasis: LargeDown}, func(s Screens) bool { return s.Bottom.Dx() == 900 && s.Top.Dx() == 300 }},
		{Options{Layout: Vertical, Emphasis: LargeDown, Swap: true}, func(s Screens) bool { return s.Bottom.Dx() == 900 && s.Bottom.Min.Y < s.Top.Min.Y }},
		{Options{Layout: Hybrid}, func(s Screens) bool {
			return s.Top == image.Rect(0, 225, 600, 675) && s.Again == image.Rect(600, 225, 900, 450) && s.Bottom == image.Rect(600, 450, 900, 675) && !s.AgainBottom
		}},
		{Options{Layout: Hybrid, Swap: true}, func(s Screens) bool {
			return s.Bottom == image.Rect(0, 225, 600, 675) && s.Top == image.Rect(600, 225, 900, 450) && s.Again == image.Rect(600, 450, 900, 675) && s.AgainBottom
		}},
		{Options{Layout: Hybrid, Emphasis: LargeDown}, func(s Screens) bool { return s.Bottom.Dx() == 600 && s.AgainBottom }},
		{Options{Layout: Hybrid, Emphasis: LargeDown, Swap: true}, func(s Screens) bool { return s.Top.Dx() == 600 && !s.AgainBottom }},
		{Options{Layout: Hybrid, Integer: true}, func(s Screens) bool { return s.Top.Dx() == 512 && s.Bottom.Dx() == 256 }},
		{Options{Layout: Hybrid, Gap: 64}, func(s Screens) bool {
			return s.Bottom.Min.Y-s.Again.Max.Y == s.Bottom.Dx()/4 && s.Again.Min.X > s.Top.Max.X
		}},
		{Options{Layout: TopOnly}, func(s Screens) bool { return s.Top.Dx() == 900 && s.Bottom.Empty() }},
		{Options{Layout: TopOnly, Swap: true}, func(s Screens) bool { return s.Bottom.Dx() == 900 && s.Top.Empty() }},
		{Options{Layout: BottomOnly}, func(s Screens) bool { return s.Bottom.Dx() == 900 && s.Top.Empty() }},
		{Options{Layout: Vertical, Rotation: TurnedLeft}, func(s Screens) bool {
			return s.Top.Max.X == s.Bottom.Min.X && s.Top.Dx() == 450 && s.Top.Dy() == 600
		}},
		{Options{Layout: Vertical, Rotation: TurnedRight}, func(s Screens) bool {
			return s.Bottom.Max.X == s.Top.Min.X && s.Top.Dx() == 450 && s.Top.Dy() == 600
		}},
		{Options{Layout: Horizontal, Rotation: TurnedLeft}, func(s Screens) bool { return s.Bottom.Max.Y == s.Top.Min.Y && s.Top.Dy() == 450 }},
		{Options{Layout: Horizontal, Rotation: TurnedRight}, func(s Screens) bool { return s.Top.Max.Y == s.Bottom.Min.Y && s.Top.Dy() == 450 }},
		{Options{Layout: Hybrid, Rotation: TurnedRight, Emphasis: LargeDown}, func(s Screens) bool {
			return s.Bottom == image.Rect(225, 0, 675, 600) && s.Top == image.Rect(450, 600, 675, 900) && s.Again == image.Rect(225, 600, 450, 900)
		}},
		{Options{Layout: Vertical, Rotation: TurnedLeft, Emphasis: LargeDown}, func(s Screens) bool { return s.Bottom.Dy() == 900 && s.Top.Dy() == 300 }},
		{Options{Layout: BottomOnly, Rotation: TurnedLeft}, func(s Screens) bool { return s.Bottom == image.Rect(112, 0, 787, 900) && s.Top.Empty() }},
		{Options{Layout: Vertical, Integer: true}, func(s Screens) bool { return s.Top.Dx() == 512 }},
	} {
		if s := c.a.place(area); !c.want(s) {
			t.Errorf("%+v: %+v", c.a, s)
		}
	}
}

func TestNamesInSettings(t *testing.T) {
	if want := []string{Unturned, TurnedLeft, TurnedRight}; !slices.Equal(config.Rotations(), want) {
		t.Errorf("the settings have the rotations %v, want %v", config.Rotations(), want)
	}
	if want := []string{Vertical, Horizontal, Hybrid, TopOnly, BottomOnly}; !slices.Equal(config.Layouts(), want) {
		t.Errorf("the settings have the layouts %v, want %v", config.Layouts(), want)
	}
	if want := []string{Even, LargeTop, LargeDown}; !slices.Equal(config.Emphases(), want) {
		t.Errorf("the settings have the emphases %v, want %v", config.Emphases(), want)
	}
}

// shown is which console pixel a renderer shows in each of size drawing pixels:
// the one under the middle, searched for in real numbers. Between two it is the
// one after.
func shown(size, n int) []int {
	of := make([]int, size)
	for p := range n {
		for d := range size {
			middle := (float64(d) + 0.5) * float64(n) / float64(size)
			if middle >= float64(p) && middle < float64(p+1) {
				of[d] = p
			}
		}
	}
	return of
}

// TestStylusIsExact compares each drawing pixel of the bottom screen, in every
// arrangement and window, with the console pixel that is seen there.
func TestStylusIsExact(t *testing.T) {
	columns := map[[2]int][]int{}
	seen := func(size, n int) []int {
		k := [2]int{size, n}
		if columns[k] == nil {
			columns[k] = shown(size, n)
		}
		return columns[k]
	}
	eachBottom(t, func(t *testing.T, s Screens) {
		r := s.Bottom
		wide, high := screenW, screenH
		if s.Turn != pads.Upright {
			wide, high = high, wide
		}
		wantX, wantY := seen(r.Dx(), wide), seen(r.Dy(), high)
		// at is where the console's pixel is that is drawn in a column and a row.
		at := map[pads.Turn]func(u, v int) (x, y int){
			pads.Upright: func(u, v int) (int, int) { return u, v },
			pads.Left:    func(u, v int) (int, int) { return 255 - v, u },
			pads.Right:   func(u, v int) (int, int) { return v, 191 - u },
		}[s.Turn]
		for d := range wantX {
			for _, in := range []float64{0, 0.5, 0.999} {
				x, y := at(wantX[d], wantY[0])
				if px, py := pixelIn(s.Bottom, s.Turn, float64(r.Min.X+d)+in, float64(r.Min.Y)); int(px) != x || int(py) != y {
					t.Fatalf("column %v: %d,%d, seen is %d,%d", float64(d)+in, px, py, x, y)
				}
			}
		}
		for d := range wantY {
			for _, in := range []float64{0, 0.5, 0.999} {
				x, y := at(wantX[0], wantY[d])
				if px, py := pixelIn(s.Bottom, s.Turn, float64(r.Min.X), float64(r.Min.Y+d)+in); int(px) != x || int(py) != y {
					t.Fatalf("row %v: %d,%d, seen is %d,%d", float64(d)+in, px, py, x, y)
				}
			}
		}
		random := rand.New(rand.NewPCG(1, 2))
		for range 120 {
			dx, dy := random.IntN(r.Dx()), random.IntN(r.Dy())
			px, py := pixelIn(s.Bottom, s.Turn, float64(r.Min.X+dx)+random.Float64(), float64(r.Min.Y+dy)+random.Float64())
			if x, y := at(wantX[dx], wantY[dy]); int(px) != x || int(py) != y {
				t.Fatalf("drawing pixel %d,%d: %d,%d, seen is %d,%d", dx, dy, px, py, x, y)
			}
		}
	})
}

// TestPixelsRoundTrip goes the other way: each console pixel of the edges, the
// corners and 120 more, to where it is drawn and back.
func TestPixelsRoundTrip(t *testing.T) {
	eachBottom(t, func(t *testing.T, s Screens) {
		back := func(px, py int) {
			t.Helper()
			r := rectOf(s.Bottom, s.Turn, uint8(px), uint8(py))
			if r.Empty() && s.Bottom.Dx() >= screenW && s.Bottom.Dy() >= screenW {
				t.Fatalf("%d,%d is not drawn in %v", px, py, s.Bottom)
			}
			if !r.Empty() && !r.In(s.Bottom) {
				t.Fatalf("%d,%d is drawn at %v, outside of %v", px, py, r, s.Bottom)
			}
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					if gx, gy := pixelIn(s.Bottom, s.Turn, float64(x), float64(y)); int(gx) != px || int(gy) != py {
						t.Fatalf("%d,%d is drawn at %d,%d, which is touched as %d,%d", px, py, x, y, gx, gy)
					}
				}
			}
		}
		for x := range screenW {
			back(x, 0)
			back(x, screenH-1)
		}
		for y := range screenH {
			back(0, y)
			back(screenW-1, y)
		}
		random := rand.New(rand.NewPCG(3, 4))
		for range 120 {
			back(random.IntN(screenW), random.IntN(screenH))
		}
	})
}

// The pixels' places tile the screen: none is drawn twice, nothing is left out.
func TestPixelsTile(t *testing.T) {
	for size := 1; size < 900; size++ {
		next := 40
		for p := range screenW {
			a, b := spanOf(p, 40, 40+size, screenW)
			if a != next || b < a {
				t.Fatalf("of %d drawing pixels, pixel %d has %d to %d, the one before ended at %d", size, p, a, b, next)
			}
			next = b
		}
		if next != 40+size {
			t.Fatalf("of %d drawing pixels %d are covered", size, next-40)
		}
	}
}
