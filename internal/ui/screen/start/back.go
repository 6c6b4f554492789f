package start

import (
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	roomscreen "github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// The ways from the first screen back to what the player did last.

// waysOn are the buttons that host the last game again, and lead back into the last room, where there are such. They
// are large ones unless the window is low. The way back is at the right, above "Join": who wants another room has one
// press to it.
func (v *Home) waysOn(low bool) (list []widgets.Button) {
	if g := v.lastGame(); g != nil {
		b := widgets.Button{
			Text: "Host again", Sub: g.Called(), Name: "host again", Icon: draw.IconAgain, Image: v.Icon(g), Do: v.HostAgain,
			Tip: "Opens a room for " + g.Title + " at once, as your settings say.",
		}
		if low {
			b.Text = "Host again: " + g.Title
		}
		list = append(list, b)
	} else if v.Games.Scanning && len(v.Memory.Played) > 0 { // its place is kept: nothing moves under the pointer once the game is found
		list = append(list, widgets.Button{Text: "Host again", Sub: "Looking for games …", Name: "host again", Icon: draw.IconAgain, Disabled: true})
	}
	if to := v.Memory.Room; to != nil {
		b := widgets.Button{
			Text: "Back to " + to.Name, Sub: to.Game, Name: "back to room", Icon: draw.IconLeft, Kind: widgets.Primary, Do: v.GoBackToRoom,
			Tip: "You were there " + agoWords(time.Unix(to.At, 0), v.Now) + ".",
		}
		if to.Silent {
			b.Kind, b.Sub, b.Tip = widgets.Normal, "It did not answer last time.", "Perhaps the room is closed. "+b.Tip
		}
		list = append(list, b)
	}
	for i := range list {
		list[i].Aside = list[i].Kind != widgets.Primary
		if low {
			list[i].Sub, list[i].Image, list[i].Icon = "", 0, draw.NoIcon
		}
	}
	return list
}

// lastGame is the game that was played last, if it is here and nothing is in the way of playing it; else nil.
func (v *Home) lastGame() *library.Game {
	if list := v.ordered(); len(list) > 0 && !list[0].Played(v.shelf.at).IsZero() {
		return &list[0]
	}
	return nil
}

// HostAgain opens a room for the game that was played last.
func (v *Home) HostAgain() {
	g := v.lastGame()
	if g == nil || v.NeedCore() {
		return
	}
	v.games.Purpose = ForHost
	v.games.Pick(*g)
	v.games.host.OpenRoom()
}

// forget forgets the last room.
func (v *Home) forget() { v.games.join.session.RememberRoom(nil) }

// GoBackToRoom enters the last room again.
func (v *Home) GoBackToRoom() {
	if to := v.Memory.Room; to != nil && !v.NeedCore() {
		v.enterAgain(*to, to.Ways, v.games.join.session.Password())
	}
}

// enterAgain enters a room by the first of some ways, and by the next one where that leads nowhere.
func (v *Home) enterAgain(to memory.Room, ways []string, password string) {
	session := v.games.join.session
	form := roomscreen.JoinForm{Address: ways[0], Password: password}
	session.Enter(roomscreen.Room{Address: ways[0], Called: to.Name},
		roomscreen.OpenSession{Join: &form, LocalPlayers: v.games.join.local.Named(), Hurry: len(ways) > 1},
		func() { v.GoHome(); v.GoBackToRoom() })
	session.OrElse(func(err error) bool {
		switch {
		case notice.AsksPassword(err):
			v.GoHome()
			if password != "" {
				v.Say(screen.Sentence(err.Error()))
			}
			v.asked = func(password string) { v.enterAgain(to, ways, password) }
			v.password.Ask("")
			return true
		case notice.RoomIsOver(err):
			v.forget()
			return false
		case reached(err):
			return false
		case len(ways) > 1 && launch.NextRoom(err):
			v.enterAgain(to, ways[1:], password)
			return true
		}
		to.Silent = true
		session.RememberRoom(&to)
		return false
	})
}

// reached reports whether a room has answered, although it did not let us in.
func reached(err error) bool {
	code, refused := notice.RefusedFor(err)
	return refused && code != room.CodeGone && code != room.CodeTimeout
}
