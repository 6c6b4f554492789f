package window

import (
	"bytes"
	_ "embed"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"slices"
	"strings"
	"unsafe"

	"github.com/veandco/go-sdl2/sdl"
)

// AppID is the program's name among those of a desktop: that of its .desktop file, by which docks
// and lists of windows find its name and icon. X11 calls it WM_CLASS, Wayland app_id.
const AppID = "io.github.nettplay.nettplay"

// classVariables of the environment are where SDL looks for it, when video starts.
var classVariables = []string{"SDL_VIDEO_X11_WMCLASS", "SDL_VIDEO_WAYLAND_WMCLASS"}

// startVideo starts SDL's video under the program's name. The variables are gone afterwards: programs
// that this one starts have names of their own.
func startVideo() error {
	for _, name := range classVariables {
		if _, set := os.LookupEnv(name); set {
			continue
		}
		if os.Setenv(name, AppID) == nil {
			defer os.Unsetenv(name)
		}
	}
	sdl.SetHint("SDL_APP_NAME", "nettplay") // in lists of what plays sound, and of what keeps the screen on
	if err := sdl.InitSubSystem(sdl.INIT_VIDEO | sdl.INIT_EVENTS); err != nil {
		return fmt.Errorf("%w (%s)", err, displays())
	}
	driver, _ := sdl.GetCurrentVideoDriver()
	if err := checkDriver(driver); err != nil {
		sdl.QuitSubSystem(sdl.INIT_VIDEO | sdl.INIT_EVENTS)
		return err
	}
	return nil
}

// driverVariable of SDL names the video drivers to try, with commas between them.
const driverVariable = "SDL_VIDEODRIVER"

// unseenDrivers are SDL's video drivers whose windows are on no screen. Where no display answers, SDL takes one of
// them without a word, and the program would run for ever in a window that nobody sees.
var unseenDrivers = []string{"offscreen", "dummy", "evdev"}

// checkDriver refuses a video driver without a screen, unless the user has asked for it, as tests do.
func checkDriver(driver string) error {
	if !slices.Contains(unseenDrivers, driver) || slices.Contains(strings.Split(os.Getenv(driverVariable), ","), driver) {
		return nil
	}
	return fmt.Errorf("no display can be reached (%s), so SDL took its video driver %q, whose windows nobody sees", displays(), driver)
}

// displays says which displays SDL looked for.
func displays() string {
	var words []string
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY"} {
		if value := os.Getenv(name); value != "" {
			words = append(words, fmt.Sprintf("%s is %q", name, value))
		} else {
			words = append(words, name+" is not set")
		}
	}
	return strings.Join(words, ", ")
}

// iconFile is packaging/icons/nettplay.svg, painted by "make icon".
//
//go:embed icon.png
var iconFile []byte

// setIcon gives the window its icon, for desktops that ask the window for it. Wayland takes that of the
// .desktop file instead.
func setIcon(w *sdl.Window) error {
	drawn, err := png.Decode(bytes.NewReader(iconFile))
	if err != nil {
		return fmt.Errorf("window: its icon: %w", err)
	}
	pix := image.NewNRGBA(drawn.Bounds())
	draw.Draw(pix, pix.Rect, drawn, image.Point{}, draw.Src)
	s, err := sdl.CreateRGBSurfaceWithFormat(0, int32(pix.Rect.Dx()), int32(pix.Rect.Dy()), 32, uint32(sdl.PIXELFORMAT_RGBA32))
	if err != nil {
		return fmt.Errorf("window: its icon: %w", err)
	}
	defer s.Free()
	to := unsafe.Slice((*byte)(s.Data()), int(s.Pitch)*pix.Rect.Dy())
	for y := range pix.Rect.Dy() {
		copy(to[y*int(s.Pitch):], pix.Pix[y*pix.Stride:(y+1)*pix.Stride])
	}
	w.SetIcon(s)
	return nil
}
