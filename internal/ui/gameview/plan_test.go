package gameview

import (
	"fmt"
	"image"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ds"
)

// seats are n seat numbers from first on.
func seats(first, n int) (list []ds.Seat) {
	for i := range n {
		list = append(list, ds.Seat(first+i))
	}
	return list
}

func TestPlansHoldEverybody(t *testing.T) {
	for _, size := range windows {
		for _, mine := range []int{1, 2, 4} {
			for others := range 16 - mine {
				for _, scale := range []float64{1, 1.5, 2} {
					area := Area{Width: size.X, Height: size.Y, Line: int(18 * scale), Scale: scale}
					t.Run(fmt.Sprint(size, mine, others, scale), func(t *testing.T) {
						checkPlan(t, area, mine, others)
					})
				}
			}
		}
	}
}

func checkPlan(t *testing.T, area Area, mine, others int) {
	all := image.Rect(0, 0, area.Width, area.Height)
	p := Arrange(area, seats(0, mine), seats(mine, others), Options{Others: true})
	roomy := area.Width >= int(640*area.Scale) && area.Height >= int(480*area.Scale)
	if roomy && (len(p.Mine) != mine || len(p.Others) != others) {
		t.Fatalf("%d of our %d, %d of the others' %d", len(p.Mine), mine, len(p.Others), others)
	}
	var rects []image.Rectangle
	for i, c := range p.Mine {
		if c.Seat != ds.Seat(i) {
			t.Errorf("seat %d stands where %d does", c.Seat, i)
		}
		if roomy && c.Screens.Bounds().Empty() {
			t.Error("one of ours is not shown")
		}
		rects = append(rects, c.Screens.Top, c.Screens.Bottom, c.Name)
	}
	for i, c := range p.Others {
		if c.Seat != ds.Seat(mine+i) {
			t.Errorf("seat %d stands where %d does", c.Seat, mine+i)
		}
		if c.Screens.Bounds().Empty() {
			t.Error("one of the others is not shown")
		}
		rects = append(rects, c.Screens.Top, c.Screens.Bottom, c.Name)
	}
	for i, r := range rects {
		if !r.In(all) {
			t.Errorf("%v is outside of the window", r)
		}
		for _, other := range rects[:i] {
			if r.Overlaps(other) {
				t.Errorf("%v and %v overlap", r, other)
			}
		}
	}
}

func TestOursIsTheLargeOne(t *testing.T) {
	for _, size := range []image.Point{{640, 480}, {768, 1152}, {1280, 720}, {1920, 1080}} {
		for others := 1; others < 8; others++ {
			area := Area{Width: size.X, Height: size.Y, Line: 18, Scale: 1}
			p := Arrange(area, []ds.Seat{0}, seats(1, others), Options{Others: true})
			for _, c := range p.Others {
				if ours, its := p.Mine[0].Screens.Bounds(), c.Screens.Bounds(); its.Dx()*3 > ours.Dx()*2 {
					t.Errorf("%v with %d others: ours is %v, another %v", size, others, ours, its)
				}
			}
		}
	}
}

func TestOthersOff(t *testing.T) {
	area := Area{Width: 640, Height: 480, Line: 18, Scale: 1}
	alone := Arrange(area, []ds.Seat{0}, nil, Options{Others: true})
	off := Arrange(area, []ds.Seat{0}, seats(1, 3), Options{})
	if len(off.Others) != 0 || off.Mine[0] != alone.Mine[0] {
		t.Errorf("%+v", off)
	}
}

// In a wide window the others stand beside a console that is as high as it was.
func TestStripTakesTheFreeSide(t *testing.T) {
	area := Area{Width: 1280, Height: 720, Line: 18, Scale: 1}
	p := Arrange(area, []ds.Seat{0}, seats(1, 3), Options{Others: true})
	if ours := p.Mine[0].Screens.Bounds(); p.Others[0].Screens.Bounds().Min.X < ours.Max.X || ours.Dy() != 720 {
		t.Errorf("ours %v, the others %v", ours, p.Others)
	}
}

// In a large window the others take what ours leave free, and ours stay as large as they are.
func TestOthersTakeWhatIsFree(t *testing.T) {
	for others, least := range map[int]int{1: 460, 3: 300, 7: 200} {
		area := Area{Width: 1920, Height: 1080, Line: 18, Scale: 1}
		p := Arrange(area, []ds.Seat{0}, seats(1, others), Options{Others: true})
		if got := p.Others[0].Screens.Bounds().Dx(); got < least {
			t.Errorf("%d others are %d wide, want %d at least", others, got, least)
		}
		ours, b := p.Mine[0].Screens.Bounds(), image.Rectangle{}
		for _, c := range p.Others {
			b = b.Union(c.Screens.Bounds())
		}
		if ours.Dy() != 1080 || ours.Min.X < 15 {
			t.Errorf("with %d others ours is %v, they are at %v", others, ours, b)
		}
	}
}

// withOthers are all layouts, emphases and rotations.
func withOthers() (list []Options) {
	for _, l := range config.Layouts() {
		for _, e := range config.Emphases() {
			for _, r := range config.Rotations() {
				list = append(list, Options{Layout: l, Emphasis: e, Rotation: r, Others: true, HUD: true})
			}
		}
	}
	return list
}

// Whatever the layout, the screens of each of the others are at least a third as wide as the largest of ours, and at most two thirds.
func TestOthersAreAThirdAtLeast(t *testing.T) {
	for _, size := range []image.Point{{640, 480}, {700, 500}, {1000, 700}, {900, 1250}, {1920, 1080}} {
		for others := 1; others < 8; others++ {
			for _, o := range withOthers() {
				p := Arrange(Area{Width: size.X, Height: size.Y, Line: 18, Scale: 1}, []ds.Seat{0}, seats(1, others), o)
				ours := o.wide(p.Mine[0].Screens.Bounds().Size())
				if len(p.Others) != others || ours < 60 {
					t.Fatalf("%v %+v: %d of %d others, ours is %d wide", size, o, len(p.Others), others, ours)
				}
				for _, c := range p.Others {
					its := Options{Rotation: o.Rotation}.wide(c.Screens.Bounds().Size())
					if 3*(its+1) < ours || 3*its > 2*ours+3 {
						t.Errorf("%v %+v, %d others: ours is %d wide, another %d", size, o, others, ours, its)
					}
				}
			}
		}
	}
}

// All consoles together stand in the middle, close to each other.
func TestOneComposition(t *testing.T) {
	for _, size := range []image.Point{{700, 500}, {1000, 700}, {900, 1250}, {1920, 1080}, {2560, 1080}} {
		for mine := 1; mine < 4; mine++ {
			for others := range 5 {
				for _, o := range withOthers() {
					o.HUD = false
					p := Arrange(Area{Width: size.X, Height: size.Y, Line: 18, Scale: 1}, seats(0, mine), seats(mine, others), o)
					var b image.Rectangle
					for _, c := range p.all() {
						b = b.Union(c.Screens.Bounds())
					}
					off := b.Min.Add(b.Max).Sub(size)
					if max(off.X, -off.X) > 2*18+12 || max(off.Y, -off.Y) > 2*18+12 {
						t.Errorf("%v %+v, %d and %d: they stand at %v", size, o, mine, others, b)
					}
				}
			}
		}
	}
}

// What is free is beside all consoles, and no free place lies in another.
func TestFreePlaces(t *testing.T) {
	for _, size := range []image.Point{{700, 500}, {900, 1250}, {1920, 1080}} {
		for others := range 8 {
			for _, o := range withOthers() {
				p := Arrange(Area{Width: size.X, Height: size.Y, Line: 18, Scale: 1}, []ds.Seat{0}, seats(1, others), o)
				covered := 0
				for _, c := range p.all() {
					for _, r := range []image.Rectangle{c.Screens.Top, c.Screens.Bottom, c.Screens.Again, c.Name} {
						covered += r.Dx() * r.Dy()
						for _, f := range p.Free {
							if f.Overlaps(r) || !f.In(image.Rectangle{Max: size}) {
								t.Fatalf("%v %+v: %v is free, and %v is there", size, o, f, r)
							}
						}
					}
				}
				if covered < size.X*size.Y/2 && len(p.Free) == 0 {
					t.Errorf("%v %+v: nothing is free", size, o)
				}
			}
		}
	}
}
