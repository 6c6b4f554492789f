package session

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// evening is what a player of two evenings has: a folder for moments, and one for saves.
type evening struct{ moments, saves string }

func newEvening(t *testing.T) evening { return evening{t.TempDir(), t.TempDir()} }

// at is a player's machine: on the air, with nothing pressed.
func (e evening) at(nickname string, more ...func(*Config)) func(*Config) {
	return func(c *Config) {
		keepIn(e.saves)(c)
		wireless(c) // with options of its own
		c.TestOptions["testcore_sram_every"] = "100"
		c.Firmware.Nickname, c.Moments = nickname, e.moments
		c.Firmware.MAC[5] = nickname[0] - 'A'
		for _, change := range more {
			change(c)
		}
	}
}

// moment opens the only moment that a player has.
func (e evening) moment(t *testing.T) *replay.Log {
	t.Helper()
	list, err := replay.Moments(e.moments)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d moments, %v", len(list), err)
	}
	l, err := replay.OpenMoment(list[0].Path)
	must.Succeed(t, err)
	return l
}

// goesOn has a machine host the room in which a moment goes on.
func goesOn(l *replay.Log) func(*Config) {
	return func(c *Config) { c.Host.Continue = l }
}

func (p *machine) untilKept() {
	p.t.Helper()
	p.until("the moment is kept", func(n notice.Notice) bool { _, ok := n.(notice.MomentKept); return ok })
}

// firstEvening is a game of two for so many frames, a moment of which both keep.
func firstEvening(t *testing.T, core emucore.Core, game *emucore.ROM, frames int64, anna, ben func(*Config)) []*machine {
	t.Helper()
	tb := newTable(t, core, game, 2)
	tb.settings.Frames = frames
	control := NewControl()
	tb.sit(func(c *Config) {
		anna(c)
		c.Control = control
		c.Input = func(frame int64) inputdelay.Input {
			if frame == 120 {
				control.Keep("before the boss")
			}
			return inputdelay.Input{}
		}
	})
	tb.sit(ben)
	for _, p := range tb.machines {
		p.untilKept()
	}
	return tb.machines
}

// A game goes on from a kept moment another day exactly as it would have, on all machines,
// whoever of its players hosts it; its recording plays.
func TestContinueAnotherDay(t *testing.T) {
	bubble(t, func(t *testing.T) { goesOnAnotherDay(t, modelCore(), 600) })
}

func goesOnAnotherDay(t *testing.T, core emucore.Core, frames int64) {
	rom := rom(t, romstest.Pad)
	anna, ben := newEvening(t), newEvening(t)
	first := firstEvening(t, core, rom, frames, anna.at("Anna"), ben.at("Ben"))
	want := sameHashes(t, frames, first...)
	for _, p := range first {
		if p.report.Resyncs != 0 || p.heardOf("match again") {
			t.Errorf("%s was told of a repair: %q", p.name, p.said())
		}
	}
	a, b := anna.moment(t), ben.moment(t)
	defer a.Close()
	if ka, kb := a.Kept(), b.Kept(); !ka.Same(kb) || ka.Name != "before the boss" || ka.Frames < 120 {
		t.Fatalf("Anna kept %+v, Ben %+v", ka, kb)
	}
	if a.Settings.RTC <= 1_256_409_000 || len(a.Moment.Picture) == 0 {
		t.Errorf("the clock shows %d, a picture of %d bytes", a.Settings.RTC, len(a.Moment.Picture))
	}

	tb := newTable(t, core, rom, 2)
	left := frames - a.Moment.Frames
	tb.settings.Frames, tb.settings.RTC = left, 5
	log := filepath.Join(t.TempDir(), "second.nplog")
	rec := replay.NewRecorder(replay.Config{Path: log})
	defer rec.Close()
	tb.sit(ben.at("Ben", goesOn(b), func(c *Config) { c.SetAside, c.Recorder = true, rec }))
	tb.sit(anna.at("Anna", func(c *Config) { c.SetAside = true }))
	got := sameHashes(t, left, tb.machines...)
	if core.Name == modelCore().Name && !slices.Equal(got, want) { // clocks of other cores begin with a full second
		t.Errorf("the game ended as %v, without a break it was %v", got, want)
	}
	if n := tb.machines[1].report.BytesReceived; n > 200_000 {
		t.Errorf("Anna received %d bytes of what she had", n)
	}
	rec.Close()
	l, err := replay.Open(log)
	must.Succeed(t, err)
	defer l.Close()
	s := replayed(t, playedBy(anna.at("Anna"), l, core, rom))
	if s.Difference != nil || s.Proofs == 0 {
		t.Errorf("the recording of the second evening: %+v, %v", s, s.Difference)
	}
}

// A save that is another by now is not given up: its owner is asked, the game waits, and then
// the save is set aside, whole, for good.
func TestContinueWithANewerSave(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rom := rom(t, romstest.Pad)
		anna, ben := newEvening(t), newEvening(t)
		sameHashes(t, 600, firstEvening(t, modelCore(), rom, 600, anna.at("Anna"), ben.at("Ben"))...)
		k := kept(t, ben.saves, rom)
		now, err := k.Read(k.Current().Number)
		must.Succeed(t, err)

		tb := newTable(t, modelCore(), rom, 2)
		tb.settings.Frames = 300
		l := anna.moment(t)
		then := l.Kept().Seats[1]
		tb.sit(anna.at("Anna", goesOn(l), func(c *Config) { c.SetAside = true }))
		control := NewControl()
		p := tb.sit(ben.at("Ben", func(c *Config) { c.Control = control }))
		p.until("he is asked", func(n notice.Notice) bool {
			d, is := n.(notice.SaveDiffers)
			return is && d.Seat == then.Seat && !d.At.IsZero()
		})
		tb.machines[0].untilBlocked("Ben: has a save that is not the one of the kept moment")
		control.SetAside()
		sameHashes(t, 300, tb.machines...)
		if !p.heardOf("Your present one is set aside in " + ben.saves) {
			t.Errorf("Ben was told %q", p.said())
		}
		files, _ := filepath.Glob(filepath.Join(k.Dir, "set aside *.sav"))
		if len(files) != 1 {
			t.Fatalf("set aside are %v", files)
		}
		if got, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(got, now) {
			t.Errorf("another save was set aside than Ben had: %v", err)
		}
		if k = kept(t, ben.saves, rom); k.Current().SHA256 == sha256.Sum256(now) {
			t.Error("what was played on from the moment is not the current save")
		}
	})
}

// untilBlocked waits until the game host is told who holds up the start.
func (p *machine) untilBlocked(words string) {
	p.t.Helper()
	p.until("the start is held up", func(n notice.Notice) bool {
		b, is := n.(notice.Blockers)
		return is && slices.ContainsFunc(b.Words(), func(w string) bool { return strings.Contains(w, words) })
	})
}

// A machine that cannot go on says what differs, in one sentence, before anything is played.
func TestContinueNeedsTheSame(t *testing.T) {
	bubble(t, func(t *testing.T) {
		game, other := rom(t, romstest.Pad), rom(t, romstest.Save)
		anna, ben := newEvening(t), newEvening(t)
		sameHashes(t, 300, firstEvening(t, modelCore(), game, 300, anna.at("Anna"), ben.at("Ben"))...)
		core := modelCore()
		core.SHA256, core.Version = [32]byte{2}, "2"
		for _, tt := range []struct {
			core     emucore.Core
			name     string
			result   notice.Result
			sentence string
		}{
			{core, "Anna", notice.ResultCore, "another core: model 1"},
			{modelCore(), "Zoe", notice.ResultLost, "Zoe has no console in the kept game of Anna and Ben"},
		} {
			net := memnet.New(1, memnet.Impairment{})
			tb := onNetwork(t, net, tt.core, game, 2)
			tb.addr = "nobody" // the room does not open
			tb.sit(anna.at(tt.name, goesOn(anna.moment(t)))).expect(tt.result, tt.sentence)
		}

		tb := newTable(t, modelCore(), game, 2)
		tb.sit(anna.at("Anna", goesOn(anna.moment(t))))
		tb.sit(ben.at("Ben", func(c *Config) { c.ROM, c.SetAside = other, true }))
		tb.machines[0].untilBlocked("Ben's computer does not have nettplay pad")
	})
}

// A moment that was tampered with is not played: neither another state in its place, which
// the hashes tell, nor consoles that come out otherwise.
func TestContinueFromAForgery(t *testing.T) {
	bubble(t, func(t *testing.T) {
		game := rom(t, romstest.Pad)
		anna, ben := newEvening(t), newEvening(t)
		sameHashes(t, 300, firstEvening(t, modelCore(), game, 300, anna.at("Anna"), ben.at("Ben"))...)
		tb := newTable(t, modelCore(), game, 2)
		forged := anna.moment(t)
		forged.Seats[1].Hash.RAM ^= 1
		tb.sit(anna.at("Anna", goesOn(forged), func(c *Config) { c.SetAside = true }))
		tb.sit(ben.at("Ben", func(c *Config) { c.SetAside = true }))
		tb.machines[0].expect(notice.ResultCore, "the console of seat 2 does not come out of the kept moment as it was")
		tb.machines[1].expect(notice.ResultLost, "does not come out of the kept moment")
	})
}

// A game that goes on is a game like any other: somebody comes in while it runs, somebody
// watches, and its next moment counts from the first frame of the first evening.
func TestContinuedGameIsOpen(t *testing.T) {
	must.HaveLinux(t, "open files that are removed")
	bubble(t, func(t *testing.T) {
		game := rom(t, romstest.Pad)
		anna, ben := newEvening(t), newEvening(t)
		sameHashes(t, 300, firstEvening(t, modelCore(), game, 300, anna.at("Anna"), ben.at("Ben"))...)
		before := ben.moment(t)
		os.Remove(before.Path) // it is open

		tb := newTable(t, modelCore(), game, 2)
		tb.settings.Seats, tb.settings.Frames, tb.settings.Spectators = 3, 900, 1
		control, slow := NewControl(), func(c *Config) { c.SetAside, c.MaxSpeed = true, false }
		tb.sit(ben.at("Ben", goesOn(before), slow, func(c *Config) { c.Control = control }))
		tb.sit(anna.at("Anna", slow))
		tb.machines[1].untilPlaying()
		uma := tb.watch("Uma", func(c *spectate.WatchConfig) {
			likeWireless(c)
			c.TestOptions["testcore_sram_every"] = "100"
		})
		tb.sit(newEvening(t).at("Carla", slow)).untilPlaying()
		control.Keep("")
		tb.machines[0].untilKept()
		for _, p := range tb.machines {
			p.expect(notice.ResultOK)
		}
		alikeBut(t, tb.machines...)
		uma.sawAll(tb.machines...)
		next := ben.moment(t)
		defer next.Close()
		if n := len(next.Seats); n != 3 || next.Moment.Frames <= before.Moment.Frames || next.Kept().Name != "" {
			t.Errorf("the next moment has %d consoles after %d frames, the first was after %d", n, next.Moment.Frames, before.Moment.Frames)
		}
	})
}

// The machine whose consoles all are to have fails just then: the game goes on with those of
// another, the moment is not kept, and all are told.
func TestMomentOfADonorThatFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames = 400
		control, evenings := NewControl(), make(map[string]evening)
		for i, name := range []string{"Anna", "Ben", "Carla"} {
			evenings[name] = newEvening(t)
			tb.sit(evenings[name].at(name, func(c *Config) {
				if i > 0 {
					return
				}
				breaks(c, "segv", "serialize", "1")
				c.Control = control
				c.Input = func(frame int64) inputdelay.Input {
					if frame == 120 {
						control.Keep("before the boss")
					}
					return inputdelay.Input{}
				}
			}))
		}
		sameEnds(t, 1, tb.machines...)
		for _, p := range tb.machines {
			if !p.heardOf("Anna's computer: ") || !p.heardOf(", and this moment is not kept") {
				t.Errorf("%s was told %q", p.name, p.said())
			}
			if list, err := replay.Moments(evenings[p.name].moments); err != nil || len(list) > 0 {
				t.Errorf("%s has %d moments, %v", p.name, len(list), err)
			}
		}
	})
}

// A machine that does not get its consoles in time, the game host's own too, keeps nobody from playing on: the moment is
// not kept, a later one is, and the recordings play. Somebody may leave meanwhile.
func TestMomentThatComesLate(t *testing.T) {
	t.Parallel()
	for who, name := range []string{"Anna", "Ben"} {
		for _, leaves := range []bool{false, true} {
			inBubble(t, fmt.Sprintf("%s, leaves %v", name, leaves), func(t *testing.T) { momentComesLate(t, who, leaves) })
		}
	}
}

func momentComesLate(t *testing.T, who int, leaves bool) {
	const players, frames = 3, 700
	control, leaver, evenings := NewControl(), NewControl(), make(map[string]evening)
	pad := rom(t, romstest.Pad)
	machines, logs := recording(t, modelCore(), pad, players, frames, func(n int, c *Config) {
		name := []string{"Anna", "Ben", "Carla"}[n]
		evenings[name] = newEvening(t)
		evenings[name].at(name)(c)
		if n == 0 {
			c.Control = control
			c.Input = func(frame int64) inputdelay.Input {
				if frame == 120 || frame == 400 {
					control.Keep("before the boss")
				}
				return inputdelay.Input{}
			}
		}
		if n == 2 {
			c.Control = leaver
		}
		if n != who {
			return
		}
		start, made := c.Start, new(atomic.Int32)
		c.Start = func(ctx context.Context, cfg emucore.Config) (game.Console, error) {
			if n := made.Add(1); n > players && n <= 2*players {
				if leaves {
					leaver.do(func(s *session, _ time.Time) error { s.leaveLater(); return nil })
				}
				time.Sleep(time.Minute) // it comes when all play on
			}
			return start(ctx, cfg)
		}
	})
	for i, p := range machines {
		if p.expect(notice.ResultOK); leaves && i == 2 {
			continue
		}
		if p.report.Frames != frames || p.report.Resyncs != 0 || p.report.Desyncs != 0 {
			t.Errorf("%s: %+v", p.name, p.report)
		}
		if !p.heardOf("this moment is not kept: " + machines[who].name + "'s computer did not get its consoles in time") {
			t.Errorf("%s was told %q", p.name, p.said())
		}
		if list, err := replay.Moments(evenings[p.name].moments); err != nil || len(list) != 1 {
			t.Errorf("%s has %d moments, %v", p.name, len(list), err)
		}
	}
	stayed := machines
	if leaves {
		stayed = slices.Delete(slices.Clone(machines), 2, 3)
		for _, p := range stayed {
			p.report.Seats = slices.DeleteFunc(p.report.Seats, func(s game.SeatReport) bool { return s.Owner == "Carla" })
		}
	}
	alikeBut(t, stayed...)
	for _, l := range logs() {
		s := replayed(t, playedBy(evenings["Anna"].at("Anna"), l, modelCore(), pad))
		if s.Difference != nil || s.Proofs == 0 {
			t.Errorf("the recording: %+v, %v", s, s.Difference)
		}
	}
}
