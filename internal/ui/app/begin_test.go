package app

import (
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestBeginInARoom: a start that is told to host or join does so as soon as the core
// is known, and says why when it cannot.
func TestBeginInARoom(t *testing.T) {
	paths, err := romstest.WriteFiles(t.TempDir(), romstest.ROM{Name: "pad.nds", Data: romstest.Pad})
	if err != nil {
		t.Fatal(err)
	}
	for name, begin := range map[string]func(*Shell){
		"host": OpenGame(paths[0], "secret", 2, func(c *config.Config) {
			c.Room.Seats, c.Room.Delay, c.Room.LateJoin, c.Room.Spectators = 3, 7, false, 5
			c.Room.KeepConsoles = true
		}), "join": JoinAddress("10.0.0.1:5000", "secret", 3),
	} {
		m := NewShell(config.Defaults(), memory.Memory{}, "test", &draw.Store{})
		begin(m)
		m.Commands()
		m.CoreFound(screen.Core{Found: true, Core: emucore.Core{Name: "DeSmuME"}})
		at(t, m, screen.Joining)
		var open room.OpenSession
		for _, c := range m.Commands() {
			if o, ok := c.(room.OpenSession); ok {
				open = o
			}
		}
		switch {
		case name == "host" && (open.Host == nil || open.Host.Players != 3 || open.Host.Delay != 7 || open.Host.Password != "secret" || open.Host.LateJoin || open.Host.Spectators != 5 || !m.Config.Room.KeepConsoles || len(open.LocalPlayers) != 1):
			t.Errorf("host opens %+v", open.Host)
		case name == "join" && (open.Join == nil || open.Join.Address != "10.0.0.1:5000" || open.Join.Password != "secret" || len(open.LocalPlayers) != 2):
			t.Errorf("join opens %+v", open.Join)
		}
	}
	m := NewShell(config.Defaults(), memory.Memory{}, "test", &draw.Store{})
	OpenGame("/nowhere/game.nds", "", 1, func(*config.Config) {})(m)
	m.CoreFound(screen.Core{Found: true})
	if m.Trouble == nil || !strings.Contains(m.Trouble.Words, "not there") {
		t.Errorf("a game that is not there: %+v", m.Trouble)
	}
	m = NewShell(config.Defaults(), memory.Memory{}, "test", &draw.Store{})
	JoinAddress("10.0.0.1", "", 1)(m)
	m.CoreFound(screen.Core{Trouble: screen.NoCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
	if m.Trouble == nil || m.Trouble.Copy == "" {
		t.Errorf("without a core: %+v", m.Trouble)
	}
}
