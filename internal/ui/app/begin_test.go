package app

import (
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestBeginInARoom: a start that is told to host or join does so as soon as the core
// is known, and says why when it cannot.
func TestBeginInARoom(t *testing.T) {
	paths, err := romstest.WriteFiles(t.TempDir(), romstest.ROM{Name: "pad.nds", Data: romstest.Pad})
	if err != nil {
		t.Fatal(err)
	}
	for name, begin := range map[string]func(*Model){
		"host": OpenGame(paths[0], func(c *config.Config) {
			c.Room.Password, c.Room.Seats, c.Room.Delay, c.Room.LateJoin, c.Room.Spectators = "secret", 3, 7, false, 5
		}), "join": JoinAddress("10.0.0.1:5000", "secret"),
	} {
		m := NewModel(config.Defaults(), Memory{}, "test")
		begin(m)
		m.Commands()
		m.CoreFound(CoreState{Found: true, Core: emucore.Core{Name: "DeSmuME"}})
		at(t, m, ScreenJoining)
		var open OpenSession
		for _, c := range m.Commands() {
			if o, ok := c.(OpenSession); ok {
				open = o
			}
		}
		switch {
		case name == "host" && (open.Host == nil || open.Host.Players != 3 || open.Host.Delay != 7 || open.Host.Password != "secret" || open.Host.LateJoin || open.Host.Spectators != 5):
			t.Errorf("host opens %+v", open.Host)
		case name == "join" && (open.Join == nil || open.Join.Address != "10.0.0.1:5000" || open.Join.Password != "secret"):
			t.Errorf("join opens %+v", open.Join)
		}
	}
	m := NewModel(config.Defaults(), Memory{}, "test")
	OpenGame("/nowhere/game.nds", func(*config.Config) {})(m)
	m.CoreFound(CoreState{Found: true})
	if m.Trouble == nil || !strings.Contains(m.Trouble.Words, "not there") {
		t.Errorf("a game that is not there: %+v", m.Trouble)
	}
	m = NewModel(config.Defaults(), Memory{}, "test")
	JoinAddress("10.0.0.1", "")(m)
	m.CoreFound(CoreState{Trouble: noCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
	if m.Trouble == nil || m.Trouble.Copy == "" {
		t.Errorf("without a core: %+v", m.Trouble)
	}
}
