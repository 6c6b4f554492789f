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
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/pads"
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
	make func(t *testing.T) *View
}

var (
	small = image.Pt(640, 480)
	large = image.Pt(1000, 700)
	tall  = image.Pt(900, 1250) // with what is to be scrolled elsewhere
)

func viewOf(m *Model) *View { return NewView(m, &draw.Store{}) }

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

func fullShelf(m *Model) {
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
func inLobby(t *testing.T, change func(m *Model)) *View {
	m, _ := hosted(t)
	fullShelf(m)
	m.Addresses = []string{"192.168.1.23"}
	core := host.CoreID{Name: "DeSmuME", Version: "git+dfsg-1"}
	m.Room.Room.Settings.Core = core
	m.Room.Lines = []Line{{"", "Bob joined"}, {"Bob", "hello!"}, {"Ann", "Hi Bob. Are you ready? I have the blue edition."}}
	m.Room.Blockers = []string{"Bob is not ready yet"}
	change(m)
	return viewOf(m)
}

// couch is a room with two players at each of two machines.
func couch(m *Model) {
	amy, ben := player(1, 0, "Amy", true), player(3, 1, "ながいなまえのひとです2", false)
	amy.Local, ben.Local = 1, 1
	m.Room.Room.Players = append(m.Room.Room.Players, amy, ben)
	slices.SortFunc(m.Room.Room.Players, func(a, b host.Player) int { return a.Seat - b.Seat })
	m.Room.Room.Players[1].Seat, m.Room.Room.Players[2].Seat = 1, 2
	for i := range m.Room.Room.Players {
		m.Room.Room.Players[i].Seat = i
		if p := &m.Room.Room.Players[i]; p.Machine == 1 {
			p.Loss, p.Ping = 54, 148*time.Millisecond
		}
	}
	m.Beside = []string{"Amy"}
}

func sampleRooms() []lan.Found {
	return []lan.Found{
		{Beacon: lan.Beacon{Room: "Bob's room", Host: "Bob", Game: "Advance Racer DS", Core: "melonDS DS", Players: 1, Seats: 4, ROM: [8]byte{1}}, Addr: netip.MustParseAddrPort("192.168.1.9:21204")},
		{Beacon: lan.Beacon{Room: longName, Host: "ながいなまえのひと", Game: "Monster Trainers: The Very Long Subtitle", Core: "DeSmuME", Players: 2, Seats: 2, ROM: [8]byte{2}, Password: true}, Addr: netip.MustParseAddrPort("192.168.1.10:21204")},
		{Beacon: lan.Beacon{Room: "みんなの部屋", Host: "さくら", Game: "Tennis", Core: "melonDS DS", Players: 1, Seats: 2, ROM: [8]byte{99}}, Addr: netip.MustParseAddrPort("192.168.1.11:21204")},
	}
}

// savesModel has saves of all kinds.
func savesModel(t *testing.T) *Model {
	m := homeModel(t)
	fullShelf(m)
	m.GoSaves()
	when := time.Date(2026, 5, 3, 21, 4, 0, 0, time.Local)
	meta := func(hours int) saves.Meta {
		return saves.Meta{At: when.Add(-time.Duration(hours) * time.Hour), Room: "Ann's room", Players: []string{"Ann", "ながいなまえのひと", "Dora"}, Origin: saves.Played}
	}
	imported := meta(40)
	imported.Origin, imported.From, imported.Room, imported.Players = saves.Imported, "/home/ann/old saves/Monster Trainers (Europe).dsv", "", nil
	m.SavesListed([]KeptGame{{
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

func settingsScene(page Page, change func(m *Model)) func(t *testing.T) *View {
	return func(t *testing.T) *View {
		m := homeModel(t)
		fullShelf(m)
		m.Core.All = []emucore.Core{{Name: "melonDS DS", Version: "1.2.0", Wireless: true, Path: "/a"}, {Name: "DeSmuME", Version: "git", Path: "/b"}}
		m.GoSettings()
		m.Settings.Page = page
		if change != nil {
			change(m)
		}
		return viewOf(m)
	}
}

// watchingScene is a room that is watched; without a status before its game.
func watchingScene(s session.PlayerStatus) func(t *testing.T) *View {
	return func(t *testing.T) *View {
		m := homeModel(t)
		m.GoJoin()
		m.Join.Address = "203.0.113.7"
		m.LookOn()
		r := room(host.PhaseLobby, player(0, 0, "Ann", true), player(1, 1, "ながいなまえのひと", true))
		r.Settings.Room, r.Settings.Spectators, r.Settings.SpectateDelay = longName, 4, 2
		m.WatchNotice(session.RoomNotice{Room: r, Me: -1})
		m.WatchNotice(session.Message{From: "Ann", Text: "hello, you who are watching!"})
		if s != (session.PlayerStatus{}) {
			m.Watched(&session.Player{})
			m.WatchStatus(s)
		}
		return viewOf(m)
	}
}

func endedScene(err error) func(t *testing.T) *View {
	return func(t *testing.T) *View {
		m := homeModel(t)
		m.GoJoin()
		m.Join.Address = "203.0.113.7"
		m.EnterRoom()
		m.Over(session.Report{}, err)
		return viewOf(m)
	}
}

func scenes() []scene {
	list := []scene{
		{"welcome", small, func(t *testing.T) *View {
			m := NewModel(config.Defaults(), Memory{}, "1.0")
			m.CoreFound(CoreState{Trouble: noCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
			m.Games = library.List{Missing: []string{"/home/ann/roms"}}
			return viewOf(m)
		}},
		{"welcome-ready", large, func(t *testing.T) *View {
			m := NewModel(config.Defaults(), Memory{}, "1.0")
			m.CoreFound(CoreState{Found: true, Core: emucore.Core{Name: "melonDS DS", Version: "1.2.0", Wireless: true}})
			fullShelf(m)
			return viewOf(m)
		}},
		{"home", small, func(t *testing.T) *View { m := homeModel(t); fullShelf(m); return viewOf(m) }},
		{"home-light", large, func(t *testing.T) *View {
			m := homeModel(t)
			fullShelf(m)
			m.Config.Video.Theme = "light"
			return viewOf(m)
		}},
		{"home-no-core", small, func(t *testing.T) *View {
			m := homeModel(t)
			m.CoreFound(CoreState{Trouble: noCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
			m.GoHost()
			return viewOf(m)
		}},
		{"home-no-games", small, func(t *testing.T) *View {
			m := homeModel(t)
			m.Games = library.List{}
			m.CoreFound(CoreState{Found: true})
			return viewOf(m)
		}},
		{"games", small, func(t *testing.T) *View { m := homeModel(t); fullShelf(m); m.GoHost(); return viewOf(m) }},
		{"games-large", large, func(t *testing.T) *View {
			m := homeModel(t)
			fullShelf(m)
			m.Games.Scanning, m.Games.Names = true, []string{"a", "b"}
			m.GoAlone()
			m.SortByPlayed(true)
			return viewOf(m)
		}},
		{"games-none", small, func(t *testing.T) *View {
			m := homeModel(t)
			m.Games = library.List{}
			m.GoHost()
			return viewOf(m)
		}},
		{"games-troubles", small, func(t *testing.T) *View {
			m := homeModel(t)
			fullShelf(m)
			m.GoHost()
			v := viewOf(m)
			v.troubles = true
			return v
		}},
		{"host", small, func(t *testing.T) *View {
			m := homeModel(t)
			fullShelf(m)
			m.GoHost()
			m.Pick(m.Games.Games[1])
			m.Host.Name, m.Host.Password = longName, "secret"
			return viewOf(m)
		}},
		{"host-couch-tall", tall, func(t *testing.T) *View {
			m := homeModel(t)
			m.GoHost()
			m.Pick(m.Games.Games[0])
			m.SitBeside()
			m.Host.Spectators = 0
			return viewOf(m)
		}},
		{"host-large", large, func(t *testing.T) *View {
			m := homeModel(t)
			fullShelf(m)
			m.GoHost()
			m.Pick(m.Games.Games[1])
			m.Host.SpectateDelay = 5 * time.Minute
			return viewOf(m)
		}},
		{"join-running", small, func(t *testing.T) *View {
			m := homeModel(t)
			fullShelf(m)
			m.GoJoin()
			m.Rooms = sampleRooms()
			for i := range m.Rooms {
				m.Rooms[i].Playing, m.Rooms[i].Watch, m.Rooms[i].Late = true, i != 1, i == 2
			}
			m.ChooseRoom(m.Rooms[0])
			v := viewOf(m)
			v.room = 0
			return v
		}},
		{"join-refused", small, func(t *testing.T) *View {
			m := homeModel(t)
			m.GoJoin()
			m.Join.Address = "203.0.113.7"
			m.LookOn()
			m.WatchOver(watchTrouble(&session.Failure{
				Result: session.ResultLost, Err: errors.New("nobody may watch in this room"), Hint: "ask the game host to allow spectators",
			}, false))
			return viewOf(m)
		}},
		{"join", small, func(t *testing.T) *View {
			m := homeModel(t)
			fullShelf(m)
			m.Memory.Addresses = []string{"203.0.113.7", "friend.example.org:5000"}
			m.GoJoin()
			return viewOf(m)
		}},
		{"join-rooms", large, func(t *testing.T) *View {
			m := homeModel(t)
			fullShelf(m)
			m.Memory.Addresses = []string{"203.0.113.7", "a-very-long-host-name.friend.example.org:5000"}
			m.GoJoin()
			m.Rooms = sampleRooms()
			m.ChooseRoom(m.Rooms[1])
			v := viewOf(m)
			v.room = 1
			return v
		}},
		{"join-no-network", small, func(t *testing.T) *View {
			m := homeModel(t)
			m.GoJoin()
			m.NoRooms = "Looking for rooms on the local network: the port is in use."
			return viewOf(m)
		}},
		{"join-nothing", small, func(t *testing.T) *View { m := homeModel(t); m.GoJoin(); m.EnterRoom(); return viewOf(m) }},
		{"alone", small, func(t *testing.T) *View {
			m := homeModel(t)
			fullShelf(m)
			m.GoAlone()
			m.Pick(m.Games.Games[0])
			return viewOf(m)
		}},
		{"joining", small, func(t *testing.T) *View {
			m := homeModel(t)
			m.GoJoin()
			m.Join.Address = "friend.example.org"
			m.EnterRoom()
			return viewOf(m)
		}},
		{"lobby", large, func(t *testing.T) *View { return inLobby(t, func(*Model) {}) }},
		{"lobby-couch", large, func(t *testing.T) *View { return inLobby(t, couch) }},
		{"lobby-couch-small", small, func(t *testing.T) *View { return inLobby(t, couch) }},
		{"host-couch", large, func(t *testing.T) *View {
			m := homeModel(t)
			fullShelf(m)
			m.GoHost()
			m.Pick(m.Games.Games[2])
			m.Pads = []pads.Pad{{Slot: 1, Name: "Wireless Controller of a maker with a long name"}}
			m.SitBeside()
			m.SitBeside()
			m.NameBeside(1, "ながすぎるなまえのひとです")
			return viewOf(m)
		}},
		{"lobby-small", small, func(t *testing.T) *View { return inLobby(t, func(*Model) {}) }},
		{"lobby-chat", small, func(t *testing.T) *View {
			v := inLobby(t, func(m *Model) {
				m.Room.Lines = append(m.Room.Lines, Line{"さくら", "こんにちは！ ちょっと待って、お茶をいれてくるね。"}, Line{"", "the input delay is 6 frames now"})
			})
			v.tab = 1
			return v
		}},
		{"lobby-full", large, func(t *testing.T) *View {
			return inLobby(t, func(m *Model) {
				far, slow := player(1, 1, "ながいなまえのひと", true), player(2, 2, "WWWWWWWWWW", false)
				far.Ping, far.Jitter = 180*time.Millisecond, 30*time.Millisecond
				slow.Ping = 320 * time.Millisecond
				slow.Problem = "WWWWWWWWWW does not have Monster Trainers (2a4f…); it must be in one of the ROM folders"
				slow.Note = "the console's address was changed, because two were the same"
				m.Room.Room.Players = []host.Player{player(0, 0, "Ann", true), far, slow, player(3, 3, "Dora", true)}
				m.Room.Room.Settings.Room = longName
				m.Room.Blockers = []string{"WWWWWWWWWW does not have Monster Trainers (2a4f…); it must be in one of the ROM folders", "x"}
			})
		}},
		{"lobby-preparing", large, func(t *testing.T) *View {
			return inLobby(t, func(m *Model) {
				m.Room.Room.Phase = host.PhasePreparing
				bob := &m.Room.Room.Players[1]
				bob.Up, bob.Down = host.Progress{Done: 4_200_000, Total: 8_400_000}, host.Progress{Done: 300_000, Total: 9_000_000}
			})
		}},
		{"lobby-watched", tall, func(t *testing.T) *View {
			return inLobby(t, func(m *Model) {
				m.Room.Room.Settings.Spectators, m.Room.Room.Settings.SpectateDelay = 3, 120
				m.Room.Room.Spectators = []host.Spectator{{Number: 0, Nickname: "Uma"}, {Number: 2, Nickname: "ながいなまえのひと"}}
			})
		}},
		{"lobby-late", tall, func(t *testing.T) *View {
			return inLobby(t, func(m *Model) {
				m.Room.Hosting, m.Room.Me, m.Room.Blockers, m.Room.Room.Phase = false, 1, nil, host.PhasePlaying
				m.Room.Room.Settings.Spectators, m.Room.Room.Settings.SpectateDelay = 3, 120
			})
		}},
		{"lobby-behind", large, func(t *testing.T) *View {
			return inLobby(t, func(m *Model) {
				m.Room.Hosting, m.Room.Me, m.Room.Blockers, m.Room.Room.Phase = false, 1, nil, host.PhasePlaying
				m.Room.Room.Players[1].Ready = true
				m.Notice(session.CatchingUp{Behind: 7 * 60})
			})
		}},
		{"lobby-client", large, func(t *testing.T) *View {
			return inLobby(t, func(m *Model) {
				m.Room.Hosting, m.Room.Me, m.Room.Blockers = false, 1, nil
				m.Room.Last = &Trouble{Title: "The consoles no longer agreed", Words: "Bob's console differs at frame 60.", Hint: "Play again."}
			})
		}},
		{"leave", small, func(t *testing.T) *View { return inLobby(t, func(m *Model) { m.AskLeave() }) }},
		{"kick", small, func(t *testing.T) *View {
			return inLobby(t, func(m *Model) { m.AskKick(m.Room.Room.Players[1]) })
		}},
		{"menu", small, func(t *testing.T) *View {
			return inLobby(t, func(m *Model) { m.Notice(session.Playing{}); m.Room.Figures.Delay = 4; m.ToggleMenu() })
		}},
		{"menu-paused", small, func(t *testing.T) *View {
			return inLobby(t, func(m *Model) {
				m.Notice(session.Playing{})
				m.Notice(session.Paused{Paused: true})
				m.ToggleMenu()
			})
		}},
		{"ended-lost", small, endedScene(&session.Failure{
			Result: session.ResultLost, Err: fmt.Errorf("could not connect to 203.0.113.7:21204: no answer"),
			Hint: "Is the room open, and the address right? From outside the game host's network, its router must forward UDP port 21204 to the game host's machine, and its firewall must let it in.",
		})},
		{"ended-desync", small, endedScene(&session.Failure{Result: session.ResultDesync, Err: fmt.Errorf("the consoles of Bob differ in main memory at frame 1260 on the machine of さくら")})},
		{"ended-core", small, endedScene(&session.Failure{Result: session.ResultCore, Err: fmt.Errorf("the core DeSmuME crashed (SIGSEGV)"), Hint: "The emulator core failed, not the network."})},
		{"recordings", small, func(t *testing.T) *View { m := homeModel(t); m.GoRecordings(); return viewOf(m) }},
		{"recordings-list", large, func(t *testing.T) *View {
			m := homeModel(t)
			m.GoRecordings()
			m.Recordings = []Recording{
				{Path: "/r/b", Game: "Advance Racer DS", Players: "Ann, Bob, さくら", Began: now, Length: 754 * time.Second},
				{Path: "/r/a.nplog", Game: "2026-05-04 broken.nplog", Why: "This is not a recording of nettplay."},
			}
			return viewOf(m)
		}},
		{"watching", small, func(t *testing.T) *View {
			m := homeModel(t)
			m.GoRecordings()
			m.Watch(Recording{Path: "/r/b", Game: "Advance Racer DS"})
			m.Watched(&session.Player{})
			m.WatchStatus(session.PlayerStatus{Frame: 3000, Length: 45000, Playing: true, Speed: 1})
			return viewOf(m)
		}},
		{"watching-stopped", small, watchingScene(session.PlayerStatus{Frame: 3000, Length: 4500, Live: true, Speed: 1})},
		{"watching-late", large, watchingScene(session.PlayerStatus{Frame: 3000, Length: 4500, Live: true, Playing: true})},
		{"watching-live", small, watchingScene(session.PlayerStatus{Frame: 4400, Length: 4500, Live: true, Playing: true, Speed: 1})},
		{"watching-differs", small, watchingScene(session.PlayerStatus{Frame: 4400, Length: 4500, Live: true, Playing: true, Difference: &session.Difference{}})},
		{"watching-building", small, watchingScene(session.PlayerStatus{Loading: true})},
		{"watching-wait", small, watchingScene(session.PlayerStatus{})},
		{"watching-connect", small, func(t *testing.T) *View {
			m := homeModel(t)
			m.GoJoin()
			m.Join.Address = "a-very-long-host-name.friend.example.org:5000"
			m.LookOn()
			return viewOf(m)
		}},
		{"saves", large, func(t *testing.T) *View { return viewOf(savesModel(t)) }},
		{"saves-small", small, func(t *testing.T) *View {
			m := savesModel(t)
			m.Saves.Lit = 2
			return viewOf(m)
		}},
		{"saves-import", small, func(t *testing.T) *View {
			m := savesModel(t)
			m.Drop("/home/ann/old saves/Monster Trainers (Europe) (En,Fr,De,Es,It).dsv")
			return viewOf(m)
		}},
		{"saves-none", small, func(t *testing.T) *View {
			m := homeModel(t)
			m.GoSaves()
			m.SavesListed(nil)
			return viewOf(m)
		}},
		{"games-reading", small, func(t *testing.T) *View {
			m := homeModel(t)
			fullShelf(m)
			m.Games.Scanning, m.Games.Read, m.Games.Of = true, 340, 1200
			m.GoHost()
			return viewOf(m)
		}},
		{"ended-port", small, func(t *testing.T) *View {
			m := homeModel(t)
			m.GoHost()
			m.Pick(m.Games.Games[0])
			m.OpenRoom()
			m.Over(session.Report{}, &portError{err: link.ErrPortInUse, free: 21206})
			return viewOf(m)
		}},
		{"about", small, func(t *testing.T) *View { m := homeModel(t); m.GoAbout(); return viewOf(m) }},
		{"settings-invalid", small, settingsScene(PagePlayer, func(m *Model) {
			m.Change(func(c *config.Config) { c.Player.Nickname = "ながすぎるなまえのひとです" })
		})},
	}
	for page, name := range Pages() {
		size := small
		if page%2 == 1 {
			size = large
		}
		list = append(list, scene{fmt.Sprintf("settings-%d", page), size, settingsScene(Page(page), nil)})
		_ = name
	}
	return list
}

// render draws a view. Several pictures are made, as in a window: what is open
// takes one to appear.
func render(t testing.TB, v *View, size image.Point, scale float32) *image.RGBA {
	t.Helper()
	fonts, err := draw.NewFonts(v.store, draw.FontConfig{System: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	ui := widgets.New(fonts, nil)
	in := widgets.Input{Now: time.Second, Size: size.Mul(int(scale)), Scale: scale, Focused: true}
	var out widgets.Output
	for range 3 {
		out = ui.Frame(in, v.Build)
		in.Now += 20 * time.Millisecond
	}
	img := image.NewRGBA(image.Rectangle{Max: in.Size})
	draw.Raster(img, out.List, v.store)
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
