package app

import (
	"time"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// autoFigures are those of a game whose delay keeps itself, behind a bad line of a player with a long name.
var autoFigures = notice.Figures{
	FPS: 59.8, Delay: 11, RTT: 142 * time.Millisecond, Frame: 9000, Agreed: 8990, Sent: 9000, Received: 127_000,
	Auto: notice.AutoDelay{
		Preset: "party", Why: "158 ms ±22 on the way to ながいなまえのひと, 4 frames for the others",
		Worst: "ながいなまえのひと", Way: 158 * time.Millisecond, Spread: 22 * time.Millisecond, Inputs: 7200, Late: 3,
	},
}

// autoLobby is a room whose delay keeps itself.
func autoLobby(hosting bool) func(m *Shell) {
	return func(m *Shell) {
		r := m.session.Room
		far := playerIn(1, 1, "ながいなまえのひと", true)
		far.Ping, far.Jitter = 180*time.Millisecond, 30*time.Millisecond
		r.Room.Players = []hostroom.Player{playerIn(0, 0, "WWWWWWWWWW", true), far}
		r.Room.Settings.Room, r.Room.Settings.AutoDelay = longName, autodelay.Party
		if !hosting {
			r.Hosting, r.Machine, r.Blockers = false, 1, nil
		}
	}
}

// rollbackFigures are those of a game with rollback over that line.
func rollbackFigures() notice.Figures {
	f := autoFigures
	f.Delay, f.OwnDelay, f.OnAir = 2, autodelay.ChoiceNamed("2"), []ds.Seat{0, 1}
	f.Rollbacks = &game.Rollbacks{Depth: 7, Frames: 60, Guessed: 62, Again: 40, Backs: [13]int64{3: 4, 6: 3}, Took: 212 * time.Millisecond}
	return f
}

// rollbackLobby is a room with rollback, in which one computer guesses few frames.
func rollbackLobby(m *Shell) {
	autoLobby(true)(m)
	r := m.session.Room
	r.Room.Settings.Sync, r.Room.Players[1].Depth = hostroom.Rollback, hostroom.DepthOf(2)
	m.Config.Net.OwnDelay = "2"
}
