package room

import (
	"cmp"
	"strings"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Kept moments in a room: one is kept in a game, and a game goes on from one.

// AskMoment asks how the moment that is to be kept is called.
func (s *Session) AskMoment() {
	r := s.Room
	name := "My game"
	if mine, there := r.Mine(); there && mine.ROM.Title != "" {
		name = mine.ROM.Title
	}
	r.Run.naming.Ask(name)
}

// momentBox is the box in which the name is typed.
func (v Play) momentBox(u *widgets.UI, r *Room) {
	r.Run.naming.Build(u, "Save to continue later", "Save", "Its name", func(name string) {
		if v.control == nil {
			return
		}
		v.control.Keep(strings.TrimSpace(name))
		if r.Run.Menu {
			v.ToggleMenu()
		}
	})
}

// moment says from where the game of the room goes on.
func (v *Lobby) moment(u *widgets.UI, r *Room) {
	k := r.Room.Settings.Continues
	if !k.Any() {
		return
	}
	u.Card(func() {
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
			u.Icon(draw.IconClock, widgets.Primary)
			u.Tight(func() {
				u.Text(widgets.StyleBold, widgets.Normal, phrase.Shorten(cmp.Or(k.Name, k.Seats[0].ROM.Title), 60), draw.Start)
				u.Small("The game continues from this moment, " + screen.Minutes(ds.FrameTime(k.Frames)) + ".")
			})
		})
	})
}

// awaited draws the players of a kept moment who are not here.
func (v *Lobby) awaited(u *widgets.UI, r *Room) {
	taken := map[ds.Seat]bool{}
	for _, p := range r.Room.Players {
		taken[p.Seat] = p.Present
	}
	for _, k := range r.Room.Settings.Continues.Seats {
		if taken[k.Seat] || r.Room.Phase != room.PhaseLobby {
			continue
		}
		u.ScopeN(int(k.Seat), func() {
			u.Card(func() {
				u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto, widgets.Auto), func() {
					seatDrawing(u, k.Seat.String(), draw.Color{}, cardDrawing)
					words := "The room waits for this player."
					if k.Open {
						words = "Anybody may play this console."
					}
					u.Tight(func() {
						u.Text(widgets.StyleBold, widgets.Normal, widgets.Verbatim(k.Nickname), draw.Start)
						u.Small(words)
					})
					u.Badge(widgets.Warning, "not here")
					v.openPlace(u, r, k)
				})
			})
		})
	}
}

// openPlace lets the game host give a console to somebody else.
func (v *Lobby) openPlace(u *widgets.UI, r *Room, k room.KeptSeat) {
	text, tip := "Let anybody play", "Somebody else may take "+k.Nickname+"'s place"
	if k.Open {
		text, tip = "Wait for "+phrase.Shorten(k.Nickname, 12), "Only "+k.Nickname+" may play this console"
	}
	if !r.Hosting {
		u.Space(0)
	} else if u.Button(widgets.Button{Text: text, Name: "place", Kind: widgets.Quiet, Tip: tip}) && v.control != nil {
		v.control.OpenSeat(k.Seat, !k.Open)
	}
}

// askAside asks whether a save of ours may be set aside.
func (s *Session) askAside() {
	n := s.Room.Differ[len(s.Room.Differ)-1]
	hint := "Your save is kept in a file beside your saves."
	if !n.At.IsZero() {
		hint = "Your save of " + n.At.Local().Format("2 January 2006 15:04") + " is kept in a file beside your saves."
	}
	s.Question = &screen.Question{
		Words: "Set your save aside?",
		Hint:  "The game continues with the moment's own save. " + hint,
		Yes:   "Set it aside", No: "Not now", Harmless: true,
		Do: func() {
			if s.control != nil && s.Room != nil {
				s.Room.Differ = nil
				s.control.SetAside()
			}
		},
	}
}
