package pads

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/config"
)

func TestDefaultsHaveNoConflict(t *testing.T) {
	cfg := config.Defaults()
	if got := Conflicts(Uses(cfg, nil)); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestConflictsAreNamed(t *testing.T) {
	cfg := config.Defaults()
	cfg.Keys.A = []string{"X", "F1"}
	cfg.Pads.Buttons.Mic = []string{"x", "+rightx"}
	var got []string
	for _, c := range Conflicts(Uses(cfg, []Use{{Setting: "hotkeys.hud", Names: []string{"F1"}}})) {
		got = append(got, c.String())
	}
	want := []string{
		`the key "F1" is in keys.a and hotkeys.hud`,
		`the button "x" is in pads.buttons.y and pads.buttons.mic`,
		`the button "+rightx" is in pads.buttons.mic and pads.stylus`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
