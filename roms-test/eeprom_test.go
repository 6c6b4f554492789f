package romstest_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Counter and log are in the cartridge: they come back on another console that gets
// the same memory, and Go reads them from it.
func TestSaveSurvives(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		p := play(t, core, romstest.Save, nil)
		p.step(10, emucore.Input{})
		p.look().expect("found", "00000000 blank", "log", "ok", "write", "none yet")
		if sram, err := p.console.SRAM(); err != nil {
			t.Fatal(err)
		} else if len(sram) > 0 && !blankMemory(sram) {
			t.Error("the memory was written to before any key was pressed")
		}
		pressed := []inputdelay.Keys{inputdelay.KeyA, inputdelay.KeyB | inputdelay.KeyUp, inputdelay.KeyL}
		for _, k := range pressed {
			p.step(3, keys(k))
			p.step(3, emucore.Input{})
		}
		p.look().expect("write", "ok")
		sram, err := p.console.SRAM()
		must.Succeed(t, err)
		log, err := romstest.ReadSave(sram)
		must.Succeed(t, err)
		checkLog(t, log, pressed)

		next := play(t, core, romstest.Save, func(cfg *emucore.Config) { cfg.SRAM = sram })
		next.step(10, emucore.Input{})
		v := next.look()
		v.expect("found", "00000003 steps", "log", "ok", "write", "none yet")
		newest := fmt.Sprintf(" 000003  %s  L", log.Entries[2].Time.Format(time.TimeOnly))
		if !hasLine(v, newest) {
			t.Errorf("no %q on the screen: %+v", newest, v.lines)
		}
		next.step(3, keys(inputdelay.KeyX))
		next.step(3, emucore.Input{})
		if sram, err = next.console.SRAM(); err != nil {
			t.Fatal(err)
		}
		if log, err = romstest.ReadSave(sram); err != nil {
			t.Fatal(err)
		}
		checkLog(t, log, append(pressed, inputdelay.KeyX))
	})
}

func blankMemory(b []byte) bool {
	return len(bytes.Trim(b, "\xFF")) == 0 || len(bytes.Trim(b, "\x00")) == 0
}

func hasLine(v view, text string) bool {
	return slices.ContainsFunc(v.lines, func(l romstest.Line) bool { return l.Text == text })
}

func checkLog(t *testing.T, log romstest.SaveLog, pressed []inputdelay.Keys) {
	t.Helper()
	if int(log.Steps) != len(pressed) || len(log.Entries) != len(pressed) {
		t.Fatalf("the memory holds %+v, want %d steps", log, len(pressed))
	}
	for i, e := range log.Entries {
		since := e.Time.Unix() - rtcStart
		if e.Keys != pressed[i] || e.Frame == 0 || since < 0 || since > 2 {
			t.Errorf("step %d is %+v, %d s after the start; want keys %v", i+1, e, since, pressed[i])
		}
	}
}

// A memory that is not the program's own is said to be bad.
func TestSaveOfSomethingElse(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		sram := bytes.Repeat([]byte("another game "), romstest.SaveSize)[:romstest.SaveSize]
		p := play(t, core, romstest.Save, func(cfg *emucore.Config) { cfg.SRAM = sram })
		p.step(10, emucore.Input{})
		p.look().expect("found", "00000000 blank", "log", "BAD 000001")
	})
}

// The broken save.nds spoils what it writes: it notices at once, when it is started
// again, and so does ReadSave.
func TestBrokenSaveIsNoticed(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		rom, err := romstest.Broken(romstest.Save)
		must.Succeed(t, err)
		p := play(t, core, rom, nil)
		p.step(30, emucore.Input{})
		p.step(2, keys(inputdelay.KeyA))
		p.step(romstest.BrokenFrom, emucore.Input{})
		p.look().expect("write", "ok")
		p.step(2, keys(inputdelay.KeyB))
		p.step(4, emucore.Input{})
		if s := p.look().field("write"); !strings.HasPrefix(s, "BAD ") {
			t.Errorf("write is %q, want BAD", s)
		}
		sram, err := p.console.SRAM()
		must.Succeed(t, err)
		if log, err := romstest.ReadSave(sram); err == nil && len(log.Entries) == 2 {
			t.Errorf("the spoiled memory reads as %+v", log)
		}
		next := play(t, core, romstest.Save, func(cfg *emucore.Config) { cfg.SRAM = sram })
		next.step(10, emucore.Input{})
		v := next.look()
		if found, log := v.field("found"), v.field("log"); found == "00000002 steps" && log == "ok" {
			t.Errorf("at the next start it found %s, log %s", found, log)
		}
	})
}
