package app

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
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

// atHome makes a scene that begins on the home screen.
func atHome(change func(m *Shell)) func(t *testing.T) *Shell {
	return func(t *testing.T) *Shell {
		m := homeShell(t)
		change(m)
		return m
	}
}

// withGames makes one that begins there, with a shelf full of games.
func withGames(change func(m *Shell)) func(t *testing.T) *Shell {
	return atHome(func(m *Shell) { fullShelf(m); change(m) })
}

// cameBack is the first screen after an evening: with a room to come back into, a game to host again, friends
// and kept games.
func cameBack(change func(m *Shell)) func(t *testing.T) *Shell {
	return func(t *testing.T) *Shell {
		m := momentsScene(func(*Shell) {})(t)
		m.GoHome()
		m.Memory.Room = &memory.Room{Name: longName, Game: "Monster Trainers: The Very Long Subtitle of This Edition", Ways: []string{sampleInvitation}, At: now.Unix() - 180}
		m.Memory.Play([32]byte{2}, now)
		m.online.See(online.View{Friends: []online.Friend{
			{Nickname: "ながいなまえのひと", State: online.InLobby, Game: "Monster Trainers: The Very Long Subtitle of This Edition", Invite: sampleInvitation},
			{Nickname: "Bob", State: online.There},
			{Nickname: "Cem", State: online.Away},
		}})
		change(m)
		return m
	}
}

// inRoom makes one in a lobby.
func inRoom(change func(m *Shell)) func(t *testing.T) *Shell {
	return func(t *testing.T) *Shell { return inLobby(t, change) }
}

// pressed is what a pad does on some scenes before they are looked at.
var pressed = map[string][]widgets.Nav{
	"join-writing":   {widgets.NavDown, widgets.NavAccept},
	"settings-pages": {widgets.NavDown, widgets.NavAccept},
}

var (
	small  = image.Pt(640, 480)
	large  = image.Pt(1000, 700)
	tall   = image.Pt(900, 1250) // with what is to be scrolled elsewhere
	taller = image.Pt(900, 1700)
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

// copies are three games of one title, two of them of one region.
func copies(m *Shell) {
	list := slices.Clone(m.Games.Games)
	list[0].Apart, list[0].More = "USA", "Somebody"
	for i, apart := range []string{"Europe · 11a0c4", "Europe · 7f23b9"} {
		g := list[0]
		rom := *g.ROM
		rom.SHA256[0] = byte(20 + i)
		g.ROM, g.Apart = &rom, apart
		list = slices.Insert(list, 1, g)
	}
	m.Games.Games = list
}

// manyGames is a large collection, of which some have icons.
func manyGames(m *Shell) {
	var list []library.Game
	for i := range 60 {
		g := testGame(fmt.Sprintf("%s %d", []string{"Racer", "Trainers of Monsters", "Puzzle", "Tennis", "Mystery of the Old House"}[i%5], i+1), byte(i+1))
		if i%3 != 2 {
			g = withIcon(g, color.NRGBA{R: byte(40 + 37*i), G: byte(200 - 53*i), B: byte(90 * i), A: 255})
		}
		list = append(list, g)
	}
	m.Games = library.List{Games: list}
	for i := range 7 {
		m.Memory.Play([32]byte{byte(3*i + 1)}, now.Add(-time.Duration(i*i*9)*time.Hour))
	}
	m.join.Rooms = sampleRooms()
}

// inLobby is a room in which some state holds.
func inLobby(t *testing.T, change func(m *Shell)) *Shell {
	m, _ := hosted(t)
	fullShelf(m)
	m.session.Addresses = []string{"192.168.1.23"}
	m.session.Invite(launch.Invitation{Text: "nettplay://join/AQEC", Words: "Friends anywhere can join: your router lets them in (UPnP)."})
	core := hostroom.CoreID{Name: "DeSmuME", Version: "git+dfsg-1"}
	m.session.Room.Room.Settings.Core = core
	m.session.Room.Lines = []room.Line{{Text: "Bob joined"}, {From: "Bob", Text: "hello!"}, {From: "Ann", Text: "Hi Bob. Are you ready? I have the blue edition."}}
	m.session.Room.Blockers = []hostroom.Blocker{{Cause: hostroom.CauseReady, Machine: 1, Seat: 1, Words: "Bob is not ready"}}
	change(m)
	return m
}

// checked is a machine that was examined, or still is.
func checked(running bool) func(t *testing.T) *Shell {
	return atHome(func(m *Shell) {
		m.Go(screen.Check)
		list := []doctor.Finding{
			{Subject: "key", Group: doctor.Friends, Words: "Friends know you by 7K3P-9QXM-D2FA."},
			{Subject: "core", Words: "DeSmuME SVN git+dfsg-1; nettplay is tested with this very file (Debian 12, SHA-256 87742cea)."},
			{Subject: "wireless", Mark: doctor.Fair, Words: "DeSmuME has no local wireless: consoles do not find each other.", Advice: "For games that play over it, choose melonDS DS."},
			{Subject: "speed", Mark: doctor.Bad, Words: "90 frames a second with 1 console, 52 with 2, 31 with 3, 24 with 4; a game needs 60.", Advice: "A game of two would be slow for everybody. Close other programs, plug in the power supply, or choose another core."},
			{Subject: "alike", Words: "Two consoles are bit-identical in each of 240 frames, also after a state was loaded."},
			{Subject: "router", Group: doctor.TheNetwork, Words: "The router uses one port for all friends: most get through."},
		}
		for _, f := range list[:len(list)-map[bool]int{true: 3}[running]] {
			m.check.Found(f)
		}
		if !running {
			m.check.Over()
		}
	})
}

// tried is a game that was tried, or still is.
func tried(running bool) func(t *testing.T) *Shell {
	return atHome(func(m *Shell) {
		m.games.PickFor(start.ForHost)
		m.check.Try(m.Games.Games[0])
		if running {
			m.check.Tried(0.4)
			return
		}
		for _, f := range []doctor.Finding{
			{Subject: "game", Words: "Puzzle League, on melonDS DS 1.2.0."},
			{Subject: "alike", Words: "Two consoles did the same in each of 480 frames of two runs, first with nothing pressed and then with many keys."},
			{Subject: "picture", Mark: doctor.Fair, Words: "The picture stood still, whatever was pressed, from 2.0 seconds on.", Advice: "It may wait for something. If it does so whenever you play it, try another core."},
			{Subject: "radio", Words: "The radio was silent: games use it once somebody opens their wireless menu."},
			{Subject: "save", Words: "The cartridge's save chip holds 64 KB."},
			{Subject: "speed", Words: "4 consoles run at 2.1 times full speed (4.0 times with 1, 3.3 times with 2, 2.7 times with 3)."},
		} {
			f.Group = doctor.TheGame
			m.check.Found(f)
		}
		m.check.Over()
	})
}

// lobbyPicture shows the invitation as a picture, the way a player does.
func lobbyPicture(m *Shell) {
	m.session.Invite(launch.Invitation{Text: sampleInvitation, Words: "Friends anywhere can join: your router lets them in (UPnP)."})
	m.lobby.ShowPicture()
}

// lobbyCode shows the short code of a room that a relay knows.
func lobbyCode(m *Shell) {
	m.session.Invite(launch.Invitation{
		Text: sampleInvitation, Web: sampleWeb, Code: "7K3P-9W0M-D2FA-X4GT", CodeAt: "7K3P-9W0M-D2FA-X4GT@relay.example.org",
		Words: "Friends anywhere can join: the relay relay.example.org:21206 brings them in.",
	})
}

// sampleWeb is the same invitation as a link of the web.
var sampleWeb = "https://relay.example.org/join#" + strings.TrimPrefix(sampleInvitation, invite.Prefix)

// sampleInvitation is a whole one.
const sampleInvitation = "nettplay://join/1OBajAV5rKin215dMAzjPPutByClDmQhWqAU2yh39M8gW7RmlzPfA0bJeix46DWL21x2B8fwOwzg8Pb1LM73LkKDGVsjx9eNqFhNAGWlAQH"

// localPlayers is a room with two players at each of two machines.
func localPlayers(m *Shell) {
	amy, ben := playerIn(1, 0, "Amy", true), playerIn(3, 1, "ながいなまえのひとです2", false)
	amy.Local, ben.Local = 1, 1
	m.session.Room.Room.Players = append(m.session.Room.Room.Players, amy, ben)
	slices.SortFunc(m.session.Room.Room.Players, func(a, b hostroom.Player) int { return cmp.Compare(a.Seat, b.Seat) })
	m.session.Room.Room.Players[1].Seat, m.session.Room.Room.Players[2].Seat = 1, 2
	for i := range m.session.Room.Room.Players {
		m.session.Room.Room.Players[i].Seat = ds.Seat(i)
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

// savesShell has saves of all kinds.
func savesShell(t *testing.T) *Shell {
	m := homeShell(t)
	fullShelf(m)
	m.Go(screen.Saves)
	when := time.Date(2026, 5, 3, 21, 4, 0, 0, time.Local)
	meta := func(hours int) saves.Meta {
		return saves.Meta{At: when.Add(-time.Duration(hours) * time.Hour), Room: "Ann's room", Players: []string{"Ann", "ながいなまえのひと", "Dora"}, Origin: saves.Played}
	}
	imported := meta(40)
	imported.Origin, imported.From, imported.Room, imported.Players = saves.Imported, "/home/ann/old saves/Monster Trainers (Europe).dsv", "", nil
	m.saves.Listed([]files.Kept{{
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

// misfit is a save that does not fit.
func misfit() notice.SaveMisfit {
	return notice.SaveMisfit{Console: 1, Game: "Monster Trainers: The Very Long Subtitle of This Edition", Have: 512 << 10, Chip: 8 << 10}
}

// consolesOf are consoles of players with these names.
func consolesOf(names ...string) (list []gameview.Console) {
	for i, name := range names {
		list = append(list, gameview.Console{Seat: ds.Seat(i), Name: name})
	}
	return list
}

func recordingOfConsoles(f screen.GameFile, consoles []gameview.Console) viewer.Recording {
	for _, c := range consoles {
		f.Players = append(f.Players, c.Name)
	}
	return viewer.Recording{GameFile: f, Consoles: consoles}
}

// recordingsScene has recordings of all kinds.
func recordingsScene(change func(m *Shell)) func(t *testing.T) *Shell {
	return atHome(func(m *Shell) {
		m.Go(screen.Recordings)
		long := consolesOf("Ann", "ながいなまえのひと", "Charlotte", "Ann 2", "Bob", "Dora", "Emil", "Friedrich")
		m.recordings.List = []viewer.Recording{
			recordingOfConsoles(screen.GameFile{Path: "/r/c", Game: "Monster Trainers: The Very Long Subtitle of This Edition", At: now, Frames: 700_000}, long),
			recordingOfConsoles(screen.GameFile{Path: "/r/b", Name: "The final that Bob won by a hair", Game: "Advance Racer DS", At: now, Frames: 45130}, long[:3]),
			recordingOfConsoles(screen.GameFile{Path: "/r/a.nplog", Game: "2026-05-04 broken.nplog", Why: "This is not a nettplay recording."}, nil),
		}
		fullShelf(m)
		m.recordings.List[0].ROM, m.recordings.List[1].ROM = [32]byte{2}, [32]byte{1}
		change(m)
	})
}

func settingsScene(page settings.Page, change func(m *Shell)) func(t *testing.T) *Shell {
	return withGames(func(m *Shell) {
		m.Core.All = []emucore.Core{{Name: "melonDS DS", Version: "1.2.0", Wireless: true, Path: "/a"}, {Name: "DeSmuME", Version: "git", Path: "/b"}}
		m.Go(screen.Settings)
		m.settings.At = page
		if change != nil {
			change(m)
		}
	})
}

// watchingScene is a room that is watched; without a status before its game.
func watchingScene(s player.Status) func(t *testing.T) *Shell {
	return atHome(func(m *Shell) {
		m.Go(screen.Join)
		m.join.Form.Address = "203.0.113.7"
		m.join.Spectate()
		r := testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), playerIn(1, 1, "ながいなまえのひと", true))
		r.Settings.Room, r.Settings.Spectators, r.Settings.SpectateDelay = longName, 4, 2
		m.viewer.Notice(notice.RoomNotice{Room: r, Me: -1})
		m.viewer.Notice(notice.Message{From: "Ann", Text: "hello, you who are watching!"})
		if s != (player.Status{}) {
			m.viewer.Watched(&player.Player{})
			m.viewer.Status(s)
		}
	})
}

func endedScene(err error) func(t *testing.T) *Shell {
	return atHome(func(m *Shell) {
		m.Go(screen.Join)
		m.join.Form.Address = "203.0.113.7"
		m.join.EnterRoom()
		m.session.Over(notice.Report{}, err)
	})
}

// endedWithin is the end of a session in a room that had let us in.
func endedWithin(err error) func(t *testing.T) *Shell {
	return atHome(func(m *Shell) {
		m.Go(screen.Join)
		m.join.Form.Address = "203.0.113.7"
		m.join.EnterRoom()
		m.session.Room.Known = true
		m.session.Over(notice.Report{}, err)
	})
}

func longEntries() []files.Entry {
	return []files.Entry{
		{Name: "Backup of the old computer, before it was given to Dora in the summer of 2025", Folder: true},
		{Name: "demos", Folder: true},
		{Name: "Advance Racer DS.nds", Size: 64 << 20, Changed: now},
		{Name: "ぽけっと だいぼうけん.nds", Size: 128 << 20, Changed: now},
		{Name: "Monster Trainers - The Very Long Subtitle of This Edition (Europe) (En,Fr,De,Es,It).nds", Size: 256 << 20, Changed: now},
	}
}

// filesScene is a file or a folder that is looked for.
func filesScene(want screen.Want, l files.Listing) func(t *testing.T) *Shell {
	return atHome(func(m *Shell) {
		r := screen.PathRequest{Want: want, Title: "Where are your games?", Note: "nettplay looks in its subfolders too.", Take: "Use this folder", Fits: emucore.IsGameName, Do: func(string) {}}
		switch want {
		case screen.WantFile:
			r.Title, r.Note, r.Take = "Which game?", "", "Open"
		case screen.WantNewFile:
			r.Title, r.Take, r.Name = "Export the save", "Export", "Monster Trainers The Very Long Subtitle of This Edition.sav"
			r.Note = "Raw, as melonDS and RetroArch have it, or DeSmuME's form if the name ends in .dsv."
		}
		m.AskPath(r)
		l.Places = []files.Place{{Name: "Home", Path: "/home/ann"}, {Name: "Computer", Path: "/"}, {Name: "KINGSTON DataTraveler 64 GB", Path: "/media/ann/KINGSTON DataTraveler 64 GB"}}
		m.files.Listed(1, l)
	})
}

// manyRecordings shows a list of recordings that is worth a search.
func manyRecordings(m *Shell) {
	fullShelf(m)
	m.Go(screen.Recordings)
	games := []string{"Advance Racer DS", "Monster Trainers: The Very Long Subtitle of This Edition", "ぽけっと だいぼうけん"}
	for i := range 12 {
		with := []string{"Ann", []string{"Bob", "さくら"}[i/6]}
		picture := map[bool]image.Image{true: consolePicture()}[i%2 == 0]
		m.recordings.List = append(m.recordings.List, viewer.Recording{GameFile: screen.GameFile{
			Path: fmt.Sprint("/r/", i, ".nplog"), Game: games[i%3], Players: with, At: now.Add(-time.Duration(i) * 30 * time.Hour), Frames: int64(45130 + 7000*i),
		}, ROM: [32]byte{byte(2 + i%2)}, Picture: picture})
	}
}
