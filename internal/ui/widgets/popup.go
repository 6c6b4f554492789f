package widgets

import (
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

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
	return u.list.Snap(u.list.Bounds().Inset(12).Centered(w, max(mem.height, 2*modalPadding)))
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

// toast is a message that goes away by itself.
type toast struct {
	kind  Kind
	text  string
	until time.Duration
}

// Toast shows a message at the bottom of the window for a few seconds. The same
// one again only stays longer.
func (u *UI) Toast(kind Kind, text string) {
	until := u.in.Now + 4*time.Second + time.Duration(len(text))*30*time.Millisecond
	for i := range u.toasts {
		if u.toasts[i].text == text {
			u.toasts[i].kind, u.toasts[i].until = kind, until
			return
		}
	}
	if len(u.toasts) == 4 {
		u.toasts = append(u.toasts[:0], u.toasts[1:]...)
	}
	u.toasts = append(u.toasts, toast{kind, text, until})
}

func (u *UI) endToasts() {
	left := u.toasts[:0]
	for _, t := range u.toasts {
		if t.until > u.in.Now {
			left = append(left, t)
			u.wake(t.until - u.in.Now)
		}
	}
	u.toasts = left
	bottom := u.list.Bounds().Bottom() - 20
	defer u.list.SetLayer(u.list.SetLayer(draw.Layers - 2))
	for i := len(left) - 1; i >= 0; i-- {
		bottom = u.drawToast(left[i], bottom) - 8
	}
}

func (u *UI) drawToast(t toast, bottom float32) (top float32) {
	all := u.list.Bounds()
	width := min(u.list.Width(StyleBody, t.text), all.W-120, 520)
	lines := u.list.Wrap(StyleBody, t.text, width, nil)
	line := u.list.LineHeight(StyleBody)
	w, h := width+60, float32(lines)*line+22
	r := u.list.Snap(draw.R(all.X+(all.W-w)/2, bottom-h, w, h))
	u.list.Shadow(r.Move(0, 3), 10, 14, u.theme.Shadow)
	u.list.FillRound(r, 10, u.theme.Raised)
	u.list.Border(r, 10, 1, u.theme.LineStrong)
	u.list.Icon(draw.R(r.X+12, r.Y, 22, h), kindIcon(t.kind), 20, u.theme.Kind(t.kind))
	y := r.Y + 11
	u.list.Wrap(StyleBody, t.text, width, func(s string) {
		u.list.Text(draw.Pt(r.X+44, y), StyleBody, s, u.theme.Text)
		y += line
	})
	return r.Y
}

func kindIcon(k Kind) draw.Icon {
	switch k {
	case Danger:
		return draw.IconError
	case Warning:
		return draw.IconWarning
	case Good:
		return draw.IconCheck
	default:
		return draw.IconInfo
	}
}
