package room

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// settings are the room's settings; the game host can change them.
func (v *Lobby) roomSettings(u *widgets.UI, r *Room) {
	s := r.Room.Settings
	u.Card(func() {
		if r.Hosting {
			u.Heading("Room settings")
		} else {
			more := widgets.Button{Text: "Show", Name: "room details", Kind: widgets.Quiet, Do: func() { v.details = !v.details }}
			if v.details {
				more.Text = "Hide"
			}
			u.Bar(func() { u.Heading("Room settings") }, more)
			if !v.details {
				return
			}
		}
		v.game(u, r)
		v.cheatsRow(u, r)
		v.delay(u, r)
		v.sync(u, r)
		goesOn := s.Continues.Any() // with the same clocks and players
		if !goesOn {
			words := ""
			if v.clockWaits(r) {
				words = "The last game ended at that time, which is later than this computer's clock."
			}
			screen.Labelled(u, "Clocks begin at", words, func() { v.clock(u, r) })
			if why := room.WrongClock(v.Now); why != "" && r.Hosting && s.ClockNow {
				u.Message(widgets.Warning, phrase.Sentence(why)+" Set it, and the consoles' clocks will be right, too.")
			}
		}
		if r.Hosting && !goesOn {
			screen.Labelled(u, "Players", "", func() {
				screen.Stepper(u, "seats", s.Seats, s.Seats <= max(2, r.Present()), s.Seats >= ds.MaxSeats, fmt.Sprint(s.Seats), v.SetSeats)
			})
		}
		v.openness(u, r)
		screen.Labelled(u, "Core", "", func() { u.Label(coreInUse(s)) })
		on, words := "off", "This core has no local wireless: the consoles run side by side, but do not hear each other."
		if v.core().Wireless {
			on, words = "on", "The consoles hear each other as if they were in one room."
		}
		screen.Labelled(u, "Local wireless", words, func() { u.Label(on) })
	})
}

// coreInUse names the room's core, and how it runs where the room has chosen that.
func coreInUse(s room.Settings) string {
	words := strings.TrimSpace(s.Core.Name + " " + s.Core.Version)
	c, ok := emucore.ProfileFor(s.Core.Name).JIT()
	for _, o := range s.Options {
		if i := slices.Index(c.Values, o.Value); ok && o.Key == c.Key && i > 0 {
			words += ", " + strings.ToLower(c.Names[i][:1]) + c.Names[i][1:]
		}
	}
	return words
}

// game shows the room's game. The game host can choose another.
func (v *Lobby) game(u *widgets.UI, r *Room) {
	game, known := hostGame(r.Room)
	if !known {
		return
	}
	screen.Labelled(u, "Game", "", func() {
		if !r.Hosting || r.Room.Settings.Continues.Any() {
			u.Label(game.Title)
			return
		}
		u.Bar(func() { u.Label(game.Title) }, widgets.Button{
			Text: "Change", Name: "change game", Kind: widgets.Quiet, Disabled: r.Room.Phase != room.PhaseLobby, Tip: "Choose another game. All must press Ready again.",
			Do: v.PickGame,
		})
	})
}

// clock shows the time of the consoles' clocks at the start. The game host can set it to
// the present, as it is when a game starts.
func (v *Lobby) clock(u *widgets.UI, r *Room) {
	s, back := r.Room.Settings, v.clockWaits(r)
	words := room.ClockWords(s.RTC)
	switch {
	case s.ClockNow && r.Room.Phase != room.PhaseLobby, back:
	case s.ClockNow && r.Hosting:
		words = "the time of this computer at the start"
	case s.ClockNow:
		words = "the game host's time at the start"
	}
	at := func() { u.Label(words) }
	if !r.Hosting || s.ClockNow && !back {
		at()
	} else {
		u.Bar(at, widgets.Button{Text: "Now", Name: "now", Kind: widgets.Quiet, Tip: "Start each game at this computer's time", Do: func() {
			v.change(func(s *room.Settings) { s.ClockNow, s.RTC = true, room.MinRTC })
		}})
	}
}

// clockWaits reports whether the last game ended later than the game host's clock says, so that the next one begins there.
func (v *Lobby) clockWaits(r *Room) bool {
	s := r.Room.Settings
	return r.Hosting && r.Room.Phase == room.PhaseLobby && s.ClockNow && s.RTC > room.ClockAt(v.Now)
}

// openness shows the room's settings for late joiners and for spectators.
func (v *Lobby) openness(u *widgets.UI, r *Room) {
	s := r.Room.Settings
	if !r.Hosting {
		words := "may join a running game"
		if s.NoLateJoin {
			words = "wait until the game is over"
		}
		screen.Labelled(u, "Others", "", func() { u.Label(words) })
		if s.KeepConsoles {
			screen.Labelled(u, "Leaving players", "", func() { u.Label("leave their consoles in the game") })
		}
		words = "nobody may watch"
		if s.Spectators > 0 {
			words = fmt.Sprintf("up to %d may watch, %s", s.Spectators, screen.BehindWords(s.SpectateDelay))
		}
		screen.Labelled(u, "Spectators", "", func() { u.Label(words) })
		return
	}
	screen.Labelled(u, "Late joining", "", func() {
		late := !s.NoLateJoin
		if u.Check(widgets.Check{Text: "others may join a running game", Name: "late"}, &late) {
			v.SetLateJoin(late)
		}
	})
	screen.Labelled(u, "Leaving players", "", func() {
		keep := s.KeepConsoles
		if u.Check(widgets.Check{Text: "leave their consoles in the game", Name: "keep"}, &keep) {
			v.change(func(s *room.Settings) { s.KeepConsoles = keep })
		}
	})
	screen.Labelled(u, "Spectators", "", func() {
		screen.Stepper(u, "spectators", s.Spectators, s.Spectators <= len(r.Room.Spectators), s.Spectators >= room.MaxSpectators, fmt.Sprint(s.Spectators), v.SetSpectators)
	})
	if s.Spectators > 0 {
		screen.Labelled(u, "Their delay", "", func() {
			screen.DelayChoice(u, "behind", s.SpectateDelay, v.SetSpectateDelay)
		})
	}
}
