package app

import (
	"context"
	"fmt"
	"image/color"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/pads"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// sofa is a machine with the whole program but its window: two players with a controller
// each.
type sofa struct {
	t *testing.T
	*board
	model  *Model
	engine *engine

	mu    sync.Mutex // guards what follows
	posts []func(*Model)
	lit   map[int]color.Color // of each console, the place of the button A on its screen
}

// Show implements Stage.
func (s *sofa) Show(seat int, frame emucore.Frame) {
	if img := frame.Video.Image(); frame.Video.Height == 384 {
		s.mu.Lock()
		s.lit[seat] = img.At(227, 192+86)
		s.mu.Unlock()
	}
	s.board.Show(seat, frame)
}

func (s *sofa) button(seat int) color.Color {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lit[seat]
}

func newSofa(t *testing.T, name string, port int) *sofa {
	t.Helper()
	dir, games := t.TempDir(), t.TempDir()
	if _, err := romstest.WriteFiles(games, romstest.ROM{Name: "pad.nds", Data: romstest.Pad}); err != nil {
		t.Fatal(err)
	}
	cfg := config.Defaults()
	cfg.Player.Nickname, cfg.Player.MAC = name, fmt.Sprintf("00:09:bf:00:01:%02x", 16*len(name))
	cfg.Core.Name, cfg.Net.Port, cfg.Net.Bind, cfg.Audio.Enabled = "desmume", port, "127.0.0.1", false
	cfg.ROMs.Folders, cfg.Pads.Devices, cfg.Room.Announce = []string{games}, []string{"pad 1", "pad 2"}, false
	in := func(name string) string { return filepath.Join(dir, name) }
	s := &sofa{t: t, model: NewModel(cfg, Memory{Welcomed: true}, "test"), lit: map[int]color.Color{}}
	s.board = newBoard(cfg, &draw.Store{}, func() {})
	s.mapper.Connect(1, "Pad")
	s.mapper.Connect(2, "Pad")
	s.engine = newEngine(Places{in("config.toml"), in("app.json"), in("saves"), in("links"), in("shots"), in("desyncs"), ""}, "test", s, func(f func(*Model)) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.posts = append(s.posts, f)
	})
	s.engine.openShelf(nil)
	t.Cleanup(func() {
		s.engine.close()
		s.board.close()
	})
	return s
}

// turn does what the main thread does between two pictures.
func (s *sofa) turn() {
	s.mu.Lock()
	list := s.posts
	s.posts = nil
	s.mu.Unlock()
	for _, f := range list {
		f(s.model)
	}
	for _, c := range s.model.Commands() {
		s.engine.do(s.model, c)
	}
}

// await lets machines go on until something is so.
func await(t *testing.T, what string, sofas []*sofa, ok func() bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	for {
		for _, s := range sofas {
			s.turn()
			if s.model.Trouble != nil {
				t.Fatalf("%s: %+v", what, s.model.Trouble)
			}
		}
		if ok() {
			return
		}
		select {
		case <-ctx.Done():
			for _, s := range sofas {
				t.Logf("%+v, the room %+v", s.model.Screen, s.model.Room)
			}
			t.Fatalf("%s does not come", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// seatOf is the seat of a player of the room.
func (s *sofa) seatOf(name string) int {
	for _, p := range s.model.Room.Room.Players {
		if p.Nickname == name && p.Present {
			return p.Seat
		}
	}
	s.t.Fatalf("%s is not in the room", name)
	return -1
}

// TestCouchesOnline: two machines with two players each play one game, and each
// controller, of the one who hosts and of the one who joins, plays its own console on all
// machines, and no other.
func TestCouchesOnline(t *testing.T) {
	needCore(t)
	port := freePort(t)
	ann, bob := newSofa(t, "Ann", port), newSofa(t, "Bobby", freePort(t))
	both := []*sofa{ann, bob}
	await(t, "core and games", both, func() bool {
		return ann.model.Core.Found && bob.model.Core.Found && len(ann.model.Games.Games) == 1 && len(bob.model.Games.Games) == 1
	})
	ann.model.GoHost()
	ann.model.Pick(ann.model.Games.Games[0])
	ann.model.Host.Players = 4
	ann.model.SitBeside()
	ann.model.NameBeside(0, "Amy")
	ann.model.OpenRoom()
	await(t, "Ann's room", both, func() bool { return ann.model.Screen == ScreenLobby && ann.model.Room.Present() == 2 })
	bob.model.GoJoin()
	bob.model.Join.Address = fmt.Sprintf("127.0.0.1:%d", port)
	bob.model.EnterRoom()
	await(t, "the lobby", both, func() bool { return bob.model.Screen == ScreenLobby && bob.model.Room.Present() == 3 })
	bob.model.SitBeside()
	bob.model.NameBeside(0, "Ben")
	await(t, "Ben", both, func() bool {
		r := ann.model.Room
		return r.Present() == 4 && bob.model.Room.Present() == 4 && r.Room.Players[3].Nickname == "Ben"
	})
	bob.model.Ready(true)
	await(t, "nothing in the way", both, func() bool { return len(ann.model.Room.Blockers) == 0 })
	ann.model.Start()
	frames := func(n int64) func() bool {
		from := ann.model.Room.Figures.Frame
		return func() bool {
			return ann.model.Screen == ScreenPlaying && bob.model.Screen == ScreenPlaying && ann.model.Room.Figures.Frame >= from+n && bob.model.Room.Figures.Frame >= from+n
		}
	}
	await(t, "the game", both, frames(60))
	names := []string{"Ann", "Amy", "Bobby", "Ben"}
	dark := ann.button(ann.seatOf("Ann"))
	button := ann.model.Config.Pads.Buttons.A[0]
	for i, name := range names {
		at, pad := both[i/2], pads.ID(1+i%2)
		at.mapper.Button(pad, button, true)
		await(t, name+"'s button, seen on both machines", both, func() bool {
			seat := ann.seatOf(name)
			return ann.button(seat) != dark && bob.button(seat) != dark
		})
		for _, other := range names {
			if seat := ann.seatOf(other); other != name && (ann.button(seat) != dark || bob.button(seat) != dark) {
				t.Errorf("%s's button is pressed on %s's console", name, other)
			}
		}
		at.mapper.Button(pad, button, false)
		await(t, "the button up again", both, func() bool {
			seat := ann.seatOf(name)
			return ann.button(seat) == dark && bob.button(seat) == dark
		})
	}
	for i, s := range both {
		if got, want := s.mapper.Missing(2), 0; len(got) != want {
			t.Errorf("machine %d: no device plays %v", i, got)
		}
	}
}
