package widgets

import (
	"cmp"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// above builds something in a layer over all that was built so far, which it covers and
// whose input it takes. The clip is lifted.
func (u *UI) above(build func()) {
	under := u.layers.now
	u.layers.nextTop++
	u.layers.now = u.layers.nextTop
	before := u.list.SetLayer(layerOf(u.layers.now))
	u.list.PushWholeClip()
	build()
	u.list.PopClip()
	u.list.SetLayer(before)
	u.layers.now = under
}

// Modal shows a dialog in the middle of the window, over everything, as long as
// it is called. It tells whether the user wants to close it, by Escape or a
// pad's B. One that is higher than the window scrolls. The keyboard is in it: first on
// its field with Focus or on its default button, else on its first widget.
func (u *UI) Modal(m Modal, build func()) (closed bool) {
	id := u.id(m.Name, m.Title)
	mem := u.remember(id)
	u.above(func() {
		defer func(before bool) { u.layers.opening = before }(u.layers.opening)
		if u.layers.opening = mem.gone; mem.gone && u.first {
			u.layers.opened, u.focus.shown = true, true
		}
		r := u.modalRect(m, mem)
		u.list.Fill(u.list.Bounds(), u.theme.Shade)
		u.list.Shadow(r.Move(0, 6), 16, 24, u.theme.Shadow)
		u.face(touch{}, r, 16, 1, u.theme.Panel, u.theme.Line)
		u.modalInside(id, mem, m, r, build)
		closed = !m.Fixed && u.Back()
	})
	return closed
}

const modalPadding = 24

func (u *UI) modalRect(m Modal, mem *memory) draw.Rect {
	all := u.list.Bounds()
	if u.focus.pad && mem.height > all.H-24-hintHigh {
		all.CutBottom(hintHigh / 2) // it lies below
	}
	return u.list.Snap(all.Inset(12).Centered(cmp.Or(m.Width, 420), max(mem.height, 2*modalPadding)))
}

func (u *UI) modalInside(id ID, mem *memory, m Modal, r draw.Rect, build func()) {
	more := float32(0)
	inside := func() {
		if m.Title != "" {
			u.Heading(m.Title)
		}
		if mem.height > r.H+0.5 { // higher than the window
			more = u.modalScroll(mem, m, build)
		} else {
			build()
		}
		if m.Foot != nil {
			top := u.frame().end + Gap
			m.Foot()
			u.settle(&mem.tail, u.frame().end-top)
		}
	}
	u.within(id, func() {
		f := u.fill(column(r.Inset(modalPadding)), inside)
		u.boxEnded(mem, 0, f.end-r.Y+modalPadding+more)
	})
}

// modalScroll builds what scrolls in a dialog, and returns by how much it is higher than its place. The
// widgets keep the names that they have in a dialog that does not scroll: a dialog turns out to be
// higher than the window only after its default button has the keyboard.
func (u *UI) modalScroll(mem *memory, m Modal, build func()) (more float32) {
	high, scope := u.Area().H, u.scope()
	if m.Foot != nil {
		high = max(high-mem.tail-Gap, 2*Control)
	}
	u.Scroll("inside", high, func() {
		u.within(scope, build)
		more = u.frame().end - u.frame().rect.Y - high
	})
	return more
}

// Answer is the user's answer to a question.
type Answer uint8

// Answers.
const (
	NoAnswer Answer = iota // not yet
	Yes
	No
)

// Ask is a dialog with a question, a button that does it and one that does not.
// Show it until there is an answer. The default is to do it, unless it is a [Danger].
func (u *UI) Ask(title, text, yes, no string, kind Kind) (a Answer) {
	buttons := func() {
		u.Row(Cells(Fill, Auto, Auto), func() {
			u.Space(0)
			if no != "" && u.Button(Button{Text: no, Name: "no", Default: kind == Danger}) {
				a = No
			}
			if u.Button(Button{Text: yes, Name: "yes", Kind: kind, Default: true}) {
				a = Yes
			}
		})
	}
	if u.Modal(Modal{Title: title, Foot: buttons}, func() {
		u.Paragraph(text)
		u.Space(4)
	}) && a == NoAnswer {
		a = No
	}
	return a
}
