package session

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/report"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// differing is a game of two whose consoles of seat 2 part in a frame on the second
// machine, as both recorded it, and with what each machine plays it.
type differing struct {
	core  emucore.Core
	game  *emucore.ROM
	sides []report.Side
	how   []player.Config // by machine
}

func playDiffering(t *testing.T) *differing {
	t.Helper()
	d := &differing{core: modelCore(), game: rom(t, romstest.Pad)}
	fault := map[string]string{"testcore_desync_at": "113", "testcore_desync_what": "hash", "testcore_only_mac": "1"}
	tweak := func(e *emucore.Config) {
		options := map[string]string{}
		maps.Copy(options, e.TestOptions)
		options["testcore_mac"] = fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", e.Firmware.MAC[0], e.Firmware.MAC[1], e.Firmware.MAC[2], e.Firmware.MAC[3], e.Firmware.MAC[4], e.Firmware.MAC[5])
		e.TestOptions = options
	}
	logs, machines := recordedGame(t, d.core, d.game, 2, 200, func(n int, c *Config) {
		if c.TestTweak = tweak; n == 1 {
			c.TestOptions = fault
		}
	})
	sameEnds(t, 1, machines...)
	for n, l := range logs {
		d.sides = append(d.sides, report.Side{Name: machines[n].name, Log: l})
		how := player.Config{Core: d.core, ROMs: romsOf(d.game), TestTweak: tweak}
		if n == 1 {
			how.TestOptions = fault
		}
		d.how = append(d.how, onModel(t, how))
	}
	return d
}

func (d *differing) bisect(t *testing.T, machine int, sides ...report.Side) (*report.Finding, string) {
	t.Helper()
	f, err := report.Bisect(t.Context(), sides, d.how[machine], nil)
	must.Succeed(t, err)
	return f, strings.Join(f.Words, "\n")
}

// again is what a machine gets when it plays its recording again.
func (d *differing) again(t *testing.T, machine int) *report.RerunFile {
	t.Helper()
	how := d.how[machine]
	how.Log = d.sides[machine].Log
	r, err := report.PlayAgain(t.Context(), how, 100, 120)
	must.Succeed(t, err)
	out, err := r.Judge(how.Log, 1, "x")
	if err != nil || !out.Again {
		t.Fatalf("%v: %s", err, out.Words)
	}
	return &out
}

// A core that computes otherwise on one machine, wherever one looks: at two recordings,
// on either machine, with what the machines got when they played it again.
func TestBisectNamesMachineAndFrame(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := playDiffering(t)
		anna, ben := d.sides[0], d.sides[1]
		f, words := d.bisect(t, 0, anna, ben)
		for _, want := range []string{
			"same buttons", "alike after frame 100, and not in main RAM after frame 120", "the same each time",
			"what the console was in the game on Anna's machine", "not what the console was in the game on Ben's machine", "look at it on Ben's",
		} {
			if !strings.Contains(words, want) {
				t.Errorf("it does not say %q:\n%s", want, words)
			}
		}
		if !f.Differ || f.Frame != 0 || f.Seat != 1 {
			t.Errorf("%+v", f)
		}
		if _, words = d.bisect(t, 1, anna, ben); !strings.Contains(words, "not what the console was in the game on Anna's machine") {
			t.Errorf("on Ben's machine:\n%s", words)
		}
		ben.Rerun = d.again(t, 1)
		if f, words = d.bisect(t, 0, anna, ben); f.Frame != 114 || f.Seat != 1 || !strings.Contains(words, "computes otherwise") {
			t.Errorf("with what Ben's machine got: %+v\n%s", f, words)
		}
		anna.Rerun = d.again(t, 0)
		if f, words = d.bisect(t, 0, anna, ben); f.Frame != 114 || !strings.Contains(words, "Played again on both, Anna's and Ben's machines differ first in frame 114") {
			t.Errorf("with what both got: %+v\n%s", f, words)
		}
		// A verdict says where to look, and must speak of this game.
		anna.Verdict = &report.Verdict{Frame: 120, Agreed: 100, Seat: 1, Region: "main RAM"}
		if f, words = d.bisect(t, 0, anna); f.Frame != 0 || !strings.Contains(words, "what the console was in the game on Anna's machine") {
			t.Errorf("Anna's alone: %+v\n%s", f, words)
		}
		anna.Verdict.Seat = 9
		if _, err := report.Bisect(t.Context(), []report.Side{anna}, d.how[0], nil); err == nil || !strings.Contains(err.Error(), "seat 10") {
			t.Errorf("a verdict of another game: %v", err)
		}
	})
}

// Differences that are no fault of a core.
func TestBisectOtherCauses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l, core, game := shortGame(t, 200)
		how := onModel(t, player.Config{Core: core, ROMs: romsOf(game)})
		whole := report.Side{Name: "Anna", Log: l}
		f, err := report.Bisect(t.Context(), []report.Side{whole}, how, nil)
		if err != nil || f.Differ || !strings.Contains(f.Words[0], "are what they were") {
			t.Errorf("nothing differs: %+v, %v", f, err)
		}
		other := report.Side{Name: "Ben", Log: forged(t, l, 1, 130)}
		if f, err = report.Bisect(t.Context(), []report.Side{whole, other}, how, nil); err != nil || !f.Differ || f.Frame != 131 || f.Seat != 1 || !strings.Contains(f.Words[0], "a fault of nettplay") {
			t.Errorf("other buttons: %+v, %v", f, err)
		}
		head := *l
		head.Settings.RTC++
		if _, err = report.Bisect(t.Context(), []report.Side{whole, {Name: "Ben", Log: &head}}, how, nil); !errors.Is(err, report.ErrOtherGame) {
			t.Errorf("another game: %v", err)
		}
		// A core that looks at the machine's clock never gives the same twice.
		how.TestOptions = map[string]string{"testcore_wall_clock": "cycles"}
		f, err = report.Bisect(t.Context(), []report.Side{whole}, how, nil)
		if err != nil || !f.Differ || f.Frame != 1 || !slices.ContainsFunc(f.Words, func(s string) bool { return strings.Contains(s, "two results") }) {
			t.Errorf("a core that is never the same: %+v, %v", f, err)
		}
	})
}

// Playing again begins at the last resync before, and gives what was recorded after it.
func TestPlayAgainFromAResync(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := playDiffering(t)
		how := d.how[0]
		how.Log = d.sides[1].Log
		restart := how.Log.Restarts[0].Frame
		r, err := report.PlayAgain(t.Context(), how, restart+3, 190)
		must.Succeed(t, err)
		if r.Start != restart || r.To != 190 || len(r.Traces[0]) != int(190-restart-3) || r.Screens[1] == nil {
			t.Errorf("from %d to %d, %d hashes", r.Start, r.To, len(r.Traces[0]))
		}
		if out, err := r.Judge(how.Log, 1, "Ben"); err != nil || !out.Again {
			t.Errorf("%v: %s", err, out.Words)
		}
		if _, err := report.PlayAgain(t.Context(), how, 500, 600); err == nil {
			t.Error("played what is not there")
		}
		if recorded, err := report.Recorded(how.Log, 1, 0, 200); err != nil || len(recorded) < 9 || report.Kept(nil) != nil {
			t.Errorf("%d hashes, %v", len(recorded), err)
		}
	})
}
