package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

func TestMain(m *testing.M) { os.Exit(testcore.Main(m)) }

// trialOf is a trial on the test core; options are for the second console of the second run, or for all where they begin with "all ".
func trialOf(t *testing.T, options string) GameTrial {
	core := model.Core(t, testcore.Path(t))
	options, all := strings.CutPrefix(options, "all ")
	return GameTrial{
		Core: core, ROM: model.ROM(t, romstest.Pad), span: 20 * time.Millisecond,
		tweak: func(run int, seat ds.Seat, cfg *emucore.Config) {
			cfg.TestOptions = map[string]string{"testcore_radio": "mac", "testcore_mac": fmt.Sprintf("00:09:bf:00:00:%02x", int(seat))}
			if run > trialRuns || !all && (run != 2 || seat != 1) {
				return
			}
			words := strings.Fields(options)
			for i := 0; i < len(words); i += 2 {
				cfg.TestOptions["testcore_"+words[i]] = words[i+1]
			}
		},
	}
}

// TestGames: a game that is alike works, and each way not to work is seen and said.
func TestGames(t *testing.T) {
	must.HaveLinux(t, "the test core's faults")
	for _, tt := range []struct {
		options, short string
		words          []string
	}{
		// A whole trial takes seconds of a processor, so each of the two looks at the radio and at the save.
		{"all sram_kb 64", "plays", []string{"It used the radio: ", "save chip holds 64 KB"}},
		{"all radio off sram none", "plays", []string{"The radio was silent", "no save chip"}},
		{"desync_at 60 desync_what video", "two runs differ", []string{"console 2 after 1.0 seconds (the picture)"}},
		{"desync_at 300 desync_what hash", "two runs differ", []string{"after 5.0 seconds (main RAM)"}},
		{"all wall_clock cycles", "two runs differ", []string{"would diverge"}},
		{"all fault segv fault_at 200", "crashed", []string{"The core crashed after 3."}},
		{"fault segv fault_at 60", "crashed", []string{"The core crashed after "}},
		{"all fault abort fault_at load", "crashed", []string{"The core crashed when it started"}},
	} {
		t.Run(tt.options, func(t *testing.T) {
			s, err := trialOf(t, tt.options).Run(t.Context())
			must.Succeed(t, err)
			if s.Rates != nil {
				s.Rates = []float64{240, 200, 160, 126} // whatever else this machine does
			}
			text := GameReport(s.Findings(), true, 0)
			if s.InShort() != tt.short {
				t.Errorf("%s; want %s", s.InShort(), tt.short)
			}
			for _, words := range tt.words {
				if !strings.Contains(text, words) {
					t.Errorf("want %q in\n%s", words, text)
				}
			}
			if s.Works() != (tt.short == "plays") || (s.Rates == nil) == (tt.short == "plays") && s.Err == nil && s.Differs == "" {
				t.Errorf("works: %v, rates %v", s.Works(), s.Rates)
			}
			if n := utf8.RuneCountInString(s.Row()); n > 80 {
				t.Errorf("a row of %d columns: %s", n, s.Row())
			}
		})
	}
}

// TestGameStopped: a trial that the player ends is over at once and says nothing of the game.
func TestGameStopped(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	g := trialOf(t, "all busy_us 5000")
	ctx, cancel := context.WithCancel(t.Context())
	var stop sync.Once
	whole := false
	g.Tell = func(done, all int) {
		if whole = done == all; done == 2 {
			stop.Do(func() { time.AfterFunc(30*time.Millisecond, cancel) })
		}
	}
	if _, err := g.Run(ctx); !errors.Is(err, context.Canceled) || whole {
		t.Errorf("all of it was tried: %v, %v", whole, err)
	}
	left, _ := os.ReadDir(os.TempDir())
	if runtime.GOOS == "windows" { // where consoles' folders have one of their own
		left, _ = os.ReadDir(filepath.Join(os.TempDir(), "nettplay-consoles"))
		left = slices.DeleteFunc(left, must.IsLock)
	}
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestFolderGoesOn: each game once, past a file that is none; nothing of it ends the table.
func TestFolderGoesOn(t *testing.T) {
	must.HaveLinux(t, "the test core's faults")
	dir := t.TempDir()
	_, err := romstest.WriteFiles(dir, romstest.ROM{Name: "a.nds", Data: romstest.Pad}, romstest.ROM{Name: "b.nds", Data: romstest.Pad}, romstest.ROM{Name: "c.nds", Data: romstest.Save})
	must.Succeed(t, err)
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "no.nds"), []byte("no game"), 0o600))
	f, err := ScanFolder(t.Context(), dir)
	must.Succeed(t, err)
	var rows, not []string
	must.Succeed(t, f.Try(t.Context(), trialOf(t, "all fault segv fault_at 30"), func(int, int, string) {},
		func(s *Seen) { rows = append(rows, s.InShort()) }, func(n *emucore.NotROMError) { not = append(not, filepath.Base(n.Path)) }))
	if strings.Join(rows, " ") != "crashed crashed" || strings.Join(not, " ") != "no.nds" {
		t.Errorf("%v, %v", rows, not)
	}
}

// TestWhatGamesDo: what a game can do that no test core does, each with its mark and its words.
func TestWhatGamesDo(t *testing.T) {
	rom := model.ROM(t, romstest.Pad)
	well := func(change func(s *Seen)) *Seen {
		s := &Seen{Core: emucore.Core{Name: "melonDS DS", Version: "1"}, ROM: rom, Frame: trialFrames, OffAt: -1, LastChange: 470, Radio: true, Chip: savefile.Of(8 << 10), Rates: []float64{240, 200, 160, 126}}
		change(s)
		return s
	}
	for _, tt := range []struct {
		change func(s *Seen)
		mark   Mark
		words  string
		short  string
	}{
		{func(*Seen) {}, Good, "4 consoles run at 2.1 times full speed (4.0 times with 1, 3.3 times with 2, 2.7 times with 3).", "plays"},
		{func(s *Seen) { s.OffAt, s.Rates = 100, nil }, Bad, "off after 1.7 seconds, with nothing pressed", "off after 1.7 s"},
		{func(s *Seen) { s.OffAt, s.Rates = 300, nil }, Fair, "its player can switch it on again", "off after 5.0 s"},
		{func(s *Seen) { s.Blank = true }, Bad, "It showed nothing in 8.0 seconds", "shows nothing"},
		{func(s *Seen) { s.LastChange = 60 }, Fair, "stood still, whatever was pressed, from 1.0 seconds on", "picture stands still"},
		{func(s *Seen) { s.Radio = false }, Fair, "choose melonDS DS", "plays"},
		{func(s *Seen) { s.Sent, s.Heard = 1, 0 }, Good, "1 packet sent, none heard", "plays"},
		{func(s *Seen) { s.Rates = []float64{90, 50, 40, 30} }, Bad, "A game of two would be slow", "too slow here"},
		{func(s *Seen) { s.Chip = savefile.Chip{} }, Good, "until the game uses it", "plays"},
		{func(s *Seen) {
			s.Rates, s.Frame, s.Err = nil, -1, &emucore.StartError{Core: "melonDS DS", Why: "shows", Page: true, Log: []string{"secure area"}}
		}, Bad, "error page of its own in place of the game: it says \"secure area\"", "error page"},
		{func(s *Seen) { s.Rates, s.Frame, s.Err = nil, 20, context.DeadlineExceeded }, Bad, "too slow for it", "too slow"},
	} {
		s := well(tt.change)
		mark, verdict := GameVerdict(s.Findings())
		if text := GameReport(s.Findings(), false, 0); mark != tt.mark || !strings.Contains(text, tt.words) || s.InShort() != tt.short {
			t.Errorf("%s (mark %d, want %d), %s; want %q in\n%s", verdict, mark, tt.mark, s.InShort(), tt.words, text)
		}
		if n := utf8.RuneCountInString(s.Row()); n > 80 {
			t.Errorf("a row of %d columns: %s", n, s.Row())
		}
	}
	if n := utf8.RuneCountInString(BadRow(strings.Repeat("long/", 30), strings.Repeat("why ", 30))); n > 80 {
		t.Errorf("a row of %d columns", n)
	}
}
