package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
)

// wireless has the player's core have local wireless.
func wireless(m *Shell) {
	m.Core.Core = emucore.Core{Name: "melonDS DS", Version: "1.2.0", Wireless: true}
}

const someCheats = "CODE 1 Infinite lives\n02000000 00000063\nCODE 0 99 coins\nDESC Press L and R together in the garage, and then leave it by the front door.\n02000004 00000063\n" +
	"CAT 1 Speed\nCODE 0 Slow\n02000008 00000001\nCODE 1 The fastest of all karts that there ever were in this game\n02000008 00000009\n" +
	"CAT Odd\nCODE 0 Needs its own program\nC2000000 00000010\n00000000 00000000\n00000000 00000000\n"

// choosesCheats has the game host look at a list of cheats, from a file.
func choosesCheats(t *testing.T, m *Shell, name, text string) {
	path := filepath.Join(t.TempDir(), name)
	must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	r := m.session.Room
	id := r.Room.Players[0].ROM
	m.Games.Games = []library.Game{{ROM: &emucore.ROM{Path: "/x/Game.nds", SHA256: id.SHA256}, Title: id.Title}}
	m.session.Notice(notice.RoomNotice{Room: r.Room, Me: r.Machine})
	m.session.TakeCheats(path)
	found := cheat.Find(cheat.Game{Path: "/x/Game.nds"}, nil, path)
	m.session.CheatsFound(id.SHA256, found)
	if on := found.On(); len(on) > 0 {
		r.Room.Settings.Cheats = hostroom.Cheats{Game: id.SHA256, List: on}
		m.session.Notice(notice.RoomNotice{Room: r.Room, Me: r.Machine})
	}
}

// sixteen is a room with all the players that one can have, seen by its game host or by another.
func sixteen(m *Shell, hosting bool) {
	r := m.session.Room
	r.Room.Players, r.Room.Settings.Seats = nil, ds.MaxSeats
	for i, name := range []string{"Ann", "Bob", "さくら", "Dora", "Emil", "ながいなまえのひと", "Gustavo", "WWWWWWWWWW", "Ida", "Jonathan", "Käthe", "Léo", "Mia", "Noël", "Olga", "Paul"} {
		p := playerIn(ds.Seat(i), i, name, i%3 != 1)
		p.Firmware.Colour = uint8(i)
		p.Ping += time.Duration(i) * 3 * time.Millisecond
		r.Room.Players = append(r.Room.Players, p)
	}
	slow := &r.Room.Players[2]
	slow.Ping, slow.Loss = 320*time.Millisecond, 54
	lacks := &r.Room.Players[5]
	lacks.Problem, lacks.Cause = lacks.Nickname+" does not have Monster Trainers (2a4f…); it must be in one of the ROM folders", hostroom.CauseGame
	r.Room.Players[7].Way = "through the relay relay.example.org"
	r.Blockers = []hostroom.Blocker{{Cause: hostroom.CauseGame, Machine: 5, Seat: 5, Words: lacks.Problem}}
	if !hosting {
		r.Hosting, r.Machine, r.Blockers = false, 15, nil
	}
}

// lobbyScenes are the lobby in all its states.
func lobbyScenes() []scene {
	return []scene{
		{"lobby-picture", large, func(t *testing.T) *Shell { return inLobby(t, lobbyPicture) }},
		{"lobby-picture-small", small, func(t *testing.T) *Shell { return inLobby(t, lobbyPicture) }},
		{"lobby-strict-tall", tall, inRoom(func(m *Shell) {
			m.session.Invite(launch.Invitation{Text: "nettplay://join/1OB", Words: "Your router is behind another router, so friends elsewhere may not get through.", Back: true, Closed: true})
		})},
		{"lobby-code", tall, func(t *testing.T) *Shell { return inLobby(t, lobbyCode) }},
		{"lobby-code-small", small, func(t *testing.T) *Shell { return inLobby(t, lobbyCode) }},
		{"lobby-clock", taller, inRoom(func(m *Shell) {
			m.session.Room.Room.Settings.ClockNow = true
			m.session.Room.Room.Settings.RTC = hostroom.MinRTC
		})},
		{"lobby-clock-later", taller, inRoom(func(m *Shell) {
			s := &m.session.Room.Room.Settings
			s.ClockNow, s.RTC = true, hostroom.ClockAt(now.AddDate(0, 0, 1)) // the last game host lives further east
		})},
		{"lobby-clock-wrong", taller, inRoom(func(m *Shell) {
			m.session.Room.Room.Settings.ClockNow, m.session.Room.Room.Settings.RTC = true, hostroom.MinRTC
			m.Tick(time.Date(1970, 1, 1, 0, 3, 0, 0, time.UTC))
		})},
		{"lobby", large, func(t *testing.T) *Shell { return inLobby(t, func(*Shell) {}) }},
		{"lobby-local", large, func(t *testing.T) *Shell { return inLobby(t, localPlayers) }},
		{"lobby-local-small", small, func(t *testing.T) *Shell { return inLobby(t, localPlayers) }},
		{"lobby-unread", large, inRoom(func(m *Shell) {
			m.session.Room.Last = &room.Last{Trouble: screen.Trouble{Title: "The game is over", Words: "さくら ended the game."}}
			for _, words := range []string{"It was a good one, and the longest race that I have seen in a week.", "Again?"} {
				m.session.Room.Lines = append(m.session.Room.Lines, room.Line{From: "ながいなまえのひと", Text: words, New: true})
			}
		})},
		{"lobby-unread-small", small, inRoom(func(m *Shell) {
			m.session.Room.Lines = append(m.session.Room.Lines, room.Line{From: "Bob", Text: "Hello?", New: true})
		})},
		{"lobby-auto", tall, func(t *testing.T) *Shell { return inLobby(t, autoLobby(true)) }},
		{"lobby-rollback", taller, func(t *testing.T) *Shell { return inLobby(t, rollbackLobby) }},
		{"lobby-auto-client", tall, func(t *testing.T) *Shell { return inLobby(t, autoLobby(false)) }},
		{"lobby-small", small, func(t *testing.T) *Shell { return inLobby(t, func(*Shell) {}) }},
		{"lobby-chat", small, func(t *testing.T) *Shell {
			m := inLobby(t, func(m *Shell) {
				m.session.Room.Lines = append(m.session.Room.Lines, room.Line{From: "さくら", Text: "こんにちは！ ちょっと待って、お茶をいれてくるね。"}, room.Line{Text: "the input delay is 6 frames now"})
			})
			m.lobby.Tab = 1
			return m
		}},
		{"lobby-full", large, inRoom(func(m *Shell) {
			far, slow := playerIn(1, 1, "ながいなまえのひと", true), playerIn(2, 2, "WWWWWWWWWW", false)
			far.Ping, far.Jitter = 180*time.Millisecond, 30*time.Millisecond
			slow.Ping = 320 * time.Millisecond
			slow.Problem = "WWWWWWWWWW does not have Monster Trainers (2a4f…); it must be in one of the ROM folders"
			slow.Cause = hostroom.CauseGame
			slow.Note = "the console's address was changed, because two were the same"
			m.session.Room.Room.Players = []hostroom.Player{playerIn(0, 0, "Ann", true), far, slow, playerIn(3, 3, "Dora", true)}
			m.session.Room.Room.Settings.Room = longName
			m.session.Notice(notice.BadLine{Nickname: far.Nickname})
			m.session.Room.Blockers = []hostroom.Blocker{{Cause: hostroom.CauseGame, Machine: 2, Seat: 2, Words: slow.Problem}, {Cause: hostroom.CauseReady, Machine: 3, Seat: 3, Words: "x"}}
		})},
		{"lobby-sixteen", small, inRoom(func(m *Shell) { sixteen(m, true) })},
		{"lobby-sixteen-client", large, inRoom(func(m *Shell) { sixteen(m, false) })},
		{"lobby-blocked", small, inRoom(func(m *Shell) {
			m.session.Room.Last = &room.Last{Trouble: screen.Trouble{Title: "The consoles went out of sync", Words: "Bob's console differs at frame 60.", Hint: "Play again."}, Failed: true}
			m.session.Room.Blockers = []hostroom.Blocker{
				{Cause: hostroom.CauseGame, Machine: 1, Seat: 1, Words: "WWWWWWWWWW does not have Monster Trainers (2a4f…); it must be in one of the ROM folders"},
				{Cause: hostroom.CauseReady, Machine: 2, Seat: 2, Words: "ながいなまえのひと is not ready"},
				{Cause: hostroom.CauseBuild, Machine: 3, Seat: 3, Words: "Dora uses another core than the others: DeSmuME git+dfsg-1, and not melonDS DS 1.2.0"},
				{Cause: hostroom.CauseReady, Machine: 4, Seat: 4, Words: "Emil is not ready"},
			}
		})},
		{"lobby-failed", large, inRoom(func(m *Shell) {
			m.session.Notice(notice.StartFailed{Cause: hostroom.CauseLate, Machines: []int{1}, Why: "the consoles were not ready in time on Bob's computer (1.5 MB of 20.5 MB): nothing moved for 30 seconds"})
		})},
		{"lobby-failed-ours", small, inRoom(func(m *Shell) {
			m.session.Notice(notice.StartFailed{
				Cause: hostroom.CauseCore, Machines: []int{0}, Why: "Ann's computer failed: console crashed: DeSmuME was ended by SIGSEGV",
				Hint: notice.CoreHint(&emucore.CrashError{}),
			})
		})},
		{"lobby-refused", large, inRoom(func(m *Shell) {
			wireless(m)
			m.session.Notice(notice.JoinFailed{Nickname: "Dora", Code: hostroom.CodeCore, Words: "Dora cannot join: the room plays on DeSmuME git+dfsg-1 (build 87742cea), Dora's computer on melonDS DS 1.2.0 (build 9f86d081): choose DeSmuME on Dora's computer, or let the game host choose another core"})
		})},
		{"lobby-refused-full", small, inRoom(func(m *Shell) {
			wireless(m)
			m.session.Room.Room.Settings.Seats, m.session.Room.Room.Settings.Spectators = 2, 4
			m.session.Notice(notice.JoinFailed{Nickname: "ながいなまえのひと", Code: hostroom.CodeFull, Words: "ながいなまえのひと cannot join: all 2 seats are taken"})
		})},
		{"lobby-no-seat-tall", tall, inRoom(func(m *Shell) {
			m.session.Room.Room.Settings.Seats, m.session.Room.Room.Settings.Spectators = 2, 4
			lobbyCode(m)
		})},
		{"lobby-use-wireless", large, inRoom(func(m *Shell) {
			m.Core.All = []emucore.Core{{Name: "melonDS DS", Version: "1.2.0", Wireless: true, Path: "/a"}}
			m.session.Room.Blockers = []hostroom.Blocker{{Cause: hostroom.CausePlayers, Machine: -1, Seat: -1, Words: "2 players are needed; only 1 is here"}}
			m.session.Room.Room.Players = m.session.Room.Room.Players[:1]
		})},
		{"lobby-preparing", large, inRoom(func(m *Shell) {
			m.session.Room.Room.Phase = hostroom.PhasePreparing
			bob := &m.session.Room.Room.Players[1]
			bob.Up, bob.Down = hostroom.Progress{Done: 4_200_000, Total: 8_400_000}, hostroom.Progress{Done: 300_000, Total: 9_000_000}
		})},
		{"lobby-cheats", large, func(t *testing.T) *Shell {
			return inLobby(t, func(m *Shell) { choosesCheats(t, m, "Game.mch", someCheats) })
		}},
		{"lobby-cheats-none", small, func(t *testing.T) *Shell {
			return inLobby(t, func(m *Shell) { choosesCheats(t, m, "broken.mch", "CODE\n") })
		}},
		{"lobby-cheats-client", tall, inRoom(func(m *Shell) {
			r := m.session.Room
			r.Hosting, r.Machine, r.Blockers = false, 1, nil
			r.Room.Settings.Cheats = hostroom.Cheats{List: []cheat.Cheat{
				{Name: "Infinite lives", Code: []uint32{0x02000000, 1}},
				{Name: "ながいなまえのコード: 99", Code: []uint32{0x02000004, 1}},
				{Name: "Speed: The fastest of all karts that there ever were", Code: []uint32{0x02000008, 1}},
			}}
		})},
		{"lobby-watched", tall, inRoom(func(m *Shell) {
			m.session.Room.Room.Settings.Spectators, m.session.Room.Room.Settings.SpectateDelay = 3, 120
			m.session.Room.Room.Settings.Sync = hostroom.Clocked
			m.session.Room.Room.Spectators = []hostroom.Spectator{{Number: 0, Nickname: "Uma"}, {Number: 2, Nickname: "ながいなまえのひと"}}
		})},
		{"lobby-late", tall, inRoom(func(m *Shell) {
			m.session.Room.Hosting, m.session.Room.Machine, m.session.Room.Blockers, m.session.Room.Room.Phase = false, 1, nil, hostroom.PhasePlaying
			m.session.Room.Room.Settings.Spectators, m.session.Room.Room.Settings.SpectateDelay = 3, 120
			for seat := range 3 { // one of them twice
				gone := playerIn(ds.Seat(seat+2), seat+2, []string{"Cleo", "Dan", "Cleo"}[seat], false)
				gone.Present = false
				m.session.Room.Room.Players = append(m.session.Room.Room.Players, gone)
			}
		})},
		{"lobby-chosen", small, inRoom(func(m *Shell) {
			r := m.session.Room
			r.Hosting, r.Machine, r.Blockers = false, 1, nil
			r.Chosen = "Monster Trainers: The Very Long Subtitle of This Edition"
		})},
		{"lobby-missing", small, inRoom(func(m *Shell) {
			r := m.session.Room
			r.Hosting, r.Machine, r.Blockers = false, 1, nil
			for i := range r.Room.Players {
				r.Room.Players[i].ROM = hostroom.ROMID{SHA256: [32]byte{0x2a, 0x4f}, Title: "Tennis Stars"}
			}
			r.Room.Players[1].Cause = hostroom.CauseGame
			r.Room.Players[1].Problem = "your computer does not have Tennis Stars (2a4f0000), which Ann and Bob play: add the same version of it to one of its ROM folders, or choose another game"
		})},
		{"lobby-behind", large, inRoom(func(m *Shell) {
			m.session.Room.Hosting, m.session.Room.Machine, m.session.Room.Blockers, m.session.Room.Room.Phase = false, 1, nil, hostroom.PhasePlaying
			m.session.Room.Room.Players[1].Ready = true
			m.session.Notice(notice.CatchingUp{Behind: 7 * 60})
		})},
		{"lobby-coming", small, inRoom(func(m *Shell) {
			m.session.Room.Hosting, m.session.Room.Machine, m.session.Room.Blockers, m.session.Room.Room.Phase = false, 1, nil, hostroom.PhasePlaying
			m.session.Room.Room.Players[1].Ready = true
			m.session.Notice(notice.Transfer{Down: hostroom.Progress{Done: 1_200_000, Total: 3_400_000}})
		})},
		{"lobby-client", large, inRoom(func(m *Shell) {
			m.session.Room.Hosting, m.session.Room.Machine, m.session.Room.Blockers = false, 1, nil
			m.session.Room.Last = &room.Last{Trouble: screen.Trouble{Title: "The consoles went out of sync", Words: "Bob's console differs at frame 60.", Hint: "Play again."}, Failed: true}
		})},
	}
}
