package app

import (
	"image"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// fakeRemote writes down how a recording is moved.
type fakeRemote struct {
	viewer.Remote
	speed *float64
}

func (r fakeRemote) Speed(times float64) { *r.speed = times }

func TestWatch(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Recordings)
	if got := kinds(m.Commands()); got != "ListReplays" {
		t.Errorf("the recordings want %q", got)
	}
	m.viewer.Watch(viewer.Recording{Path: "/bad", Why: "This is not a recording of nettplay."})
	if at(t, m, screen.Recordings); m.Trouble == nil {
		t.Error("a recording that cannot be read gives no word")
	}
	m.GoBack()
	m.viewer.Watch(viewer.Recording{Path: "/good", Game: "Pad test"})
	at(t, m, screen.Watching)
	m.viewer.Watched(fakeRemote{})
	m.viewer.Status(player.Status{Frame: 9})
	m.Commands()
	m.GoBack()
	at(t, m, screen.Recordings)
	if got := kinds(m.Commands()); got != "StopReplay" {
		t.Errorf("going back wants %q", got)
	}
	m.viewer.Status(player.Status{}) // late
	m.viewer.Over(nil)
	at(t, m, screen.Recordings)
	m.viewer.Watch(viewer.Recording{Path: "/good"})
	m.viewer.Over(&screen.Trouble{Title: "Something is missing"})
	at(t, m, screen.Recordings)
	if m.Trouble == nil {
		t.Error("a recording that could not go on gives no word")
	}
}

// TestSpeedOfARecording: the list of speeds, which is higher than the bar, stays open while
// the mouse goes up to the slowest.
func TestSpeedOfARecording(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Recordings)
	m.viewer.Watch(viewer.Recording{Path: "/good", Game: "Pad test"})
	speed := 0.0
	m.viewer.Watched(fakeRemote{speed: &speed})
	m.viewer.Status(player.Status{Frame: 600, Length: 6000, Playing: true, Speed: 1})
	m.Game = func(*widgets.UI) {}
	fonts, err := draw.NewFonts(m.Store, draw.FontConfig{System: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	ui := widgets.New(fonts, nil)
	in := widgets.Input{Now: time.Second, Size: image.Pt(640, 480), Scale: 1, Focused: true, MouseIn: true}
	frame := func(x, y int, press, release bool) {
		in.Now += 20 * time.Millisecond
		in.Mouse, in.Pressed, in.Released, in.Held = draw.Point{X: float32(x), Y: float32(y)}, 0, 0, 0
		if press {
			in.Pressed, in.Clicks, in.Held = widgets.LeftButton, 1, widgets.Buttons(0).With(widgets.LeftButton)
		}
		if release {
			in.Released = widgets.LeftButton
		}
		ui.Frame(in, m.Build)
	}
	click := func(x, y int) {
		frame(x, y, false, false)
		frame(x, y, true, false)
		frame(x, y, false, true)
		frame(x, y, false, false)
	}
	click(592, 452)
	for y := 440; y > 240; y -= 20 {
		frame(592, y, false, false)
	}
	click(592, 245)
	if speed != 0.25 {
		t.Errorf("the speed is %v", speed)
	}
}
