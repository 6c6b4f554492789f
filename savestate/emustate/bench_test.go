package emustate

import (
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/savestate"
)

func BenchmarkInstall(b *testing.B) {
	core := needDesmume(b)
	cfg := testConfig(b, core)
	c, err := emucore.Start(b.Context(), cfg)
	must.Succeed(b, err)
	play(b, c, 120)
	state, err := c.Save()
	c.Close()
	must.Succeed(b, err)
	s := savestate.NewStore(0)
	m, err := Capture(0, cfg, &state, s)
	must.Succeed(b, err)
	for b.Loop() {
		c, _, err := Install(b.Context(), emucore.Start, m, core, cfg.ROM, s)
		must.Succeed(b, err)
		c.Close()
	}
}
