package window

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"testing"
	"time"
	"unsafe"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// rig is a window with a UI in it, on the main thread.
type rig struct {
	*Window
	store *draw.Store
	fonts *draw.Fonts
	ui    *widgets.UI
}

func withWindow(t testing.TB, c Config, use func(r *rig)) {
	t.Helper()
	onMain(func() {
		store := &draw.Store{}
		fonts, err := draw.NewFonts(store, []string{})
		if err != nil {
			t.Error(err)
			return
		}
		w, err := Open(c, store)
		if err != nil {
			t.Error(err)
			return
		}
		defer w.Close()
		use(&rig{w, store, fonts, widgets.New(fonts, w)})
	})
}

// until lets the loop run until build has seen what it waits for.
func (r *rig) until(t testing.TB, build func(u *widgets.UI) bool) {
	t.Helper()
	for range 200 {
		in, more := r.Next(20 * time.Millisecond)
		done := false
		out := r.ui.Frame(in, func(u *widgets.UI) { done = build(u) || done })
		if !more {
			if err := r.Show(out); err != nil {
				t.Error(err)
			}
		}
		if done {
			return
		}
	}
	t.Error("it did not happen")
}

func TestVertexIsSDLs(t *testing.T) {
	var a draw.Vertex
	var b sdl.Vertex
	if unsafe.Sizeof(a) != unsafe.Sizeof(b) || unsafe.Offsetof(a.Color) != unsafe.Offsetof(b.Color) ||
		unsafe.Offsetof(a.U) != unsafe.Offsetof(b.TexCoord) || unsafe.Offsetof(a.X) != unsafe.Offsetof(b.Position) {
		t.Error("draw.Vertex and sdl.Vertex do not have the same layout")
	}
	v := vertices([]draw.Vertex{{X: 1, Y: 2, Color: draw.Color{R: 3, G: 4, B: 5, A: 6}, U: 7, V: 8}})[0]
	if v.Position != (sdl.FPoint{X: 1, Y: 2}) || v.Color != (sdl.Color{R: 3, G: 4, B: 5, A: 6}) || v.TexCoord != (sdl.FPoint{X: 7, Y: 8}) {
		t.Errorf("got %+v", v)
	}
	if len(vertices(nil)) != 0 {
		t.Error("vertices of nothing")
	}
}

// A goroutine that has news wakes the loop, however often and at whatever
// moment it calls.
func TestWake(t *testing.T) {
	withWindow(t, Config{Software: true}, func(r *rig) {
		for range 3 {
			for drained := false; !drained; { // what opening a window brings
				_, more := r.Next(0)
				drained = !more
			}
			go func() {
				for range 50 {
					r.Wake()
				}
			}()
			r.Next(-1) // returns only if woken
		}
		r.Wake()
		r.Next(-1)
	})
}

// canvases are windows of both kinds: one that paints by itself, and one of SDL's renderer,
// as if there were a graphics card.
func canvases() map[string]Config {
	return map[string]Config{
		"memory": {Width: 640, Height: 480, Software: true},
		"card":   {Width: 640, Height: 480, renderer: sdl.RENDERER_SOFTWARE},
	}
}

// A window shows what the reference paints, with textures of each format, and also
// after some of them have changed.
func TestSamePictureAsReference(t *testing.T) {
	for name, config := range canvases() {
		withWindow(t, config, func(r *rig) {
			img := image.NewNRGBA(image.Rect(0, 0, 16, 16))
			for i := range 256 {
				img.Set(i%16, i/16, color.NRGBA{uint8(i), uint8(255 - i), 90, 255})
			}
			icon := r.store.NewImage(img, false)
			var consoles []draw.Texture
			for _, format := range []draw.Format{draw.BGRX, draw.RGB565, draw.XRGB1555} {
				consoles = append(consoles, r.store.New(64, 48, format, false))
			}
			pix := make([]byte, 64*48*4)
			for round := range 3 {
				for i := range pix {
					pix[i] = byte(i*7 + round*31)
				}
				for _, c := range consoles[round:] {
					if err := r.store.Lend(c, bytes.Clone(pix), true); err != nil {
						t.Error(err)
					}
				}
				list := screen(r, icon, consoles...)
				got, err := r.Screenshot(list)
				if err != nil {
					t.Error(err)
					return
				}
				want := draw.Raster(list, r.store)
				most := map[string]int{"memory": 0, "card": 6}[name] // SDL rounds otherwise
				if n := countFar(got, want, most); n > 0 {
					t.Errorf("%s: %d of %d pixels differ", name, n, len(got.Pix)/4)
				}
			}
		})
	}
}

// TestOnDisplay: what a display shows is what was painted, though only what has changed is
// painted and sent there; also on one of fewer colours, where that has to be converted, and
// after the window had another size.
func TestOnDisplay(t *testing.T) {
	uitest.NeedDisplay(t)
	for _, bits := range []int{24, 16} {
		display := uitest.NewDisplay(t, 1000, 800, bits)
		t.Setenv("DISPLAY", display.Name)
		t.Setenv("SDL_VIDEODRIVER", "x11")
		withWindow(t, Config{Title: "nettplay test", Width: 640, Height: 480, Software: true}, func(r *rig) {
			console := r.store.New(64, 48, draw.RGB565, false)
			pix := make([]byte, 64*48*2)
			for round, name := range []string{"Ann", "Ann", "アンナ", "Bob", "B", "Dora"} {
				if round != 1 {
					pix[100+2*round] = 0xff
				}
				if err := r.store.Lend(console, pix, round != 1); err != nil {
					t.Error(err)
				}
				if round == 3 {
					r.SetSize(800, 600)
				}
				build := func(u *widgets.UI) {
					u.Title(name)
					u.Image(console, 256, 192)
				}
				r.until(t, func(u *widgets.UI) bool { build(u); return round < 3 || r.Size() == image.Pt(800, 600) })
				r.until(t, func(u *widgets.UI) bool { build(u); return true })
				in, _ := r.Next(0)
				want := draw.Raster(r.ui.Frame(in, build).List, r.store)
				x, y := r.Position()
				if n := r.await(t, display, want, image.Pt(x, y), map[int]int{24: 0, 16: 9}[bits]); n > 0 {
					t.Errorf("%d bits, %d %s: %d pixels of the display differ", bits, round, name, n)
				}
			}
		})
	}
}

// await waits until a display shows a picture, and returns in how much it never does.
func (r *rig) await(t *testing.T, display *uitest.Display, want *image.RGBA, at image.Point, most int) (n int) {
	for range 100 {
		all := display.Picture(t)
		got := image.NewRGBA(want.Rect)
		for y := range want.Rect.Dy() {
			for x := range want.Rect.Dx() {
				got.SetRGBA(x, y, all.RGBAAt(at.X+x, at.Y+y))
			}
		}
		if n = countFar(got, want, most); n == 0 {
			return 0
		}
		time.Sleep(20 * time.Millisecond)
	}
	return n
}

func screen(r *rig, icon draw.Texture, consoles ...draw.Texture) *draw.List {
	in, _ := r.Next(0)
	return r.ui.Frame(in, func(u *widgets.UI) {
		u.Title("Lobby")
		u.Row(widgets.Cells(widgets.Auto, widgets.Auto, widgets.Fill), func() {
			u.Button(widgets.Button{Text: "Start", Kind: widgets.Primary, Icon: draw.IconPlay})
			u.Image(icon, 32, 32)
			u.Slider(widgets.Slider{Name: "v", Max: 1, Step: 0.01, Format: func(v float64) string { return fmt.Sprint(v) }}, new(float64))
		})
		for _, console := range consoles {
			u.Image(console, 128, 96)
		}
		u.Message(widgets.Warning, "アンナ waits for Bob")
	}).List
}

func countFar(a, b *image.RGBA, most int) (n int) {
	for i := range a.Pix {
		if d := int(a.Pix[i]) - int(b.Pix[i]); d > most || d < -most {
			n++
		}
	}
	return n
}

func TestSizeScaleAndFullScreen(t *testing.T) {
	withWindow(t, Config{Width: 100, Height: 100, Scale: 1.5, Software: true}, func(r *rig) {
		if got := r.Size(); got != image.Pt(MinWidth*3/2, MinHeight*3/2) || r.Scale() != 1.5 {
			t.Errorf("a window of 100x100 came out as %v, at scale %g", got, r.Scale())
		}
		r.SetScale(2)
		if got := r.Size(); got != image.Pt(MinWidth*2, MinHeight*2) || r.Scale() != 2 {
			t.Errorf("a larger scale made the window %v, at scale %g", got, r.Scale())
		}
		r.SetScale(20)
		display, err := sdl.GetDisplayUsableBounds(0)
		must.Succeed(t, err)
		if got := r.Size(); got.X > int(display.W) || got.Y > int(display.H) {
			t.Errorf("the window is %v, the display %v", got, display)
		}
		if got := draw.Pt(float32(r.Size().X), float32(r.Size().Y)).Mul(1 / r.Scale()); got.X < MinWidth-0.1 || got.Y < MinHeight-0.1 {
			t.Errorf("only %v points are in the window", got)
		}
		r.SetScale(1)
		full := func() bool { return r.window.GetFlags()&sdl.WINDOW_FULLSCREEN_DESKTOP == sdl.WINDOW_FULLSCREEN_DESKTOP }
		if err := r.SetFullScreen(true); err != nil || !full() {
			t.Errorf("full screen: %v", err)
		}
		if err := r.SetFullScreen(false); err != nil || full() {
			t.Errorf("back to a window: %v", err)
		}
		if err := r.Paint(); err != nil {
			t.Errorf("paint nothing: %v", err)
		}
	})
}

// A graphics card may forget all textures; the next picture is as before.
func TestLostTextures(t *testing.T) {
	for name, config := range canvases() {
		withWindow(t, config, func(r *rig) {
			before, err := r.Screenshot(screen(r, 0, 0))
			if err != nil {
				t.Error(err)
				return
			}
			push(t, sdl.RenderEvent{Type: sdl.RENDER_DEVICE_RESET})
			list := screen(r, 0, 0)
			after, err := r.Screenshot(list)
			if err != nil || countFar(before, after, 0) != 0 {
				t.Errorf("%s: another picture after the reset (%v)", name, err)
			}
		})
	}
}

func TestOpenAgain(t *testing.T) {
	for range 3 {
		withWindow(t, Config{Software: true}, func(r *rig) {
			r.until(t, func(u *widgets.UI) bool { u.Label("again"); return true })
			r.Close()
			r.Wake()
		})
	}
}
