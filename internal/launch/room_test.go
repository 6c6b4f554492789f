package launch

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
)

// core.jit becomes the core's own option in a room's settings, but where core.options says it.
func TestJITOfARoom(t *testing.T) {
	interpreter := room.Option{Key: "desmume_cpu_mode", Value: "interpreter"}
	for _, c := range []struct {
		jit     string
		options map[string]string
		core    string
		want    []room.Option
	}{
		{config.JITAuto, nil, "DeSmuME", nil},
		{config.JITOff, nil, "DeSmuME", []room.Option{interpreter}},
		{config.JITOff, map[string]string{"a": "1"}, "DeSmuME", []room.Option{{Key: "a", Value: "1"}, interpreter}},
		{config.JITOn, map[string]string{interpreter.Key: interpreter.Value}, "DeSmuME", []room.Option{interpreter}},
		{config.JITOff, nil, "melonDS DS", []room.Option{{Key: "melonds_jit_enable", Value: "disabled"}}},
		{config.JITOff, nil, "nobody's", nil},
		{config.JITOn, nil, "nobody's", nil},
	} {
		profile := emucore.ProfileFor(c.core)
		of := config.Core{JIT: c.jit, Options: c.options}
		if got := coreOptions(of, profile); !slices.Equal(got, c.want) {
			t.Errorf("%s, core.jit %s, %v: the room has %v, want %v", c.core, c.jit, c.options, got, c.want)
		}
		if on, choice := JIT(of, profile); choice && on != profile.Compiles(c.want) {
			t.Errorf("%s, core.jit %s: the JIT is said to be %v", c.core, c.jit, on)
		}
	}
}
