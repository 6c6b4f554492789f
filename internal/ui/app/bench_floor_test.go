//go:build unix

package app

import (
	"image"
	"testing"
	"time"
	"unsafe"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/gameview"
)

// floor is what SDL's software renderer alone needs for a frame: the consoles' pictures,
// ready in its own format, into textures, to the places where they are seen, and to the
// window. All that the program does is measured against it.
type floor struct {
	window   *sdl.Window
	renderer *sdl.Renderer
	screens  []floorScreen
	pixels   []byte
}

type floorScreen struct {
	texture *sdl.Texture
	at      sdl.Rect
}

// newFloor puts consoles where the program puts them.
func newFloor(b *testing.B, plan gameview.Plan) *floor {
	f := &floor{pixels: make([]byte, 4*256*192)}
	for i := range f.pixels {
		f.pixels[i] = byte(i*7 + i>>8)
	}
	must := func(err error) {
		must.Succeed(b, err)
	}
	var err error
	must(sdl.InitSubSystem(sdl.INIT_VIDEO))
	f.window, err = sdl.CreateWindow("", 0, 0, 768, 1152, 0)
	must(err)
	f.renderer, err = sdl.CreateRenderer(f.window, -1, sdl.RENDERER_SOFTWARE)
	must(err)
	sdl.SetHint(sdl.HINT_RENDER_SCALE_QUALITY, "nearest")
	for _, list := range [][]gameview.Placed{plan.Mine, plan.Others} {
		for _, c := range list {
			for _, at := range []image.Rectangle{c.Screens.Top, c.Screens.Bottom} {
				t, err := f.renderer.CreateTexture(uint32(sdl.PIXELFORMAT_RGB888), sdl.TEXTUREACCESS_STATIC, 256, 192)
				must(err)
				must(t.SetBlendMode(sdl.BLENDMODE_NONE))
				f.screens = append(f.screens, floorScreen{t, sdl.Rect{X: int32(at.Min.X), Y: int32(at.Min.Y), W: int32(at.Dx()), H: int32(at.Dy())}})
			}
		}
	}
	return f
}

func (f *floor) frame() {
	for i := range f.screens {
		s := &f.screens[i]
		_ = s.texture.Update(nil, unsafe.Pointer(&f.pixels[0]), 4*256)
		_ = f.renderer.Copy(s.texture, nil, &s.at)
	}
	f.renderer.Present()
}

// measure is what a frame costs the thread.
func (f *floor) measure(b *testing.B) time.Duration {
	const rounds = 200
	f.frame()
	from := mainThread(b)
	for range rounds {
		f.frame()
	}
	return (mainThread(b) - from) / rounds
}

func (f *floor) close() {
	_ = f.renderer.Destroy()
	_ = f.window.Destroy()
	sdl.QuitSubSystem(sdl.INIT_VIDEO)
}
