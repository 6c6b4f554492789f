package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestParseKeepsDefaults(t *testing.T) {
	c, err := Parse("f", `
room.delay = 7            # dotted keys are as good as sections
core = { name = "melonds" }
[net]
silence = "1m"
[pads]
deadzone = 0
[keys]
a = "C"                   # one key needs no list
lid = ["L", "Keypad 0"]
`)
	must.Succeed(t, err)
	want := Defaults()
	want.Room.Delay, want.Core.Name, want.Net.Silence, want.Pads.Deadzone = 7, "melonds", time.Minute, 0
	want.Keys.A, want.Keys.Lid = []string{"C"}, []string{"L", "Keypad 0"}
	want.Keys2.Right = []string{}  // its key is the lid's here
	want.Hotkeys.Clip = []string{} // and this one's is A
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got\n%+v, want\n%+v", c, want)
	}
	for _, text := range []string{"", "# nothing\n", "[room]\n", "\ufeff[room]\r\n"} {
		if c, err := Parse("f", text); err != nil || !reflect.DeepEqual(c, Defaults()) {
			t.Errorf("%q gives %+v, %v, want the defaults", text, c, err)
		}
	}
	c, err = Parse("f", "[core.options]\nb = \"2\"\n\"a.b\" = \"1\"\n")
	if err != nil || !reflect.DeepEqual(c.Core.Options, map[string]string{"a.b": "1", "b": "2"}) {
		t.Errorf("core options are %v, %v", c.Core.Options, err)
	}
}

// An error tells the user file, line, key, the fault, and the allowed values.
// Earlier versions wrote the password of the player's rooms into the file. Such a file can be
// read, and loses it when it is written again.
func TestFormerSettingIsDropped(t *testing.T) {
	c, err := Parse("f", "[room]\nname = \"Friday\"\npassword = \"hunter2\"\n")
	if err != nil || c.Room.Name != "Friday" {
		t.Fatalf("a file with a password: %+v, %v", c.Room, err)
	}
	if text := c.Commented() + c.Show(); strings.Contains(text, "hunter2") || strings.Contains(text, "\npassword") {
		t.Errorf("what is written has the password:\n%s", text)
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // beginnings of the lines of the error
	}{
		{"syntax", "\n[room\n", []string{"f:2: not valid TOML: the heading of this section is [room]"}},
		{"syntax in the middle of a line", "[room]\ndelay = = 3\nseats = 2\n", []string{"f:2: room.delay: not valid TOML: "}},
		{"no end of a text", "[room]\nname = \"x\nseats = 2\n", []string{"f:2: room.name: not valid TOML: "}},
		{"a key twice", "[room]\ndelay = 1\ndelay = 2\n", []string{"f:3: room.delay: is in line 2 already, which counts"}},
		{"unknown key", "[room]\n\ndealy = 3\n", []string{`f:3: room.dealy: no such setting, did you mean "delay"?; allowed: announce, auto_delay, delay, hash_every, keep_consoles, late_join, name, open, rtc, seats, skew, spectate_delay, spectators`}},
		{"unknown section", "[foo]\nx = 1\n", []string{"f:1: foo: no such setting; allowed: [audio], [core], [hotkeys], [keys], [keys2], [net], [pads], [player], [recording], [roms], [room], [video]"}},
		{"unknown key at the top", "delay = 3\n", []string{"f:1: delay: no such setting, it belongs under [room]; allowed: [audio]"}},
		{"under another section", "[room]\nport = 3\n", []string{"f:2: room.port: no such setting, it belongs under [net]; allowed: announce, auto_delay, delay"}},
		{"under one of several", "[room]\nx = 3\n", []string{"f:2: room.x: no such setting, it belongs under [pads.buttons] or [keys] or [keys2]; allowed: announce, auto_delay, delay"}},
		{"a name with a dot", "\"room.delay\" = 3\n", []string{`f:1: "room.delay": no such setting; allowed: [audio]`}},
		{"unknown subsection", "[pads.buttom]\na = 3\n", []string{`f:1: pads.buttom: no such setting, did you mean "[pads.buttons]"?; allowed: clip, deadzone, devices, layout, menu, own, speed, stylus, swap, touch, turn, [pads.buttons]`}},
		{"not a section", "room = 5\n", []string{"f:1: room: is the whole number 5, not a section; allowed: a line [room] with its settings below"}},
		{"sections twice", "[[room]]\ndelay = 3\n[[room]]\n", []string{"f:1: room: is a list of sections, not a section; allowed: a line [room]"}},
		{"out of range", "[room]\ndelay = 99\n", []string{"f:2: room.delay: 99 is out of range; allowed: 0 to 30"}},
		{"text for a number", "[room]\ndelay = \"4\"\n", []string{`f:2: room.delay: is the text "4", not a whole number; allowed: 0 to 30`}},
		{"fraction for a whole number", "[room]\ndelay = 4.0\n", []string{"f:2: room.delay: is a number with a fraction, not a whole number"}},
		{"number for a text", "[player]\nnickname = 4\n", []string{"f:2: player.nickname: is the whole number 4, not a text in quotes; allowed: 1 to 10 letters"}},
		{"text for a switch", "[audio]\nenabled = \"yes\"\n", []string{`f:2: audio.enabled: is the text "yes", not true or false; allowed: true or false`}},
		{"text for a fraction", "[pads]\ndeadzone = \"a\"\n", []string{`f:2: pads.deadzone: is the text "a", not a number; allowed: 0.0 to 0.9`}},
		{"not a number", "[video]\nui_scale = nan\n", []string{"f:2: video.ui_scale: NaN is out of range"}},
		{"number for a duration", "[net]\nsilence = 10\n", []string{`f:2: net.silence: is the whole number 10, not a duration in quotes; allowed: "3s" to "1m"`}},
		{"no duration", "[net]\nsilence = \"10\"\n", []string{`f:2: net.silence: "10" is not a duration; allowed: "3s" to "1m"`}},
		{"date without quotes", "[room]\nrtc = 2009-10-24\n", []string{"f:2: room.rtc: is a date or time without quotes, not a text in quotes; allowed: \"now\" or"}},
		{"no date", "[room]\nrtc = \"tomorrow\"\n", []string{`f:2: room.rtc: "tomorrow" is not a time; allowed: "now" or a time in quotes`}},
		{"year out of range", "[room]\nrtc = \"1999-01-01\"\n", []string{"f:2: room.rtc: the year 1999 is none that the console's clock can show; allowed"}},
		{"no birthday", "[player]\nbirthday = \"May 4\"\n", []string{`f:2: player.birthday: "May 4" is not a month and a day; allowed: "01-01" to "12-31"`}},
		{"number for a list", "[roms]\nfolders = 3\n", []string{"f:2: roms.folders: is the whole number 3, not a list of texts"}},
		{"number in a list", "[roms]\nfolders = [\n  \"/a\",\n  3,\n]\n", []string{"f:2: roms.folders: has the whole number 3 in the list, not a text"}},
		{"list for options", "[core]\noptions = []\n", []string{`f:2: core.options: is a list, not a section of key = "value" lines`}},
		{"switch for an option", "[core]\nname = \"x\"\n[core.options]\na = \"1\"\nb = true\n", []string{`f:5: core.options: "b" is true or false, not a text in quotes`}},
		{"a section that only dots name", "\nroom.delay = 3\nroon.delay = 4\n", []string{`f:3: roon: no such setting, did you mean "[room]"?`}},
		{"in an inline table", "core = { name = \"x\", fodlers = [] }\n", []string{`f:1: core.fodlers: no such setting, did you mean "folders"?`}},
		{"wrong key name", "[keys]\na = \"return\"\n", []string{`f:2: keys.a: "return" is not a key, did you mean "Return"?; allowed: a list of keys: "A" to "Z"`}},
		{"clash", "[keys]\na = \"G\"\nb = \"G\"\n", []string{`f:3: keys.b: "G" is in keys.a already; allowed: each key`}},
		{"clash with a default after it", "[keys]\na = \"F11\"\n", []string{`f:2: hotkeys.fullscreen: "F11" is in keys.a already`}},
		{"clash with a later hotkey that the file has", "[keys]\na = \"F5\"\n[hotkeys]\nemphasis = [\"F5\"]\n", []string{`f:4: hotkeys.emphasis: "F5" is in keys.a already`}},
		{"clash with a default before it", "[hotkeys]\nmenu = \"X\"\n", []string{`f:2: hotkeys.menu: "X" is in keys.a already`}},
		{
			"all at once, in order", "[video]\nscale = 0\nscal = 1\n[room]\nseats = \"2\"\n[keys]\na = \"X\"\nb = \"X\"\n",
			[]string{"f:2: video.scale: 0", "f:3: video.scal: no such", "f:5: room.seats: is the text", `f:8: keys.b: "X" is in keys.a already`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("f", tt.text)
			var e *Error
			if !errors.As(err, &e) || e.File != "f" {
				t.Fatalf("error is %v, want an *Error", err)
			}
			got := strings.Split(err.Error(), "\n")
			if len(got) != len(tt.want) {
				t.Fatalf("error is\n%v, want %d lines", err, len(tt.want))
			}
			for i := range got {
				if !strings.HasPrefix(got[i], tt.want[i]) {
					t.Errorf("line %d is\n%s, want\n%s", i+1, got[i], tt.want[i])
				}
			}
		})
	}
}

func TestManyProblems(t *testing.T) {
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, "key%d = 1\n", i)
	}
	_, err := Parse("f", text.String())
	var e *Error
	if !errors.As(err, &e) || len(e.Problems) != 500 {
		t.Fatalf("error is %v, want 500 problems", err)
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 21 || lines[20] != "and 480 more problems" || !strings.HasPrefix(lines[0], "f:1: key0: ") {
		t.Errorf("error is\n%v", err)
	}
}

func TestLoadOfFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "config.toml")
	if _, err := Load(path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("Load of no file: %v", err)
	}
	if _, err := Load(dir); err == nil {
		t.Error("Load of a folder is no error")
	}
	write(t, path, "[room]\ndelay = 6\n")
	if c, err := Load(path); err != nil || c.Room.Delay != 6 {
		t.Errorf("Load = delay %d, %v", c.Room.Delay, err)
	}
	write(t, path, "[room]\ndelay = -1\n")
	if _, err := Load(path); err == nil || !strings.HasPrefix(err.Error(), path+":2: room.delay: -1 is out of range") {
		t.Errorf("Load: %v", err)
	}
	write(t, path, strings.Repeat("#", MaxFile+1))
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("Load of a giant file: %v", err)
	}
	write(t, path, "x = "+strings.Repeat("[", MaxFile-4)) // as deep as it gets
	if _, err := Load(path); err == nil {
		t.Error("Load of nothing but brackets is no error")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
}

func read(t *testing.T, path string) string {
	t.Helper()
	return string(must.Read(t, path))
}

func FuzzParse(f *testing.F) {
	f.Add(Defaults().Commented())
	f.Add("[room]\ndelay = 99\n[foo]\nrtc = 2009-10-24\n")
	f.Add("[room\nname = \"x\n[pads.own]\n\"Pad\" = \"a: x\"\nb = 3\n[[keys]]\na = [\"X\",\n3]\n[keys]\nb = [\"X\", \"Y\"\n")
	f.Add("core.options.\"a.b\" = 'x'\nkeys = { a = [\"X\", \"Y\"] }\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("f", text)
		if err := c.Validate(); err != nil {
			t.Fatalf("loaded, but not valid: %v", err)
		}
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || len(e.Problems) == 0 {
				t.Fatalf("error %v is no *Error with a problem", err)
			}
			for _, p := range e.Problems {
				if p.Line < 1 || p.Line > strings.Count(text, "\n")+1 {
					t.Fatalf("problem %q is in line %d", p.text("f"), p.Line)
				}
			}
			return
		}
		again, err := Parse("f", c.Commented())
		if err != nil || !reflect.DeepEqual(again, c) {
			t.Fatalf("written and read again with error %v as\n%+v, want\n%+v", err, again, c)
		}
	})
}

// A file of an earlier version stays valid: what hotkeys came later gives way to the keys
// that it uses.
func TestLaterHotkeysYield(t *testing.T) {
	c, err := Parse("f", "[keys]\na = \"Space\"\n[hotkeys]\nmenu = [\"F9\", \"Escape\"]\n")
	must.Succeed(t, err)
	if len(c.Hotkeys.FastForward) != 0 || len(c.Hotkeys.VolumeDown) != 0 || !slices.Equal(c.Hotkeys.VolumeUp, []string{"F10"}) {
		t.Errorf("hotkeys: %+v", c.Hotkeys)
	}
	if usual := Defaults().Hotkeys; !slices.Equal(usual.FastForward, []string{"Space"}) {
		t.Errorf("the defaults were changed: %+v", usual)
	}
	if again, err := Parse("f", c.Commented()); err != nil || len(again.Hotkeys.FastForward) != 0 {
		t.Errorf("written and read again: %+v (%v)", again.Hotkeys, err)
	}
}
