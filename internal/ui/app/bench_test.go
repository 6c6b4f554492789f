//go:build unix

package app

import (
	"fmt"
	"image"
	"image/color"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	"github.com/nettplay/nettplay/internal/ui/window"
)

// BenchmarkFrontend is all that the program does for a frame beside the consoles: what
// is pressed is asked for, pictures and sound are taken over, the screen is built and
// drawn without a graphics card, in a window of 768x1152. p99-ms is by the clock;
// cpu-ms is what the main thread worked, which a busy machine does not change. Each picture differs from
// the last in every pixel. floor-ms is what SDL's software renderer alone works for the same
// pictures, see floor, and x-floor how many times that ours is.
func BenchmarkFrontend(b *testing.B) {
	for _, players := range []int{1, 2, 4} {
		b.Run(map[int]string{1: "alone", 2: "two", 4: "four"}[players], func(b *testing.B) { benchFrontend(b, players) })
	}
}

func benchFrontend(b *testing.B, players int) {
	runtime.LockOSThread() // for SDL, which here has no display that would ask for the main one
	defer runtime.UnlockOSThread()
	b.Setenv("SDL_VIDEODRIVER", "dummy")
	b.Setenv("SDL_AUDIODRIVER", "dummy")
	f := newFrontend(b, players)
	defer f.window.Close()
	defer f.hub.close()
	var took []time.Duration
	from := mainThread(b)
	for b.Loop() {
		start := time.Now()
		f.frame(b)
		took = append(took, time.Since(start))
	}
	cpu := mainThread(b) - from
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)*99/100]), "p99-ms")
	ours := ms(cpu) / float64(len(took))
	b.ReportMetric(ours, "cpu-ms")
	bare := newFloor(b, f.plan())
	defer bare.close()
	least := ms(bare.measure(b))
	b.ReportMetric(least, "floor-ms")
	b.ReportMetric(ours/least, "x-floor")
}

// plan is where the consoles are.
func (f *frontend) plan() gameview.Plan {
	var others []ds.Seat
	for i := 1; i < len(f.frames); i++ {
		others = append(others, ds.Seat(i))
	}
	c := f.ui.Canvas()
	return gameview.Arrange(gameview.Area{
		Width: c.Size().X, Height: c.Size().Y, Scale: float64(c.Scale()), Line: int(c.LineHeight(widgets.StyleSmall)*c.Scale()) + 2,
	}, []ds.Seat{0}, others, f.hub.view.Preferences().Options)
}

// mainThread is for how long the present thread has worked.
func mainThread(b *testing.B) time.Duration {
	var u unix.Rusage
	must.Succeed(b, unix.Getrusage(unix.RUSAGE_THREAD, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// frontend is the program in the middle of a game, without a session.
type frontend struct {
	window *window.Window
	ui     *widgets.UI
	hub    *hub
	shell  *Shell
	frames [][2]emucore.Frame // of each console, two that differ in every pixel
	n      int64
}

func newFrontend(b testing.TB, players int) *frontend {
	m := homeShell(b)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.OpenRoom()
	m.session.Opened(&fakeControl{})
	var list []room.Player
	var consoles []gameview.Console
	for i := range players {
		list = append(list, playerIn(ds.Seat(i), i, []string{"Ann", "Bob", "ちひろ", "Dora"}[i], true))
		consoles = append(consoles, gameview.Console{Seat: ds.Seat(i), Name: list[i].Nickname})
	}
	m.session.Notice(notice.RoomNotice{Room: testRoom(room.PhasePlaying, list...)})
	m.session.Notice(notice.Playing{Room: testRoom(room.PhasePlaying, list...)})
	store := m.Store
	fonts, err := draw.NewFonts(store, []string{})
	must.Succeed(b, err)
	f := &frontend{shell: m}
	f.hub = newHub(m.Config, store, func() { f.window.Wake() })
	f.window, err = window.Open(window.Config{Width: 768, Height: 1152, Software: true}, store)
	must.Succeed(b, err)
	f.window.SetSize(768, 1152)
	if got := f.window.Size(); got != image.Pt(768, 1152) {
		b.Fatalf("the window is %v", got)
	}
	f.hub.view.SetLens(f.window)
	f.ui = widgets.New(fonts, f.window)
	m.Game = func(u *widgets.UI) { f.hub.draw(u, m) }
	f.hub.Begin(consoles, []ds.Seat{0})
	f.hub.Notice(notice.Figures{FPS: 59.8, Delay: 4, RTT: 42 * time.Millisecond, Agreed: 5, Sent: 9000, Received: 27_000})
	for i := range players {
		f.frames = append(f.frames, [2]emucore.Frame{noise(2 * i), noise(2*i + 1)})
	}
	return f
}

// noise is a console's frame: of a picture whose pixels all differ, and with sound.
func noise(n int) emucore.Frame {
	v := emucore.Video{Width: 256, Height: 384, Pitch: 512, Format: emucore.RGB565, Pix: make([]byte, 512*384)}
	for i := range v.Pix {
		v.Pix[i] = byte(i*7 + i>>8 + n)
	}
	return emucore.Frame{Video: v, Audio: make([]int16, 2*547)}
}

// frame is what a frame costs us.
func (f *frontend) frame(b *testing.B) {
	f.n++
	f.hub.Input(0, f.n)
	for i := range f.frames {
		frame := f.frames[i][f.n%2]
		frame.Number = f.n
		f.hub.Show(ds.Seat(i), frame)
	}
	in, more := f.window.Next(0)
	f.hub.mapper.Menu(in.Now)
	out := f.ui.Frame(in, f.shell.Build)
	if more {
		return
	}
	must.Succeed(b, f.window.Show(out))
}

// BenchmarkGames is what a picture of a screen with 500 games costs to build and to draw into an image: that of the list, and
// of the first screen. cpu-ms is what the thread worked, which a busy machine does not change.
func BenchmarkGames(b *testing.B) {
	for _, size := range []image.Point{large, {X: 1900, Y: 1000}} {
		for _, where := range []string{"list", "home"} {
			b.Run(fmt.Sprintf("%s/%d", where, size.X), func(b *testing.B) {
				m := homeShell(b)
				var list []library.Game
				for i := range 500 {
					g := testGame(fmt.Sprintf("A game with a title %d", i), 1)
					g.ROM.SHA256 = [32]byte{byte(i), byte(i >> 8)}
					list = append(list, withIcon(g, color.NRGBA{R: byte(i), G: 99, A: 255}))
					m.Memory.Play(g.ROM.SHA256, now.Add(-time.Duration(i)*time.Hour))
				}
				m.Games.Games, m.Memory.ByPlayed = list, true
				if where == "list" {
					m.games.PickFor(start.ForHost)
				}
				h := newHand(b, m, size, 1)
				h.rest()
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				from, build := mainThread(b), time.Duration(0)
				for b.Loop() {
					before := mainThread(b)
					h.rest()
					build += mainThread(b) - before
					draw.Raster(h.ui.Canvas(), m.Store)
				}
				ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(b.N) }
				b.ReportMetric(ms(build), "build-cpu-ms")
				b.ReportMetric(ms(mainThread(b)-from), "cpu-ms")
			})
		}
	}
}
