package gameview

import (
	"strings"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// chat is the line that the player writes.
type chat struct {
	open  bool
	next  bool // open from the next picture on
	draft string
	at    draw.Rect // where it stands, of this picture
}

// chatField is where one writes, at the bottom of the place of the chat.
func chatField(at draw.Rect) draw.Rect {
	return draw.R(at.X, at.Bottom()-widgets.Control, min(at.W, 520), widgets.Control)
}

// buildChat builds the field to write a message.
func (v *View) buildChat(u *widgets.UI) {
	u.In(chatField(v.chat.at), func() {
		e := u.Field(widgets.Field{Name: "chat", Hint: "Message the others", Icon: draw.IconChat, Max: MaxChat, Focus: true}, &v.chat.draft)
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

// setChat opens the chat over the consoles, or closes it.
func (v *View) setChat(open bool) {
	if open == v.chat.open {
		return
	}
	v.chat.open = open
	v.hand.Mute(open)
	if v.fast {
		v.fast = false
		v.events = append(v.events, Event{Do: FastForward})
	}
	v.pen.Lift()
}

// openChat opens or closes the chat with the next picture: the key that did it is not for it.
func (v *View) openChat(open bool) {
	v.chat.next = open
	v.wake()
}
