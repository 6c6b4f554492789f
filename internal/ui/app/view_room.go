package app

import (
	"fmt"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// The screens of a room.

// joining is the way into a room, or to the first frame of a game alone.
func (v *View) joining(u *widgets.UI) {
	m := v.m
	r := v.place(u, 460)
	u.In(r, func() {
		u.Space(max((r.H-220)/2, 0))
		u.Card(func() {
			u.Heading(v.joiningTitle())
			if r := m.Room; r != nil && r.Address != "" {
				u.Paragraph(r.Address)
			}
			u.Progress(widgets.Progress{Value: -1})
			if lines := m.Room; lines != nil && len(lines.Lines) > 0 {
				u.Note(lines.Lines[len(lines.Lines)-1].Text)
			}
			u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
				u.Space(0)
				if u.Button(widgets.Button{Text: "Cancel", Name: "cancel"}) {
					m.Leave()
				}
			})
		})
	})
}

func (v *View) joiningTitle() string {
	r := v.m.Room
	switch {
	case r == nil:
		return "One moment …"
	case r.Local > 0:
		return "Starting " + count(r.Local, "console") + " …"
	case r.Hosting:
		return "Opening the room …"
	}
	return "Connecting …"
}

// wide is how wide a window must be to show room and chat side by side, points.
const wide = 820

func (v *View) lobby(u *widgets.UI) {
	r := v.m.Room
	if r == nil {
		return
	}
	area := v.place(u, 1120)
	u.In(area.Top(40), func() { v.lobbyHead(u, r, area.W < wide) })
	area.Top(12)
	foot := area.CutBottom(widgets.Control)
	area.CutBottom(12)
	if words := v.lobbyWords(r); words != "" {
		note := area.CutBottom(u.Canvas().LineHeight(widgets.StyleBody) * float32(u.Canvas().Wrap(widgets.StyleBody, words, area.W-28, nil)))
		area.CutBottom(10)
		u.In(note, func() { u.Message(v.lobbyKind(r), words) })
	}
	switch {
	case area.W >= wide:
		chat := area.CutRight(area.W * 0.38)
		area.CutRight(16)
		u.In(area, func() { u.Scroll("room", 0, func() { v.roomSide(u, r) }) })
		u.In(chat, func() { v.chatSide(u, r) })
	case v.tab == 0:
		u.In(area, func() { u.Scroll("room", 0, func() { v.roomSide(u, r) }) })
	default:
		u.In(area, func() { v.chatSide(u, r) })
	}
	u.In(foot, func() { v.lobbyFoot(u, r) })
}

// lobbyHead is the room's name and game; in a narrow window also what shows.
func (v *View) lobbyHead(u *widgets.UI, r *Room, narrow bool) {
	title := r.Room.Settings.Room
	if !narrow {
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Title(title)
			u.Soft(fmt.Sprintf("%d of %d players", r.Present(), r.Room.Settings.Seats))
		})
		return
	}
	u.Row(widgets.Cells(widgets.Fill, 200), func() {
		u.Title(title)
		u.Radio(widgets.Choice{Name: "side", Options: []string{"Room", "Chat"}}, &v.tab)
	})
}

// lobbyWords is the one thing that matters now: how the last game ended, what is
// in the way, or what to do.
func (v *View) lobbyWords(r *Room) string {
	mine, _ := r.Mine()
	switch {
	case r.Room.Phase == host.PhasePreparing:
		return "Getting ready: all consoles are built and compared on every computer."
	case r.Last != nil:
		return strings.TrimSpace(r.Last.Title + ". " + r.Last.Words + " " + r.Last.Hint)
	case r.Hosting && len(r.Blockers) > 0:
		return sentence(r.Blockers[0]) + v.more(len(r.Blockers)-1)
	case r.Hosting:
		return "All are ready: you can start."
	case mine.Problem != "":
		return sentence(mine.Problem)
	case r.Room.Phase == host.PhasePlaying && mine.Ready && r.Behind != nil:
		return fmt.Sprintf("Your console catches up with the game: it is %.0f s behind. The others play on.", r.Behind.Seconds())
	case r.Room.Phase == host.PhasePlaying && mine.Ready:
		return "You come into the game as soon as your console is ready. The others play on until then."
	case r.Room.Phase == host.PhasePlaying:
		return "A game runs. Press Ready to come into it."
	case !mine.Ready:
		return "Press Ready when you want to play."
	}
	return "You are ready. The game host starts the game."
}

func (v *View) more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" (And %s.)", count(n, "more thing"))
}

func (v *View) lobbyKind(r *Room) widgets.Kind {
	mine, _ := r.Mine()
	switch {
	case r.Room.Phase == host.PhasePreparing:
		return widgets.Primary
	case r.Last != nil, mine.Problem != "":
		return widgets.Warning
	case r.Hosting && len(r.Blockers) == 0, !r.Hosting && mine.Ready:
		return widgets.Good
	}
	return widgets.Primary
}

func (v *View) lobbyFoot(u *widgets.UI, r *Room) {
	m := v.m
	mine, _ := r.Mine()
	u.Row(widgets.Cells(widgets.Auto, widgets.Auto, widgets.Fill, widgets.Auto), func() {
		leave := "Leave"
		if r.Hosting && r.Present() < 2 {
			leave = "Close the room" // else it passes to somebody
		}
		if u.Button(widgets.Button{Text: leave, Name: "leave", Icon: draw.IconLeave}) {
			m.AskLeave()
		}
		if u.Button(widgets.Button{Text: "Settings", Name: "settings", Icon: draw.IconSettings, Kind: widgets.Quiet}) {
			m.GoSettings()
		}
		u.Space(0)
		preparing := r.Room.Phase == host.PhasePreparing
		switch {
		case r.Hosting:
			if u.Button(widgets.Button{Text: "Start", Name: "start", Icon: draw.IconPlay, Kind: widgets.Primary, Disabled: preparing || len(r.Blockers) > 0}) {
				m.Start()
			}
		case mine.Ready:
			if u.Button(widgets.Button{Text: "Not ready", Name: "ready", Disabled: preparing}) {
				m.Ready(false)
			}
		default:
			if u.Button(widgets.Button{Text: "Ready", Name: "ready", Icon: draw.IconCheck, Kind: widgets.Primary, Disabled: preparing}) {
				m.Ready(true)
			}
		}
	})
}

// roomSide is who plays, and the room's settings.
func (v *View) roomSide(u *widgets.UI, r *Room) {
	for _, p := range r.Room.Players {
		u.ScopeN(p.Seat, func() { v.player(u, r, p) })
	}
	v.spectators(u, r)
	if r.Room.Phase == host.PhaseLobby {
		v.beside(u)
	}
	if r.Present() < r.Room.Settings.Seats {
		v.invite(u, r)
	}
	v.terms(u, r)
}

// player is one line of the roster.
func (v *View) player(u *widgets.UI, r *Room, p host.Player) {
	u.Card(func() {
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto, widgets.Auto, widgets.Auto), func() {
			u.Badge(widgets.Primary, fmt.Sprint(p.Seat+1))
			name := p.Nickname
			if p.Seat == r.Me {
				name += "  (you)"
			}
			u.Tight(func() {
				u.Text(widgets.StyleBold, widgets.Normal, name, draw.Start)
				u.Small(p.ROM.Title + besideWords(r, p))
			})
			u.Text(widgets.StyleSmall, pingKind(p), lineWords(p, r.Room.Host), draw.End)
			u.Tip("The way to the game host and back; ± is how much it wavers, and how much of what is sent is lost on the way.")
			kind, word := standing(p, r.Room.Phase)
			u.Badge(kind, word)
			if r.Hosting && p.Machine != r.Machine && p.Local == 0 {
				if u.Button(widgets.Button{Icon: draw.IconCross, Name: "kick", Kind: widgets.Quiet, Tip: "Send away"}) {
					v.m.AskKick(p)
				}
			} else {
				u.Space(0)
			}
		})
		if p.Problem != "" {
			u.Message(widgets.Warning, sentence(p.Problem))
		}
		if p.Note != "" {
			u.Note(sentence(p.Note))
		}
		if r.Room.Phase == host.PhasePreparing {
			v.transfers(u, p)
		}
	})
}

// standing is a player's state as a badge.
func standing(p host.Player, phase host.Phase) (widgets.Kind, string) {
	switch {
	case !p.Present:
		return widgets.Danger, "has left"
	case p.Problem != "":
		return widgets.Warning, "cannot start"
	case phase == host.PhasePreparing:
		return widgets.Primary, "getting ready"
	case p.Ready:
		return widgets.Good, "ready"
	}
	return widgets.Normal, "not ready"
}

// pingKind warns of a way that is too long to play well.
func pingKind(p host.Player) widgets.Kind {
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

// transfers are the bars of what a machine sends and fetches.
func (v *View) transfers(u *widgets.UI, p host.Player) {
	for _, t := range []struct {
		word string
		p    host.Progress
	}{{"sends", p.Up}, {"gets", p.Down}} {
		if t.p.Total > 0 {
			u.Progress(widgets.Progress{
				Value: float64(t.p.Done) / float64(t.p.Total),
				Text:  fmt.Sprintf("%s %s of %s", t.word, bytesWords(t.p.Done), bytesWords(t.p.Total)),
			})
		}
	}
}

// invite says how friends get here.
func (v *View) invite(u *widgets.UI, r *Room) {
	if !r.Hosting {
		u.Soft("Seats are free: others can still join.")
		return
	}
	u.Card(func() {
		u.Heading("Invite your friends")
		if v.m.Config.Room.Announce {
			u.Note("On your network they find the room by themselves, under Join. Otherwise they type:")
		} else {
			u.Note("The room is not shown on your network. They type:")
		}
		for i, addr := range v.m.Addresses {
			if i < 2 {
				v.copyLine(u, "addr "+addr, inviteAddress(addr, r.Port))
			}
		}
		u.Note(fmt.Sprintf("Over the internet: your public address. Your router must forward UDP port %d to this computer.", r.Port))
	})
}

// inviteAddress is what friends type.
func inviteAddress(addr string, port int) string {
	if port == config.DefaultPort {
		return addr
	}
	return fmt.Sprintf("%s:%d", addr, port)
}

// chatSide is the chat, with a line to write in.
func (v *View) chatSide(u *widgets.UI, r *Room) {
	area := u.Area()
	line := area.CutBottom(widgets.Control)
	area.CutBottom(10)
	u.In(area, func() {
		u.Log(widgets.Log{Name: "log", Lines: chatLines(r, v.m.Config.Player.Nickname), Empty: "Say hello."})
	})
	u.In(line, func() { v.chatLine(u, "say", false) })
}

// chatLine is the line to write in.
func (v *View) chatLine(u *widgets.UI, name string, focus bool) {
	u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
		e := u.Field(widgets.Field{Name: name, Hint: "Write to the others", Icon: draw.IconChat, Max: 200, Focus: focus}, &v.chat)
		if pressed := u.Button(widgets.Button{Text: "Send", Name: "send " + name, Disabled: v.chat == ""}); pressed || e.Entered {
			v.m.SendChat(v.chat)
			v.chat = ""
		}
	})
}

func chatLines(r *Room, me string) (lines []widgets.Line) {
	for _, l := range r.Lines {
		line := widgets.Line{From: l.From, Text: l.Text, Mine: l.From != "" && l.From == me}
		if l.From == "" {
			line.Text = sentence(l.Text)
		}
		lines = append(lines, line)
	}
	return lines
}
