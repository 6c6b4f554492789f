package room

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Lobby is the room between games: its players, its settings, and the chat.
type Lobby struct {
	*Session
	Tab int // in a narrow window: 0 is the room, 1 the chat
	// PickGame lets the game host pick another game.
	PickGame func()

	local    *LocalPlayers
	inviting invitation
	chat     string         // what is being written
	visit    string         // of the picture before, by [screen.Nav.Visit]
	shown    int            // Tab then
	turned   bool           // the player has turned to another Tab since the lobby shows
	details  bool           // a guest sees all of the room's settings
	writes   bool           // the player wants to write in the chat
	sight    screen.Lasting // the player sees new lines
}

// NewLobby makes the screen.
func NewLobby(s *Session, local *LocalPlayers) *Lobby {
	v := &Lobby{Session: s, local: local}
	s.anew = v.anew
	return v
}

// anew begins another room: nothing is left of what was written in the last one.
func (v *Lobby) anew() {
	v.Tab, v.chat, v.sight, v.writes = 0, "", screen.Lasting{}, false
	v.inviting.answer, v.inviting.shown = "", false
}

// Build implements screen.Screen.
func (v *Lobby) Build(u *widgets.UI) {
	r := v.Room
	if r == nil {
		return
	}
	area := v.Place(u, 1120)
	u.In(area.Top(40), func() { v.head(u, r, area.W < screen.Wide) })
	if visit := v.Visit(); v.visit != visit {
		v.visit, v.turned = visit, false
	} else if v.Tab != v.shown {
		v.turned = true
	}
	v.shown = v.Tab
	area.Top(12)
	foot := area.CutBottom(widgets.Control)
	area.CutBottom(12)
	v.notesOver(u, r, &area)
	switch {
	case area.W >= screen.Wide:
		chat := area.CutRight(area.W * 0.38)
		area.CutRight(16)
		u.In(area, func() { u.Scroll("room", 0, func() { v.roomSide(u, r) }) })
		u.In(chat, func() { v.chatSide(u, r, false) })
	case v.Tab == 0:
		u.In(area, func() { u.Scroll("room", 0, func() { v.roomSide(u, r) }) })
	default:
		u.In(area, func() { v.chatSide(u, r, v.turned) }) // after a game the keys are still for the game
	}
	u.In(foot, func() { v.foot(u, r) })
	if text := u.Pasted(); text != "" && r.Hosting {
		v.TakeAnswer(text)
	}
	if !u.Settling() && !u.Busy() && v.chatKeyPressed(u) {
		v.Tab, v.writes = 1, true
		u.Wake(0)
	}
	v.picture(u, r)
	v.cheatsBox(u, r)
}

// head is the room's name and game; in a narrow window also what shows.
func (v *Lobby) head(u *widgets.UI, r *Room, narrow bool) {
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
		if u.Turned() != 0 {
			v.Tab = 1 - v.Tab
		}
		u.Radio(widgets.Choice{Name: "side", Options: []string{"Room", v.chatWord(r)}}, &v.Tab)
	})
}

func (v *Lobby) foot(u *widgets.UI, r *Room) {
	mine, _ := r.Mine()
	preparing := r.Room.Phase == room.PhasePreparing
	forth := widgets.Button{Text: "Ready", Name: "ready", Icon: draw.IconCheck, Kind: widgets.Primary, Disabled: preparing, Rest: true, Do: func() { v.Ready(true) }}
	switch {
	case r.Hosting && preparing: // the ring does not rest here: it was on Start
		forth = widgets.Button{Text: "Cancel start", Name: "call off", Icon: draw.IconCross, Do: v.CallOff}
	case r.Hosting:
		forth = widgets.Button{Text: "Start", Name: "start", Icon: draw.IconPlay, Kind: widgets.Primary, Disabled: len(r.Blockers) > 0, Rest: true, Do: v.Start}
	case mine.Ready:
		forth = widgets.Button{Text: "Not ready", Name: "ready", Disabled: preparing, Rest: true, Do: func() { v.Ready(false) }}
	case mine.Problem != "" && mine.Cause != room.CauseCheck:
		forth.Kind, forth.Disabled, forth.Tip = widgets.Normal, true, "You cannot be ready yet: see above."
	}
	leave := "Leave"
	if r.Hosting && r.Present() < 2 {
		leave = "Close the room" // else it passes to somebody
	}
	u.Row(widgets.Cells(widgets.Auto, widgets.Auto, widgets.Fill, widgets.Auto), func() {
		u.Buttons(
			widgets.Button{Text: leave, Name: "leave", Icon: draw.IconLeave, Do: v.AskLeave},
			widgets.Button{Text: "Settings", Name: "settings", Icon: draw.IconSettings, Kind: widgets.Quiet, Tip: screen.SettingsTip, Do: func() { v.Go(screen.Settings) }},
			widgets.Button{}, forth)
	})
}

// chatWord is the name of the chat, with how much of it is new.
func (v *Lobby) chatWord(r *Room) string {
	if n := r.Unread(); n > 0 && v.Tab == 0 {
		return fmt.Sprintf("Chat (%d)", n)
	}
	return "Chat"
}

// chatKeyPressed tells whether the player wants to write, by the key that does it also in a game.
func (v *Lobby) chatKeyPressed(u *widgets.UI) bool {
	keys := v.ChatKeys()
	return slices.ContainsFunc(u.Input().Keys, func(k widgets.KeyPress) bool {
		return !k.Up && !k.Repeat && k.Mods == 0 && slices.Contains(keys, k.Name)
	})
}

// newShown is the time for which a line that is new stays marked in sight of the player.
const newShown = 3 * time.Second

// chatSide draws the chat, with a field to write in, which may take the keyboard.
func (v *Lobby) chatSide(u *widgets.UI, r *Room, focus bool) {
	if v.Front {
		r.seen()
	}
	if v.sight.For(u, r.marked() && v.Front, newShown) {
		r.read()
	}
	area := u.Area()
	line := area.CutBottom(widgets.Control)
	area.CutBottom(10)
	u.In(area, func() {
		u.Log(widgets.Log{Name: "log", Lines: chatLines(r, v.Config.Player.Nickname), Empty: "Say hello."})
	})
	u.In(line, func() { v.chatLine(u, "say", focus) })
}

// chatLine is the field to write in.
func (v *Lobby) chatLine(u *widgets.UI, name string, focus bool) {
	u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
		hint := "Message the others (" + v.KeyLabel(v.ChatKeys()[0]) + ")"
		e := u.Field(widgets.Field{Name: name, Hint: hint, Icon: draw.IconChat, Max: 200, Focus: focus, Take: v.writes}, &v.chat)
		v.writes = false
		if pressed := u.Button(widgets.Button{Text: "Send", Name: "send " + name, Disabled: v.chat == ""}); pressed || e.Entered {
			v.SendChat(v.chat)
			v.chat = ""
		}
	})
}

func chatLines(r *Room, me string) (lines []widgets.Line) {
	for _, l := range r.Lines {
		line := widgets.Line{From: l.From, Text: l.Text, Mine: l.From != "" && l.From == me, New: l.New}
		if l.From == "" {
			line.Text = screen.Sentence(l.Text)
		}
		lines = append(lines, line)
	}
	return lines
}

// OwnKeys implements screen.Keyed.
func (v *Lobby) OwnKeys() []screen.KeyRow {
	var chat []string
	for _, name := range v.ChatKeys() {
		chat = append(chat, v.KeyLabel(name))
	}
	list := []screen.KeyRow{{Does: "Chat with the others", Keys: chat}}
	if v.hosting() {
		list = append(list, screen.KeyRow{Does: "Let in a friend by a copied answer", Keys: []string{"Ctrl+V"}})
	}
	return list
}
