package window

import (
	"unsafe"

	"github.com/nettplay/nettplay/internal/ui/widgets"
	"github.com/veandco/go-sdl2/sdl"
)

// composing is SDL_TextEditingExtEvent, which go-sdl2 has no type for. By default SDL tells a composition in pieces of 31
// bytes, ten letters of Japanese, each by an event that looks as if it were all; with SDL_IME_SUPPORT_EXTENDED_TEXT a long
// one comes by this event, and Start is where the caret is.
type composing struct {
	sdl.CommonEvent
	WindowID      uint32
	Text          *byte // ends in 0; whoever takes the event frees it
	Start, Length int32
}

// A composed event is what is being composed.
type composed struct {
	sdl.CommonEvent
	widgets.Composition
}

// takeComposing makes one of SDL's event, and frees that.
func takeComposing(e *sdl.CommonEvent) *composed {
	c := (*composing)(unsafe.Pointer(e))
	if c.Text == nil {
		return &composed{CommonEvent: *e}
	}
	size := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(c.Text), size)) != 0 {
		size++
	}
	written := unsafe.Slice(c.Text, size+1)
	defer sdl.FreeWAV(written) // which is SDL_free
	return &composed{*e, widgets.Composition{Text: text(written), Caret: int(max(c.Start, 0))}}
}
