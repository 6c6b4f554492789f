package room

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// roomSide draws the players, and the room's settings.
func (v *Lobby) roomSide(u *widgets.UI, r *Room) {
	v.moment(u, r)
	v.gameCard(u, r)
	if crowded(u, r) {
		v.table(u, r)
	} else {
		for _, p := range r.present() {
			u.ScopeN(int(p.Seat), func() { v.player(u, r, p) })
		}
		if r.free() > 0 {
			u.Card(func() { v.freeSeats(u, r, cardDrawing) })
		}
	}
	leavers(u, r)
	pairs(u, r)
	v.awaited(u, r)
	v.spectators(u, r)
	v.banned(u, r)
	if r.Room.Phase == room.PhaseLobby && !r.Room.Settings.Continues.Any() {
		v.local.Build(u)
	}
	v.invite(u, r)
	v.settings.HelpLine(u)
	v.roomSettings(u, r)
}

// player draws one entry of the roster.
func (v *Lobby) player(u *widgets.UI, r *Room, p room.Player) {
	u.Card(func() {
		widths := widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto, widgets.Auto)
		if r.mayKick() { // a cell for all, so that what stands before it is in line
			widths = widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto, widgets.Auto, widgets.Control)
		}
		u.Row(widths, func() {
			seatDrawing(u, p.Seat.String(), screen.Favourite(p.Firmware.Colour), cardDrawing)
			u.Tight(func() {
				nameLine(u, r, p)
				if words := playsWords(r, p); words != "" {
					u.Small(words)
				}
				u.Tip(keyWords(p))
			})
			u.Text(widgets.StyleSmall, pingKind(p), connectionWords(p, r.Room.Host), draw.End)
			u.Tip(connectionTip)
			kind, word := standing(p, r.Room.Phase, p.Machine == r.Machine)
			u.Badge(kind, word)
			v.kick(u, r, p)
		})
		v.problem(u, r, p)
		v.suggestClocked(u, r, p)
		if p.Way != "" {
			u.Note(screen.Sentence(p.Way))
		}
		if p.Note != "" {
			u.Note(screen.Sentence(p.Note))
		}
		if r.Room.Phase == room.PhasePreparing {
			transfers(u, p)
		}
	})
}

const connectionTip = "The way to the game host and back; ± is how much it wavers, and how much of what is sent is lost on the way."

// nameLine writes a player's name, and whether that is our own player.
func nameLine(u *widgets.UI, r *Room, p room.Player) {
	name := p.Nickname
	if p.Machine == r.Machine && p.Local == 0 {
		name += "  " + u.Say("(you)")
	}
	u.Text(widgets.StyleBold, widgets.Normal, widgets.Verbatim(name), draw.Start)
}

// kick is the button that removes a player, if ours may.
func (v *Lobby) kick(u *widgets.UI, r *Room, p room.Player) {
	if r.Hosting && p.Machine != r.Machine && p.Local == 0 {
		u.Button(widgets.Button{Icon: draw.IconCross, Name: "kick", Kind: widgets.Quiet, Aside: true, Tip: "Remove", Do: func() { v.AskKick(p) }})
	}
}

// crowded reports whether cards of all players would leave no room for the rest of the lobby: then they stand in a table. It goes
// by the number of players and the window alone, so that nothing moves while players get ready.
func crowded(u *widgets.UI, r *Room) bool {
	const card, rest = 90, 250 // heights in points
	return float32(r.Present()*card) > u.Canvas().Bounds().H-rest
}

// table draws all players on one card, in two columns where there is room.
func (v *Lobby) table(u *widgets.UI, r *Room) {
	u.Card(func() {
		u.SetGap(4)
		columns := 1
		if u.Area().W >= 480 {
			columns = 2
		}
		for row := range slices.Chunk(r.present(), columns) {
			u.ScopeN(int(row[0].Seat), func() {
				u.Row(widgets.Cells([]float32{widgets.Fill, widgets.Fill}[:columns]...), func() {
					for _, p := range row {
						u.ScopeN(int(p.Seat), func() { v.entry(u, r, p) })
					}
				})
				for _, p := range row {
					u.ScopeN(int(p.Seat), func() { v.entryNotes(u, r, p) })
				}
			})
		}
		if r.free() > 0 {
			v.freeSeats(u, r, tableDrawing)
		}
	})
}

// entry draws a player of the table: name, readiness and connection.
func (v *Lobby) entry(u *widgets.UI, r *Room, p room.Player) {
	widths := widgets.Cells(widgets.Auto, widgets.Fill)
	if r.mayKick() {
		widths = widgets.Cells(widgets.Auto, widgets.Fill, widgets.Control)
	}
	u.Row(widths, func() {
		seatDrawing(u, p.Seat.String(), screen.Favourite(p.Firmware.Colour), tableDrawing)
		u.Tight(func() {
			u.SetGap(0)
			nameLine(u, r, p)
			u.Tip(keyWords(p))
			u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
				kind, word := standing(p, r.Room.Phase, p.Machine == r.Machine)
				u.Text(widgets.StyleSmall, kind, word, draw.Start)
				if words := connectionWords(p, r.Room.Host); words != "" {
					u.Text(widgets.StyleSmall, pingKind(p), words, draw.Start)
					u.Tip(connectionTip)
				}
			})
		})
		v.kick(u, r, p)
	})
}

// entryNotes says below a row of the table what a card says of a player.
func (v *Lobby) entryNotes(u *widgets.UI, r *Room, p room.Player) {
	v.problem(u, r, p)
	v.suggestClocked(u, r, p)
	for _, words := range []string{playsWords(r, p), p.Way, p.Note} {
		if words != "" {
			u.Note(p.Nickname + ": " + words)
		}
	}
	if r.Room.Phase == room.PhasePreparing && p.Up.Total+p.Down.Total > 0 {
		u.Small(widgets.Verbatim(p.Nickname))
		transfers(u, p)
	}
}

// present returns the players who are here, by seat.
func (r *Room) present() []room.Player {
	return slices.DeleteFunc(slices.Clone(r.Room.Players), func(p room.Player) bool { return !p.Present })
}

// mayKick reports whether this machine may remove any of those who are here.
func (r *Room) mayKick() bool {
	return r.Hosting && slices.ContainsFunc(r.Room.Players, func(p room.Player) bool { return p.Present && p.Machine != r.Machine })
}

// Heights of a seat's drawing, in points.
const (
	cardDrawing  = 46
	tableDrawing = 34
)

// seatDrawing draws the console of a seat, with the seat's number on its upper screen, where a game has its picture. Without
// a colour nobody is there.
func seatDrawing(u *widgets.UI, number string, c draw.Color, high float32) {
	wide := high * 42 / 46
	r := u.Cell(wide+6, high).Centered(wide, high)
	empty := c == draw.Color{}
	screen.DrawConsole(u.Canvas(), r, c, u.Theme(), empty)
	ink, style := draw.White, widgets.StyleSmall
	if empty {
		ink = u.Theme().Faint
	}
	style.Size = min(style.Size, high*0.32)
	u.Canvas().TextIn(r.Top(high*0.47), style, number, ink, draw.Middle)
}

// gameCard draws the room's game, and in one line what matters of its settings.
func (v *Lobby) gameCard(u *widgets.UI, r *Room) {
	game, known := hostGame(r.Room)
	if !known {
		return
	}
	icon := v.IconOf(game.SHA256)
	if u.Canvas().Bounds().H >= 440 && !crowded(u, r) {
		u.Card(func() { screen.Pictured(u, icon, draw.NoIcon, game.Title, v.inShort(r)) })
		return
	}
	u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() { // where there is little room the players are more
		if icon != 0 {
			u.Image(icon, 32, 32)
		} else {
			u.Icon(draw.IconConsole, widgets.Normal)
		}
		u.Tight(func() {
			u.Text(widgets.StyleBold, widgets.Normal, game.Title, draw.Start)
			u.Small(v.inShort(r))
		})
	})
}

// inShort are the settings that every player feels.
func (v *Lobby) inShort(r *Room) string {
	s := r.Room.Settings
	words := "input delay " + phrase.Count(s.Delay, "frame")
	if s.AutoDelay != autodelay.Off {
		words = "input delay auto, " + s.AutoDelay.String()
	}
	if s.Core.Name != "" {
		words = s.Core.Name + " · " + words
	}
	if v.core().Wireless {
		return words + " · local wireless"
	}
	return words + " · no local wireless"
}

// free is the number of seats to be filled by whoever has the invitation.
func (r *Room) free() int {
	if r.Room.Settings.Continues.Any() {
		return 0
	}
	return r.Room.Settings.Seats - r.Present()
}

// freeSeats draws the seats that nobody has.
func (v *Lobby) freeSeats(u *widgets.UI, r *Room, high float32) {
	words := phrase.Count(r.free(), "free seat")
	invite := v.unlessAbove(r, v.copyInvitation(r, "invite seat"))
	invite.Kind, invite.Aside = widgets.Normal, true
	if invite.Text != "" {
		invite.Text = "Invite"
	}
	u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto), func() {
		seatDrawing(u, "", draw.Color{}, high)
		u.Label(words)
		u.Buttons(invite)
	})
}

// leavers names those who have left during the game and have not come back.
func leavers(u *widgets.UI, r *Room) {
	if names := r.gone(); len(names) > 0 {
		u.Card(func() {
			u.Small("Left the running game")
			u.Note(strings.Join(names, ", "))
		})
	}
}

// gone returns who has left the running game, each once however often that was. Who came back has another seat.
func (r *Room) gone() (names []string) {
	for _, p := range r.Room.Players {
		back := slices.ContainsFunc(r.Room.Players, func(o room.Player) bool { return o.Present && o.Nickname == p.Nickname })
		if !p.Present && !back && !slices.Contains(names, p.Nickname) {
			names = append(names, p.Nickname)
		}
	}
	return names
}

// pairs says how players reach each other who are not the game host.
func pairs(u *widgets.UI, r *Room) {
	list := r.Room.Pairs()
	if len(list) == 0 {
		return
	}
	title := "Between the players"
	if r.Hosting {
		title = "Between the others"
	}
	u.Card(func() {
		u.Small(title)
		for i, p := range list {
			u.ScopeN(i, func() {
				u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
					pathDrawing(u, p)
					u.Note(screen.Sentence(p.Names() + ": " + p.Words()))
				})
			})
		}
	})
}

// pathDrawing draws the way between two players' consoles: a line where there is a direct one, dashed where others carry what
// they send.
func pathDrawing(u *widgets.UI, p room.Pair) {
	const wide, high, side = 74, 20, 18
	r := u.Cell(wide, high).Centered(wide, high)
	l, th := u.Canvas(), u.Theme()
	screen.DrawConsole(l, r.Left(side), screen.Favourite(p.A.Firmware.Colour), th, false)
	screen.DrawConsole(l, r.CutRight(side), screen.Favourite(p.B.Firmware.Colour), th, false)
	way := draw.R(r.X+4, r.Y+high/2-1, r.W-8, 2)
	if p.Path != nil && p.Path.Way == "" {
		l.Fill(way, th.Good)
		return
	}
	for x := way.X; x < way.Right(); x += 8 {
		l.Fill(draw.R(x, way.Y, min(4, way.Right()-x), way.H), th.Warning)
	}
}

// problem says why another player cannot start. Our own problem stands above Ready and Start.
func (v *Lobby) problem(u *widgets.UI, r *Room, p room.Player) {
	if p.Problem != "" && p.Cause != room.CauseCheck && p.Machine != r.Machine { // a check would move everything for a moment
		u.Message(widgets.Warning, screen.Sentence(p.Problem))
	}
}

// standing returns a player's state as a badge.
func standing(p room.Player, phase room.Phase, mine bool) (widgets.Kind, string) {
	switch {
	case p.Cause == room.CauseCheck:
		return widgets.Normal, "checking"
	case p.Problem != "":
		return widgets.Warning, "cannot start"
	case phase == room.PhasePreparing:
		return widgets.Primary, "getting ready"
	case phase == room.PhasePlaying && p.Ready && !mine:
		return widgets.Primary, "playing"
	case p.Ready:
		return widgets.Good, "ready"
	}
	return widgets.Normal, "not ready"
}

// pingKind warns of a connection that is too slow to play well.
func pingKind(p room.Player) widgets.Kind {
	switch {
	case p.Local > 0:
		return widgets.Normal
	case p.Ping > 250*time.Millisecond || p.Loss > 100:
		return widgets.Danger
	case p.Ping > 120*time.Millisecond || p.Jitter > 25*time.Millisecond || p.Loss > 30:
		return widgets.Warning
	}
	return widgets.Normal
}

// transfers draws a bar for each transfer of a machine.
func transfers(u *widgets.UI, p room.Player) {
	for _, t := range []struct {
		word string
		p    room.Progress
	}{{"sends", p.Up}, {"gets", p.Down}} {
		if t.p.Total > 0 {
			u.Progress(widgets.Progress{
				Value: float64(t.p.Done) / float64(t.p.Total),
				Text:  fmt.Sprintf("%s %s of %s", t.word, screen.Bytes(t.p.Done), screen.Bytes(t.p.Total)),
			})
		}
	}
}

// banned names those who are banned, to a game host who may think again.
func (v *Lobby) banned(u *widgets.UI, r *Room) {
	if !r.Hosting || len(r.Banned) == 0 {
		return
	}
	u.Card(func() {
		u.Small("Banned from this room")
		for i, b := range r.Banned {
			u.ScopeN(i, func() {
				u.Bar(func() { u.Label(widgets.Verbatim(b.Nickname)) }, widgets.Button{Text: "Let back in", Name: "pardon", Kind: widgets.Quiet, Do: func() { v.Pardon(b.Key) }})
			})
		}
	})
}

// spectators draws the names of the spectators.
func (v *Lobby) spectators(u *widgets.UI, r *Room) {
	list := r.Room.Spectators
	if len(list) == 0 {
		return
	}
	u.Card(func() {
		u.Small("Watching")
		for _, s := range list {
			u.ScopeN(s.Number, func() {
				away := widgets.Button{}
				if r.Hosting {
					away = widgets.Button{Icon: draw.IconCross, Name: "away", Kind: widgets.Quiet, Aside: true, Tip: "Remove", Do: func() { v.AskKickSpectator(s) }}
				}
				u.Bar(func() { u.Label(widgets.Verbatim(s.Nickname)) }, away)
			})
		}
	})
}
