package config

import (
	"reflect"
	"strings"
	"testing"
)

// TestGoodLinesCount: whatever else is wrong with a file, each line that can be read counts, and
// each that cannot is named with what would be right.
func TestGoodLinesCount(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       func(*Config)
		problems   []string // beginnings of the lines of the error
	}{
		{
			"a value", "[player]\nnickname = \"Ann\"\n[room]\ndelay = 99\nseats = 3\n[net]\nrelays = [\"r:1\"]\n",
			func(c *Config) { c.Player.Nickname, c.Room.Seats, c.Net.Relays = "Ann", 3, []string{"r:1"} },
			[]string{"f:4: room.delay: 99 is out of range; allowed: 0 to 30"},
		},
		{
			"quotes", "[player]\nnickname = Ann\n[room]\nseats = 3\n",
			func(c *Config) { c.Room.Seats = 3 },
			[]string{`f:2: player.nickname: not valid TOML: write nickname = "Ann"; allowed: 1 to 10 letters`},
		},
		{
			"signs of other languages", "[room]\nseats: 3\ndelay 5;\nlate_join = no\nname = \"x\"\n[keys]\na = C, D\n",
			func(c *Config) { c.Room.Name = "x" },
			[]string{"f:2: room.seats: not valid TOML: write seats = 3;", "f:3: room.delay: not valid TOML: write delay = 5;", "f:4: room.late_join: not valid TOML: write late_join = false;", `f:7: keys.a: not valid TOML: write a = ["C", "D"];`},
		},
		{
			"a heading that is not closed", "[player]\nlanguage = \"it\"\n[room\nseats = 3\n[net]\nport = 2000\n",
			func(c *Config) { c.Player.Language, c.Room.Seats, c.Net.Port = "it", 3, 2000 },
			[]string{"f:3: not valid TOML: the heading of this section is [room]"},
		},
		{
			"a heading that is not opened", "[player]\nlanguage = \"it\"\nroom]\nseats = 3\n",
			func(c *Config) { c.Player.Language, c.Room.Seats = "it", 3 },
			[]string{"f:3: not valid TOML: the heading of this section is [room]"},
		},
		{
			"a section that nobody knows", "[room]\nseats = 3\n[=x\ndelay = 3\n",
			func(c *Config) { c.Room.Seats = 3 },
			[]string{"f:3: not valid TOML: "},
		},
		{
			"a list that is not closed", "[roms]\nfolders = [\n  \"" + drive + "/a\",\n\n  # more\n  \"" + drive + "/b\",\n[room]\nseats = 3\n",
			func(c *Config) { c.Room.Seats = 3 },
			[]string{"f:2: roms.folders: not valid TOML: "},
		},
		{
			"lists over lines beside it", "[roms]\nfolders = [\n  \"" + drive + "/a\", # [\n  \"" + drive + "/b\",\n]\n[room]\nseats 3\ndelay = 5\n",
			func(c *Config) { c.ROMs.Folders, c.Room.Delay = []string{drive + "/a", drive + "/b"}, 5 },
			[]string{"f:7: room.seats: not valid TOML: write seats = 3"},
		},
		{
			"a setting and a section twice", "[room]\nseats = 3\nseats = 4\n[net]\nport = 2000\n[room]\ndelay = 5\n",
			func(c *Config) { c.Room.Seats, c.Net.Port, c.Room.Delay = 3, 2000, 5 },
			[]string{"f:3: room.seats: is in line 2 already, which counts", "f:6: room: this section begins in line 1 already; its settings belong there"},
		},
		{
			"bytes that are no text", "[room]\nname = \"\xff\"\nseats = 3\r\n\x00\x01\n[net]\nport = 2000",
			func(c *Config) { c.Room.Seats, c.Net.Port = 3, 2000 },
			[]string{"f:2: room.name: not valid TOML: ", "f:4: not valid TOML: "},
		},
		{
			"no TOML at all", "<html>\n<body class=\"x\">Not found</body>\n</html>\n",
			func(*Config) {},
			[]string{"f:1: not valid TOML: ", "f:2: not valid TOML: ", "f:3: not valid TOML: "},
		},
		{
			"one folder of several, one option of several", "[roms]\nfolders = [\"" + drive + "/a\", \"b\", \"" + drive + "/c\"]\n[core.options]\na = \"1\"\nb = true\nc = \"3\"\n\"d e\" = \"\"\n",
			func(c *Config) {
				c.ROMs.Folders, c.Core.Options = []string{drive + "/a", drive + "/c"}, map[string]string{"a": "1", "c": "3"}
			},
			[]string{`f:2: roms.folders: "b" begins with neither`, `f:5: core.options: "b" is true or false`, `f:7: core.options: "d e" is not the name`},
		},
		{
			"devices, whose places count", "[pads]\ndevices = [\"\", \"pad 1\"]\nspeed = 2\n",
			func(c *Config) { c.Pads.Speed = 2 },
			[]string{"f:2: pads.devices: is empty"},
		},
		{
			"keys that do two things", "[keys]\na = \"G\"\nb = [\"G\", \"H\"]\nx = \"F11\"\n[room]\nseats = 3\n",
			func(c *Config) {
				c.Keys.A, c.Keys.B, c.Keys.X = []string{"G"}, []string{"H"}, []string{"F11"}
				c.Keys2.A, c.Hotkeys.Fullscreen, c.Room.Seats = []string{}, []string{}, 3
			},
			[]string{`f:3: keys.b: "G" is in keys.a already`, `f:4: hotkeys.fullscreen: "F11" is in keys.x already`},
		},
		{
			"a wrong key, whose default another line has", "[keys]\na = \"nosuch\"\nb = \"X\"\n",
			func(c *Config) { c.Keys.A, c.Keys.B = []string{}, []string{"X"} },
			[]string{`f:2: keys.a: "nosuch" is not a key`},
		},
		{
			"one controller of two", "[pads.own]\nGood = \"a: x; y: b\"\nBad = \"a: x\"\n",
			func(c *Config) { c.Pads.Own = map[string]string{"Good": "a: x; y: b"} },
			[]string{`f:1: pads.own: "Bad": "x" is a and y`},
		},
		{
			"sections as a list", "[[room]]\nseats = 3\n[[room]]\ndelay = 5\n",
			func(c *Config) { c.Room.Seats, c.Room.Delay = 3, 5 },
			[]string{"f:1: room: is a list of sections, not a section"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse("f", tt.text)
			want := Defaults()
			tt.want(&want)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got\n%s, want\n%s", got.Show(), want.Show())
			}
			if err == nil {
				t.Fatal("nothing is wrong")
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(tt.problems) {
				t.Fatalf("the error is\n%v, want %d lines", err, len(tt.problems))
			}
			for i, line := range lines {
				if !strings.HasPrefix(line, tt.problems[i]) {
					t.Errorf("line %d is\n%s, want\n%s", i+1, line, tt.problems[i])
				}
			}
		})
	}
}

// TestHostileFiles: whatever is in a file, what comes of it are valid settings. A file of the largest size costs a few
// seconds at most; this one is smaller, and one that hung would still hang.
func TestHostileFiles(t *testing.T) {
	for name, piece := range map[string]string{
		"lists without an end": "a=[\n", "one word": "a", "quotes": "\"", "brackets": "[", "keys": "a=1\nb=\n", "texts": "x='''\n",
		"dots": "a.", "tables": "a={", "twice": "[room]\ndelay=1\n[room\n", "colons": "delay: [\n",
	} {
		c, err := Parse("f", strings.Repeat(piece, MaxFile/8/len(piece)))
		if err == nil || c.Validate() != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
