package gameview

import (
	"strings"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// chatField is where one writes.
func chatField(list *draw.List) draw.Rect {
	all := list.Bounds()
	return draw.R(8, all.Bottom()-widgets.Control-8, min(all.W-16, 520), widgets.Control)
}

// buildChat builds the field to write a message.
func (v *View) buildChat(u *widgets.UI) {
	u.In(chatField(u.Canvas()), func() {
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
