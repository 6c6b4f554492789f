package session

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// switchable has a player whose game can switch its console off, and does so at a frame; -1: never.
func switchable(c *Config, frame int64) {
	c.TestOptions = maps.Clone(c.TestOptions)
	if c.TestOptions == nil {
		c.TestOptions = map[string]string{}
	}
	c.TestOptions["testcore_power"] = "keys"
	input := c.Input
	c.Input = func(f int64) inputdelay.Input {
		in := input(f)
		in.Keys &^= inputdelay.KeyL | inputdelay.KeySelect
		if f >= frame && f < frame+10 && frame >= 0 {
			in.Keys |= inputdelay.KeyL | inputdelay.KeyR | inputdelay.KeySelect | inputdelay.KeyStart
		}
		return in
	}
}

func (p *machine) untilPower(nickname string, off bool) notice.Power {
	p.t.Helper()
	var power notice.Power
	p.until(nickname+"'s console is switched", func(n notice.Notice) bool {
		w, ok := n.(notice.Power)
		if ok && w.Nickname == nickname && w.Off == off {
			power = w
			return true
		}
		return false
	})
	return power
}

// A game that switches its console off leaves the others playing; somebody comes in meanwhile; its owner switches it on
// again, at the same frame on all machines; and all of that is in the log, from whatever place it is played.
func TestPowerOff(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, tt := range []struct {
		name   string
		change func(*Config)
	}{{"wireless", wireless}, {"alone", func(*Config) {}}, {"the game host's", nil}} {
		inBubble(t, tt.name, func(t *testing.T) { powerOff(t, newTable(t, core, game, 2), tt.change) })
	}
}

func powerOff(t *testing.T, tb *table, change func(*Config)) {
	off := 1 // whose console
	if change == nil {
		off, change = 0, func(*Config) {}
	}
	tb.settings.Seats = 3
	var recorders []*replay.Recorder
	var options Config
	controls := []*Control{NewControl(), NewControl()}
	for i := range 2 {
		r := replay.NewRecorder(replay.Config{Path: filepath.Join(t.TempDir(), "game.nplog")})
		recorders = append(recorders, r)
		tb.sit(func(c *Config) {
			at := int64(-1)
			if i == off {
				at = 90
			}
			change(c)
			switchable(c, at)
			c.Recorder, c.Control = r, controls[i]
			options = *c
		})
	}
	name := tb.machines[off].name
	for i, p := range tb.machines {
		if w := p.untilPower(name, true); w.Mine != (i == off) || w.Frame < 90 {
			t.Errorf("%s: %+v", p.name, w)
		}
	}
	controls[1-off].SwitchOn() // has none to switch on
	carla := tb.sit(func(c *Config) { change(c); switchable(c, -1) })
	carla.untilPlaying()
	carla.untilPower(name, true)
	controls[off].SwitchOn()
	for _, p := range tb.machines {
		p.untilPower(name, false)
	}
	carla.goesOn()
	controls[0].EndGame("enough")
	alikeEnds(t, tb.machines...)
	for _, p := range tb.machines {
		if p.report.Resyncs != 0 || p.report.Desyncs != 0 {
			t.Errorf("%s: %d resyncs, %d desyncs", p.name, p.report.Resyncs, p.report.Desyncs)
		}
	}
	for i, r := range recorders {
		must.Succeed(t, r.Close())
		l := openLog(t, r.Path())
		on := 0
		for _, d := range l.Decisions {
			if d.Kind == timeline.SwitchOn {
				on++
			}
		}
		if on != 1 {
			t.Errorf("log %d has %d decisions to switch a console on", i, on)
		}
		s := replayed(t, player.Config{Log: l, Core: tb.core, ROMs: romsOf(tb.rom), TestOptions: options.TestOptions, TestTweak: options.TestTweak})
		if s.Difference != nil || !s.AtEnd {
			t.Errorf("log %d: %+v, %v", i, s, s.Difference)
		}
	}
}

// The same with workers: those of the test core, of DeSmuME, which only stands still, and of the core that has local
// wireless.
func TestPowerOffOfWorkers(t *testing.T) {
	for name, core := range map[string]func(t testing.TB) emucore.Core{"test core": pocket, "DeSmuME": func(t testing.TB) emucore.Core {
		if !long() {
			t.Skip("NOT TESTED: it takes ten seconds; NETTPLAY_LONG=1 runs it. Package emucore has one console of it")
		}
		return desmume(t)
	}, "real core": func(t testing.TB) emucore.Core {
		path := os.Getenv("NETTPLAY_TEST_CORE")
		if path == "" {
			t.Skip("NOT TESTED WITH A REAL WIRELESS CORE: NETTPLAY_TEST_CORE is not set")
		}
		return model.Core(t, path)
	}} {
		t.Run(name, func(t *testing.T) {
			tb := newTable(t, core(t), rom(t, romstest.Power), 2).heavy()
			powerOff(t, tb, func(*Config) {})
		})
	}
}
