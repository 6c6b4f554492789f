package settings

import (
	"fmt"
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// fileKeys are all keys that the settings' file has.
func fileKeys() (keys []string) {
	section := ""
	for _, line := range strings.Split(config.Defaults().Commented(), "\n") {
		name, _, setting := strings.Cut(line, " = ")
		switch {
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case setting && !strings.HasPrefix(line, "#"):
			keys = append(keys, section+"."+name)
		}
	}
	return keys
}

// fakeEngine notes what a lesson wants done, and does nothing.
type fakeEngine struct {
	screen.Engine
	did string
}

func (*fakeEngine) FindCore()           {}
func (*fakeEngine) ScanGames()          {}
func (*fakeEngine) SaveSettings()       {}
func (*fakeEngine) SaveMemory()         {}
func (*fakeEngine) TestRelay(string)    {}
func (f *fakeEngine) Teach(pad pads.ID) { f.did = fmt.Sprint("teach ", pad) }
func (f *fakeEngine) SkipButton()       { f.did = "skip" }
func (f *fakeEngine) ButtonAgain()      { f.did = "again" }
func (f *fakeEngine) EndLesson()        { f.did = "end" }

// opened is the screen of a program with the usual
func opened() *Screen {
	cfg := config.Defaults()
	cfg.Player.Nickname, cfg.Player.MAC = "Ann", "00:09:bf:00:00:01"
	engine := &fakeEngine{}
	v := New(screen.New(cfg, memory.Memory{Welcomed: true}, "test", &draw.Store{}, engine), engine)
	v.Open()
	return v
}

// TestEverySettingHasLabelAndHelp: nothing of the file needs an editor.
func TestEverySettingHasLabelAndHelp(t *testing.T) {
	v, keys := opened(), fileKeys()
	if len(keys) < 60 {
		t.Fatalf("only %d settings were found", len(keys))
	}
	for _, key := range keys {
		if v.label(key) == key {
			t.Errorf("%s has no label", key)
		}
		if h := config.Help(key); h == "" || strings.Contains(h, "Allowed:") {
			t.Errorf("%s: help %q", key, h)
		}
	}
	if got := config.Help("room.name"); got != `The name of your room. Left empty, it is made from your nickname.` {
		t.Errorf("help of room.name: %q", got)
	}
}

// TestBindMovesAKey: a key does one thing, and the player is told of what it does
// no more.
func TestBindMovesAKey(t *testing.T) {
	v := opened()
	v.Bind("keys.a", "Z", true) // Z is B
	if fmt.Sprint(v.Config.Keys.A, v.Config.Keys.B) != "[Z] []" {
		t.Errorf("A is %q, B is %q", v.Config.Keys.A, v.Config.Keys.B)
	}
	if len(v.Toasts) != 1 || !strings.Contains(v.Toasts[0].Text, "“B”") {
		t.Errorf("said: %+v", v.Toasts)
	}
	v.Bind("keys.b", "X", false)
	v.Bind("keys.b", "N", false)
	v.Bind("hotkeys.hud", "N", true) // over sections
	if fmt.Sprint(v.Config.Keys.B, v.Config.Hotkeys.HUD) != "[X] [N]" {
		t.Errorf("B is %q, figures %q", v.Config.Keys.B, v.Config.Hotkeys.HUD)
	}
	v.Bind("pads.buttons.a", "x", true) // a controller's x is no key
	if fmt.Sprint(v.Config.Pads.Buttons.A, v.Config.Pads.Buttons.Y) != "[x] []" {
		t.Errorf("pad: A is %q, Y is %q", v.Config.Pads.Buttons.A, v.Config.Pads.Buttons.Y)
	}
	v.Bind("keys.a", "Volume Up", true)
	if fmt.Sprint(v.Config.Keys.A) != "[Z]" {
		t.Errorf("a key that has no name in the settings was taken: %q", v.Config.Keys.A)
	}
	v.Unbind("keys.a")
	if len(v.Config.Keys.A) != 0 {
		t.Error("A still has a key")
	}
	v.UsualBindings(false)
	v.UsualBindings(true)
	usual := config.Defaults()
	if fmt.Sprint(v.Config.Keys, v.Config.Hotkeys, v.Config.Pads) != fmt.Sprint(usual.Keys, usual.Hotkeys, usual.Pads) {
		t.Error("the usual keys are not back")
	}
	if err := v.Config.Validate(); err != nil {
		t.Error(err)
	}
}

// TestClashIsInPrintedNames: a key that would do two things is called as the layout prints it, and what it does as
// the page calls it.
func TestClashIsInPrintedNames(t *testing.T) {
	v := opened()
	v.KeyLabels = map[string]string{"Q": "A"}
	c := Clone(v.Config)
	c.Keys.A, c.Keys.B = []string{"Q"}, []string{"Q"}
	c.Keys.L = []string{}
	err := c.Validate()
	if got := v.problems(err)["keys.b"]; got != "“A” already does “A”." {
		t.Errorf("beside the setting: %q", got)
	}
	if got := v.ProblemWords(err); got != "B: “A” already does “A”." {
		t.Errorf("elsewhere: %q", got)
	}
}

// TestSettingsDoNotShareLists: what is tried in the form must not reach what is
// in effect, or the defaults.
func TestSettingsDoNotShareLists(t *testing.T) {
	c := config.Defaults()
	d := Clone(c)
	for _, b := range bindings(&d) {
		*b.at = append((*b.at)[:0], "Q")
	}
	d.ROMs.Folders[0] = "/x"
	d.Core.Options["a"] = "b"
	if err := c.Validate(); err != nil || c.ROMs.Folders[0] != "~/roms" || len(c.Core.Options) != 0 {
		t.Errorf("the copy shares with its original: %v, %q", err, c.ROMs.Folders)
	}
}

// TestEverySettingIsOnAPage: whatever the file has can be changed on a screen.
func TestEverySettingIsOnAPage(t *testing.T) {
	v := opened()
	fonts, err := draw.NewFonts(v.Store, []string{})
	must.Succeed(t, err)
	ui := widgets.New(fonts, nil)
	on := map[string]bool{}
	v.Offered = func(key string) { on[key] = true }
	look := func() {
		for page := range Pages() {
			v.At = Page(page)
			ui.Frame(widgets.Input{Size: image.Pt(1000, 700), Scale: 1, Focused: true}, v.Build)
		}
	}
	look()
	hidden := 0
	for _, key := range fileKeys() {
		if advanced[key] == on[key] {
			t.Errorf("%s is advanced: %v, and shows: %v", key, advanced[key], on[key])
		}
		if !on[key] {
			hidden++
		}
	}
	if rows := 61; hidden < rows/3 || hidden != len(advanced) { // a third of all that are no keys and buttons
		t.Errorf("%d of the settings are behind Advanced, and %d keys are named", hidden, len(advanced))
	}
	v.Advanced = true
	look()
	for _, key := range fileKeys() {
		if !on[key] {
			t.Errorf("%s is on no page of the settings", key)
		}
	}
}

// TestGamesSee: what is said of the player's name and birthday holds for the core in use.
func TestGamesSee(t *testing.T) {
	v := opened()
	for core, want := range map[string]string{
		"": "", "melonDS DS": "Games see your name", "DeSmuME": "games do not see your name", "melonDS": "little is known of melonDS",
	} {
		v.Core = screen.Core{Found: core != "", Core: emucore.Core{Name: core}}
		words := v.GamesSee()
		if !strings.Contains(words, want) || want == "" && words != "" {
			t.Errorf("with the core %q: %q", core, words)
		}
	}
}

// TestStickThatDoesTwoThings: what the stick of the stylus presses beside is said.
func TestStickThatDoesTwoThings(t *testing.T) {
	v := opened()
	if got := v.stickConflicts(); len(got) != 0 {
		t.Errorf("with the usual settings: %q", got)
	}
	v.Change(func(c *config.Config) { c.Pads.Stylus = "left" })
	got := v.stickConflicts()
	if len(got) != 4 || !strings.HasPrefix(got[0], "“Left stick up” moves the stylus, and is also “Up”.") {
		t.Errorf("with the stick that is the cross: %q", got)
	}
	v.Change(func(c *config.Config) {
		c.Pads.Stylus, c.Pads.Buttons.Mic = "right", []string{"x", "+rightx"}
	})
	got = v.stickConflicts()
	if len(got) != 1 || !strings.HasPrefix(got[0], "“Right stick right” moves the stylus, and is also “Blow into the microphone”.") {
		t.Errorf("with a direction of its stick that is the microphone: %q", got)
	}
}

// TestDefaultsHaveNoConflict: each key and button does one thing.
func TestDefaultsHaveNoConflict(t *testing.T) {
	c, does := config.Defaults(), map[string]string{}
	for _, b := range bindings(&c) {
		for _, name := range *b.at {
			id := fmt.Sprintf("%q of a pad: %t", name, b.pad())
			if does[id] != "" {
				t.Errorf("%s is in %s and %s", id, does[id], b.key)
			}
			does[id] = b.key
		}
	}
}

// TestAddAsOneTypes: what is typed can be added from the picture on that shows it.
func TestAddAsOneTypes(t *testing.T) {
	v := opened()
	v.At = PageNetwork
	fonts, err := draw.NewFonts(v.Store, []string{})
	must.Succeed(t, err)
	ui := widgets.New(fonts, nil)
	in := widgets.Input{Size: image.Pt(1000, 700), Scale: 1, Focused: true}
	target := func(name string) (id widgets.ID) {
		for _, g := range ui.Targets() {
			if g.Name == name {
				id = g.ID
			}
		}
		return id
	}
	ui.Frame(in, v.Build)
	if target("add net.relays") != 0 {
		t.Error("nothing is typed, and can be added")
	}
	ui.SetFocus(target("net.relays"))
	ui.Frame(in, v.Build)
	in.Text = "relay.example.org"
	ui.Frame(in, v.Build)
	if target("add net.relays") == 0 {
		t.Error("the first picture with the text does not let the player add it")
	}
}

// TestSearch: a setting is found by its name, by what it means and by its key, wherever it is, keys and
// buttons too.
func TestSearch(t *testing.T) {
	v := opened()
	fonts, err := draw.NewFonts(v.Store, []string{})
	must.Succeed(t, err)
	ui := widgets.New(fonts, nil)
	in := widgets.Input{Size: image.Pt(1000, 700), Scale: 1, Focused: true}
	found := func(words string) (keys []string) {
		v.Offered = func(key string) { keys = append(keys, key) }
		v.Search.Words = words
		ui.Frame(in, v.Build)
		slices.Sort(keys)
		return slices.Compact(keys) // a picture takes several goes
	}
	for words, want := range map[string]string{
		"Radio tolerance":      "room.skew",
		"hash_every":           "room.hash_every",
		"upload":               "net.upload",
		"STYLUS stick":         "pads.stylus",
		"net.relays":           "net.relays",
		"full screen keyboard": "hotkeys.fullscreen",
		"blow controller":      "pads.buttons.mic",
		"folder recordings":    "recording.folder",
		"volume":               "audio.volume",
	} {
		if keys := found(words); !slices.Contains(keys, want) || len(keys) > 6 {
			t.Errorf("%q finds %q", words, keys)
		}
	}
	if keys := found("no such thing at all"); len(keys) != 0 {
		t.Errorf("found: %q", keys)
	}
	if keys := found(" "); !slices.Contains(keys, "player.nickname") {
		t.Errorf("without words the page shows %q", keys)
	}
	to, err := language.Open("ja")
	must.Succeed(t, err)
	ui.SetLanguage(to)
	for _, words := range []string{"音量", "volume", "ｵﾝﾘｮｳ"} {
		if keys := found(words); slices.Contains(keys, "audio.volume") != (words != "ｵﾝﾘｮｳ") {
			t.Errorf("in Japanese %q finds %q", words, keys)
		}
	}
	v.Search.Words = "volume"
	v.Open()
	if v.Search.Words != "" {
		t.Error("the words of the last time are there")
	}
}

// drive is what an absolute path begins with on Windows, and nothing elsewhere.
var drive = filepath.VolumeName(os.TempDir())

// TestDefaults: each setting, each page and all of them go back to their defaults; what is the player's own
// stays.
func TestDefaults(t *testing.T) {
	v := opened()
	usual := config.Defaults()
	v.Change(func(c *config.Config) {
		c.Room.Delay, c.Room.Seats, c.Room.Skew, c.Audio.Volume = 9, 5, 2, 10
		c.ROMs.Folders, c.Net.Relays = []string{drive + "/games"}, []string{"r:1"}
	})
	v.Bind("keys.a", "Z", true) // which B had
	v.compare()
	if got := slices.Sorted(maps.Keys(v.differing)); fmt.Sprint(got) != "[audio.volume keys.a keys.b net.relays player.mac player.nickname roms.folders room.delay room.seats room.skew]" {
		t.Errorf("changed: %q", got)
	}
	v.Default("room.delay")
	v.Default("keys.b")
	if v.Config.Room.Delay != usual.Room.Delay || fmt.Sprint(v.Config.Keys.A, v.Config.Keys.B) != "[] [Z]" {
		t.Errorf("delay %d, A %q, B %q", v.Config.Room.Delay, v.Config.Keys.A, v.Config.Keys.B)
	}
	v.waysBackOf("Room")
	if v.Question == nil {
		t.Fatal("nobody is asked")
	}
	v.Question.Do()
	if v.Config.Room != usual.Room || v.Config.Audio.Volume != 10 || len(v.Config.Keys.A) != 0 {
		t.Errorf("a page: %+v, volume %d", v.Config.Room, v.Config.Audio.Volume)
	}
	v.allDefaults()
	v.Question.Do()
	want := Clone(usual)
	want.Player.Nickname, want.Player.MAC, want.ROMs.Folders = "Ann", "00:09:bf:00:00:01", []string{drive + "/games"}
	if !v.Config.Equal(want) {
		t.Errorf("all: %v", v.Config.Changed())
	}
	// The buttons of one controller go back to those of all, which is another button.
	v.PadAt = "Pad"
	v.Bind("pads.buttons.a", "x", true)
	v.PadAt = ""
	v.Default("pads.own")
	if len(v.Config.Pads.Own) != 0 {
		t.Errorf("own buttons: %v", v.Config.Pads.Own)
	}
}
