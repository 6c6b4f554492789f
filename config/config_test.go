package config

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// drive is what an absolute path begins with: "C:" on Windows, and nothing elsewhere.
var drive = filepath.VolumeName(os.TempDir())

func TestDefaultsAreValid(t *testing.T) {
	if err := Defaults().Validate(); err != nil {
		t.Error(err)
	}
	a, b := Defaults(), Defaults()
	a.ROMs.Folders[0], a.Keys.A[0], a.Core.Options["x"] = "/other", "F9", "y"
	if reflect.DeepEqual(a, b) || b.ROMs.Folders[0] != "~/roms" || len(b.Core.Options) != 0 {
		t.Error("two Defaults share memory")
	}
}

// leaves are the settings in a struct: pointers to them, and their Go names.
func leaves(v reflect.Value, name string, visit func(ptr any, name string)) {
	for i := range v.NumField() {
		f, fieldName := v.Field(i), name+"."+v.Type().Field(i).Name
		switch f.Interface().(type) {
		case RTC, Birthday:
			visit(f.Addr().Interface(), fieldName)
			continue
		}
		if f.Kind() == reflect.Struct {
			leaves(f, fieldName, visit)
			continue
		}
		visit(f.Addr().Interface(), fieldName)
	}
}

// Every setting of the Config is in the table, once, and the file that is written
// says what it means.
func TestEveryFieldIsDocumented(t *testing.T) {
	c := Defaults()
	text := strings.Split(c.Commented(), "\n")
	entries := map[any]field{}
	for _, s := range schema(&c) {
		for _, f := range s.fields {
			if old, twice := entries[f.ptr]; twice {
				t.Errorf("%s and %s are one setting", old.key, f.key)
			}
			entries[f.ptr] = f
			if !strings.HasPrefix(f.key, s.key+".") || !strings.HasSuffix(f.doc, ".") || f.allowed == "" {
				t.Errorf("%s: documented as %q, allowed %q", f.key, f.doc, f.allowed)
			}
		}
	}
	leaves(reflect.ValueOf(&c).Elem(), "Config", func(ptr any, name string) {
		f, ok := entries[ptr]
		if !ok {
			t.Errorf("%s is in no file", name)
			return
		}
		delete(entries, ptr)
		checkComment(t, text, f)
	})
	for _, f := range entries {
		t.Errorf("%s is no field of the Config", f.key)
	}
}

// checkComment checks that a setting stands under its heading, with its
// documentation above it.
func checkComment(t *testing.T, text []string, f field) {
	t.Helper()
	dot := strings.LastIndex(f.key, ".")
	heading := ""
	for i, line := range text {
		if strings.HasPrefix(line, "[") {
			heading = strings.Trim(line, "[]")
		}
		if heading != f.key[:dot] || !strings.HasPrefix(line, f.key[dot+1:]+" = ") {
			continue
		}
		var above []string
		for ; i > 0 && strings.HasPrefix(text[i-1], "# "); i-- {
			above = append([]string{strings.TrimPrefix(text[i-1], "# ")}, above...)
		}
		if !strings.HasPrefix(strings.Join(above, " "), f.doc) {
			t.Errorf("%s: the file says %q above it", f.key, above)
		}
		return
	}
	t.Errorf("%s is not in the file", f.key)
}

// Commented defaults must be read back as the defaults, and so must any other
// settings.
func TestCommentedReadsBack(t *testing.T) {
	changed := Defaults()
	changed.Player = Player{Nickname: `A"\é ☃`, Language: "de", Colour: "magenta", Birthday: Birthday{2, 29}, MAC: "00:09:bf:00:ff:12"}
	changed.ROMs.Folders = []string{drive + "/a b", "~/c\"d", "~"}
	changed.Core = Core{Name: "/x/y.so", JIT: "on", Folders: []string{drive + "/z"}, Sources: []string{"github-releases https://example.org/a"}, Options: map[string]string{"a_b": "1", "a.c": "true", "ä": ""}}
	changed.Net = Net{Port: 65535, Bind: "127.0.0.1", STUN: []string{"stun.example.org:3478"}, Relays: []string{"relay.example.org:21205"}, Friends: true, Upload: 1, OwnDelay: "2", Silence: 90 * time.Second / 2, HelpFriends: true, HelpPort: 1024, HelpUpload: 64}
	changed.Room = Room{Name: "p#\"q", Seats: 16, Delay: 0, AutoDelay: "racing", RTC: RTC{Seconds: 1256409000}, HashEvery: 1, Skew: 2, Sync: Clocked}
	changed.Video = Video{
		Scale: 8, Layout: "bottom", Emphasis: "top", Rotation: "right", Swap: true, Gap: 90, Integer: true, Filter: "linear",
		Bars: "players", Theme: "light", Language: "fr", Fullscreen: true, UIScale: 0.75,
	}
	changed.Audio.Device, changed.Room.Announce = "Köpfhörer 2", false
	changed.Audio = Audio{Volume: 0, Latency: 10 * time.Millisecond}
	changed.Pads.Devices = []string{"keyboard", "any", "any"}
	changed.Pads.Buttons.Lid = []string{"misc1"}
	changed.Keys.A = []string{"'", "\\", "Keypad +"}
	changed.Recording = Recording{Folder: "~/rec"}
	changed.Hotkeys.Menu = []string{}
	for name, c := range map[string]Config{"defaults": Defaults(), "others": changed} {
		text := c.Commented()
		got, err := Parse("f", text)
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s: read back with error %v as\n%+v, want\n%+v", name, err, got, c)
		}
		for i, line := range strings.Split(text, "\n") {
			if len(line) > commentWidth && strings.HasPrefix(line, "#") {
				t.Errorf("%s, line %d is longer than %d letters: %s", name, i+1, commentWidth, line)
			}
		}
		if len(text) > MaxFile/2 {
			t.Errorf("%s: a file of %d bytes is written, at most %d are read", name, len(text), MaxFile)
		}
	}
}

func TestNumberedNickname(t *testing.T) {
	for _, tt := range [][2]string{
		{"Ann", "Ann 2"},
		{"Maximilian", "Maximili 2"},
		{"Max M. Far", "Max M. F 2"},
		{"Ann Marie and", "Ann Mari 2"},
		{"なまえのながいひとです", "なまえのながいひ 2"},
		{"🎮🎮🎮🎮🎮", "🎮🎮🎮🎮 2"},
		{"Seven l x", "Seven l 2"},
	} {
		got := NumberedNickname(tt[0], 2)
		c := Defaults()
		c.Player.Nickname = got
		if got != tt[1] || c.Validate() != nil {
			t.Errorf("%q is numbered %q, want %q (%v)", tt[0], got, tt[1], c.Validate())
		}
	}
}

func TestValidate(t *testing.T) {
	tests := []struct {
		change func(*Config)
		want   string // the error, up to what is allowed; "" for none
	}{
		{func(c *Config) { c.Player.Nickname = "" }, "player.nickname: is empty; allowed: 1 to 10 letters"},
		{func(c *Config) { c.Player.Nickname = "ABCDEFGHIJ" }, ""},
		{func(c *Config) { c.Player.Nickname = "ABCDEFGHIJK" }, "player.nickname: has 11 letters;"},
		{func(c *Config) { c.Player.Nickname = "😀😀😀😀😀" }, ""},
		{func(c *Config) { c.Player.Nickname = "😀😀😀😀😀x" }, "player.nickname: takes the room of 11 letters"},
		{func(c *Config) { c.Player.Nickname = "a\tb" }, "player.nickname: has the letter U+0009, which cannot be shown"},
		{func(c *Config) { c.Player.Nickname = "a\u200bb" }, "player.nickname: has the letter U+200B"},
		{func(c *Config) { c.Player.Nickname = "a\xffb" }, "player.nickname: is not valid UTF-8"},
		{func(c *Config) { c.Player.Nickname = "a b" }, ""},
		{func(c *Config) { c.Player.Nickname = " b" }, `player.nickname: " b" begins or ends with a space`},
		{func(c *Config) { c.Player.Language = "EN" }, `player.language: "EN" is not known, did you mean "en"?; allowed: ja, en,`},
		{func(c *Config) { c.Player.Colour = "lightblue" }, `player.colour: "lightblue" is not known, did you mean "light-blue"?`},
		{func(c *Config) { c.Player.Birthday = Birthday{2, 30} }, "player.birthday: there is no day 02-30"},
		{func(c *Config) { c.Player.Birthday = Birthday{0, 1} }, "player.birthday: there is no day 00-01"},
		{func(c *Config) { c.Player.Birthday = Birthday{13, 1} }, "player.birthday: there is no day 13-01"},
		{func(c *Config) { c.Player.Birthday = Birthday{1, 0} }, "player.birthday: there is no day 01-00"},
		{func(c *Config) { c.Player.MAC = "00:09:bf:ab:cd:ef" }, ""},
		{func(c *Config) { c.Player.MAC = "00:09:BF:ab:cd:ef" }, "player.mac:"},
		{func(c *Config) { c.Player.MAC = "00:09:bf:AB:cd:ef" }, "player.mac:"},
		{func(c *Config) { c.Player.MAC = "00:09:c0:ab:cd:ef" }, "player.mac:"},
		{func(c *Config) { c.Player.MAC = "00:09:bf:ab:cd" }, "player.mac:"},
		{func(c *Config) { c.Player.MAC = "00:09:bf:ab:cd:ef:00:00" }, "player.mac:"},
		{func(c *Config) { c.ROMs.Folders = []string{"roms"} }, `roms.folders: "roms" begins with neither `},
		{func(c *Config) { c.ROMs.Folders = []string{"~me/roms"} }, `roms.folders: "~me/roms" begins`},
		{func(c *Config) { c.ROMs.Folders = []string{drive + "/a", drive + "/b", drive + "/a"} }, `roms.folders: "` + drive + `/a" stands twice`},
		{func(c *Config) { c.ROMs.Folders = make([]string, 33) }, "roms.folders: has 33 entries"},
		{func(c *Config) { c.ROMs.Folders = []string{drive + "/\x00"} }, "roms.folders: cannot be a path"},
		{func(c *Config) { c.ROMs.Folders = []string{drive + "/\xff"} }, "roms.folders: is not valid UTF-8"},
		{func(c *Config) { c.Core.Sources = []string{"libretro-index https://example.org/{os}/{arch}/"} }, ""},
		{func(c *Config) { c.Core.Sources = []string{} }, ""},
		{func(c *Config) { c.Core.Sources = []string{"https://example.org/"} }, `core.sources: "https://example.org/" is not a kind and an address`},
		{func(c *Config) { c.Core.Sources = []string{"libretro-index https://a b"} }, "core.sources: \"libretro-index https://a b\" is not a kind and an address"},
		{func(c *Config) { c.Core.Sources = []string{"github https://example.org/"} }, `core.sources: "github" is not a kind of source`},
		{func(c *Config) { c.Core.Sources = []string{"github-release https://example.org/"} }, `core.sources: "github-release" is not a kind of source, did you mean "github-releases"?`},
		{func(c *Config) { c.Core.Sources = []string{"libretro-index http://example.org/"} }, `core.sources: "http://example.org/" does not begin with https://`},
		{func(c *Config) { c.Core.Sources = []string{"libretro-index https://"} }, `core.sources: "https://" is not the address of a list of cores`},
		{func(c *Config) { c.Core.Sources = []string{"libretro-index https://u:p@example.org/"} }, `core.sources: "https://u:p@example.org/" is not the address of a list of cores`},
		{func(c *Config) { c.Core.Sources = []string{"libretro-index https://example.org/?x=1"} }, `core.sources: "https://example.org/?x=1" is not the address of a list of cores`},
		{func(c *Config) { c.Core.Sources = []string{"libretro-index https://example.org/\x1b"} }, "core.sources: has the letter U+001B"},
		{func(c *Config) { c.Core.Sources = make([]string, 9) }, "core.sources: has 9 entries"},
		{func(c *Config) { c.Core.Options = map[string]string{"a b": ""} }, `core.options: "a b" is not the name of an option`},
		{func(c *Config) { c.Core.Options = map[string]string{"a": "\n"} }, `core.options: the value of "a" has the letter U+000A`},
		{func(c *Config) { c.Core.Options = manyOptions() }, "core.options: has 65 options, more than 64"},
		{func(c *Config) { c.Net.Port = 1023 }, "net.port: 1023 is out of range; allowed: 1024 to 65535"},
		{func(c *Config) { c.Net.Port = 65536 }, "net.port: 65536 is out of range"},
		{func(c *Config) { c.Net.Relays = []string{"a,b:1"} }, `net.relays: "a,b:1" is not the address of a server`},
		{func(c *Config) { c.Net.STUN = []string{"stun.example.org"} }, `net.stun: "stun.example.org" is not HOST:PORT`},
		{func(c *Config) { c.Net.Bind = "localhost" }, `net.bind: "localhost" is not an address`},
		{func(c *Config) { c.Net.Upload = -1 }, "net.upload: -1 is out of range"},
		{func(c *Config) { c.Net.Silence = 2 * time.Second }, "net.silence: 2s is out of range"},
		{func(c *Config) { c.Net.Silence = time.Hour }, `net.silence: 1h is out of range; allowed: "3s" to "1m"`},
		{func(c *Config) { c.Net.HelpPort = 80 }, "net.help_port: 80 is out of range; allowed: 1024 to 65535"},
		{func(c *Config) { c.Net.HelpUpload = 0 }, "net.help_upload: 0 is out of range; allowed: 64 to 1000000"},
		{func(c *Config) { c.Room.Seats = 1 }, "room.seats: 1 is out of range; allowed: 2 to 16"},
		{func(c *Config) { c.Room.Seats = 17 }, "room.seats: 17 is out of range"},
		{func(c *Config) { c.Room.Delay = 31 }, "room.delay: 31 is out of range; allowed: 0 to 30"},
		{func(c *Config) { c.Room.RTC = RTC{Seconds: 0} }, "room.rtc: the year 1970 is none"},
		{func(c *Config) { c.Room.RTC = RTC{Now: true, Seconds: 1256409000} }, "room.rtc: is both"},
		{func(c *Config) { c.Room.HashEvery = 0 }, "room.hash_every: 0 is out of range"},
		{func(c *Config) { c.Room.Skew = 3 }, "room.skew: 3 is out of range; allowed: 0, 1 or 2"},
		{func(c *Config) { c.Video.UIScale = math.NaN() }, "video.ui_scale: NaN is out of range"},
		{func(c *Config) { c.Video.UIScale = math.Inf(1) }, "video.ui_scale: +Inf is out of range"},
		{func(c *Config) { c.Video.Emphasis = "left" }, `video.emphasis: "left" is not known`},
		{func(c *Config) { c.Video.Rotation = "up" }, `video.rotation: "up" is not known; allowed: none, left, right`},
		{func(c *Config) { c.Video.Gap = 193 }, "video.gap: 193 is out of range"},
		{func(c *Config) { c.Video.Theme = "drak" }, `video.theme: "drak" is not known, did you mean "dark"?; allowed: dark, light`},
		{func(c *Config) { c.Audio.Device = "a\nb" }, "audio.device: has the letter U+000A"},
		{func(c *Config) { c.Hotkeys.Pause = []string{"X"} }, `hotkeys.pause: "X" is in keys.a already`},
		{func(c *Config) { c.Pads.Deadzone = 0.91 }, "pads.deadzone: 0.91 is out of range"},
		{func(c *Config) { c.Pads.Devices = nil }, "pads.devices: has 0 entries"},
		{func(c *Config) { c.Pads.Devices = []string{"pad 1", "pad 1"} }, `pads.devices: "pad 1" stands twice`},
		{func(c *Config) { c.Pads.Devices = []string{""} }, "pads.devices: is empty"},
		{func(c *Config) { c.Keys.Start = []string{"Enter"} }, `keys.start: "Enter" is not a key; allowed: a list of keys: "A" to "Z"`},
		{func(c *Config) { c.Keys.Start = []string{"Backspce"} }, `keys.start: "Backspce" is not a key, did you mean "Backspace"?`},
		{func(c *Config) { c.Keys.Start = []string{"H", "H"} }, `keys.start: "H" stands twice`},
		{func(c *Config) { c.Keys.Start = strings.Split("DHUV01234", "") }, "keys.start: has 9 entries"},
		{func(c *Config) { c.Keys.Start = []string{"X"} }, `keys.start: "X" is in keys.a already`},
		{func(c *Config) { c.Hotkeys.Chat = []string{"X"} }, `hotkeys.chat: "X" is in keys.a already`},
		{func(c *Config) { c.Pads.Buttons.A = []string{"rightstick"} }, `pads.buttons.a: "rightstick" is in pads.touch already`},
		{func(c *Config) { c.Pads.Buttons.A = []string{"leftx"} }, `pads.buttons.a: "leftx" is not a controller button, did you mean "-leftx"?`},
		{func(c *Config) { c.Recording.Folder = "rec" }, `recording.folder: "rec" begins with neither`},
	}
	for _, tt := range tests {
		c := Defaults()
		tt.change(&c)
		err := c.Validate()
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("refused: %v", err)
		case tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)):
			t.Errorf("error is\n%v, want\n%s", err, tt.want)
		}
		var e *Error
		if err != nil && (!errors.As(err, &e) || len(e.Problems) != 1 || e.Problems[0].Line != 0) {
			t.Errorf("error is %#v, want one problem without a line", err)
		}
	}
	if err := (Config{}).Validate(); err == nil || !strings.Contains(err.Error(), "room.seats: 0 is out of range") {
		t.Errorf("the zero Config: %v", err)
	}
}

func manyOptions() map[string]string {
	options := map[string]string{}
	for i := range 65 {
		options[fmt.Sprintf("option_%d", i)] = ""
	}
	return options
}

var updateDocs = flag.Bool("update", false, "write the list in docs/settings.md again")

// The list of all settings in docs/settings.md is made from the table that the file's comments and the window's help
// are made from. Keys and buttons have a table of their own there.
func TestSettingsInDocs(t *testing.T) {
	must.HaveLinux(t, "the page says how folders begin there")
	const file, head = "../docs/settings.md", "## Every setting\n"
	var b strings.Builder
	b.WriteString("\nAs `nettplay config init` writes them, but for keys and buttons, which are above.\n\n| setting | default | allowed | meaning |\n|---|---|---|---|\n")
	c := Defaults()
	for _, f := range fields(schema(&c)) {
		if f.device == "" {
			fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", f.key, format(f.usual), strings.ReplaceAll(f.allowed, "|", `\|`), strings.ReplaceAll(f.doc, "|", `\|`))
		}
	}
	old := string(must.Read(t, file))
	before, list, ok := strings.Cut(old, head)
	if !ok {
		t.Fatalf("%s has no %q", file, head)
	}
	if list == b.String() {
		return
	}
	if !*updateDocs {
		t.Fatalf("%s is behind the table of settings: go test ./config -run TestSettingsInDocs -update", file)
	}
	must.Succeed(t, os.WriteFile(file, []byte(before+head+b.String()), 0o644))
}
