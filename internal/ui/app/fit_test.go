package app

import (
	"encoding/binary"
	"fmt"
	"image"
	imagedraw "image/draw"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	"github.com/nettplay/nettplay/internal/ui/window"
)

// smallest is the smallest window that there can be, in points.
var smallest = image.Pt(window.MinWidth, window.MinHeight)

// inspected is a screen whose pictures are looked into.
type inspected struct {
	build func(*widgets.UI)
	store *draw.Store
	ui    *widgets.UI
	look  *widgets.Inspection
	in    widgets.Input
	out   widgets.Output

	faults []string
}

// inspect shows a scene.
func inspect(t *testing.T, s scene, size image.Point, scale float32) *inspected {
	t.Helper()
	return inspectIn(t, nil, s, size, scale)
}

// inspectIn shows a scene in a language.
func inspectIn(t *testing.T, to *language.Language, s scene, size image.Point, scale float32) *inspected {
	t.Helper()
	m := s.make(t)
	p := inspectBuild(t, to, m.Store, m.Build, size, scale)
	for _, nav := range pressed[s.name] {
		p.in.Nav = nav
		p.frame(20 * time.Millisecond)
	}
	return p
}

// inspectBuild shows what build draws. Several pictures are made, as in a window: what is open
// takes one to appear.
func inspectBuild(t *testing.T, to *language.Language, store *draw.Store, build func(*widgets.UI), size image.Point, scale float32) *inspected {
	t.Helper()
	ui := widgets.New(fontsIn(t, store), nil)
	ui.SetLanguage(to)
	in := widgets.Input{Now: 980 * time.Millisecond, Scale: scale, Focused: true}
	in.Size = image.Pt(int(float32(size.X)*scale), int(float32(size.Y)*scale))
	p := &inspected{build: build, store: store, ui: ui, look: ui.Inspect(), in: in}
	for range 3 {
		p.frame(20 * time.Millisecond)
	}
	return p
}

// frame builds a picture, after some time, and forgets what has happened.
func (p *inspected) frame(after time.Duration) {
	p.in.Now += after
	p.out = p.ui.Frame(p.in, p.build)
	p.in.Press, p.in.Nav = widgets.KeyPress{}, widgets.NoNav
}

// picture is what is seen.
func (p *inspected) picture() *image.RGBA {
	img := draw.Raster(p.out.List, p.store)
	return img
}

// slack is by how much things may seem to overlap, in points: letters have room around them,
// and places are rounded to pixels.
const slack = 2.5

// overlap reports whether two places share more than slack.
func overlap(a, b draw.Rect) bool {
	c := a.Intersect(b)
	return c.W > slack && c.H > slack
}

// within reports whether a place lies in another.
func within(a, b draw.Rect) bool {
	b = b.Inset(-1)
	return a.X >= b.X && a.Y >= b.Y && a.Right() <= b.Right() && a.Bottom() <= b.Bottom()
}

// reach is where something can be brought into sight that is clipped to a place: the content
// of the view whose clip that is, or else the clip.
func (p *inspected) reach(clip draw.Rect, layer int) draw.Rect {
	out := clip
	for _, v := range p.look.Views {
		if v.Layer == layer && within(clip, v.View.Inset2(-12, -1)) && !v.View.Empty() {
			if v.Content.H > v.View.H+0.5 {
				out.Y, out.H = min(out.Y, v.Content.Y), 0
				out.H = max(clip.Bottom(), v.Content.Bottom()) - out.Y
			}
			if v.Content.W > v.View.W+0.5 || v.Content.X < v.View.X {
				out.X, out.W = v.Content.X, v.Content.W
			}
		}
	}
	return out
}

// fault notes what is wrong, once.
func (p *inspected) fault(format string, args ...any) {
	if words := fmt.Sprintf(format, args...); !slices.Contains(p.faults, words) {
		p.faults = append(p.faults, words)
	}
}

// fits finds what does not fit into the window, or lies over something else.
func (p *inspected) fits() {
	texts, widgets := p.ui.Canvas().Texts(), p.look.Widgets
	for i, w := range texts {
		seen := w.Place.Intersect(w.Clip)
		if reach := p.reach(w.Clip, w.Layer); !reach.Empty() && !within(w.Place, reach) {
			p.fault("%q is cut off: of %v only %v can be seen", w.Text, w.Place, reach)
		}
		for _, x := range texts[:i] {
			if x.Layer == w.Layer && overlap(seen, x.Place.Intersect(x.Clip)) {
				p.fault("%q is written over %q, at %v", w.Text, x.Text, seen)
			}
		}
		for _, x := range widgets {
			if y := x.Place.Intersect(x.Clip); x.Layer == w.Layer && overlap(seen, y) && !within(seen, y.Inset(-slack)) {
				p.fault("%q at %v is half over the widget at %v", w.Text, w.Place, x.Place)
			}
		}
	}
	for i, w := range widgets {
		seen := w.Place.Intersect(w.Clip)
		if reach := p.reach(w.Clip, w.Layer); !reach.Empty() && !within(w.Place, reach) {
			p.fault("the widget at %v is cut off: only %v can be seen", w.Place, reach)
		}
		for _, x := range widgets[:i] {
			if y := x.Place.Intersect(x.Clip); x.Layer == w.Layer && x.ID != w.ID && overlap(seen, y) && !within(seen, y) {
				p.fault("the widget at %v lies over the one at %v", w.Place, x.Place)
			}
		}
	}
}

// tells hovers over each text that was cut: its whole shows.
func (p *inspected) tells() {
	top := 0
	for _, w := range p.look.Widgets {
		top = max(top, w.Layer)
	}
	var cut []draw.Written
	for _, w := range p.ui.Canvas().Texts() {
		if w.Cut && w.Layer >= top && !w.Place.Intersect(w.Clip).Empty() {
			cut = append(cut, w)
		}
	}
	for _, w := range cut {
		p.in.Mouse, p.in.MouseIn = w.Place.Intersect(w.Clip).Center().Mul(p.in.Scale), true
		p.frame(20 * time.Millisecond)
		p.frame(2 * time.Second)
		if !p.shows(w.Text) {
			p.fault("%q is cut, and does not show when the mouse is on it", w.Text)
		}
	}
	p.in.MouseIn = false
	p.frame(time.Millisecond)
}

// shows reports whether a tooltip has the whole of a text.
func (p *inspected) shows(text string) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(s), "") }
	var all strings.Builder
	for _, w := range p.ui.Canvas().Texts() {
		if w.Layer == draw.Layers-1 && !w.Cut {
			all.WriteString(plain(w.Text))
		}
	}
	return strings.Contains(all.String(), plain(text))
}

// reaches goes through all widgets by Tab: each comes into sight, where all fits.
func (p *inspected) reaches() {
	known := map[widgets.ID]bool{}
	for _, w := range p.look.Widgets {
		known[w.ID] = true
	}
	for range known {
		p.in.Press = widgets.KeyPress{Key: widgets.KeyTab}
		p.frame(20 * time.Millisecond)
		p.fits()
		for _, w := range p.look.Widgets {
			seen := w.Place.Intersect(w.Clip)
			if w.ID == p.ui.Focused() && (seen.H < min(w.Place.H, widgets.Control)-1 || seen.W < w.Place.W-1) {
				p.fault("the widget at %v has the keyboard, and only %v of it is in sight", w.Place, seen)
			}
		}
	}
}

// check is all of that.
func (p *inspected) check(t *testing.T) {
	t.Helper()
	p.fits()
	p.tells()
	p.reaches()
	for _, words := range p.faults {
		t.Errorf("at %g times: %s", p.in.Scale, words)
	}
}

// pictured is the picture of a scene, and what is then checked.
func (p *inspected) pictured(t *testing.T) *image.RGBA {
	t.Helper()
	img := p.picture()
	p.check(t)
	return img
}

// TestScreensFit: in the smallest window, at all sizes of the interface, everything on every
// screen can be seen and reached. So it can in a window of the scene's own size. Chosen scenes have a golden sheet of how they
// look then; a scene like another, but for the size, is looked at in its own size alone.
func TestScreensFit(t *testing.T) {
	must.HaveLinux(t, "paths of Linux in the pictures")
	all := append(scenes(), playScenes()...)
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			inspect(t, s, s.size, 1).check(t)
			switch {
			case likeAnother(s.name, all):
			case hasSheet(s.name):
				compare(t, filepath.Join("testdata", "smallest", s.name+".png"), sheet(
					inspect(t, s, smallest, 1).pictured(t), inspect(t, s, smallest, 1.5).pictured(t), inspect(t, s, smallest, 2).pictured(t)))
			default:
				for _, scale := range []float32{1, 1.5, 2} {
					inspect(t, s, smallest, scale).check(t)
				}
			}
		})
	}
}

// sheets are the scenes with a golden sheet, beside those whose name is one word: the plain state of each screen.
var sheets = []string{
	"cores-offers", "ended-core", "files-folder", "games-none", "home-again", "home-many", "home-no-games", "host-moment", "join-rooms",
	"lobby-auto-client", "lobby-blocked", "lobby-code", "lobby-full", "lobby-local", "lobby-sixteen", "moments-list", "online-none", "play-alone", "play-chat", "play-four",
	"play-hybrid", "play-recording", "play-rollback", "play-turned-left", "recordings-film", "settings-0", "settings-1", "settings-2", "settings-3", "settings-4", "settings-5",
	"settings-6", "settings-7", "settings-8", "settings-9", "watching-live", "welcome-wireless-here",
}

func hasSheet(name string) bool { return !strings.Contains(name, "-") || slices.Contains(sheets, name) }

// TestGoldenPicturesHaveScenes: none is left of a scene that is gone.
func TestGoldenPicturesHaveScenes(t *testing.T) {
	for _, folder := range []string{"screens", "smallest", "handheld"} {
		files, err := filepath.Glob(filepath.Join("testdata", folder, "*.png"))
		must.Succeed(t, err)
		for _, path := range files {
			name := strings.TrimSuffix(filepath.Base(path), ".png")
			there := func(s scene) bool { return s.name == name }
			if all := append(scenes(), playScenes()...); !slices.ContainsFunc(all, there) || folder != "handheld" && likeAnother(name, all) || folder == "smallest" && !hasSheet(name) {
				t.Errorf("%s is the picture of nothing", path)
			}
		}
	}
}

// likeAnother reports whether a scene is like another, but for its size.
func likeAnother(name string, all []scene) bool {
	plain := name
	for _, size := range []string{"-small", "-large", "-tall"} {
		plain = strings.TrimSuffix(plain, size)
	}
	return plain != name && slices.ContainsFunc(all, func(s scene) bool { return s.name == plain })
}

// sheet has a picture at its left, and beside it two that are 1.5 times and twice as large,
// brought to half of the first one's size.
//
//go:norace
func sheet(one, oneAndHalf, two *image.RGBA) *image.RGBA {
	w, h := one.Rect.Dx(), one.Rect.Dy()
	img := image.NewRGBA(image.Rect(0, 0, w+w/2, h))
	imagedraw.Draw(img, one.Rect, one, image.Point{}, imagedraw.Src)
	reduce(img, image.Pt(w, 0), oneAndHalf, 3)
	reduce(img, image.Pt(w, h/2), two, 4)
	coarse(img)
	return img
}

// reduce draws a picture of which n by n pixels become one.
//
//go:norace
func reduce(to *image.RGBA, at image.Point, from *image.RGBA, n int) {
	width, stride, pixels := from.Rect.Dx()/n, from.Stride, from.Pix
	for y := range from.Rect.Dy() / n {
		row := to.Pix[to.PixOffset(at.X, at.Y+y):]
		for x := range width {
			var sum [4]int
			for i := range n * n {
				p := binary.LittleEndian.Uint32(pixels[(n*y+i/n)*stride+4*(n*x+i%n):])
				for c := range sum {
					sum[c] += int(uint8(p >> (8 * c)))
				}
			}
			for c := range sum {
				row[4*x+c] = uint8(sum[c] / (n * n))
			}
		}
	}
}

// TestFaultsAreFound: the check of the screens finds what it is for.
func TestFaultsAreFound(t *testing.T) {
	long := strings.Repeat("a long text ", 12)
	for want, build := range map[string]func(*widgets.UI){
		"is written over": func(u *widgets.UI) {
			u.In(draw.R(10, 10, 200, 40), func() { u.Label("one text") })
			u.In(draw.R(20, 18, 200, 40), func() { u.Label("another") })
		},
		"is cut off: of": func(u *widgets.UI) { u.Canvas().Text(draw.Pt(10, 10), widgets.StyleBody, long, draw.White) },
		"half over the widget": func(u *widgets.UI) {
			u.In(draw.R(10, 10, 100, 40), func() { u.Button(widgets.Button{Icon: draw.IconCheck, Name: "b"}) })
			u.In(draw.R(90, 18, 200, 40), func() { u.Label("a text") })
		},
		"only": func(u *widgets.UI) {
			u.In(draw.R(400, 10, 200, 40), func() { u.Button(widgets.Button{Icon: draw.IconCheck, Name: "b"}) })
		},
		"lies over the one": func(u *widgets.UI) {
			u.In(draw.R(10, 10, 100, 40), func() { u.Button(widgets.Button{Icon: draw.IconCheck, Name: "b"}) })
			u.In(draw.R(60, 20, 100, 40), func() { u.Button(widgets.Button{Icon: draw.IconPlus, Name: "c"}) })
		},
		"does not show when": func(u *widgets.UI) {
			u.Canvas().SetLayer(6) // where no tooltip looks
			u.Canvas().TextIn(u.Area(), widgets.StyleBody, long, draw.White, draw.Start)
		},
		"has the keyboard": func(u *widgets.UI) {
			u.In(draw.R(10, 350, 100, 40), func() { u.Button(widgets.Button{Icon: draw.IconCheck, Name: "b"}) })
		},
		"": func(u *widgets.UI) {
			u.Scroll("all", 0, func() {
				for range 20 {
					u.Label(long)
					u.Button(widgets.Button{Text: long})
				}
			})
		},
	} {
		p := inspectBuild(t, nil, fontStore(), build, smallest, 1)
		p.fits()
		p.tells()
		p.reaches()
		if all := strings.Join(p.faults, "\n"); !strings.Contains(all, want) || want == "" && all != "" {
			t.Errorf("%q is not found: %s", want, all)
		}
	}
}
