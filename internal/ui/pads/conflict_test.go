package pads

import (
	"fmt"
	"slices"
	"strings"
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
		got = append(got, fmt.Sprintf("pad %t: %q is in %s", c.Pad, c.Name, strings.Join(c.Uses, " and ")))
	}
	want := []string{
		`pad false: "F1" is in keys.a and hotkeys.hud`,
		`pad true: "x" is in pads.buttons.y and pads.buttons.mic`,
		`pad true: "+rightx" is in pads.buttons.mic and pads.stylus`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
