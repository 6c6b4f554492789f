package app

import (
	"fmt"
	"image"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// fakeRemote writes down how a recording is moved.
type fakeRemote struct {
	speed  float64
	said   []string
	places []int64
}

func (r *fakeRemote) Play()               { r.said = append(r.said, "play") }
func (r *fakeRemote) Pause()              { r.said = append(r.said, "pause") }
func (r *fakeRemote) Step(frames int64)   { r.said = append(r.said, fmt.Sprint("step ", frames)) }
func (r *fakeRemote) SeekTo(frame int64)  { r.said = append(r.said, fmt.Sprint("seek ", frame)) }
func (r *fakeRemote) Speed(times float64) { r.speed = times }
func (r *fakeRemote) Keyframes() []int64  { return r.places }

// hand is a person before a shell without a window.
type hand struct {
	m  *Shell
	ui *widgets.UI
	in widgets.Input
}

func newHand(t testing.TB, m *Shell, size image.Point, scale float32) *hand {
	t.Helper()
	return &hand{m: m, ui: widgets.New(fontsIn(t, m.Store), nil), in: widgets.Input{Now: time.Second, Size: size, Scale: scale, Focused: true}}
}

// frame makes a picture of what happened.
func (h *hand) frame(change func(in *widgets.Input)) widgets.Output {
	h.in.Now += 20 * time.Millisecond
	in := h.in
	change(&in)
	h.in.Mouse, h.in.MouseIn = in.Mouse, in.MouseIn
	return h.ui.Frame(in, h.m.Build)
}

func (h *hand) rest() { h.frame(func(*widgets.Input) {}) }

func (h *hand) key(keys ...widgets.Key) {
	for _, k := range keys {
		h.frame(func(in *widgets.Input) { in.Press = widgets.KeyPress{Key: k} })
	}
}

func (h *hand) pad(moves ...widgets.Nav) {
	for _, n := range moves {
		h.frame(func(in *widgets.Input) { in.Nav = n })
	}
}

// texts returns what the screen says.
func (h *hand) texts() (list []string) {
	h.rest()
	for _, w := range h.ui.Canvas().Texts() {
		list = append(list, w.Text)
	}
	return list
}

// move takes the mouse to a place, in points.
func (h *hand) move(x, y float32) {
	h.frame(func(in *widgets.Input) { in.Mouse, in.MouseIn = draw.Pt(x*in.Scale, y*in.Scale), true })
}

func (h *hand) click(x, y float32) {
	h.move(x, y)
	h.frame(func(in *widgets.Input) {
		in.Pressed, in.Clicks, in.Held = widgets.LeftButton, 1, widgets.Buttons(0).With(widgets.LeftButton)
	})
	h.frame(func(in *widgets.Input) { in.Released = widgets.LeftButton })
	h.rest()
}

// watched is a recording that is being watched.
func watched(t *testing.T, s player.Status) (*hand, *fakeRemote) {
	t.Helper()
	m, r := homeShell(t), &fakeRemote{}
	m.Go(screen.Recordings)
	m.viewer.Watch(viewer.Recording{GameFile: screen.GameFile{Path: "/good", Game: "Pad test"}})
	m.viewer.Watched(r)
	m.viewer.Status(s)
	m.Game = func(*widgets.UI) {}
	return newHand(t, m, image.Pt(640, 480), 1), r
}

// expect checks what a recording was told since the last time.
func (r *fakeRemote) expect(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(r.said, want) {
		t.Errorf("the recording was told %q, want %q", r.said, want)
	}
	r.said = nil
}

func TestWatch(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Recordings)
	if got := kinds(calls(m)); got != "ListReplays" {
		t.Errorf("the recordings want %q", got)
	}
	m.viewer.Watch(viewer.Recording{GameFile: screen.GameFile{Path: "/bad", Why: "This is not a nettplay recording."}})
	if at(t, m, screen.Recordings); m.Trouble == nil {
		t.Error("a recording that cannot be read gives no word")
	}
	m.GoBack()
	m.viewer.Watch(viewer.Recording{GameFile: screen.GameFile{Path: "/good", Game: "Pad test"}})
	at(t, m, screen.Watching)
	m.viewer.Watched(&fakeRemote{})
	m.viewer.Status(player.Status{Frame: 9})
	calls(m)
	m.GoBack()
	at(t, m, screen.Recordings)
	if got := kinds(calls(m)); got != "StopReplay" {
		t.Errorf("going back wants %q", got)
	}
	m.viewer.Status(player.Status{}) // late
	m.viewer.Over(nil)
	at(t, m, screen.Recordings)
	m.viewer.Watch(viewer.Recording{GameFile: screen.GameFile{Path: "/good"}})
	m.viewer.Over(&screen.Trouble{Title: "Something is missing"})
	at(t, m, screen.Recordings)
	if m.Trouble == nil {
		t.Error("a recording that could not go on gives no word")
	}
}

// TestSpeedOfARecording: the list of speeds, which is higher than the bar, stays open while
// the mouse goes up to the slowest.
func TestSpeedOfARecording(t *testing.T) {
	h, r := watched(t, player.Status{Frame: 600, Length: 6000, Playing: true, Speed: 1})
	h.click(592, 452)
	for y := float32(440); y > 240; y -= 20 {
		h.move(592, y)
	}
	h.click(592, 245)
	if r.speed != 0.25 {
		t.Errorf("the speed is %v", r.speed)
	}
}

// TestKeysOfARecording: Space, arrows, Home and End move it, whatever the mouse did last and
// also while the bar is away.
func TestKeysOfARecording(t *testing.T) {
	h, r := watched(t, player.Status{Frame: 600, Length: 6000, Playing: true, Speed: 1})
	h.move(300, 100)
	h.key(widgets.KeyRight, widgets.KeyLeft, widgets.KeyHome, widgets.KeyEnd, widgets.KeySpace)
	r.expect(t, "seek 899", "seek 301", "seek 0", "seek 6000", "pause")
	h.click(72, 452) // the button to pause, which has the focus now
	r.expect(t, "pause")
	h.key(widgets.KeyRight, widgets.KeySpace)
	r.expect(t, "seek 899", "pause")
	h.frame(func(in *widgets.Input) { in.Press = widgets.KeyPress{Key: widgets.KeySpace, Repeat: true} })
	r.expect(t)
	h.m.viewer.Status(player.Status{Frame: 600, Length: 6000, Seeking: true, Target: 3000, From: 600})
	h.key(widgets.KeyRight, widgets.KeySpace)
	r.expect(t, "seek 3299", "play")
	h.m.viewer.Status(player.Status{Frame: 6000, Length: 6000, Playing: true, AtEnd: true})
	h.key(widgets.KeySpace)
	r.expect(t, "seek 0", "play")
}

// TestChaptersOfARecording: Page Up and Page Down go from chapter to chapter, and a list names them.
func TestChaptersOfARecording(t *testing.T) {
	h, r := watched(t, player.Status{Frame: 3000, Length: 6000, Playing: true, Speed: 1})
	h.m.viewer.Watching.Chapters = []replay.Chapter{{}, {Frame: 1200, Kind: replay.ChapterJoined, Who: "Bob"}, {Frame: 2950, Kind: replay.ChapterRepaired}, {Frame: 4800, Kind: replay.ChapterClip}}
	h.move(300, 100)
	h.key(widgets.KeyPageUp, widgets.KeyPageDown)
	r.expect(t, "seek 1200", "seek 4800")
	h.m.viewer.Status(player.Status{Frame: 5000, Length: 6000, Playing: true, Speed: 1})
	h.key(widgets.KeyPageDown)
	r.expect(t, "seek 6000")
	if !h.says("1:20  Clip") {
		t.Errorf("the chapter is not named: %q", h.texts())
	}
}

// TestVideoOfAClip: where a clip was kept, it is what the video shows, unless the player wants the whole game.
func TestVideoOfAClip(t *testing.T) {
	m := recordingsScene(func(m *Shell) {
		m.recordings.Film = &viewer.Film{Of: m.recordings.List[1], Seat: viewer.AllSeats, Path: "/v/a.mp4", Clips: []replay.Clip{{From: 0, To: 1795}, {From: 3600, To: 5395}}, Part: 1}
	})(t)
	h := newHand(t, m, large, 1)
	h.rest()
	if !h.says("Clip 2: 1:00 to 1:30") {
		t.Errorf("it says %q", h.texts())
	}
	f := m.recordings.Film
	for part, want := range map[int][2]int64{viewer.WholeGame: {0, 0}, 0: {0, 1795}, 1: {3600, 5395}, 2: {0, 0}} {
		f.Part = part
		if from, to := f.Span(); from != want[0] || to != want[1] {
			t.Errorf("part %d is frames %d to %d", part, from, to)
		}
	}
}

// TestPadOfARecording: the cross moves a recording as soon as it is on the line of time.
func TestPadOfARecording(t *testing.T) {
	h, r := watched(t, player.Status{Frame: 600, Length: 6000, Playing: true, Speed: 1})
	h.pad(widgets.NavRight, widgets.NavRight, widgets.NavLeft)
	r.expect(t, "seek 899", "seek 301")
	h.pad(widgets.NavDown, widgets.NavAccept)
	h.rest()
	if len(r.said) == 0 && h.m.Current == screen.Watching {
		t.Error("below the line of time there is no button")
	}
}

// TestSeekingIsSaid: on the way to another place the screen says so, with how much of the way
// is done, the time of the picture, the length, and where keyframes are.
func TestSeekingIsSaid(t *testing.T) {
	h, r := watched(t, player.Status{Frame: 2454, Length: 30000, Playing: true, Speed: 1})
	h.rest()
	h.in.Now += 5 * time.Second
	r.places = []int64{1200, 2400}
	before := h.texts()
	h.m.viewer.Status(player.Status{Frame: 2454, Length: 30000, Seeking: true, From: 2400, Target: 14300})
	words := h.texts()
	for _, want := range []string{"Seeking 3:59 · 0%", "0:41", "8:21"} {
		if !slices.Contains(words, want) {
			t.Errorf("the screen does not say %q: %q", want, words)
		}
	}
	if slices.Contains(before, "0:41") || h.ui.Busy() {
		t.Errorf("the bar is over a picture that moves: %q", before)
	}
	h.m.viewer.Status(player.Status{Frame: 8350, Length: 30000, Seeking: true, From: 2400, Target: 14300, Loading: true})
	if words = h.texts(); !slices.Contains(words, "Seeking 3:59 · 0%") {
		t.Errorf("consoles that are built anew on the way: %q", words)
	}
	h.m.viewer.Status(player.Status{Frame: 8350, Length: 30000, Seeking: true, From: 2400, Target: 14300})
	if words = h.texts(); !slices.Contains(words, "Seeking 3:59 · 50%") {
		t.Errorf("half of the way: %q", words)
	}
}

// TestRecordingIsSwitchedOnWhereItIsMissed: without recordings the screen says whether games are recorded, and a button has
// them recorded.
func TestRecordingIsSwitchedOnWhereItIsMissed(t *testing.T) {
	m := atHome(func(m *Shell) {
		m.Config.Recording.Enabled = false
		m.Go(screen.Recordings)
	})(t)
	h := newHand(t, m, small, 1)
	h.rest()
	focus(t, h, "record")
	h.pad(widgets.NavAccept)
	if h.rest(); !m.Config.Recording.Enabled || !h.says("Every game you play is recorded.") {
		t.Errorf("it says %q, and games are recorded: %t", h.texts(), m.Config.Recording.Enabled)
	}
}
