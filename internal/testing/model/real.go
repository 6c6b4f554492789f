package model

import (
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Real ROMs, cores and consoles. A test ends where one cannot be had.

// ROM opens a ROM of these contents, which lies in a folder of the test's.
func ROM(t testing.TB, data []byte) *emucore.ROM {
	t.Helper()
	paths, err := romstest.WriteFiles(t.TempDir(), romstest.ROM{Name: "game.nds", Data: data})
	must.Succeed(t, err)
	rom, err := emucore.OpenROM(paths[0])
	must.Succeed(t, err)
	return rom
}

// Core opens a core by its path.
func Core(t testing.TB, path string) emucore.Core {
	t.Helper()
	core, err := emucore.OpenCore(t.Context(), path)
	must.Succeed(t, err)
	return core
}

// DeSmuME is the default core; a test that needs it is skipped where there is none.
func DeSmuME(t testing.TB) emucore.Core {
	t.Helper()
	core, err := emucore.Search{}.Find(t.Context(), "desmume")
	if err != nil {
		t.Skipf("NO CORE, NOT TESTED: %v", err)
	}
	return core
}

// StartConsole starts a console, which ends with the test.
func StartConsole(t testing.TB, core emucore.Core, rom *emucore.ROM) *emucore.Console {
	t.Helper()
	c, err := emucore.Start(t.Context(), emucore.Config{Core: core, ROM: rom, RTC: 1_256_409_000})
	must.Succeed(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}
