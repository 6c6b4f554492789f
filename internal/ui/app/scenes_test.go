package app

import (
	"errors"
	"fmt"
	"image"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
)

func scenes() []scene {
	list := []scene{
		{"welcome", small, func(t *testing.T) *Shell {
			m := newShell(config.Defaults(), memory.Memory{}, "1.0", fontStore())
			m.CoreFound(screen.Core{Trouble: screen.NoCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
			m.Games = library.List{Missing: []string{"/home/ann/roms"}}
			return m
		}},
		{"welcome-ready", large, func(t *testing.T) *Shell {
			m := newShell(config.Defaults(), memory.Memory{}, "1.0", fontStore())
			m.CoreFound(screen.Core{Found: true, Core: emucore.Core{Name: "melonDS DS", Version: "1.2.0", Wireless: true}})
			fullShelf(m)
			return m
		}},
		{"check", large, checked(false)},
		{"check-small", small, checked(false)},
		{"check-running", small, checked(true)},
		{"try", large, tried(false)},
		{"try-running", small, tried(true)},
		{"home", small, withGames(func(*Shell) {})},
		{"home-again", large, cameBack(func(*Shell) {})},
		{"home-again-small", small, cameBack(func(m *Shell) { m.Memory.Room.Silent = true })},
		{"home-many", image.Pt(1600, 900), cameBack(manyGames)},
		{"keys", small, withGames(func(m *Shell) { m.Keys = true })},
		{"keys-large", large, withGames(func(m *Shell) { m.Keys = true })},
		{"home-search", large, cameBack(func(m *Shell) {
			manyGames(m)
			m.home.Words = "racer"
		})},
		{"home-light", large, withGames(func(m *Shell) {
			m.Config.Video.Theme = "light"
		})},
		{"home-no-core", small, atHome(func(m *Shell) {
			m.CoreFound(screen.Core{Trouble: screen.NoCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
			m.games.PickFor(start.ForHost)
		})},
		{"home-no-games", small, atHome(func(m *Shell) {
			m.Games = library.List{}
		})},
		{"games", small, withGames(func(m *Shell) { m.games.PickFor(start.ForHost) })},
		{"games-copies", small, withGames(func(m *Shell) {
			copies(m)
			m.games.PickFor(start.ForHost)
		})},
		{"home-copies", large, withGames(copies)},
		{"games-large", large, withGames(func(m *Shell) {
			m.Games.Scanning = true
			m.games.PickFor(start.ForAlone)
			m.games.SortByPlayed(true)
		})},
		{"games-none", small, atHome(func(m *Shell) {
			m.Games = library.List{}
			m.games.PickFor(start.ForHost)
		})},
		{"games-troubles", small, withGames(func(m *Shell) {
			m.games.PickFor(start.ForHost)
			m.games.Troubles = true
		})},
		{"host", small, withGames(func(m *Shell) {
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[1])
			m.host.Form.Name, m.host.Form.Password = longName, "secret"
		})},
		{"host-local-tall", tall, atHome(func(m *Shell) {
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[0])
			m.local.Add()
			m.host.Form.Spectators = 0
		})},
		{"host-large", large, withGames(func(m *Shell) {
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[1])
			m.host.Form.SpectateDelay, m.host.Form.Sync, m.host.More = 5*time.Minute, config.Clocked, true
		})},
		{"host-rollback", tall, withGames(func(m *Shell) {
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[1])
			m.host.Form.Sync, m.host.More = config.Rollback, true
		})},
		{"join-running", small, withGames(func(m *Shell) {
			m.Go(screen.Join)
			m.join.Rooms = sampleRooms()
			for i := range m.join.Rooms {
				m.join.Rooms[i].Playing, m.join.Rooms[i].Watch, m.join.Rooms[i].Late = true, i != 1, i == 2
			}
			m.join.ChooseRoom(m.join.Rooms[0])
		})},
		{"join-refused", small, atHome(func(m *Shell) {
			m.Go(screen.Join)
			m.join.Form.Address = "203.0.113.7"
			m.join.Spectate()
			m.viewer.Over(watchTrouble(&notice.Failure{
				Result: notice.ResultLost, Err: errors.New("nobody may watch in this room"), Hint: "ask the game host to allow spectators",
			}, false))
		})},
		{"join", small, withGames(func(m *Shell) {
			m.Memory.Addresses = []string{"203.0.113.7", "friend.example.org:5000"}
			m.Go(screen.Join)
		})},
		{"join-rooms", large, withGames(func(m *Shell) {
			m.Memory.Addresses = []string{"203.0.113.7", "a-very-long-host-name.friend.example.org:5000"}
			m.Go(screen.Join)
			m.join.Rooms = sampleRooms()
			m.join.ChooseRoom(m.join.Rooms[1])
		})},
		{"join-writing", small, atHome(func(m *Shell) { m.Go(screen.Join) })},
		{"join-many", small, withGames(func(m *Shell) {
			m.Go(screen.Join)
			for i := range 6 {
				for _, f := range sampleRooms() {
					f.Addr = netip.AddrPortFrom(f.Addr.Addr(), f.Addr.Port()+uint16(i))
					m.join.Rooms = append(m.join.Rooms, f)
				}
			}
		})},
		{"join-no-network", small, atHome(func(m *Shell) {
			m.Go(screen.Join)
			m.join.NoRooms = "Cannot look for rooms on the local network: the port is in use."
		})},
		{"join-password", small, joinEnded(notice.Refused(hostroom.Refusal{Code: hostroom.CodePassword, Sentence: "this is not the password of the room “Friday”"}))},
		{"join-nothing", small, atHome(func(m *Shell) { m.Go(screen.Join); m.join.EnterRoom() })},
		{"alone-three", small, withGames(func(m *Shell) {
			m.Pads = []pads.Pad{{ID: 1, Name: "Wireless Controller", Slot: 1}}
			m.games.PickFor(start.ForAlone)
			m.games.Pick(m.Games.Games[1])
			m.alone.Consoles = 3
		})},
		{"alone", small, withGames(func(m *Shell) {
			m.games.PickFor(start.ForAlone)
			m.games.Pick(m.Games.Games[0])
		})},
		{"joining", small, atHome(func(m *Shell) {
			m.Go(screen.Join)
			m.join.Form.Address = "friend.example.org"
			m.join.EnterRoom()
		})},
		{"joining-leaving", small, atHome(func(m *Shell) {
			m.Go(screen.Join)
			m.join.Form.Address = "friend.example.org"
			m.join.EnterRoom()
			m.session.StillLeaving(true)
		})},
		{"joining-check", small, atHome(func(m *Shell) {
			m.Go(screen.Join)
			m.join.Form.Address = "friend.example.org"
			m.join.EnterRoom()
			m.session.Checking(launch.Checking{Words: "melonDS DS v1.4.0-nogit-RelWithDebInfo-upstream-7117178 is new on this computer: it is checked once, which takes a few seconds.", Done: 1, All: 4})
		})},
		{"joining-invited", small, atHome(func(m *Shell) {
			m.Go(screen.Join)
			m.join.Form.Address = "nettplay://join/AQEC"
			m.join.EnterRoom()
			m.session.Invite(launch.Invitation{
				Answer: true, Text: "nettplay://answer/AQHx7h" + strings.Repeat("Zk3-p_", 20),
			})
			m.session.Notice(notice.Unanswered{})
		})},
		{"host-local", large, withGames(func(m *Shell) {
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[2])
			m.Pads = []pads.Pad{{Slot: 1, Name: "Wireless Controller of a maker with a long name"}}
			m.local.Add()
			m.local.Add()
			m.local.Rename(1, "ながすぎるなまえのひとです")
		})},
		{"leave", small, inRoom(func(m *Shell) { m.session.AskLeave() })},
		{"kick", small, inRoom(func(m *Shell) { m.session.AskKick(m.session.Room.Room.Players[1]) })},
		{"banned", tall, inRoom(func(m *Shell) {
			m.session.Notice(notice.Opened{Addr: "127.0.0.1:21204"})
			m.session.Notice(notice.Banned{List: []hostroom.Banned{{Key: [32]byte{5}, Nickname: "Mallory"}, {Key: [32]byte{6}, Nickname: "ながすぎるなまえのひとです"}}})
		})},
		{"menu", small, inRoom(func(m *Shell) {
			m.session.Notice(notice.Playing{})
			m.session.Room.Run.Figures.Delay = 4
			m.session.ToggleMenu()
		})},
		{"menu-auto", small, inRoom(func(m *Shell) {
			m.session.Notice(notice.Playing{})
			m.session.Room.Run.Figures = autoFigures
			m.session.ToggleMenu()
		})},
		{"menu-paused", small, inRoom(func(m *Shell) {
			m.session.Notice(notice.Playing{})
			m.session.Notice(notice.Paused{Paused: true})
			m.session.ToggleMenu()
		})},
		{"menu-off", small, inRoom(func(m *Shell) {
			m.session.Notice(notice.Playing{})
			m.session.Notice(notice.Power{Nickname: "Anna", Mine: true, Off: true, Frame: 900})
			m.session.ToggleMenu()
		})},
		{"ended-lost", small, endedScene(&notice.Failure{
			Result: notice.ResultLost, Err: fmt.Errorf("could not connect to 203.0.113.7:21204: no answer"),
			Hint: link.Hint(&link.DialError{Why: link.NoAnswer}),
		})},
		{"ended-desync", small, endedWithin(&notice.Failure{Result: notice.ResultDesync, Err: fmt.Errorf("the consoles of Bob differ in main memory at frame 1260 on the computer of さくら")})},
		{"ended-core", small, endedWithin(&notice.Failure{Result: notice.ResultCore, Err: &emucore.CrashError{Core: "DeSmuME", Signal: "SIGSEGV"}, Hint: notice.CoreHint(&emucore.CrashError{})})},
		{"ended-check", small, endedScene(&corecheck.FailedError{
			Core: emucore.Core{Name: "melonDS DS", Version: "v1.4.0-nogit-RelWithDebInfo-upstream-7117178"},
			Verdict: corecheck.Verdict{
				Results: [4]corecheck.Result{corecheck.Passed, corecheck.Failed},
				Why:     "Consoles that loaded the same state do not go on alike with this core: console 2 differs within 20 frames after the state was loaded (save memory). After a repair, or when somebody joins late, the computers of the players would drift apart.",
			},
		})},
		{"recordings", small, atHome(func(m *Shell) { m.Go(screen.Recordings) })},
		{"recordings-list", large, atHome(func(m *Shell) {
			m.Go(screen.Recordings)
			m.recordings.List = []viewer.Recording{
				recordingOfConsoles(screen.GameFile{Path: "/r/b", Game: "Advance Racer DS", At: now, Frames: 45130}, consolesOf("Ann", "Bob", "さくら")),
				{GameFile: screen.GameFile{Path: "/r/a.nplog", Game: "2026-05-04 broken.nplog", Why: "This is not a nettplay recording."}},
			}
		})},
		{"recordings-many", small, atHome(manyRecordings)},
		{"recordings-search", large, atHome(func(m *Shell) {
			manyRecordings(m)
			m.recordings.Words = "bob racer"
		})},
		{"recordings-job", small, recordingsScene(func(m *Shell) {
			m.recordings.Job = &viewer.Job{Words: "Making the video", Done: 0.37}
		})},
		{"recordings-film", small, recordingsScene(func(m *Shell) {
			m.recordings.Film = &viewer.Film{
				Of: m.recordings.List[0], Seat: viewer.AllSeats, Raw: true,
				Path: "/home/ann/Videos/nettplay/2026-05-04 20.00.00 Monster Trainers The Very Long Subtitle (Ann, Bob, さくら).y4m",
			}
		})},
		{"recordings-delete", small, recordingsScene(func(m *Shell) { m.recordings.AskDelete(m.recordings.List[0]) })},
		{"recordings-made", small, recordingsScene(func(m *Shell) {
			m.recordings.Finished("The video is ready", "It is /home/ann/Videos/nettplay/2026-05-04 20.00.00 Monster Trainers The Very Long Subtitle (Ann, Bob).mp4.", "/home/ann/a.mp4")
		})},
		{"watching", small, atHome(func(m *Shell) {
			m.Go(screen.Recordings)
			m.viewer.Watch(viewer.Recording{GameFile: screen.GameFile{Path: "/r/b", Game: "Advance Racer DS"}})
			m.viewer.Watched(&player.Player{})
			m.viewer.Status(player.Status{Frame: 3000, Length: 45000, Playing: true, Speed: 1})
		})},
		{"watching-stopped", small, watchingScene(player.Status{Frame: 3000, Length: 4500, Live: true, Speed: 1})},
		{"watching-late", large, watchingScene(player.Status{Frame: 3000, Length: 4500, Live: true, Playing: true})},
		{"watching-live", small, watchingScene(player.Status{Frame: 4400, Length: 4500, Live: true, Playing: true, Speed: 1})},
		{"watching-differs", small, watchingScene(player.Status{Frame: 4400, Length: 4500, Live: true, Playing: true, Difference: &player.Difference{}})},
		{"watching-asks", small, func(t *testing.T) *Shell {
			m := watchingScene(player.Status{Frame: 4400, Length: 4500, Live: true, Playing: true, Speed: 1})(t)
			m.GoBack()
			return m
		}},
		{"settings-no-sound", small, settingsScene(settings.PageAudio, func(m *Shell) { m.NoSound = true })},
		{"watching-building", small, watchingScene(player.Status{Loading: true})},
		{"watching-wait", small, watchingScene(player.Status{})},
		{"watching-connect", small, atHome(func(m *Shell) {
			m.Go(screen.Join)
			m.join.Form.Address = "a-very-long-host-name.friend.example.org:5000"
			m.join.Spectate()
		})},
		{"saves", large, func(t *testing.T) *Shell { return savesShell(t) }},
		{"saves-small", small, func(t *testing.T) *Shell {
			m := savesShell(t)
			m.saves.Lit = 2
			return m
		}},
		{"saves-search", small, func(t *testing.T) *Shell {
			m := savesShell(t)
			m.saves.Words = "racer"
			return m
		}},
		{"saves-import", small, func(t *testing.T) *Shell {
			m := savesShell(t)
			m.Go(screen.Home)
			m.Drop("/home/ann/old saves/Monster Trainers (Europe) (En,Fr,De,Es,It).dsv")
			return m
		}},
		{"saves-yours", small, func(t *testing.T) *Shell {
			m := savesShell(t)
			m.saves.Lit = 1
			return m
		}},
		{"saves-deleted", large, func(t *testing.T) *Shell {
			m := savesShell(t)
			list := m.saves.List[0].Saves
			list[1].Current = false
			gone := saves.Save{Meta: list[1].Meta, Number: 13, Confirmed: true, Blank: true}
			gone.Origin, gone.Room, gone.Players = saves.Deleted, "", nil
			m.saves.List[0].Saves = append([]saves.Save{gone}, list...)
			return m
		}},
		{"saves-delete", small, func(t *testing.T) *Shell {
			m := savesShell(t)
			m.saves.Lit = 1
			m.saves.AskDelete()
			return m
		}},
		{"saves-anyway", small, func(t *testing.T) *Shell {
			m := savesShell(t)
			m.saves.AskAnyway(files.Kept{}, "", "The file has 512 KB, with data beyond the 8 KB that this game's cartridge holds: it looks like another game's. The game would begin without it.")
			return m
		}},
		{"saves-export", small, func(t *testing.T) *Shell {
			m := savesShell(t)
			m.saves.AskExport()
			m.files.Listed(1, files.Listing{Dir: "/home/ann/saves"})
			return m
		}},
		{"misfit", small, inRoom(func(m *Shell) { m.session.Notice(misfit()) })},
		{"lobby-misfit", large, inRoom(func(m *Shell) {
			m.session.Room.Room.Players[0].Problem = "has a save of Advance Racer DS of 512 KB, with data beyond the 8 KB that the cartridge holds, and is asked whether to play without it or to choose another"
			m.session.Room.Room.Players[0].Cause = hostroom.CauseSave
			m.session.Room.Room.Players[1].Problem, m.session.Room.Room.Players[1].Cause = m.session.Room.Room.Players[0].Problem, hostroom.CauseSave
			m.session.Room.Blockers = []hostroom.Blocker{{Cause: hostroom.CauseSave, Machine: m.session.Room.Machine, Words: m.session.Room.Room.Players[0].Problem}}
			m.session.Notice(misfit())
			m.Question = nil
		})},
		{"saves-none", small, atHome(func(m *Shell) {
			m.Go(screen.Saves)
			m.saves.Listed(nil)
		})},
		{"games-reading", small, withGames(func(m *Shell) {
			m.Games.Scanning, m.Games.Read, m.Games.Of = true, 340, 1200
			m.games.PickFor(start.ForHost)
		})},
		{"ended-port", small, atHome(func(m *Shell) {
			m.games.PickFor(start.ForHost)
			m.games.Pick(m.Games.Games[0])
			m.host.OpenRoom()
			m.session.Over(notice.Report{}, &launch.PortError{Err: link.ErrPortInUse, Free: 21206})
		})},
		{"files-folder", small, filesScene(screen.WantFolder, files.Listing{Dir: "/home/ann/Games/Nintendo DS/Everything that I have ever bought/Europe", Entries: longEntries()})},
		{"files-file", large, filesScene(screen.WantFile, files.Listing{Dir: "/home/ann/roms", Lit: "Advance Racer DS.nds", Entries: longEntries()})},
		{"files-new", small, filesScene(screen.WantNewFile, files.Listing{Dir: "/home/ann/saves"})},
		{"files-trouble", small, filesScene(screen.WantFolder, files.Listing{Dir: "/home/ben/private", Why: "You have no permission to open this folder. Choose another."})},
		{"home-unsaved", small, withGames(func(m *Shell) {
			m.Unsaved = []saves.UnwrittenSave{{Name: "Monster Trainers: The Very Long Subtitle of This Edition", Why: errors.New("write /home/ann/.local/share/nettplay/saves: no space left on device")}}
		})},
		{"settings-pages", small, settingsScene(settings.PageVideo, nil)},
		{"about", small, atHome(func(m *Shell) { m.Go(screen.About) })},
		{"settings-search", small, settingsScene(settings.PagePlayer, func(m *Shell) { m.settings.Search.Words = "screen" })},
		{"settings-nothing", small, settingsScene(settings.PagePlayer, func(m *Shell) { m.settings.Search.Words = "rom hack" })},
		{"settings-advanced", large, settingsScene(settings.PageRoom, func(m *Shell) {
			m.settings.Advanced = true
			m.settings.Change(func(c *config.Config) { c.Room.Delay, c.Room.AutoDelay, c.Room.Skew = 9, "off", 2 })
		})},
		{"settings-mistakes", small, atHome(func(m *Shell) {
			m.Trouble = mistakesIn(&config.Error{File: "/home/ann/.config/nettplay/config.toml", Problems: []config.Problem{
				{Line: 3, Key: "player.nickname", Why: `not valid TOML: write nickname = "Ann"`, Allowed: "1 to 10 letters, without spaces at the ends"},
				{Line: 12, Key: "room.delay", Why: "99 is out of range", Allowed: "0 to 30"},
			}})
		})},
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
	return slices.Concat(list, lobbyScenes(), momentScenes(), relayScenes(), helpScenes(), onlineScenes(), coreScenes())
}
