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
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// machine is the whole program but its window: two players with a controller
// each.
type machine struct {
	t *testing.T
	*hub
	m      *Shell
	engine *engine

	mu    sync.Mutex // guards what follows
	posts []func(*Shell)
	lit   map[ds.Seat]color.Color // of each console, the place of the button A on its screen
}

// Show implements GameIO.
func (s *machine) Show(seat ds.Seat, frame emucore.Frame) {
	if img := frame.Video.Image(); frame.Video.Height == 384 {
		s.mu.Lock()
		s.lit[ds.Seat(int(seat))] = img.At(227, 192+86)
		s.mu.Unlock()
	}
	s.hub.Show(seat, frame)
}

func (s *machine) button(seat ds.Seat) color.Color {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lit[ds.Seat(int(seat))]
}

func newMachine(t *testing.T, name string, port int) *machine {
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
	s := &machine{t: t, m: newShell(cfg, memory.Memory{Welcomed: true}, "test", &draw.Store{}), lit: map[ds.Seat]color.Color{}}
	s.hub = newHub(cfg, &draw.Store{}, func() {})
	s.mapper.Connect(1, pads.Hardware{Name: "Pad"})
	s.mapper.Connect(2, pads.Hardware{Name: "Pad"})
	s.engine = newEngine(Places{Config: in("config.toml"), Memory: in("app.json"), Places: config.Places{Saves: in("saves"), Games: in("links"), Desyncs: in("desyncs")}}, "test", s, func(f func(*Shell)) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.posts = append(s.posts, f)
	})
	s.engine.shell = s.m
	t.Cleanup(func() {
		s.engine.close()
		s.hub.close()
	})
	return s
}

// turn does what the main thread does between two pictures.
func (s *machine) turn() {
	s.mu.Lock()
	list := s.posts
	s.posts = nil
	s.mu.Unlock()
	for _, f := range list {
		f(s.m)
	}
	for _, c := range calls(s.m) {
		c.do(windowless{s.engine})
	}
}

// await lets machines go on until something is so.
func await(t *testing.T, what string, machines []*machine, ok func() bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	for {
		for _, s := range machines {
			s.turn()
			if s.m.Trouble != nil {
				t.Fatalf("%s: %+v", what, s.m.Trouble)
			}
		}
		if ok() {
			return
		}
		select {
		case <-ctx.Done():
			for _, s := range machines {
				t.Logf("%+v, the room %+v", s.m.Current, s.m.session.Room)
			}
			t.Fatalf("%s does not come", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// seatOf is the seat of a player of the room.
func (s *machine) seatOf(name string) ds.Seat {
	for _, p := range s.m.session.Room.Room.Players {
		if p.Nickname == name && p.Present {
			return ds.Seat(int(p.Seat))
		}
	}
	s.t.Fatalf("%s is not in the room", name)
	return -1
}

// TestLocalPlayersOnline: two machines with two players each play one game, and each
// controller, of the one who hosts and of the one who joins, plays its own console on all
// machines, and no other.
func TestLocalPlayersOnline(t *testing.T) {
	needCore(t)
	port := freePort(t)
	ann, bob := newMachine(t, "Ann", port), newMachine(t, "Bobby", freePort(t))
	both := []*machine{ann, bob}
	await(t, "core and games", both, func() bool {
		return ann.m.Core.Found && bob.m.Core.Found && len(ann.m.Games.Games) == 1 && len(bob.m.Games.Games) == 1
	})
	ann.m.games.PickFor(start.ForHost)
	ann.m.games.Pick(ann.m.Games.Games[0])
	ann.m.host.Form.Seats = 4
	ann.m.local.Add()
	ann.m.local.Rename(0, "Amy")
	ann.m.host.OpenRoom()
	await(t, "Ann's room", both, func() bool { return ann.m.Current == screen.Lobby && ann.m.session.Room.Present() == 2 })
	bob.m.Go(screen.Join)
	bob.m.join.Form.Address = fmt.Sprintf("127.0.0.1:%d", port)
	bob.m.join.EnterRoom()
	await(t, "the lobby", both, func() bool { return bob.m.Current == screen.Lobby && bob.m.session.Room.Present() == 3 })
	bob.m.local.Add()
	bob.m.local.Rename(0, "Ben")
	await(t, "Ben", both, func() bool {
		r := ann.m.session.Room
		return r.Present() == 4 && bob.m.session.Room.Present() == 4 && r.Room.Players[3].Nickname == "Ben"
	})
	bob.m.session.Ready(true)
	await(t, "nothing in the way", both, func() bool { return len(ann.m.session.Room.Blockers) == 0 })
	ann.m.session.Start()
	frames := func(n int64) func() bool {
		from := ann.m.session.Room.Run.Figures.Frame
		return func() bool {
			return ann.m.Current == screen.Playing && bob.m.Current == screen.Playing && ann.m.session.Room.Run.Figures.Frame >= from+n && bob.m.session.Room.Run.Figures.Frame >= from+n
		}
	}
	await(t, "the game", both, frames(60))
	names := []string{"Ann", "Amy", "Bobby", "Ben"}
	dark := ann.button(ds.Seat(ann.seatOf("Ann")))
	button := ann.m.Config.Pads.Buttons.A[0]
	for i, name := range names {
		at, pad := both[i/2], pads.ID(1+i%2)
		at.mapper.Button(pad, button, true)
		await(t, name+"'s button, seen on both machines", both, func() bool {
			seat := ann.seatOf(name)
			return ann.button(ds.Seat(seat)) != dark && bob.button(ds.Seat(seat)) != dark
		})
		for _, other := range names {
			if seat := ann.seatOf(other); other != name && (ann.button(ds.Seat(seat)) != dark || bob.button(ds.Seat(seat)) != dark) {
				t.Errorf("%s's button is pressed on %s's console", name, other)
			}
		}
		at.mapper.Button(pad, button, false)
		await(t, "the button up again", both, func() bool {
			seat := ann.seatOf(name)
			return ann.button(ds.Seat(seat)) == dark && bob.button(ds.Seat(seat)) == dark
		})
	}
	for i, s := range both {
		if got, want := s.mapper.Missing(2), 0; len(got) != want {
			t.Errorf("machine %d: no device plays %v", i, got)
		}
	}
}
