package app

import (
	"image"
	"image/color"
	"testing"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
)

// momentScenes are the screens of kept moments.
func momentScenes() []scene {
	return []scene{
		{"moments", small, atHome(func(m *Shell) { m.Go(screen.Moments) })},
		{"moments-list", large, momentsScene(func(*Shell) {})},
		{"moments-list-small", small, momentsScene(func(*Shell) {})},
		{"moments-place", small, momentsScene(func(m *Shell) {
			m.Config.Player.Nickname = "Zoe"
			m.moments.Chosen(m.moments.List[0])
		})},
		{"host-moment", small, momentsScene(func(m *Shell) { m.moments.Chosen(m.moments.List[0]) })},
		{"lobby-moment", large, continuedScene(func(m *Shell) {})},
		{"lobby-moment-open", small, continuedScene(func(m *Shell) {
			m.session.Room.Room.Settings.Continues.Seats[2].Open = true
			m.session.Room.Blockers = []hostroom.Blocker{{Cause: hostroom.CauseAbsent, Machine: -1, Seat: 1, Words: "nobody is here yet to play さくら's console"}}
		})},
		{"lobby-aside", large, continuedScene(func(m *Shell) {
			m.session.Room.Room.Players[0].Problem, m.session.Room.Room.Players[0].Cause = "has another save", hostroom.CauseSave
			m.session.Notice(notice.SaveDiffers{Seat: 0, Game: "Advance Racer DS", At: now})
			m.Question = nil
		})},
		{"aside", small, continuedScene(func(m *Shell) {
			m.session.Notice(notice.SaveDiffers{Seat: 0, Game: "Monster Trainers: The Very Long Subtitle of This Edition", At: now})
		})},
		{"keep", small, inRoom(func(m *Shell) {
			m.session.Notice(notice.Playing{})
			m.session.ToggleMenu()
			m.session.AskMoment()
		})},
	}
}

// consolePicture is what a console shows.
func consolePicture() image.Image {
	img := image.NewRGBA(image.Rect(0, 0, 256, 384))
	for y := range 384 {
		for x := range 256 {
			c := color.RGBA{uint8(x), uint8(y / 2), 160, 255}
			if y >= 192 {
				c = color.RGBA{40, uint8(120 + x/3), uint8(y - 192), 255}
			}
			if (x/16+y/16)%7 == 0 {
				c = color.RGBA{240, 220, 90, 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func momentsScene(change func(m *Shell)) func(t *testing.T) *Shell {
	return withGames(func(m *Shell) {
		m.Go(screen.Moments)
		m.moments.Listed([]start.Moment{
			{GameFile: screen.GameFile{Path: "/m/a", Name: "Before the boss", Game: "Advance Racer DS", Players: []string{"Ann", "Bob", "さくら"}, At: now, Frames: 288_000}, Picture: consolePicture()},
			{GameFile: screen.GameFile{Path: "/m/b", Game: "Monster Trainers: The Very Long Subtitle of This Edition", Players: []string{"Ann", "ながいなまえのひと", "Charlotte", "Dora"}, At: now, Frames: 45130}},
			{GameFile: screen.GameFile{Path: "/m/c.npmoment", Game: "2026-05-04 broken.npmoment", Why: "The kept moment is not whole."}},
		})
		change(m)
	})
}

// continuedScene is a room in which a kept moment goes on, that waits for a player.
func continuedScene(change func(m *Shell)) func(t *testing.T) *Shell {
	return inRoom(func(m *Shell) {
		r := m.session.Room
		rom := r.Room.Players[0].ROM
		r.Room.Settings.Seats = 3
		r.Room.Settings.Continues = hostroom.Kept{Name: "Before the boss", Frames: 288_000, Seats: []hostroom.KeptSeat{
			{Seat: 0, Nickname: "Ann", ROM: rom}, {Seat: 1, Nickname: "Bob", ROM: rom}, {Seat: 2, Nickname: "さくら", ROM: rom},
		}}
		r.Blockers = []hostroom.Blocker{{Cause: hostroom.CauseAbsent, Machine: -1, Seat: 1, Words: "さくら is not here yet"}}
		change(m)
	})
}
