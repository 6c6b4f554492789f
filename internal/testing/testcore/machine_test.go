package testcore_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

var state = []string{"frame", "hash", "video", "ram", "sram", "samples", "ticks"}

func TestRepeats(t *testing.T) {
	g := game{commands: []string{"input=5", "run=600", "print"}}
	a, _ := g.play(t)
	b, _ := g.play(t)
	same(t, "twice the same", a[0], b[0], state...)
	if a[0].number(t, "samples") != 600*32768*560190/33513982 {
		t.Errorf("%s samples in 600 frames", a[0]["samples"])
	}
	if a[0]["stray"] != "0" || a[0]["granted"] != "0" {
		t.Error(a[0])
	}
}

// TestNoticesEverything: whatever differs at the start or on the way changes the
// hash, from the frame on in which it happens.
func TestNoticesEverything(t *testing.T) {
	base := game{commands: []string{"input=5", "run=340"}}
	want := base.history(t)[0]
	for _, test := range []struct {
		name  string
		game  game
		after int // frames that are still equal
	}{
		{"input", game{commands: []string{"input=6", "run=340"}}, 0},
		{"input later", game{commands: []string{"input=5", "run=50", "input=6", "run=290"}}, 50},
		{"MAC", game{options: []string{"mac=00:09:bf:00:00:01"}}, 0},
		{"language", game{options: []string{"language=2"}}, 0},
		{"birthday", game{options: []string{"birth_day=2"}}, 0},
		{"no clock", game{options: []string{"rtc=off"}}, 0},
		{"hash", game{options: []string{"desync_at=70", "desync_what=hash"}}, 70},
		{"RAM", game{options: []string{"desync_at=70", "desync_what=ram"}}, 70},
		{"SRAM", game{options: []string{"desync_at=70", "desync_what=sram"}}, 70},
		{"waitstates", game{options: []string{"cpu_load=5"}}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.game.commands == nil {
				test.game.commands = base.commands
			}
			got := firstDifference(want, test.game.history(t)[0])
			if got < test.after || got > test.after+256 {
				t.Errorf("differs from frame %d on, want about %d", got, test.after)
			}
		})
	}
}

func TestDesync(t *testing.T) {
	base := game{commands: []string{"input=5", "run=70", "print", "run=1", "print"}}
	want, _ := base.play(t)
	for what, field := range map[string]string{"ram": "ram", "sram": "sram", "video": "video", "hash": "hash"} {
		g := base
		g.options = []string{"desync_at=70", "desync_what=" + what}
		got, _ := g.play(t)
		same(t, "before", want[0], got[0], state...)
		if got[1][field] == want[1][field] {
			t.Errorf("%s does not differ", what)
		}
		for _, only := range []string{"only_mac=7", "only_marker=other"} {
			g.options = []string{"desync_at=70", "desync_what=" + what, "marker=here", only}
			got, _ = g.play(t)
			same(t, "with "+only, want[1], got[1], state...)
		}
		g.options = []string{"desync_at=70", "desync_what=" + what, "mac=00:09:bf:00:00:00", "only_mac=0", "marker=m", "only_marker=m"}
		got, _ = g.play(t)
		if got[1][field] == want[1][field] {
			t.Errorf("%s does not differ where it should", what)
		}
	}
}

// TestHost: what reads the host differs from run to run, what a frontend can pin
// does not.
func TestHost(t *testing.T) {
	for option, differs := range map[string]bool{
		"wall_clock=syscall": true,
		"wall_clock=vdso":    true,
		"wall_clock=cycles":  true,
		"uninit=stack":       true,
		"uninit=heap":        true,
		"uninit=address":     true,
		"libc_clock=enabled": false,
		"leak_kb=64":         false,
		"busy_us=500":        false,
		"sleep_us=500":       false,
		"jitter_us=500":      false,
		"spam_log=10":        false,
		"signals=enabled":    false,
		"threads=2":          false,
		"map_gb=16":          false,
	} {
		t.Run(option, func(t *testing.T) {
			g := game{options: []string{option, "jitter_in=2"}, commands: []string{"input=1", "run=20", "print"}}
			a, _ := g.play(t)
			b, _ := g.play(t)
			if (a[0]["hash"] != b[0]["hash"]) != differs {
				t.Errorf("%s and %s", a[0]["hash"], b[0]["hash"])
			}
		})
	}
}

func TestStates(t *testing.T) {
	radio := []string{"radio=mac", "1:mac=00:09:bf:00:00:01", "2:mac=00:09:bf:00:00:02", "radio_at_us=16000"}
	for _, test := range []struct {
		name     string
		options  []string
		consoles int
		loads    string
		exact    bool
		size     int64
	}{
		{"plain", nil, 1, "load=1", true, 0},
		{"no second load is needed", nil, 1, "load=2", true, 0},
		{"two loads, one", []string{"state_loads=2"}, 1, "load=1", false, 0},
		{"two loads, two", []string{"state_loads=2"}, 1, "load=2", true, 0},
		{"big", []string{"state_mb=20", "state_noise=enabled"}, 1, "load=1", true, 20 << 20},
		{"garbage", []string{"state_garbage=enabled"}, 1, "load=1", true, 0},
		{"lossy", []string{"state_loses=enabled"}, 1, "load=1", false, 0},
		{"amid an exchange", radio, 3, "load=1", true, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := game{
				options: test.options, consoles: test.consoles,
				commands: []string{"input=3", "run=101", "save", "refuse", "run=100", "print", test.loads, "run=100", "print", "fresh", test.loads, "run=100", "print", "fresh", test.loads, "run=100", "print"},
			}
			got, _ := g.play(t)
			n := test.consoles
			for i := range n {
				went, again, fresh, fresh2 := got[i], got[n+i], got[2*n+i], got[3*n+i]
				same(t, "two fresh ones", fresh, fresh2, "hash", "ram", "video", "sram")
				if (fresh["hash"] == went["hash"]) != test.exact {
					t.Errorf("went on to %s, fresh %s", went["hash"], fresh["hash"])
				}
				if test.exact {
					same(t, "in place", went, again, "hash", "ram", "video", "sram")
				}
			}
			if size := got[0].number(t, "size"); test.size != 0 && size != test.size {
				t.Errorf("state of %d bytes", size)
			}
		})
	}
}

// TestStateBytes: equal consoles have equal states, unless garbage is asked for.
func TestStateBytes(t *testing.T) {
	for _, garbage := range []string{"disabled", "enabled"} {
		g := game{options: []string{"state_garbage=" + garbage}, commands: []string{"input=3", "run=20", "save", "print"}}
		a, _ := g.play(t)
		b, _ := g.play(t)
		same(t, "twice", a[0], b[0], "hash")
		if (a[0]["state"] == b[0]["state"]) != (garbage == "disabled") {
			t.Errorf("garbage %s: %s and %s", garbage, a[0]["state"], b[0]["state"])
		}
	}
}

func TestBackupFile(t *testing.T) {
	dir := t.TempDir()
	g := game{
		options:  []string{"sram=file", "sram_every=10"},
		commands: []string{"run=21", "print"},
		env:      []string{"HARNESS_SAVES=" + dir},
	}
	a, _ := g.play(t)
	if a[0]["saves"] != "3" {
		t.Errorf("%s saves", a[0]["saves"])
	}
	b, err := os.ReadFile(filepath.Join(dir, "game.tcs"))
	if err != nil || len(b) != 8192+16 || b[0] != 3 || !strings.HasSuffix(string(b), "testcore save 1\n") {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	again, _ := g.play(t)
	if again[0]["hash"] == a[0]["hash"] {
		t.Error("the old save was not seen")
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "game.tcs")); b[0] != 6 {
		t.Errorf("counter %d", b[0])
	}
}

// TestDocumented: README.md names every option.
func TestDocumented(t *testing.T) {
	header := must.Read(t, "src/options.h")
	readme := must.Read(t, "README.md")
	names := regexp.MustCompile(`(?m)^\tX\((\w+),`).FindAllSubmatch(header, -1)
	if len(names) < 50 {
		t.Fatalf("found %d options", len(names))
	}
	for _, n := range names {
		if !strings.Contains(string(readme), "`"+string(n[1])+"`") {
			t.Errorf("README.md does not name %s", n[1])
		}
	}
}
