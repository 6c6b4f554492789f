package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// hintHigh is the height of the line for the pad: as high as the least margin of a screen, or as a line.
const hintHigh = 16

// PadHint says at the lower edge what the buttons of a pad do where the ring is, if a pad was
// used last. back tells whether B leads anywhere. Call it at the end of a screen.
func (u *UI) PadHint(back bool) {
	if !u.focus.pad || !u.focus.shown || u.board.field != 0 || u.bare && u.layers.nextTop == 0 {
		return
	}
	words := u.focus.does
	if words == "" {
		words = u.PadWords().Accept + " presses"
	}
	if m := u.focus.main; m != 0 && m != u.focus.id {
		words += "  ·  " + u.PadWords().Forward + " leads on"
	}
	if u.focus.turns && u.layers.nextTop == 0 {
		words += "  ·  " + u.PadWords().Previous + " and " + u.PadWords().Next + " turn"
	}
	if back || u.layers.nextTop > 0 {
		words += "  ·  " + u.PadWords().Back + " goes back"
	}
	defer u.list.SetLayer(u.list.SetLayer(draw.Layers - 2))
	all := u.list.Bounds()
	u.list.TextIn(all.CutBottom(max(hintHigh, u.list.LineHeight(StyleSmall))), StyleSmall, u.Say(words), u.theme.Soft, draw.Middle)
}

// PadWords are the names of the buttons of a pad in hints, as they are printed on it.
type PadWords struct{ Accept, Back, Forward, Previous, Next string }

// SetPadWords says what is printed on the pad that was used last. The zero value is A, B, Start, L and R.
func (u *UI) SetPadWords(w PadWords) { u.padWords = w }

// PadWords returns what hints call the buttons of the pad that was used last.
func (u *UI) PadWords() PadWords {
	if u.padWords == (PadWords{}) {
		return PadWords{Accept: "A", Back: "B", Forward: "Start", Previous: "L", Next: "R"}
	}
	return u.padWords
}

// does says what a pad does to the focused widget.
func (u *UI) does(t touch, words string) {
	if t.focused {
		u.focus.does = words
	}
}
