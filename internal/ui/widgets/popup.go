package widgets

import (
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// above builds something in a layer over all that was built so far, which it covers and
// whose input it takes. The clip is lifted.
func (u *UI) above(build func()) {
	under := u.layers.now
	u.layers.nextTop++
	u.layers.now = u.layers.nextTop
	before := u.list.SetLayer(2 * u.layers.now)
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
		area := u.Area()
		u.Scroll("inside", area.H, func() {
			build()
			f := u.open.frames[len(u.open.frames)-1]
			more = f.end - f.rect.Y - area.H
		})
	} else {
		build()
	}
	f := u.pop()
	u.boxEnded(mem, 0, f.end-r.Y+modalPadding+more)
	u.open.scopes = u.open.scopes[:len(u.open.scopes)-1]
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
	if u.Modal(Modal{Title: title}, func() {
		u.Paragraph(text)
		u.Space(4)
		u.Row(Cells(Fill, Auto, Auto), func() {
			u.Space(0)
			if no != "" && u.Button(Button{Text: no, Name: "no", Default: kind == Danger}) {
				a = No
			}
			if u.Button(Button{Text: yes, Name: "yes", Kind: kind, Default: true}) {
				a = Yes
			}
		})
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

// tip is the word that appears where the mouse rests.
type tip struct {
	id    ID
	since time.Duration
	next  ID
	text  string
	rect  draw.Rect
}

func (t *tip) begin() { t.next, t.text = 0, "" }

// Tip explains the widget before, when the mouse rests on it or the ring is
// around it.
func (u *UI) Tip(text string) {
	over := u.in.MouseIn && u.in.Held == 0 && u.mouse.at.In(u.lastRect.Intersect(u.list.Clip()))
	if text == "" || !u.live() || !over {
		return
	}
	u.tip.next, u.tip.text, u.tip.rect = u.lastID.number(7), text, u.lastRect
}

const tipDelay = 500 * time.Millisecond

func (u *UI) endTip() {
	t := &u.tip
	if t.next != t.id {
		t.id, t.since = t.next, u.in.Now
	}
	if t.id == 0 {
		return
	}
	if left := t.since + tipDelay - u.in.Now; left > 0 {
		u.wake(left)
		return
	}
	u.drawTip(t)
}

func (u *UI) drawTip(t *tip) {
	defer u.list.SetLayer(u.list.SetLayer(draw.Layers - 1))
	all := u.list.Bounds().Inset(6)
	width := min(u.list.Width(StyleSmall, t.text), 320, all.W-24)
	line := u.list.LineHeight(StyleSmall)
	lines := u.list.Wrap(StyleSmall, t.text, width, nil)
	r := draw.R(u.mouse.at.X, t.rect.Bottom()+6, width+20, float32(lines)*line+12)
	if r.Bottom() > all.Bottom() {
		r.Y = t.rect.Y - 6 - r.H
	}
	r.X = max(all.X, min(r.X, all.Right()-r.W))
	r = u.list.Snap(r)
	u.list.Shadow(r.Move(0, 2), 7, 10, u.theme.Shadow)
	u.list.FillRound(r, 7, u.theme.Raised)
	u.list.Border(r, 7, 1, u.theme.LineStrong)
	y := r.Y + 6
	u.list.Wrap(StyleSmall, t.text, width, func(s string) {
		u.list.Text(draw.Pt(r.X+10, y), StyleSmall, s, u.theme.Text)
		y += line
	})
}
