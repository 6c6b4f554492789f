package session

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/report"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/faults"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// opened is a bundle that is open until the test ends.
func openBundle(t *testing.T, path string) *report.Bundle {
	t.Helper()
	b, err := report.Open(path)
	must.Succeed(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

// parts are the files of a bundle with their contents.
func bundleParts(t *testing.T, path string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(path)
	must.Succeed(t, err)
	defer z.Close()
	all := make(map[string]string)
	for _, f := range z.File {
		r, err := f.Open()
		must.Succeed(t, err)
		b, err := io.ReadAll(r)
		must.Succeed(t, err)
		all[f.Name] = string(b)
	}
	return all
}

// witnesses have all players of a table record, and keep what differs, in folders of
// their own.
func witness(t *testing.T, c *Config) {
	t.Helper()
	dir := t.TempDir()
	r := replay.NewRecorder(replay.Config{Path: filepath.Join(dir, "game"+replay.Extension)})
	c.Recorder, c.Desyncs = r, filepath.Join(dir, "desyncs")
	t.Cleanup(func() { r.Close() })
}

// A difference in any region of a console, made by the core on one machine, is noticed
// within the interval, named with its region, seat and machine, repaired, and leaves a
// bundle with both sides on the machines concerned, and on no other. The recording of
// the odd machine gives the same again, frame by frame, and that of another does not.
func TestDesyncLeavesABundle(t *testing.T) {
	t.Parallel()
	for _, tt := range []oddity{
		{"ram", desync.RAM, 1, 3, 2, 2},
		{"sram", desync.SRAM, 2, 3, 1, 1},
		{"video", desync.Video, 0, 3, 0, 0},
		{"video", desync.Video, 1, 2, 1, 0},
		{"air", desync.Air, 0, 3, 1, 1},
	} {
		inBubble(t, fmt.Sprintf("%s of seat %d on machine %d of %d", tt.what, tt.seat+1, tt.odd+1, tt.players), func(t *testing.T) {
			tt.leaveABundle(t, modelCore())
		})
	}
}

// oddity is a core that goes wrong.
type oddity struct {
	what    string
	region  desync.Region
	seat    int
	players int
	odd     int
	verdict int // the machine that is blamed: with two, the owner is right
}

func (tt oddity) leaveABundle(t *testing.T, core emucore.Core) {
	tb := newTable(t, core, rom(t, romstest.Pad), tt.players)
	tb.settings.Frames = 250
	for i := range tt.players {
		p := tb.sit(func(c *Config) {
			witness(t, c)
			wireless(c)
			o := c.TestOptions
			// Only seat 1 uses the radio, and nobody hears it: what is in the
			// packets reaches no other region.
			o["testcore_radio"], o["testcore_radio_stagger"] = "broadcast", "100000"
			if i == tt.odd {
				o["testcore_desync_at"], o["testcore_desync_what"], o["testcore_only_mac"] = "159", tt.what, fmt.Sprint(tt.seat)
			}
		})
		if i > 0 {
			p.untilSaid("You are in seat") // seats go to who comes first
		}
	}
	sameEnds(t, 1, tb.machines...)
	for i, p := range tb.machines {
		bundles := p.report.Bundles
		concerned := i == tt.verdict || i == tt.seat || tt.verdict == 0 && tt.seat == 0 && i == 1 || tt.verdict != 0 && i == 0
		if !concerned {
			if len(bundles) > 0 {
				t.Errorf("%s has nothing to do with it, and keeps %v", p.name, bundles)
			}
			continue
		}
		if len(bundles) != 1 {
			t.Fatalf("%s has bundles %v", p.name, bundles)
		}
		b := openBundle(t, bundles[0])
		v := b.Verdict
		if v.Frame != 160 && v.Frame != 180 || v.Agreed != v.Frame-20 || int(v.Seat) != int(tt.seat) || v.Region != tt.region.String() || v.Odd != tt.verdict || len(v.Missing) > 0 {
			t.Errorf("%s: the verdict is %+v", p.name, v)
		}
		checkParts(t, bundleParts(t, bundles[0]), tt.seat, tt.players)
		if b.Rerun == nil {
			t.Fatalf("%s has not played it again", p.name)
		}
		if !b.Rerun.Again && tt.region != desync.Air {
			t.Errorf("%s: %s", p.name, b.Rerun.Words)
		}
	}
	exactFrame(t, tb, ds.Seat(tt.odd), ds.Seat(tt.seat), tt.region)
}

// exactFrame compares what two machines got when they played it again.
func exactFrame(t *testing.T, tb *table, odd, seat ds.Seat, region desync.Region) {
	t.Helper()
	var odds, others desync.Trace
	for i, p := range tb.machines {
		if len(p.report.Bundles) == 0 {
			continue
		}
		if trace := openBundle(t, p.report.Bundles[0]).Rerun.Trace(seat); i == int(odd) {
			odds = trace
		} else {
			others = trace
		}
	}
	d, common, differ := desync.First(odds, others, desync.RAM, desync.SRAM, desync.Air, desync.Video)
	want := int64(160)
	if region == desync.Air {
		want = 161 // what is sent in a frame is known after the next
	}
	if !differ || d.Frame < want || d.Frame > want+1 || d.Region != region {
		t.Errorf("frame by frame: %+v, %v, of %d frames", d, differ, common)
	}
}

func checkParts(t *testing.T, parts map[string]string, seat, players int) {
	t.Helper()
	names := []string{
		"README.txt", "verdict.json", "versions.txt", "hashes.txt", "core.txt", "diff.txt", "log.nplog", "rerun.json",
		"states/own.air", "states/donor.air", fmt.Sprintf("screens/side-by-side-seat%d.png", seat+1),
	}
	for n := range players {
		for _, name := range []string{"states/own-seat%d.state", "states/donor-seat%d.state", "states/own-seat%d.sav", "states/donor-seat%d.sav"} {
			names = append(names, fmt.Sprintf(name, n+1))
		}
	}
	for _, name := range names {
		if len(parts[name]) == 0 {
			t.Errorf("there is no %s", name)
		}
	}
	for _, words := range []string{"differs in", "saves", "own-seatN", "nettplay bisect"} {
		if !strings.Contains(parts["README.txt"], words) {
			t.Errorf("the README does not tell of %q", words)
		}
	}
	if n := strings.Count(parts["hashes.txt"], "\n"); n < 8 {
		t.Errorf("the history has %d lines", n)
	}
}

// A passing fault is told from a core that computes otherwise: playing again does not
// give it.
func TestPassingFault(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, text := range []string{"ram@155:2", "air@155:1", "sram@155:1", "video@155:2"} {
		inBubble(t, text, func(t *testing.T) {
			tb := newTable(t, core, game, 2)
			tb.settings.Frames = 250
			for i := range 2 {
				tb.sit(func(c *Config) {
					witness(t, c)
					wireless(c)
					if i == 1 {
						f, err := faults.Parse(text)
						if err != nil {
							t.Error(err)
							return
						}
						c.TestConsole = f.Console
					}
				})
			}
			sameEnds(t, 1, tb.machines...)
			for i, p := range tb.machines {
				if len(p.report.Bundles) != 1 {
					t.Fatalf("%s has bundles %v", p.name, p.report.Bundles)
				}
				b := openBundle(t, p.report.Bundles[0])
				if b.Verdict.Frame != 160 || b.Rerun == nil {
					t.Fatalf("%s: %+v, %v", p.name, b.Verdict, b.Rerun)
				}
				if again := i == 0 || strings.HasPrefix(text, "air"); b.Rerun.Again != again {
					t.Errorf("%s: again %v: %s", p.name, b.Rerun.Again, b.Rerun.Words)
				}
			}
			if text != "ram@155:2" {
				return
			}
			odd := openBundle(t, tb.machines[0].report.Bundles[0]).Verdict.Odd // the other one's consoles are the donor's
			if diff := bundleParts(t, tb.machines[odd].report.Bundles[0])["diff.txt"]; !strings.Contains(diff, "bytes differ, in") || !strings.Contains(diff, "by pages of 64 KB") {
				t.Errorf("the diff is\n%s", diff)
			}
		})
	}
}

// A fault that comes again and again ends the game with a bundle of the last time, too,
// and no more files stay than there may be.
func TestRoomStopsWithTheBundle(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 5000
		folder := ""
		for i := range 2 {
			tb.sit(func(c *Config) {
				witness(t, c)
				if i == 1 {
					c.TestOptions = map[string]string{"testcore_wall_clock": "cycles"}
					folder = c.Desyncs
				}
			})
		}
		for _, p := range tb.machines {
			if r := p.expect(notice.ResultDesync, "copy of"); len(r.Bundles) != maxRepairs+1 {
				t.Fatalf("%s keeps %v", p.name, r.Bundles)
			}
			last := p.report.Bundles[maxRepairs]
			b, parts := openBundle(t, last), bundleParts(t, last)
			if b.Verdict.Donor != -1 || parts["states/own-seat1.state"] == "" || parts["states/donor-seat1.state"] != "" {
				t.Errorf("%s: the last bundle is %+v", p.name, b.Verdict)
			}
			if !strings.Contains(parts["README.txt"], "The game ended with it") {
				t.Errorf("the README of the last bundle is\n%s", parts["README.txt"])
			}
		}
		if again := openBundle(t, tb.machines[1].report.Bundles[0]).Rerun; again == nil || again.Again {
			t.Errorf("a core that looks at the clock gives the same again: %+v", again)
		}
		if files, _ := os.ReadDir(folder); len(files) != maxRepairs+1 {
			t.Errorf("%d files", len(files))
		}
	})
}

// A report that cannot be written is told of, and the game goes on.
func TestBundleThatCannotBeWritten(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 400
		file := filepath.Join(t.TempDir(), "file")
		must.Succeed(t, os.WriteFile(file, nil, 0o600))
		for i := range 2 {
			tb.sit(func(c *Config) {
				c.Desyncs = filepath.Join(file, "below")
				if i == 1 {
					c.TestConsole = faults.Fault{Frame: 100}.Console
				}
			})
		}
		tb.machines[1].untilSaid("could not be kept for a bug report")
		sameEnds(t, 1, tb.machines...)
		if list := slices.Concat(tb.machines[0].report.Bundles, tb.machines[1].report.Bundles); len(list) > 0 {
			t.Errorf("bundles: %v", list)
		}
	})
}

// After a desync all players are told, while they play on, on whose machine the core
// computes otherwise and after which frame that showed first; or that the fault passed.
func TestDesyncIsTraced(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, tt := range []struct {
		name    string
		players int
		wrong   func(*Config)
		words   string
	}{
		{"a core that computes otherwise", 3, func(c *Config) {
			c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "159", "ram"
		}, "differs first after frame 160, in main RAM, on Carla's machine"},
		{"a passing fault", 2, func(c *Config) { c.TestConsole = faults.Fault{Frame: 155}.Console }, "what differed on Ben's machine was a passing fault"},
	} {
		inBubble(t, tt.name, func(t *testing.T) {
			tb := newTable(t, core, game, tt.players)
			tb.settings.Frames = forever
			control := NewControl()
			for i := range tt.players {
				p := tb.sit(func(c *Config) {
					witness(t, c)
					wireless(c)
					c.MaxSpeed, c.Control = false, map[bool]*Control{true: control}[i == 0]
					// Nobody hears the radio: what goes wrong stays in one console.
					c.TestOptions["testcore_radio"], c.TestOptions["testcore_radio_stagger"] = "broadcast", "100000"
					if i == tt.players-1 {
						tt.wrong(c)
						c.TestOptions["testcore_only_mac"] = "0"
					}
				})
				if i > 0 {
					p.untilSaid("You are in seat") // seats go to who comes first
				}
			}
			for _, p := range tb.machines {
				p.untilSaid(tt.words)
			}
			control.EndGame("enough")
			sameEnds(t, 1, tb.machines...)
		})
	}
}
