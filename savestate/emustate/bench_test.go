package emustate

import (
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/savestate"
)

func BenchmarkInstall(b *testing.B) {
	core := needDesmume(b)
	cfg := testConfig(b, core)
	c, err := emucore.Start(b.Context(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	play(b, c, 120)
	state, err := c.Save()
	c.Close()
	if err != nil {
		b.Fatal(err)
	}
	s := savestate.NewStore(0)
	m, err := Capture(0, cfg, &state, s)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c, _, err := Install(b.Context(), emucore.Start, m, core, cfg.ROM, s)
		if err != nil {
			b.Fatal(err)
		}
		c.Close()
	}
}
