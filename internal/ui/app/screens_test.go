package app

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/savegames"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

var (
	update  = flag.Bool("update", false, "write the golden pictures anew")
	gallery = flag.String("gallery", "", "also write all pictures, at 1x and 2x, to a `folder` to look at")
)

const longName = "A room with quite a long name, to see 40"

// scene is a screen in a certain state.
type scene struct {
	name string
	size image.Point // points
	make func(t *testing.T) *Shell
}

var (
	small = image.Pt(640, 480)
	large = image.Pt(1000, 700)
	tall  = image.Pt(900, 1250) // with what is to be scrolled elsewhere
)

// withIcon draws an icon for a game.
func withIcon(g library.Game, c color.NRGBA) library.Game {
	img := image.NewPaletted(image.Rect(0, 0, 32, 32), color.Palette{color.NRGBA{}, c, color.NRGBA{R: 255, G: 255, B: 255, A: 255}})
	for y := range 32 {
		for x := range 32 {
			d := (x-16)*(x-16) + (y-16)*(y-16)
			if d < 240 {
				img.SetColorIndex(x, y, 1)
			}
			if d < 40 {
				img.SetColorIndex(x, y, 2)
			}
		}
	}
	g.Icon = img
	return g
}

func fullShelf(m *Shell) {
	games := []library.Game{
		withIcon(testGame("Advance Racer DS", 1), color.NRGBA{R: 220, G: 60, B: 60, A: 255}),
		withIcon(testGame("Monster Trainers: The Very Long Subtitle of This Edition", 2), color.NRGBA{R: 60, G: 120, B: 220, A: 255}),
		withIcon(testGame("ぽけっと だいぼうけん", 3), color.NRGBA{R: 60, G: 180, B: 90, A: 255}),
		testGame("Pad test", 4), testGame("Puzzle", 5), testGame("Zebra Crossing", 6),
	}
	games[2].More = "任天堂"
	m.Games = library.List{Games: games, Troubles: []library.Trouble{
		{Path: "/home/ann/roms/old/save.nds", Why: "The file is too short to be a DS ROM."},
		{Path: "/home/ann/roms/packed.nds", Why: "It is packed. Unpack it, and take the .nds file that is inside."},
	}}
	m.Memory.Play([32]byte{1}, now.Add(-3*time.Hour))
	m.Memory.Play([32]byte{3}, now.Add(-30*time.Hour))
}

// inLobby is a room in which some state holds.
func inLobby(t *testing.T, change func(m *Shell)) *Shell {
	m, _ := hosted(t)
	fullShelf(m)
	m.session.Addresses = []string{"192.168.1.23"}
	core := host.CoreID{Name: "DeSmuME", Version: "git+dfsg-1"}
	m.session.Room.Room.Settings.Core = core
	m.session.Room.Lines = []room.Line{{Text: "Bob joined"}, {From: "Bob", Text: "hello!"}, {From: "Ann", Text: "Hi Bob. Are you ready? I have the blue edition."}}
	m.session.Room.Blockers = []string{"Bob is not ready yet"}
	change(m)
	return m
}

// localPlayers is a room with two players at each of two machines.
func localPlayers(m *Shell) {
	amy, ben := player(1, 0, "Amy", true), player(3, 1, "ながいなまえのひとです2", false)
	amy.Local, ben.Local = 1, 1
	m.session.Room.Room.Players = append(m.session.Room.Room.Players, amy, ben)
	slices.SortFunc(m.session.Room.Room.Players, func(a, b host.Player) int { return a.Seat - b.Seat })
	m.session.Room.Room.Players[1].Seat, m.session.Room.Room.Players[2].Seat = 1, 2
	for i := range m.session.Room.Room.Players {
		m.session.Room.Room.Players[i].Seat = i
		if p := &m.session.Room.Room.Players[i]; p.Machine == 1 {
			p.Loss, p.Ping = 54, 148*time.Millisecond
		}
	}
	m.local.Names = []string{"Amy"}
}

func sampleRooms() []lan.Found {
	return []lan.Found{
		{Beacon: lan.Beacon{Room: "Bob's room", Host: "Bob", Game: "Advance Racer DS", Core: "melonDS DS", Players: 1, Seats: 4, ROM: [8]byte{1}}, Addr: netip.MustParseAddrPort("192.168.1.9:21204")},
		{Beacon: lan.Beacon{Room: longName, Host: "ながいなまえのひと", Game: "Monster Trainers: The Very Long Subtitle", Core: "DeSmuME", Players: 2, Seats: 2, ROM: [8]byte{2}, Password: true}, Addr: netip.MustParseAddrPort("192.168.1.10:21204")},
		{Beacon: lan.Beacon{Room: "みんなの部屋", Host: "さくら", Game: "Tennis", Core: "melonDS DS", Players: 1, Seats: 2, ROM: [8]byte{99}}, Addr: netip.MustParseAddrPort("192.168.1.11:21204")},
	}
}

// savesModel has saves of all kinds.
func savesModel(t *testing.T) *Shell {
	m := homeModel(t)
	fullShelf(m)
	m.Go(screen.Saves)
	when := time.Date(2026, 5, 3, 21, 4, 0, 0, time.Local)
	meta := func(hours int) saves.Meta {
		return saves.Meta{At: when.Add(-time.Duration(hours) * time.Hour), Room: "Ann's room", Players: []string{"Ann", "ながいなまえのひと", "Dora"}, Origin: saves.Played}
	}
	imported := meta(40)
	imported.Origin, imported.From, imported.Room, imported.Players = saves.Imported, "/home/ann/old saves/Monster Trainers (Europe).dsv", "", nil
	m.saves.Listed([]savegames.Kept{{
		Title: "Monster Trainers: The Very Long Subtitle of This Edition", Game: saves.Game{SHA256: [32]byte{2}},
		Saves: []saves.Save{
			{Meta: meta(0), Number: 12},
			{Meta: meta(1), Number: 11, Current: true, Confirmed: true},
			{Meta: meta(20), Number: 10, Confirmed: true},
			{Number: 9, Damage: errors.New("the file is 12 bytes shorter than it was")},
			{Meta: imported, Number: 8, Confirmed: true},
		},
	}})
	return m
}

func settingsScene(page settings.Page, change func(m *Shell)) func(t *testing.T) *Shell {
	return func(t *testing.T) *Shell {
		m := homeModel(t)
		fullShelf(m)
		m.Core.All = []emucore.Core{{Name: "melonDS DS", Version: "1.2.0", Wireless: true, Path: "/a"}, {Name: "DeSmuME", Version: "git", Path: "/b"}}
		m.Go(screen.Settings)
		m.settings.At = page
		if change != nil {
			change(m)
		}
		return m
	}
}

// watchingScene is a room that is watched; without a status before its game.
func watchingScene(s session.PlayerStatus) func(t *testing.T) *Shell {
	return func(t *testing.T) *Shell {
		m := homeModel(t)
		m.Go(screen.Join)
		m.join.Form.Address = "203.0.113.7"
		m.join.Spectate()
		r := testRoom(host.PhaseLobby, player(0, 0, "Ann", true), player(1, 1, "ながいなまえのひと", true))
		r.Settings.Room, r.Settings.Spectators, r.Settings.SpectateDelay = longName, 4, 2
		m.viewer.Notice(session.RoomNotice{Room: r, Me: -1})
		m.viewer.Notice(session.Message{From: "Ann", Text: "hello, you who are watching!"})
		if s != (session.PlayerStatus{}) {
			m.viewer.Watched(&session.Player{})
			m.viewer.Status(s)
		}
		return m
	}
}

func endedScene(err error) func(t *testing.T) *Shell {
	return func(t *testing.T) *Shell {
		m := homeModel(t)
		m.Go(screen.Join)
		m.join.Form.Address = "203.0.113.7"
		m.join.EnterRoom()
		m.session.Over(session.Report{}, err)
		return m
	}
}

func scenes() []scene {
	list := []scene{
		{"welcome", small, func(t *testing.T) *Shell {
			m := NewShell(config.Defaults(), memory.Memory{}, "1.0", &draw.Store{})
			m.CoreFound(screen.Core{Trouble: screen.NoCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
			m.Games = library.List{Missing: []string{"/home/ann/roms"}}
			return m
		}},
		{"welcome-ready", large, func(t *testing.T) *Shell {
			m := NewShell(config.Defaults(), memory.Memory{}, "1.0", &draw.Store{})
			m.CoreFound(screen.Core{Found: true, Core: emucore.Core{Name: "melonDS DS", Version: "1.2.0", Wireless: true}})
			fullShelf(m)
			return m
		}},
		{"home", small, func(t *testing.T) *Shell { m := homeModel(t); fullShelf(m); return m }},
		{"home-light", large, func(t *testing.T) *Shell {
			m := homeModel(t)
			fullShelf(m)
			m.Config.Video.Theme = "light"
			return m
		}},
		{"home-no-core", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.CoreFound(screen.Core{Trouble: screen.NoCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
			m.games.PickFor(start.ForHost)
			return m
		}},
		{"home-no-games", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.Games = library.List{}
			m.CoreFound(screen.Core{Found: true})
			return m
		}},
		{"games", small, func(t *testing.T) *Shell { m := homeModel(t); fullShelf(m); m.games.PickFor(start.ForHost); return m }},
		{"games-large", large, func(t *testing.T) *Shell {
			m := homeModel(t)
			fullShelf(m)
			m.Games.Scanning, m.Games.Names = true, []string{"a", "b"}
			m.games.PickFor(start.ForAlone)
			m.games.SortByPlayed(true)
			return m
		}},
		{"games-none", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.Games = library.List{}
			m.games.PickFor(start.ForHost)
			return m
		}},
		{"games-troubles", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			fullShelf(m)
			m.games.PickFor(start.ForHost)
			m.games.Troubles = true
			return m
		}},
		{"host", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			fullShelf(m)
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[1])
			m.host.Form.Name, m.host.Form.Password = longName, "secret"
			return m
		}},
		{"host-local-tall", tall, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[0])
			m.local.Add()
			m.host.Form.Spectators = 0
			return m
		}},
		{"host-large", large, func(t *testing.T) *Shell {
			m := homeModel(t)
			fullShelf(m)
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[1])
			m.host.Form.SpectateDelay = 5 * time.Minute
			return m
		}},
		{"join-running", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			fullShelf(m)
			m.Go(screen.Join)
			m.join.Rooms = sampleRooms()
			for i := range m.join.Rooms {
				m.join.Rooms[i].Playing, m.join.Rooms[i].Watch, m.join.Rooms[i].Late = true, i != 1, i == 2
			}
			m.join.ChooseRoom(m.join.Rooms[0])
			m.join.Lit = 0
			return m
		}},
		{"join-refused", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.Go(screen.Join)
			m.join.Form.Address = "203.0.113.7"
			m.join.Spectate()
			m.viewer.Over(watchTrouble(&session.Failure{
				Result: session.ResultLost, Err: errors.New("nobody may watch in this room"), Hint: "ask the game host to allow spectators",
			}, false))
			return m
		}},
		{"join", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			fullShelf(m)
			m.Memory.Addresses = []string{"203.0.113.7", "friend.example.org:5000"}
			m.Go(screen.Join)
			return m
		}},
		{"join-rooms", large, func(t *testing.T) *Shell {
			m := homeModel(t)
			fullShelf(m)
			m.Memory.Addresses = []string{"203.0.113.7", "a-very-long-host-name.friend.example.org:5000"}
			m.Go(screen.Join)
			m.join.Rooms = sampleRooms()
			m.join.ChooseRoom(m.join.Rooms[1])
			m.join.Lit = 1
			return m
		}},
		{"join-no-network", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.Go(screen.Join)
			m.join.NoRooms = "Looking for rooms on the local network: the port is in use."
			return m
		}},
		{"join-nothing", small, func(t *testing.T) *Shell { m := homeModel(t); m.Go(screen.Join); m.join.EnterRoom(); return m }},
		{"alone", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			fullShelf(m)
			m.games.PickFor(start.ForAlone)
			m.games.Pick(m.Games.Games[0])
			return m
		}},
		{"joining", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.Go(screen.Join)
			m.join.Form.Address = "friend.example.org"
			m.join.EnterRoom()
			return m
		}},
		{"lobby", large, func(t *testing.T) *Shell { return inLobby(t, func(*Shell) {}) }},
		{"lobby-local", large, func(t *testing.T) *Shell { return inLobby(t, localPlayers) }},
		{"lobby-local-small", small, func(t *testing.T) *Shell { return inLobby(t, localPlayers) }},
		{"host-local", large, func(t *testing.T) *Shell {
			m := homeModel(t)
			fullShelf(m)
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[2])
			m.Pads = []pads.Pad{{Slot: 1, Name: "Wireless Controller of a maker with a long name"}}
			m.local.Add()
			m.local.Add()
			m.local.Rename(1, "ながすぎるなまえのひとです")
			return m
		}},
		{"lobby-small", small, func(t *testing.T) *Shell { return inLobby(t, func(*Shell) {}) }},
		{"lobby-chat", small, func(t *testing.T) *Shell {
			m := inLobby(t, func(m *Shell) {
				m.session.Room.Lines = append(m.session.Room.Lines, room.Line{From: "さくら", Text: "こんにちは！ ちょっと待って、お茶をいれてくるね。"}, room.Line{Text: "the input delay is 6 frames now"})
			})
			m.lobby.Tab = 1
			return m
		}},
		{"lobby-full", large, func(t *testing.T) *Shell {
			return inLobby(t, func(m *Shell) {
				far, slow := player(1, 1, "ながいなまえのひと", true), player(2, 2, "WWWWWWWWWW", false)
				far.Ping, far.Jitter = 180*time.Millisecond, 30*time.Millisecond
				slow.Ping = 320 * time.Millisecond
				slow.Problem = "WWWWWWWWWW does not have Monster Trainers (2a4f…); it must be in one of the ROM folders"
				slow.Note = "the console's address was changed, because two were the same"
				m.session.Room.Room.Players = []host.Player{player(0, 0, "Ann", true), far, slow, player(3, 3, "Dora", true)}
				m.session.Room.Room.Settings.Room = longName
				m.session.Room.Blockers = []string{"WWWWWWWWWW does not have Monster Trainers (2a4f…); it must be in one of the ROM folders", "x"}
			})
		}},
		{"lobby-preparing", large, func(t *testing.T) *Shell {
			return inLobby(t, func(m *Shell) {
				m.session.Room.Room.Phase = host.PhasePreparing
				bob := &m.session.Room.Room.Players[1]
				bob.Up, bob.Down = host.Progress{Done: 4_200_000, Total: 8_400_000}, host.Progress{Done: 300_000, Total: 9_000_000}
			})
		}},
		{"lobby-watched", tall, func(t *testing.T) *Shell {
			return inLobby(t, func(m *Shell) {
				m.session.Room.Room.Settings.Spectators, m.session.Room.Room.Settings.SpectateDelay = 3, 120
				m.session.Room.Room.Spectators = []host.Spectator{{Number: 0, Nickname: "Uma"}, {Number: 2, Nickname: "ながいなまえのひと"}}
			})
		}},
		{"lobby-late", tall, func(t *testing.T) *Shell {
			return inLobby(t, func(m *Shell) {
				m.session.Room.Hosting, m.session.Room.Me, m.session.Room.Blockers, m.session.Room.Room.Phase = false, 1, nil, host.PhasePlaying
				m.session.Room.Room.Settings.Spectators, m.session.Room.Room.Settings.SpectateDelay = 3, 120
			})
		}},
		{"lobby-behind", large, func(t *testing.T) *Shell {
			return inLobby(t, func(m *Shell) {
				m.session.Room.Hosting, m.session.Room.Me, m.session.Room.Blockers, m.session.Room.Room.Phase = false, 1, nil, host.PhasePlaying
				m.session.Room.Room.Players[1].Ready = true
				m.session.Notice(session.CatchingUp{Behind: 7 * 60})
			})
		}},
		{"lobby-client", large, func(t *testing.T) *Shell {
			return inLobby(t, func(m *Shell) {
				m.session.Room.Hosting, m.session.Room.Me, m.session.Room.Blockers = false, 1, nil
				m.session.Room.Last = &screen.Trouble{Title: "The consoles no longer agreed", Words: "Bob's console differs at frame 60.", Hint: "Play again."}
			})
		}},
		{"leave", small, func(t *testing.T) *Shell { return inLobby(t, func(m *Shell) { m.session.AskLeave() }) }},
		{"kick", small, func(t *testing.T) *Shell {
			return inLobby(t, func(m *Shell) { m.session.AskKick(m.session.Room.Room.Players[1]) })
		}},
		{"menu", small, func(t *testing.T) *Shell {
			return inLobby(t, func(m *Shell) {
				m.session.Notice(session.Playing{})
				m.session.Room.Run.Figures.Delay = 4
				m.session.ToggleMenu()
			})
		}},
		{"menu-paused", small, func(t *testing.T) *Shell {
			return inLobby(t, func(m *Shell) {
				m.session.Notice(session.Playing{})
				m.session.Notice(session.Paused{Paused: true})
				m.session.ToggleMenu()
			})
		}},
		{"ended-lost", small, endedScene(&session.Failure{
			Result: session.ResultLost, Err: fmt.Errorf("could not connect to 203.0.113.7:21204: no answer"),
			Hint: "Is the room open, and the address right? From outside the game host's network, its router must forward UDP port 21204 to the game host's machine, and its firewall must let it in.",
		})},
		{"ended-desync", small, endedScene(&session.Failure{Result: session.ResultDesync, Err: fmt.Errorf("the consoles of Bob differ in main memory at frame 1260 on the machine of さくら")})},
		{"ended-core", small, endedScene(&session.Failure{Result: session.ResultCore, Err: fmt.Errorf("the core DeSmuME crashed (SIGSEGV)"), Hint: "The emulator core failed, not the network."})},
		{"recordings", small, func(t *testing.T) *Shell { m := homeModel(t); m.Go(screen.Recordings); return m }},
		{"recordings-list", large, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.Go(screen.Recordings)
			m.recordings.List = []viewer.Recording{
				{Path: "/r/b", Game: "Advance Racer DS", Players: "Ann, Bob, さくら", Began: now, Length: 754 * time.Second},
				{Path: "/r/a.nplog", Game: "2026-05-04 broken.nplog", Why: "This is not a recording of nettplay."},
			}
			return m
		}},
		{"watching", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.Go(screen.Recordings)
			m.viewer.Watch(viewer.Recording{Path: "/r/b", Game: "Advance Racer DS"})
			m.viewer.Watched(&session.Player{})
			m.viewer.Status(session.PlayerStatus{Frame: 3000, Length: 45000, Playing: true, Speed: 1})
			return m
		}},
		{"watching-stopped", small, watchingScene(session.PlayerStatus{Frame: 3000, Length: 4500, Live: true, Speed: 1})},
		{"watching-late", large, watchingScene(session.PlayerStatus{Frame: 3000, Length: 4500, Live: true, Playing: true})},
		{"watching-live", small, watchingScene(session.PlayerStatus{Frame: 4400, Length: 4500, Live: true, Playing: true, Speed: 1})},
		{"watching-differs", small, watchingScene(session.PlayerStatus{Frame: 4400, Length: 4500, Live: true, Playing: true, Difference: &session.Difference{}})},
		{"watching-building", small, watchingScene(session.PlayerStatus{Loading: true})},
		{"watching-wait", small, watchingScene(session.PlayerStatus{})},
		{"watching-connect", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.Go(screen.Join)
			m.join.Form.Address = "a-very-long-host-name.friend.example.org:5000"
			m.join.Spectate()
			return m
		}},
		{"saves", large, func(t *testing.T) *Shell { return savesModel(t) }},
		{"saves-small", small, func(t *testing.T) *Shell {
			m := savesModel(t)
			m.saves.Lit = 2
			return m
		}},
		{"saves-import", small, func(t *testing.T) *Shell {
			m := savesModel(t)
			m.Drop("/home/ann/old saves/Monster Trainers (Europe) (En,Fr,De,Es,It).dsv")
			return m
		}},
		{"saves-none", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.Go(screen.Saves)
			m.saves.Listed(nil)
			return m
		}},
		{"games-reading", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			fullShelf(m)
			m.Games.Scanning, m.Games.Read, m.Games.Of = true, 340, 1200
			m.games.PickFor(start.ForHost)
			return m
		}},
		{"ended-port", small, func(t *testing.T) *Shell {
			m := homeModel(t)
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[0])
			m.host.OpenRoom()
			m.session.Over(session.Report{}, &launch.PortError{Err: link.ErrPortInUse, Free: 21206})
			return m
		}},
		{"about", small, func(t *testing.T) *Shell { m := homeModel(t); m.Go(screen.About); return m }},
		{"settings-invalid", small, settingsScene(settings.PagePlayer, func(m *Shell) {
			m.settings.Change(func(c *config.Config) { c.Player.Nickname = "ながすぎるなまえのひとです" })
		})},
	}
	for page, name := range settings.Pages() {
		size := small
		if page%2 == 1 {
			size = large
		}
		list = append(list, scene{fmt.Sprintf("settings-%d", page), size, settingsScene(settings.Page(page), nil)})
		_ = name
	}
	return list
}

// render draws a view. Several pictures are made, as in a window: what is open
// takes one to appear.
func render(t testing.TB, m *Shell, size image.Point, scale float32) *image.RGBA {
	t.Helper()
	fonts, err := draw.NewFonts(m.Store, draw.FontConfig{System: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	ui := widgets.New(fonts, nil)
	in := widgets.Input{Now: time.Second, Size: size.Mul(int(scale)), Scale: scale, Focused: true}
	var out widgets.Output
	for range 3 {
		out = ui.Frame(in, m.Build)
		in.Now += 20 * time.Millisecond
	}
	img := image.NewRGBA(image.Rectangle{Max: in.Size})
	draw.Raster(img, out.List, m.Store)
	return img
}

// TestScreens compares every screen with its golden picture.
func TestScreens(t *testing.T) {
	for _, s := range append(scenes(), playScenes()...) {
		t.Run(s.name, func(t *testing.T) {
			img := render(t, s.make(t), s.size, 1)
			if *gallery != "" {
				writePNG(t, filepath.Join(*gallery, s.name+".png"), img)
				writePNG(t, filepath.Join(*gallery, s.name+"@2x.png"), render(t, s.make(t), s.size, 2))
			}
			compare(t, filepath.Join("testdata", "screens", s.name+".png"), img)
		})
	}
}

func writePNG(t testing.TB, path string, img image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, img); err != nil {
		t.Fatal(err)
	}
}

// compare allows pixels to differ by a little, as floating-point arithmetic does
// from one processor to the next, and a few of them by more.
func compare(t testing.TB, path string, img *image.RGBA) {
	t.Helper()
	if *update {
		writePNG(t, path, img)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if want.Bounds() != img.Bounds() {
		t.Fatalf("the picture is %v, want %v", img.Bounds(), want.Bounds())
	}
	wrong := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if far(img.At(x, y), want.At(x, y)) {
				wrong++
			}
		}
	}
	if wrong > 20 {
		got := filepath.Join(os.TempDir(), "nettplay-"+filepath.Base(path))
		writePNG(t, got, img)
		t.Errorf("%d pixels differ from %s; it is now like %s", wrong, path, got)
	}
}

func far(a, b color.Color) bool {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	const little = 12 << 8
	return ar+little < br || br+little < ar || ag+little < bg || bg+little < ag || ab+little < bb || bb+little < ab
}
