package gameview

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// hand writes down what it is told.
type hand struct {
	told   []string
	muted  bool
	cursor bool
	turn   pads.Turn
	cross  bool
}

func (h *hand) tell(format string, args ...any) {
	h.told = append(h.told, fmt.Sprintf(format, args...))
}

func (h *hand) Key(name string, down bool)      { h.tell("key %s %v", name, down) }
func (h *hand) Touch(console int, x, y uint8)   { h.tell("touch %d: %d,%d", console, x, y) }
func (h *hand) Lift(console int)                { h.tell("lift %d", console) }
func (h *hand) Release()                        { h.tell("release") }
func (h *hand) Mute(muted bool)                 { h.muted = muted }
func (h *hand) Turn(t pads.Turn, cross bool)    { h.turn, h.cross = t, cross }
func (h *hand) Cursor(int) (x, y uint8, s bool) { return 100, 50, h.cursor }

// testView is a View in a window that is only a picture.
type testView struct {
	*View
	hand   *hand
	store  *draw.Store
	ui     *widgets.UI
	in     widgets.Input
	events []Event
	wakes  int
}

func newTestView(t testing.TB, w, h int, scale float32) *testView {
	th := &testView{hand: &hand{}, store: &draw.Store{}}
	fonts, err := draw.NewFonts(th.store, []string{})
	must.Succeed(t, err)
	th.ui = widgets.New(fonts, nil)
	view := PreferencesOf(config.Defaults())
	view.HUD = true
	th.View = New(th.store, th.hand, func() { th.wakes++ }, view)
	th.in = widgets.Input{Size: image.Pt(w, h), Scale: scale, Focused: true, MouseIn: true}
	return th
}

// step builds one picture with an input.
func (th *testView) step(change func(in *widgets.Input)) widgets.Output {
	in := th.in
	in.Keys = nil
	th.in.Now += 16 * time.Millisecond
	in.Now = th.in.Now
	if change != nil {
		change(&in)
	}
	th.in.Held, th.in.Mouse = in.Held, in.Mouse
	var events []Event
	out := th.ui.Frame(in, func(u *widgets.UI) { events = append(events, th.Build(u)...) })
	th.events = events
	return out
}

// press presses a key and lets go of it.
func (th *testView) press(name string, key widgets.Key) (events []Event) {
	th.step(func(in *widgets.Input) {
		p := widgets.KeyPress{Key: key, Name: name}
		in.Press, in.Keys = p, []widgets.KeyPress{p}
	})
	events = th.events
	th.step(func(in *widgets.Input) { in.Keys = []widgets.KeyPress{{Key: key, Name: name, Up: true}} })
	events = append(slices.Clone(events), th.events...)
	th.step(nil)
	return append(events, th.events...)
}

// picture paints a step without input.
func (th *testView) picture() *image.RGBA {
	out := th.step(nil)
	img := draw.Raster(out.List, th.store)
	return img
}

// coded is a picture whose colours say where in it each pixel is.
func coded(frame int64) emucore.Frame {
	v := emucore.Video{Width: 256, Height: 384, Pitch: 1024, Format: emucore.XRGB8888, Pix: make([]byte, 1024*384)}
	for y := range 384 {
		for x := range 256 {
			p := v.Pix[y*1024+4*x:]
			p[0], p[1], p[2] = byte(x), byte(y%192), byte(50+100*(y/192))
		}
	}
	return emucore.Frame{Number: frame, Video: v}
}

var (
	twoSeats = []Console{{Seat: 0, Name: "Ann"}, {Seat: 1, Name: "Bob"}}
	four     = []Console{{Seat: 0, Name: "Ann"}, {Seat: 1, Name: "Bob"}, {Seat: 2, Name: "ちひろ"}, {Seat: 3, Name: "Dora"}}
)

// Each pixel of the drawn bottom screen has the colour of the console's pixel that
// touching it gives, however the picture is turned; and it is turned as it says.
func TestWhatIsSeenIsTouched(t *testing.T) {
	for _, size := range []image.Point{{640, 480}, {768, 1152}, {1000, 777}} {
		th := newTestView(t, size.X, size.Y, 1)
		th.Begin(twoSeats, []ds.Seat{0})
		th.Show(0, coded(1))
		th.SetLens(raster{})
		for _, layout := range []string{Vertical, Horizontal, Hybrid, BottomOnly} {
			for _, emphasis := range config.Emphases() {
				for _, rotation := range config.Rotations() {
					v := th.Preferences()
					v.Layout, v.Emphasis, v.Rotation, v.HUD = layout, emphasis, rotation, false
					th.SetPreferences(v)
					img := th.picture()
					checkSeen(t, img, th.plan.Mine[0])
					checkTurned(t, img, rotation, th.plan.Mine[0].Screens.Bottom)
				}
			}
		}
	}
}

// checkTurned compares the middles of the screen's edges with what is to be there.
func checkTurned(t *testing.T, img *image.RGBA, rotation string, at image.Rectangle) {
	t.Helper()
	middle := at.Min.Add(at.Size().Div(2))
	top := map[string]image.Point{
		Unturned: {middle.X, at.Min.Y + 1}, TurnedLeft: {at.Min.X + 1, middle.Y}, TurnedRight: {at.Max.X - 2, middle.Y},
	}[rotation]
	left := map[string]image.Point{
		Unturned: {at.Min.X + 1, middle.Y}, TurnedLeft: {middle.X, at.Max.Y - 2}, TurnedRight: {middle.X, at.Min.Y + 1},
	}[rotation]
	if y := img.RGBAAt(top.X, top.Y).G; y > 4 {
		t.Errorf("%s: where the top is to be, row %d shows", rotation, y)
	}
	if x := img.RGBAAt(left.X, left.Y).B; x > 4 {
		t.Errorf("%s: where the left edge is to be, column %d shows", rotation, x)
	}
}

// raster is the lens of draw.Raster.
type raster struct{}

func (raster) Seen(at image.Rectangle, size image.Point, uv draw.UV) (columns, rows []int, err error) {
	columns, rows = draw.Sampled(at, size, uv)
	return columns, rows, nil
}

func checkSeen(t *testing.T, img *image.RGBA, c Placed) {
	t.Helper()
	for place, at := range c.Screens.bottoms() {
		wrong := 0
		for y := at.Min.Y; y < at.Max.Y; y++ {
			for x := at.Min.X; x < at.Max.X; x++ {
				px, py := c.stylus(place, float64(x)+0.5, float64(y)+0.5)
				if got, want := img.RGBAAt(x, y), (color.RGBA{150, py, px, 255}); got != want {
					if wrong++; wrong < 4 {
						t.Errorf("%d,%d is %v, touched as %v", x, y, got, want)
					}
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%d pixels of %v are touched elsewhere than seen", wrong, at)
		}
	}
}

func TestStylusThroughTheWindow(t *testing.T) {
	th := newTestView(t, 512, 768, 1)
	th.Begin([]Console{{Seat: 3, Name: "Ann"}}, []ds.Seat{3})
	th.step(nil)
	at := func(x, y float32) func(*widgets.Input) {
		return func(in *widgets.Input) { in.Mouse = draw.Pt(x, y) }
	}
	th.step(func(in *widgets.Input) {
		at(100.5, 500.5)(in)
		in.Pressed, in.Held = widgets.LeftButton, in.Held.With(widgets.LeftButton)
	})
	th.step(at(-50, 9999))
	th.step(func(in *widgets.Input) { in.Released, in.Held = widgets.LeftButton, 0 })
	th.step(at(100, 600))
	want := []string{"touch 0: 50,58", "touch 0: 0,191", "touch 0: 0,191", "lift 0"}
	if !slices.Equal(th.hand.told, want) {
		t.Errorf("%q, want %q", th.hand.told, want)
	}
}

func TestKeysReachTheConsole(t *testing.T) {
	th := newTestView(t, 512, 768, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	th.press("X", widgets.KeyX)
	th.step(func(in *widgets.Input) { in.Lost = true })
	if want := []string{"key X true", "key X false", "release"}; !slices.Equal(th.hand.told, want) {
		t.Errorf("%q, want %q", th.hand.told, want)
	}
}

func TestHotkeysOfTheView(t *testing.T) {
	th := newTestView(t, 640, 480, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	for _, key := range []string{"F8", "F2", "F5", "F6", "F7", "B"} {
		if events := th.press(key, 0); len(events) != 0 {
			t.Errorf("%s: %v", key, events)
		}
	}
	v := th.Preferences()
	if v.HUD || v.Layout != Horizontal || v.Emphasis != LargeTop || !v.Swap || v.Others || v.Rotation != TurnedLeft || th.hand.turn != pads.Left || !th.hand.cross {
		t.Errorf("%+v", v)
	}
	for key, want := range map[string]Action{
		"F3": Mute, "F4": Record, "F9": VolumeDown, "F10": VolumeUp, "F11": Fullscreen, "F12": Screenshot, "Pause": Pause,
	} {
		if events := th.press(key, 0); !slices.Equal(events, []Event{{Do: want}}) {
			t.Errorf("%s: %v", key, events)
		}
	}
	if len(th.hand.told) != 0 {
		t.Errorf("the console heard %q", th.hand.told)
	}
}

func TestFastForwardOnlyAlone(t *testing.T) {
	th := newTestView(t, 640, 480, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	if events := th.press("Space", widgets.KeySpace); len(events) != 0 || th.notice.text == "" {
		t.Errorf("%v %q", events, th.notice.text)
	}
	th.Begin(twoSeats, []ds.Seat{0, 1})
	want := []Event{{Do: FastForward, On: true}, {Do: FastForward}}
	if events := th.press("Space", widgets.KeySpace); !slices.Equal(events, want) {
		t.Errorf("%v", events)
	}
}

func TestChat(t *testing.T) {
	th := newTestView(t, 640, 480, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	th.press("Tab", widgets.KeyTab)
	if !th.chat.open || !th.hand.muted {
		t.Fatal("the chat is not open")
	}
	th.step(func(in *widgets.Input) { in.Text = "  hello Bob " })
	events := th.press("Return", widgets.KeyEnter)
	if want := []Event{{Do: SendChat, Text: "hello Bob"}}; !slices.Equal(events, want) {
		t.Errorf("%v", events)
	}
	if th.chat.open || th.hand.muted || th.chat.draft != "" {
		t.Error("the chat is still open")
	}
	th.press("Tab", widgets.KeyTab)
	if events := th.press("Escape", widgets.KeyEscape); len(events) != 0 || th.chat.open {
		t.Errorf("%v, chat open: %v", events, th.chat.open)
	}
}

func TestChatLinesGo(t *testing.T) {
	var log talk
	for i := range 300 {
		log.add(notice.Message{From: "Bob", Text: fmt.Sprint(i)}, time.Time{})
	}
	lines, wake := log.show(time.Second, false)
	if len(lines) != chatLines || lines[chatLines-1].Text != "299" || wake != chatShown || len(log) != chatKept {
		t.Errorf("%d lines, %v", len(lines), wake)
	}
	if lines, wake := log.show(time.Second+chatShown, false); len(lines) != 0 || wake >= 0 {
		t.Errorf("%d lines are still there, %v", len(lines), wake)
	}
	if lines, _ := log.show(time.Hour, true); len(lines) != chatLines {
		t.Errorf("%d lines in the open chat", len(lines))
	}
}

// TestLinesAreSentences: what the program tells over the game is a sentence, as in the lobby; what players write stays.
func TestLinesAreSentences(t *testing.T) {
	th := newTestView(t, 640, 480, 1)
	th.SetClock(func() time.Time { return time.Date(2026, 5, 4, 21, 4, 0, 0, time.Local) })
	th.Begin(twoSeats, []ds.Seat{0})
	th.Notice(notice.Message{Text: "the game host Ann left the room"})
	th.Notice(notice.Message{From: "Bob", Text: "oh no"})
	th.step(nil)
	var texts []string
	for _, w := range th.step(nil).List.Texts() {
		texts = append(texts, strings.ReplaceAll(w.Text, "\u2060", "")) // without the mark of a name
	}
	for _, line := range []string{"21:04  The game host Ann left the room.", "21:04  Bob: oh no"} {
		if !slices.Contains(texts, line) {
			t.Errorf("%q is not among %q", line, texts)
		}
	}
}

func TestWordsOfTheHUD(t *testing.T) {
	f := notice.Figures{
		FPS: 59.83, Delay: 4, RTT: 42_400 * time.Microsecond, Sent: 12_345, Received: 1_234_567, Agreed: 60, OnAir: []ds.Seat{0, 1},
	}
	for _, c := range []struct{ got, want string }{
		{strings.Join(figureWords(f, false), "  ·  "), "59.8 fps  ·  delay 4  ·  ping 42 ms direct  ·  in sync  ·  up 12 kB/s  ·  down 1.2 MB/s  ·  2 on wireless"},
		{strings.Join(figureWords(notice.Figures{FPS: 60}, true), " "), "60.0 fps"},
		{strings.Join(figureWords(notice.Figures{FPS: 48, Slow: 0.9}, true), " "), "48.0 fps, this computer is too slow"},
		{strings.Join(figureWords(notice.Figures{FPS: 48, Slow: 0.05}, true), " "), "48.0 fps"}, // it waits for another one
		{strings.Join(figureWords(notice.Figures{FPS: 59.8, Slow: 0.2}, true), " "), "59.8 fps"},
		{delayWords(notice.Figures{Delay: 6, Auto: notice.AutoDelay{Preset: "party"}}), "delay 6 (auto, by the pings)"},
		{strings.Join(rollbackWords(game.Rollbacks{Depth: 1, Frames: 60}), "; "), "guesses up to 1 frame"},
		{strings.Join(rollbackWords(game.Rollbacks{Depth: 4, Frames: 60, Guessed: 30}), "; "), "guesses up to 4 frames (50%)"},
		{strings.Join(rollbackWords(game.Rollbacks{Depth: 4, Frames: 60, Again: 15, Guessed: 45, Backs: [13]int64{1: 2, 3: 5}, Took: 62 * time.Millisecond}), "; "), "guesses up to 4 frames (60%); corrected 7× by up to 3 (6% of the time)"},
		{delayWords(notice.Figures{Delay: 6, Auto: notice.AutoDelay{Preset: "party", Why: "58 ms ±12 to Bob"}}), "delay 6 (auto: 58 ms ±12 to Bob)"},
		{lineWords(notice.AutoDelay{Worst: "Bob", Inputs: 3600, Late: 2}), ""},
		{lineWords(notice.AutoDelay{Preset: "party", Worst: "Bob", Way: 58 * time.Millisecond, Spread: 12 * time.Millisecond, Inputs: 4200, Late: 2}), "Bob's connection 58 ms ±12, 1 in 2,100 late"},
		{lineWords(notice.AutoDelay{Preset: "party", Worst: "Bob", Way: time.Millisecond, Inputs: 4200}), "Bob's connection 1 ms ±0, none late"},
		{relayWords("relay.example.org:21206"), "by relay.example.org"},
		{relayWords("[2001:db8::7]:21206"), "by 2001:db8::7"},
		{relayWords("a-relay-of-somebody-with-a-name.example.org:1"), "by a-relay-of-somebody…"},
		{syncWords(notice.Figures{Frame: 5000}), ""},
		{syncWords(notice.Figures{Frame: 5000, Agreed: 4500}), "in sync"},
		{syncWords(notice.Figures{Frame: 5000, Agreed: 2000, HashEvery: 30}), "not compared for 3,000 frames"},
		{syncWords(notice.Figures{Frame: 5000, Agreed: 1000, HashEvery: 3600}), "in sync"},
		{waitingLine(f, time.Second), ""},
		{waitingLine(notice.Figures{Waiting: []string{"Bob"}, WaitingFor: time.Second}, 200*time.Millisecond), "Waiting for Bob: 1.2\u00a0s"},
		{waitingLine(notice.Figures{Waiting: []string{"Bob", "Eve", "Dora"}, WaitingFor: briefWait}, -1), "Waiting for Bob, Eve and Dora: 0.2\u00a0s"},
		{waitingLine(notice.Figures{Waiting: []string{"Bob"}, WaitingFor: briefWait - 1}, 0), ""},
		{rate(-1), "0 B/s"},
		{rate(999_499), "999 kB/s"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// Every action but chat's own has a key, and none of the usual ones is used twice.
func TestHotkeyNames(t *testing.T) {
	keys := HotkeysOf(config.Defaults())
	seen := map[string]bool{}
	for do := OpenChat; do < SendChat; do++ {
		if len(keys[do]) == 0 {
			t.Errorf("action %d has no key", do)
		}
		for _, key := range keys[do] {
			if seen[key] || !slices.Contains(config.KeyNames(), key) || slices.ContainsFunc(config.Defaults().Keys.All(), func(b config.Button) bool { return slices.Contains(b.Names, key) }) {
				t.Errorf("%q is no key, or used", key)
			}
			seen[key] = true
		}
	}
}

// Changes by hotkeys are in the settings afterwards, and come back from them.
func TestViewIsKept(t *testing.T) {
	th := newTestView(t, 640, 480, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	for _, key := range []string{"F8", "F2", "F5", "F5", "F6", "F7", "B", "B"} {
		th.press(key, 0)
	}
	cfg := config.Defaults()
	cfg.Video.Gap, cfg.Video.Integer = 7, true
	th.Preferences().Keep(&cfg.Video)
	must.Succeed(t, cfg.Validate())
	got, want := PreferencesOf(cfg), th.Preferences()
	if got.HUD != want.HUD || got.Layout != want.Layout || got.Emphasis != LargeDown || got.Rotation != want.Rotation || got.Rotation != TurnedRight || got.Swap != want.Swap || got.Others != want.Others {
		t.Errorf("%+v comes back as %+v", want.Options, got.Options)
	}
	if got.Gap != 7 || !got.Integer {
		t.Errorf("the settings' own are lost: %+v", got.Options)
	}
}

// Begin is given what a host says of seats.
func TestStrangeSeats(t *testing.T) {
	th := newTestView(t, 640, 480, 1)
	th.Begin([]Console{{Seat: -1, Name: "a"}, {Seat: 1 << 40, Name: "b"}, {Seat: 2, Name: strings.Repeat("long", 1000)}}, []ds.Seat{-5, 99})
	th.Show(-1, coded(1))
	th.Show(16, coded(1))
	th.Show(2, coded(1))
	th.picture()
	if len(th.plan.Others) != 1 || len(th.plan.Mine) != 0 {
		t.Errorf("%+v", th.plan)
	}
}

// TestScenes paints what a player may see. With NETTPLAY_SCENES=folder the
// pictures are kept to be looked at.
func TestScenes(t *testing.T) {
	for _, scale := range []float32{1, 2} {
		for name, scene := range map[string]func(th *testView){
			"game": func(*testView) {},
			"chat": func(th *testView) {
				th.Notice(notice.Message{From: "Bob", Text: "ready when you are"})
				th.Notice(notice.Message{Text: "ちひろ has joined"})
				th.press("Tab", widgets.KeyTab)
			},
			"waiting": func(th *testView) {
				th.Notice(notice.Figures{FPS: 51, Waiting: []string{"Bob"}, WaitingFor: 1200 * time.Millisecond})
				th.Say("Screenshot saved")
			},
			"paused": func(th *testView) { th.Notice(notice.Paused{Paused: true}); th.hand.cursor = true },
		} {
			th := newTestView(t, int(800*scale), int(600*scale), scale)
			th.Begin(four, []ds.Seat{0})
			for seat := range four {
				th.Show(ds.Seat(seat), coded(1))
			}
			th.Notice(notice.Figures{FPS: 59.8, Delay: 4, RTT: 42 * time.Millisecond, Agreed: 5, Sent: 9000, Received: 27_000})
			th.step(nil)
			before := th.picture()
			scene(th)
			th.step(nil)
			img := th.picture()
			if (name == "game") != slices.Equal(img.Pix, before.Pix) {
				t.Errorf("%s: the same picture as the game: %v", name, name != "game")
			}
			keep(t, fmt.Sprintf("%s-%gx.png", name, scale), img)
		}
	}
}

func keep(t *testing.T, name string, img image.Image) {
	dir := os.Getenv("NETTPLAY_SCENES")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, name))
	must.Succeed(t, err)
	defer f.Close()
	must.Succeed(t, png.Encode(f, img))
}

// A frame that is built into a picture is fresh until the window has shown it. While frames are kept a
// later one waits.
func TestFramesAreKept(t *testing.T) {
	th := newTestView(t, 640, 480, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	for i, step := range []struct {
		do    func()
		fresh bool
	}{
		{func() {}, false},
		{func() { th.Show(0, plain(1, 1)) }, true},
		{func() {}, true},
		{func() { th.Shown() }, false},
		{func() { th.Show(0, plain(2, 2)) }, true},
		{func() { th.Shown(); th.Keep(true); th.Show(0, plain(3, 3)) }, false},
		{func() { th.Keep(false) }, true},
	} {
		step.do()
		th.step(nil)
		if got := th.Fresh(); got != step.fresh {
			t.Errorf("step %d: fresh %v", i, got)
		}
	}
}

// TestHowTheGameGoes: one sign for good, late and waiting.
func TestHowTheGameGoes(t *testing.T) {
	fine := notice.Figures{FPS: 59.8, RTT: 42 * time.Millisecond, Delay: 4}
	with := func(change func(f *notice.Figures)) notice.Figures {
		f := fine
		change(&f)
		return f
	}
	for _, tt := range []struct {
		f     notice.Figures
		alone bool
		how   goes
		words string
	}{
		{notice.Figures{}, false, unknown, ""},
		{fine, false, good, "Good: ping 42 ms, delay 4"},
		{fine, true, unknown, ""},
		{with(func(f *notice.Figures) { f.FPS = 58.2 }), false, good, "Good: ping 42 ms, delay 4"},
		{with(func(f *notice.Figures) { f.Repeated = 3 }), false, good, "Good: ping 42 ms, delay 4"},
		{with(func(f *notice.Figures) { f.Repeated = 13 }), false, late, "Late: 13 of your last 600 inputs"},
		{with(func(f *notice.Figures) { f.FPS = 41.2 }), false, late, "Slow: 41 frames a second"},
		{with(func(f *notice.Figures) { f.FPS, f.Slow = 41.2, 0.6 }), true, late, "Slow: this computer cannot keep up"},
		{with(func(f *notice.Figures) { f.Waiting, f.FPS = []string{"Ben", "Cleo"}, 3 }), false, waiting, "Waiting for Ben and Cleo"},
	} {
		how, words := goesWords(tt.f, tt.alone)
		if how != tt.how || words != tt.words {
			t.Errorf("%+v: %v, %q; want %v, %q", tt.f, how, words, tt.how, tt.words)
		}
	}
}

// TestDotInsteadOfFigures: a new game shows no figures but a dot, beside the consoles where there is room, with its
// words where the mouse is; F8 shows the figures instead.
func TestDotInsteadOfFigures(t *testing.T) {
	for _, size := range [][2]int{{1120, 720}, {300, 460}, {640, 480}} {
		th := newTestView(t, size[0], size[1], 1)
		th.SetPreferences(PreferencesOf(config.Defaults()))
		th.Begin([]Console{{Seat: 0, Name: "Ann"}, {Seat: 1, Name: "Ben"}}, []ds.Seat{0})
		th.Show(0, coded(1))
		th.Show(1, coded(1))
		th.Notice(notice.Figures{FPS: 59.8, RTT: 42 * time.Millisecond, Delay: 4, Frame: 900})
		says := func(part string) bool {
			return slices.ContainsFunc(th.texts(), func(w draw.Written) bool { return strings.Contains(w.Text, part) })
		}
		if says("fps") || says("ping") || len(th.plates) != 1 {
			t.Fatalf("%v: it shows %v and %d plates", size, th.texts(), len(th.plates))
		}
		at := th.plates[0]
		_, free := th.beside(th.ui.Canvas(), draw.Pt(dotPlate, dotPlate))
		for _, c := range th.plan.all() {
			if over := points(th.ui.Canvas(), c.Screens.Bounds()).Intersect(at); free && !over.Empty() {
				t.Errorf("%v: the dot at %v lies over a console", size, at)
			}
		}
		th.in.MouseIn, th.in.Mouse = true, at.Center()
		if !says("Good: ping 42 ms, delay 4") || !says("F8") {
			t.Errorf("%v: with the mouse on the dot it says %v", size, th.texts())
		}
		for _, w := range th.texts() {
			if all := th.ui.Canvas().Bounds(); w.Cut || w.Place.Right() > all.Right() || w.Place.X < 0 || w.Place.Bottom() > all.Bottom() {
				t.Errorf("%v: %q is not whole, at %v", size, w.Text, w.Place)
			}
		}
		th.in.MouseIn = false
		th.press("F8", widgets.Key(65))
		th.in.Now += time.Minute
		if !says("fps") || says("Good") {
			t.Errorf("%v: after F8 it shows %v", size, th.texts())
		}
	}
}
