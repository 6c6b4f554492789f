package gameview

import (
	"strings"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// overlays builds what can be pressed over the consoles.
func (s *Stage) overlays(u *widgets.UI, m moment) {
	switch s.overlay {
	case menuOpen:
		s.menu(u, m)
	case chatOpen:
		s.chat(u, m)
	case asking:
		s.ask(u, m)
	}
}

func (s *Stage) menu(u *widgets.UI, m moment) {
	closed := u.Modal(widgets.Modal{Name: "menu", Title: "Menu", Width: 320}, func() {
		for _, item := range menuItems(m.paused.Paused, len(m.others) == 0) {
			if u.Button(widgets.Button{Text: item.text, Kind: item.kind}) {
				s.choose(item.do)
			}
		}
	})
	if closed {
		s.open(nothing)
	}
}

// choose does what an item of the menu says.
func (s *Stage) choose(do Action) {
	switch do {
	case Leave:
		s.open(asking)
	case NextLayout: // the menu stays, to see it
		s.Do(do)
		s.wake()
	default:
		s.open(nothing)
		s.Do(do)
	}
}

// ask asks whether to leave.
func (s *Stage) ask(u *widgets.UI, m moment) {
	text := "The game ends for you; the others play on without you."
	if len(m.others) == 0 {
		text = "The game ends. Its save is kept."
	}
	switch u.Ask("Leave the game?", text, "Leave", "Play on", widgets.Danger) {
	case widgets.Yes:
		s.open(nothing)
		s.Do(Leave)
	case widgets.No:
		s.open(nothing)
	}
}

// chat is what was said, and a line to write.
func (s *Stage) chat(u *widgets.UI, m moment) {
	list := u.Canvas()
	all := list.Bounds()
	field := draw.R(8, all.Bottom()-widgets.Control-8, min(all.W-16, 520), widgets.Control)
	s.lines(list, m, field.Y-4)
	u.In(field, func() {
		e := u.Field(widgets.Field{Name: "chat", Hint: "Write to the others", Icon: draw.IconChat, Max: MaxChat, Focus: true}, &s.draft)
		if !e.Entered {
			return
		}
		if text := strings.TrimSpace(s.draft); text != "" {
			s.events = append(s.events, Event{Do: SendChat, Text: text})
		}
		s.draft = ""
		s.open(nothing)
	})
	if u.Back() {
		s.open(nothing)
	}
}
