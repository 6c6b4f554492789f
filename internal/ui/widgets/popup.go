package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// layerOf returns the layer of the drawing in which a dialog or a list is, by its height.
func layerOf(height int) int { return 2 * height }

// above builds something in a layer over all that was built so far, which it covers and
// whose input it takes. The clip is lifted.
func (u *UI) above(build func()) {
	under := u.layers.now
	u.layers.nextTop++
	u.layers.now = u.layers.nextTop
	before := u.list.SetLayer(layerOf(u.layers.now))
	u.list.PushWholeClip()
	depth := len(u.open.frames)
	build()
	u.open.frames = u.open.frames[:depth]
	u.list.PopClip()
	u.list.SetLayer(before)
	u.layers.now = under
}

// Modal shows a dialog in the middle of the window, over everything, as long as
// it is called. It tells whether the user wants to close it, by Escape or a
// pad's B. One that is higher than the window scrolls. The keyboard is in it: first on
// its field with Focus or on its default button, else on its first widget.
func (u *UI) Modal(m Modal, build func()) (closed bool) {
	name := m.Name
	if name == "" {
		name = m.Title
	}
	id := u.id(name, "")
	mem := u.remember(id)
	u.above(func() {
		defer func(before bool) { u.layers.opening = before }(u.layers.opening)
		if u.layers.opening = mem.gone; mem.gone && u.first {
			u.layers.opened, u.focus.shown = true, true
		}
		r := u.modalRect(m, mem)
		u.list.Fill(u.list.Bounds(), u.theme.Shade)
		u.list.Shadow(r.Move(0, 6), 16, 24, u.theme.Shadow)
		u.list.FillRound(r, 16, u.theme.Panel)
		u.list.Border(r, 16, 1, u.theme.Line)
		u.modalInside(id, mem, m, r, build)
		if !m.Fixed && u.Back() {
			closed = true
		}
	})
	return closed
}

const modalPadding = 24

func (u *UI) modalRect(m Modal, mem *memory) draw.Rect {
	w := m.Width
	if w == 0 {
		w = 420
	}
	all := u.list.Bounds()
	if u.focus.pad && mem.height > all.H-24-hintHigh {
		all.CutBottom(hintHigh / 2) // it lies below
	}
	return u.list.Snap(all.Inset(12).Centered(w, max(mem.height, 2*modalPadding)))
}

func (u *UI) modalInside(id ID, mem *memory, m Modal, r draw.Rect, build func()) {
	u.open.scopes = append(u.open.scopes, id)
	inner := column(r.Inset(modalPadding))
	u.open.frames = append(u.open.frames, inner)
	if m.Title != "" {
		u.Heading(m.Title)
	}
	more := float32(0)
	if mem.height > r.H+0.5 { // higher than the window
		high := u.Area().H
		if m.Foot != nil {
			high = max(high-mem.tail-Gap, 2*Control)
		}
		u.Scroll("inside", high, func() {
			build()
			f := u.open.frames[len(u.open.frames)-1]
			more = f.end - f.rect.Y - high
		})
	} else {
		build()
	}
	if m.Foot != nil {
		u.modalFoot(mem, m.Foot)
	}
	f := u.pop()
	u.boxEnded(mem, 0, f.end-r.Y+modalPadding+more)
	u.open.scopes = u.open.scopes[:len(u.open.scopes)-1]
}

// modalFoot builds the part of a dialog that does not scroll.
func (u *UI) modalFoot(mem *memory, build func()) {
	top := u.frame().end + Gap
	build()
	if high := u.frame().end - top; differ(high, mem.tail) {
		mem.tail, u.again = high, true
	}
}

// Answer is what the user says to a question.
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
