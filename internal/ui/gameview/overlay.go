package gameview

import (
	"strings"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// buildChat builds the messages, and a field to write one.
func (v *View) buildChat(u *widgets.UI, m moment) {
	list := u.Canvas()
	all := list.Bounds()
	field := draw.R(8, all.Bottom()-widgets.Control-8, min(all.W-16, 520), widgets.Control)
	v.lines(list, m, field.Y-4)
	u.In(field, func() {
		e := u.Field(widgets.Field{Name: "chat", Hint: "Write to the others", Icon: draw.IconChat, Max: MaxChat, Focus: true}, &v.chat.draft)
		if !e.Entered {
			return
		}
		if text := strings.TrimSpace(v.chat.draft); text != "" {
			v.events = append(v.events, Event{Do: SendChat, Text: text})
		}
		v.chat.draft = ""
		v.openChat(false)
	})
	if u.Back() {
		v.openChat(false)
	}
}
