package widgets

import (
	"cmp"
	"image"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// Field is a line of text that can be changed.
func (u *UI) Field(f Field, value *string) (e Edited) {
	id := u.id(f.Name, "field")
	m := u.remember(id)
	f.Secret = f.Secret || u.list.Veiled(*value) != *value
	r := u.fieldPlace(f)
	if f.Focus && m.gone || f.Take {
		u.take(id)
	}
	if m.gone { // one goes on at the end
		m.caret, m.anchor = len(*value), len(*value)
		if f.Select && u.focus.id == id {
			m.anchor = 0
		}
	}
	t := u.interact(id, r, false)
	u.isText()
	u.describe(t, description{labelled: true})
	u.does(t, u.PadWords().Accept+" writes")
	ed := editor{text: *value, caret: m.caret, anchor: m.anchor, max: cmp.Or(f.Max, 4096)}
	ed.settle()
	if t.focused && u.focus.arrived == id {
		ed.anchor, ed.caret, u.focus.arrived = 0, len(ed.text), 0
	}
	inner := u.fieldFrame(f, r, t)
	u.fieldMouse(f, &ed, m, inner, t)
	if t.focused {
		switch {
		case u.in.Nav == NavAccept && !u.focus.keyUsed:
			u.board.open(id)
			u.used()
		case t.clicked && u.in.Touch:
			u.board.open(id)
		}
		e.Entered = u.fieldKeys(f, &ed, m, t)
		u.focus.typing, u.focus.forward = true, f.Forward
		u.board.follow(id, f.shown(ed.text), len(f.shown(ed.text[:ed.caret])))
	}
	e.Changed, e.Focused, e.Left = ed.text != *value, t.focused, m.had && !t.focused
	m.had = t.focused
	*value, m.caret, m.anchor = ed.text, ed.caret, ed.anchor
	u.fieldText(f, &ed, m, inner, t)
	u.pointer(t, Beam)
	return e
}

// fieldPlace takes the place of a field, and of what is wrong with it, which it writes below.
func (u *UI) fieldPlace(f Field) draw.Rect {
	if f.Error == "" {
		return u.Cell(220, Control)
	}
	u.frame().tail = 22
	r := u.Cell(220, Control+22)
	r.H = Control
	u.list.TextIn(draw.R(r.X+2, r.Bottom()+2, r.W-2, 20), StyleSmall, u.Say(f.Error), u.theme.Danger, draw.Start)
	return r
}

// fieldFrame draws the frame and returns where the text goes.
func (u *UI) fieldFrame(f Field, r draw.Rect, t touch) draw.Rect {
	edge, width := u.theme.LineStrong, float32(1)
	switch {
	case f.Error != "", f.Wrong:
		edge, width = u.theme.Danger, 1.5
	case t.focused:
		edge, width = u.theme.Accent, 1.5
	}
	u.face(t, r, corner, width, u.theme.Field, edge)
	in := r.Inset2(11, 0)
	if f.Icon != draw.NoIcon {
		u.list.Icon(in.Left(18), f.Icon, 17, u.theme.Faint)
		in.Left(9)
	}
	return in
}

// shown returns what is seen of a text.
func (f Field) shown(s string) string {
	if !f.Secret {
		return s
	}
	n := 0
	for range draw.Clusters(s) {
		n++
	}
	return strings.Repeat("•", n)
}

// index returns the place in the text that is at a place in what is seen.
func (f Field) index(text string, at int) int {
	if !f.Secret {
		return at
	}
	for i := range draw.Clusters(text) {
		if at <= 0 {
			return i
		}
		at -= len("•")
	}
	return len(text)
}

func (u *UI) fieldMouse(f Field, e *editor, m *memory, in draw.Rect, t touch) {
	if !u.first || u.mouse.active != u.lastID {
		return
	}
	at := f.index(e.text, u.list.Index(StyleBody, f.shown(e.text), u.mouse.at.X-in.X+m.view))
	before := e.caret
	switch {
	case t.pressed && u.in.Clicks >= 3:
		e.anchor, e.caret = 0, len(e.text)
		m.adding = true
	case t.pressed && u.in.Clicks == 2:
		e.word(at)
		m.adding = true
	case t.pressed:
		e.move(at, u.in.Press.Mods&Shift != 0)
		m.adding = false
	case !m.adding:
		e.move(at, true)
	}
	if e.caret != before || t.pressed {
		m.changed = u.in.Now
	}
}

// fieldKeys takes what was typed, and tells whether Enter was.
func (u *UI) fieldKeys(f Field, e *editor, m *memory, t touch) (entered bool) {
	before := *e
	if u.in.Text != "" {
		e.insert(u.in.Text)
	}
	if p := u.in.Press; u.in.Compose.Text == "" && !u.focus.keyUsed {
		switch {
		case p.is(KeyEnter) && p.Mods == 0 && !p.Repeat && !f.Forward:
			entered = true
			u.focus.keyUsed = true
		case u.fieldCommand(f, e, p) || e.key(p):
			u.focus.keyUsed = true
		}
	}
	if before != *e || !m.had {
		m.changed = u.in.Now
	}
	return entered
}

// key does what a key does to a text, and tells whether it is one that does.
func (e *editor) key(p KeyPress) bool {
	word, extend := p.Mods&Ctrl != 0, p.Mods&Shift != 0
	if p.Mods&Alt != 0 {
		return false
	}
	switch p.Key {
	case KeyLeft, KeyRight:
		e.arrow(p.Key == KeyLeft, word, extend)
	case KeyHome:
		e.move(0, extend)
	case KeyEnd:
		e.move(len(e.text), extend)
	case KeyBackspace, KeyDelete:
		e.remove(p.Key == KeyBackspace, word)
	case KeySpace: // comes as text
	default:
		return p.Sym != 0 && p.Mods&Ctrl == 0
	}
	return true
}

// fieldCommand copies, cuts, pastes and selects all.
func (u *UI) fieldCommand(f Field, e *editor, p KeyPress) bool {
	switch {
	case p.command('a', KeyA):
		e.anchor, e.caret = 0, len(e.text)
	case p.command('c', KeyC), p.Key == KeyInsert && p.Mods == Ctrl:
		u.copySelected(f, e)
	case p.command('x', KeyX), p.Key == KeyDelete && p.Mods == Shift:
		if u.copySelected(f, e) {
			e.insert("")
		}
	case p.pastes():
		e.insert(u.clip.Paste())
	default:
		return false
	}
	return true
}

func (p KeyPress) pastes() bool {
	return p.command('v', KeyV) || p.Key == KeyInsert && p.Mods == Shift
}

// Pasted returns what the user pastes where no field takes it, "" for nothing. Call it for
// what works all over a screen, after its fields.
func (u *UI) Pasted() string {
	if p := u.in.Press; u.live() && !u.Busy() && !p.Repeat && !p.Up && p.pastes() {
		return u.Clipboard()
	}
	return ""
}

// Clipboard returns the text that the user has copied, here or elsewhere, "" for none.
func (u *UI) Clipboard() string { return u.clip.Paste() }

// command reports whether Ctrl and a letter were pressed: by the user's layout,
// or by place where that has no such letters.
func (p KeyPress) command(letter rune, place Key) bool {
	return p.Mods == Ctrl && (p.Sym == letter || p.Key == place && (p.Sym < 'a' || p.Sym > 'z'))
}

func (u *UI) copySelected(f Field, e *editor) bool {
	if f.Secret || e.selected() == "" {
		return false
	}
	u.clip.Copy(e.selected())
	return true
}

const blink = 530 * time.Millisecond

// fieldText draws the text, the selection, what is being composed, and the caret.
func (u *UI) fieldText(f Field, e *editor, m *memory, in draw.Rect, t touch) {
	shown, compose := f.shown(e.text), Composition{}
	if t.focused {
		compose = u.in.Compose
	}
	before := f.shown(e.text[:e.caret])
	x := u.list.Width(StyleBody, before)
	mark := u.list.Width(StyleBody, compose.Text)
	written := []rune(compose.Text)
	caret := x + u.list.Width(StyleBody, string(written[:min(compose.Caret, len(written))]))
	whole := u.list.Width(StyleBody, shown) + mark
	u.fieldView(f, m, in.W, caret, whole, t)
	if !t.focused && shown != "" {
		if f.Tail {
			u.list.TailIn(in, StyleBody, shown, u.theme.Text)
		} else {
			u.list.TextIn(in, StyleBody, shown, u.theme.Text, draw.Start)
		}
		return
	}
	u.list.PushClip(draw.R(in.X-1, in.Y, in.W+2, in.H))
	defer u.list.PopClip()
	left, line := in.X-m.view, u.list.LineHeight(StyleBody)
	top := in.Y + (in.H-line)/2
	u.noteView(u.list.Clip(), draw.R(min(left, in.X), in.Y, max(whole, in.W), in.H))
	u.selectionBack(f, e, left, in, t)
	if shown == "" && mark == 0 {
		u.list.TextIn(in, StyleBody, u.Say(f.Hint), u.theme.Faint, draw.Start)
	}
	u.list.Text(draw.Pt(left, top), StyleBody, before, u.theme.Text)
	if mark > 0 {
		u.list.Text(draw.Pt(left+x, top), StyleBody, compose.Text, u.theme.Text)
		u.list.Fill(draw.R(left+x, top+line-2, mark, 1.5), u.theme.Accent)
	}
	u.list.Text(draw.Pt(left+x+mark, top), StyleBody, shown[len(before):], u.theme.Text)
	if t.focused {
		u.caret(draw.R(left+caret, top, 1.5, line), m)
	}
}

// fieldView moves what is seen so that the caret is.
func (u *UI) fieldView(f Field, m *memory, width, caret, all float32, t touch) {
	if !t.focused && u.mouse.active == 0 {
		m.view = 0
		if f.Tail {
			m.view = max(0, all-width+2)
		}
		return
	}
	m.view = max(caret-width+2, min(m.view, caret))
	m.view = max(0, min(m.view, all-width+2))
}

func (u *UI) selectionBack(f Field, e *editor, left float32, in draw.Rect, t touch) {
	if from, to := e.selection(); t.focused && from != to {
		a := u.list.Width(StyleBody, f.shown(e.text[:from]))
		b := u.list.Width(StyleBody, f.shown(e.text[:to]))
		u.list.FillRound(draw.R(left+a, in.Y+7, b-a, in.H-14), 3, u.theme.Accent.Fade(0.35))
	}
}

func (u *UI) caret(r draw.Rect, m *memory) {
	p := r.Mul(u.list.Scale())
	u.out.Typing, u.out.Caret = true, image.Rect(int(p.X), int(p.Y), int(p.Right()), int(p.Bottom()))
	since := u.in.Now - m.changed
	u.Wake(blink - since%blink)
	if u.in.Focused && since/blink%2 == 0 {
		u.list.Fill(r.Inset2(0, 1), u.theme.Text)
	}
}
