package app

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Scenes of TestScreens while consoles run.

// pattern is a console's picture: a chessboard that is brighter to the right and below, of
// other colours for each seat, with other squares on each screen.
//
//go:norace
func pattern(seat ds.Seat) emucore.Frame {
	v := emucore.Video{Width: 256, Height: 384, Pitch: 1024, Format: emucore.XRGB8888, Pix: make([]byte, 1024*384)}
	for y := range 384 {
		size := []int{32, 16}[y/192]
		for x := range 256 {
			base := 60 + 50*((x/size+y/size)%2)
			c := [3]int{base, base + x/6, base + y%192/4}
			for i := range 3 {
				v.Pix[y*1024+4*x+i] = byte(c[(i+int(seat))%3])
			}
		}
	}
	return emucore.Frame{Video: v}
}

// gameScene is a game of some players, of which the first ones are at this machine.
func gameScene(names []string, mine int, change func(m *Shell, b *hub)) func(t *testing.T) *Shell {
	return func(t *testing.T) *Shell {
		m, _ := hosted(t)
		fullShelf(m)
		var list []hostroom.Player
		var consoles []gameview.Console
		for i, name := range names {
			list = append(list, playerIn(ds.Seat(i), max(0, i-mine+1), name, true))
			consoles = append(consoles, gameview.Console{Seat: ds.Seat(i), Name: name})
		}
		playing := testRoom(hostroom.PhasePlaying, list...)
		m.session.Notice(notice.RoomNotice{Room: playing})
		m.session.Notice(notice.Playing{Room: playing})
		m.Config.Video.HUD = true
		b := withConsoles(t, m, consoles, mine)
		figures := notice.Figures{FPS: 59.8, Delay: 4, RTT: 142 * time.Millisecond, Frame: 9000, Agreed: 8990, Sent: 9000, Received: 127_000, OnAir: []ds.Seat{0, 1}}
		b.Notice(figures)
		if change != nil {
			change(m, b)
		}
		return m
	}
}

// withConsoles gives a view the consoles of some seats.
func withConsoles(t *testing.T, m *Shell, consoles []gameview.Console, mine int) *hub {
	m.Config.Audio.Enabled = false
	b := newHub(m.Config, m.Store, func() {})
	t.Cleanup(b.close)
	var own []ds.Seat
	for i, s := range consoles {
		if i < mine {
			own = append(own, s.Seat)
		}
	}
	b.view.SetClock(func() time.Time { return now })
	b.Begin(consoles, own)
	for _, s := range consoles {
		b.Show(s.Seat, pattern(s.Seat))
	}
	m.Game = func(u *widgets.UI) { b.draw(u, m) }
	return b
}

// show changes how consoles are shown.
func (h *hub) show(m *Shell, change func(v *gameview.Preferences)) {
	v := h.view.Preferences()
	change(&v)
	h.view.SetPreferences(v)
	v.Keep(&m.Config.Video)
}

var longNames = []string{"Ann", "ながいなまえのひと", "WWWWWWWWWW", "Dora"}

// dotScene shows a game without figures.
func dotScene(f notice.Figures) func(m *Shell, b *hub) {
	return func(m *Shell, b *hub) {
		b.show(m, func(v *gameview.Preferences) { v.HUD = false })
		b.Notice(f)
	}
}

func playScenes() []scene {
	waits := notice.Figures{FPS: 12.3, Delay: 8, RTT: 999 * time.Millisecond, Frame: 90_000, Agreed: 88_800, Sent: 9000, Received: 27_000, Waiting: longNames[1:3], WaitingFor: 1200 * time.Millisecond}
	layout := func(l, e string) func(*Shell, *hub) {
		return func(m *Shell, b *hub) {
			b.show(m, func(v *gameview.Preferences) { v.Layout, v.Emphasis = l, e })
		}
	}
	turned := func(l, rotation string) func(*Shell, *hub) {
		return func(m *Shell, b *hub) {
			b.show(m, func(v *gameview.Preferences) { v.Layout, v.Rotation = l, rotation })
		}
	}
	chat := func(m *Shell, b *hub) {
		b.Notice(notice.Message{Text: "ながいなまえのひと joined"})
		b.Notice(notice.Message{From: "ながいなまえのひと", Text: "はじめまして！よろしくおねがいします。😀🎮 🦒"})
		b.Notice(notice.Message{From: "WWWWWWWWWW", Text: "a line that is a good deal longer than what has room beside a console in a small window, which is to be seen all the same, or at least so far as it goes, and then some more of it"})
	}
	list := []scene{
		{"play-alone", small, gameScene(longNames[:1], 1, nil)},
		{"play-four", large, gameScene(longNames, 1, nil)},
		{"play-four-small", small, gameScene(longNames, 1, nil)},
		{"play-relay", small, gameScene(longNames[:2], 1, func(_ *Shell, b *hub) {
			b.Notice(notice.Figures{FPS: 59.8, Delay: 9, RTT: 242 * time.Millisecond, Relay: "relay.friends.example.org:21206", Frame: 9000, Agreed: 8990, Sent: 9000, Received: 127_000})
		})},
		{"play-auto", small, gameScene(longNames, 1, func(_ *Shell, b *hub) { b.Notice(autoFigures) })},
		{"play-rollback", small, gameScene(longNames[:2], 1, func(_ *Shell, b *hub) { b.Notice(rollbackFigures()) })},
		{"play-menu-rollback", small, gameScene(longNames[:2], 1, func(m *Shell, b *hub) {
			m.session.Room.Room.Settings.Sync, m.session.Room.Run.Figures = hostroom.Rollback, rollbackFigures()
			m.Config.Net.OwnDelay = "2"
			m.session.ToggleMenu()
		})},
		{"play-horizontal", large, gameScene(longNames[:2], 1, layout(gameview.Horizontal, gameview.Even))},
		{"play-emphasis", small, gameScene(longNames[:2], 1, layout(gameview.Vertical, gameview.LargeDown))},
		{"play-top-only", small, gameScene(longNames[:2], 1, layout(gameview.TopOnly, gameview.Even))},
		{"play-hybrid", large, gameScene(longNames[:2], 1, layout(gameview.Hybrid, gameview.Even))},
		{"play-turned-left", large, gameScene(longNames[:2], 1, turned(gameview.Vertical, gameview.TurnedLeft))},
		{"play-turned-right", small, gameScene(longNames[:2], 1, turned(gameview.Vertical, gameview.TurnedRight))},
		{"play-turned-hybrid-four", large, gameScene(longNames, 1, turned(gameview.Hybrid, gameview.TurnedLeft))},
		{"play-menu-screens", small, gameScene(longNames[:2], 1, func(m *Shell, b *hub) {
			turned(gameview.Vertical, gameview.TurnedLeft)(m, b)
			m.session.ToggleMenu()
		})},
		{"play-hybrid-four-small", small, gameScene(longNames, 1, layout(gameview.Hybrid, gameview.LargeDown))},
		{"play-local", large, gameScene(longNames, 2, nil)},
		{"play-local-small", small, gameScene(longNames, 2, nil)},
		{"play-dot", small, gameScene(longNames[:2], 1, dotScene(notice.Figures{FPS: 59.8, Delay: 4, RTT: 42 * time.Millisecond}))},
		{"play-dot-late", large, gameScene(longNames[:2], 1, dotScene(notice.Figures{FPS: 59.8, Delay: 4, RTT: 42 * time.Millisecond, Repeated: 40}))},
		{"play-dot-waits", small, gameScene(longNames[:2], 1, dotScene(notice.Figures{FPS: 12.3, Waiting: longNames[1:2], WaitingFor: 1200 * time.Millisecond}))},
		{"play-waits", small, gameScene(longNames, 1, func(_ *Shell, b *hub) { b.Notice(waits) })},
		{"play-waits-long", small, gameScene(longNames, 1, func(_ *Shell, b *hub) {
			long := waits
			long.WaitingFor = 41 * time.Second
			b.Notice(long)
		})},
		{"play-paused", small, gameScene(longNames[:2], 1, func(_ *Shell, b *hub) {
			b.Notice(notice.Paused{Paused: true})
			b.view.Say("Fast-forward works only when nobody else plays.")
		})},
		{"play-off", small, gameScene(longNames[:2], 1, func(_ *Shell, b *hub) {
			for _, n := range []notice.Power{{Nickname: longNames[0], Mine: true, Off: true}, {Seat: 1, Nickname: longNames[1], Off: true}} {
				b.Notice(n)
				b.view.Show(n.Seat, emucore.Frame{Off: true, Video: emucore.Video{Width: 256, Height: 384, Pitch: 1024, Pix: make([]byte, 256*384*4), Format: emucore.XRGB8888}})
			}
		})},
		{"play-said", small, gameScene(longNames, 1, chat)},
		{"play-chat", small, gameScene(longNames, 1, func(m *Shell, b *hub) {
			chat(m, b)
			b.view.Do(gameview.OpenChat)
		})},
		{"play-menu-away", small, gameScene(longNames, 1, func(m *Shell, b *hub) {
			m.session.ToggleMenu()
			m.session.Room.Run.Disconnected = []notice.Disconnected{{Machine: 1, Nickname: "ながいなまえのひと"}}
		})},
		{"play-recording", small, recordingScene(player.Status{Frame: 3000, Length: 45000, Playing: true, Speed: 1})},
		{"play-recording-large", large, recordingScene(player.Status{Frame: 3000, Length: 450000, Playing: true, Speed: 2})},
		{"play-recording-seeking", small, recordingScene(player.Status{Frame: 9000, Length: 45000, Playing: true, Speed: 1, Seeking: true, From: 6000, Target: 30000})},
		{"play-recording-differs", small, recordingScene(player.Status{Frame: 3000, Length: 45000, Speed: 0.25, Difference: &player.Difference{Frames: 2400, Agreed: 2340, Seat: 1, Nickname: "ながいなまえのひと", Region: "main memory"}})},
	}
	return append(list,
		scene{"settings-pad", small, settingsScene(settings.PagePads, func(m *Shell) {
			m.Pads = []pads.Pad{{ID: 1, Name: "Wireless Controller of a Maker with a Name", Slot: 1}}
			m.settings.PadAt = m.Pads[0].Name
			m.settings.Bind("pads.buttons.a", "paddle1", true)
		})},
		scene{"settings-try", small, settingsScene(settings.PagePads, func(m *Shell) {
			m.Pads = []pads.Pad{{
				ID: 1, Name: "Wireless Controller of a Maker with a Name", Slot: 1, Held: []string{"+leftx", "a", "dpup", "leftshoulder", "lefttrigger", "rightstick"},
				Axes: map[string]float64{"leftx": 1, "lefty": -0.3, "rightx": 0.1, "lefttrigger": 0.7},
			}}
			m.settings.Try()
		})},
		scene{"settings-pad-strange", small, settingsScene(settings.PagePads, func(m *Shell) {
			m.Strange = []pads.Strange{{ID: 3, Name: "USB Gamepad of a Maker with a Name"}}
			m.PadFiles = "/home/ann/.config/nettplay/gamecontrollerdb.txt, line 12: a: “x0” is no button, hat or axis."
		})},
		scene{"settings-pad-nintendo", small, settingsScene(settings.PagePads, func(m *Shell) {
			m.Pads = []pads.Pad{{ID: 1, Name: "Nintendo Switch Pro Controller", Slot: 1, Kind: pads.Nintendo}}
			m.settings.PadAt = m.Pads[0].Name
		})},
		scene{"settings-try-playstation", small, settingsScene(settings.PagePads, func(m *Shell) {
			m.Pads = []pads.Pad{{ID: 1, Name: "DualSense Wireless Controller", Slot: 1, Kind: pads.PlayStation5, Held: []string{"a", "back"}}}
			m.settings.Try()
		})},
		scene{"settings-teach", small, settingsScene(settings.PagePads, func(m *Shell) {
			m.Lesson = &pads.Lesson{
				ID: 3, Name: "USB Gamepad of a Maker with a Name", Button: "lefttrigger", Words: "Press the left trigger, behind the shoulder button.",
				Note: "That is already the left shoulder button. Press another one, or choose “It has none”.", At: 13, All: 21,
			}
		})},
		scene{"settings-keys-french", small, settingsScene(settings.PageKeys, func(m *Shell) {
			m.KeyLabels = map[string]string{"Q": "A", "A": "Q", "Z": "W", "W": "Z", "[": "US ["}
			m.settings.Bind("keys.mic", "[", true)
		})},
		scene{"whose-pad", small, inRoom(func(m *Shell) {
			m.WhosePad = screen.WhosePad{Asks: true, Player: 1, Name: "Wireless Controller of a Maker with a Name"}
		})},
		scene{"settings-conflict", large, settingsScene(settings.PageKeys, func(m *Shell) {
			m.settings.Bind("keys.a", "Z", true)
			m.settings.Bind("keys.b", "Z", true)
			m.settings.Bind("hotkeys.chat", "Q", false)
		})},
	)
}

// recordingScene is a recording that is watched.
func recordingScene(s player.Status) func(t *testing.T) *Shell {
	return func(t *testing.T) *Shell {
		m := homeShell(t)
		m.Go(screen.Recordings)
		m.viewer.Watch(viewer.Recording{GameFile: screen.GameFile{Path: "/r/b", Game: "Monster Trainers: The Very Long Subtitle of This Edition"}})
		m.viewer.Watched(&fakeRemote{places: []int64{1200, 2400, 3600, 4800, 6000, 7200, 8400, 44000}})
		m.viewer.Status(s)
		consoles := []gameview.Console{{Seat: 0, Name: "Ann"}, {Seat: 1, Name: "ながいなまえのひと"}}
		m.viewer.Consoles(consoles, 0)
		withConsoles(t, m, consoles, 1)
		return m
	}
}
