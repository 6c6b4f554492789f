package widgets

import (
	"cmp"

	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/ui/draw"
)

// wrappedLine is a line of a log, broken into several.
type wrappedLine struct {
	line  Line
	lines int
}

// logLayout is a log as it was laid out last.
type logLayout struct {
	width, scale float32
	veiled       bool
	language     *language.Language
	lines        []wrappedLine
	total        int
}

// Log shows lines of which the newest are at the bottom. It stays there while
// lines are added, unless the user has scrolled up.
func (u *UI) Log(l Log) {
	id := u.id(l.Name, "log")
	m := u.remember(id)
	view := u.Cell(0, cmp.Or(l.Height, max(u.Area().H, 60)))
	t := u.interact(id, view, false)
	u.isText()
	if t.focused {
		u.focus.forward = true
	}
	u.face(t, view, 10, 1, u.theme.Field, u.theme.Line)
	inner := view.Inset2(12, 8)
	if len(l.Lines) == 0 {
		u.emptyWords(inner, draw.IconChat, l.Empty)
		return
	}
	content := u.layoutLog(m, l.Lines, inner.W-barWidth)
	u.logScroll(m, t, inner, content)
	u.logLines(m, inner)
	u.scrolled(id, m, inner, content)
	m.stick = m.scroll >= content-inner.H-1
}

// layoutLog breaks the lines that are new, and returns how high all are.
func (u *UI) layoutLog(m *memory, lines []Line, width float32) float32 {
	if m.log == nil || m.log.width != width || m.log.scale != u.list.Scale() || m.log.veiled != u.veiled || m.log.language != u.list.Language() {
		m.stick = m.stick || m.log == nil
		m.log = &logLayout{width: width, scale: u.list.Scale(), veiled: u.veiled, language: u.list.Language()}
	}
	lay := m.log
	lay.total = 0
	if len(lay.lines) > len(lines) {
		lay.lines = lay.lines[:len(lines)]
	}
	for i, line := range lines {
		if i == len(lay.lines) {
			lay.lines = append(lay.lines, wrappedLine{})
		}
		if w := &lay.lines[i]; w.lines == 0 || w.line != line {
			*w = wrappedLine{line, u.list.Wrap(StyleBody, u.sayLine(line), width-u.indent(line), nil)}
		}
		lay.total += lay.lines[i].lines
	}
	return float32(lay.total)*u.list.LineHeight(StyleBody) + float32(len(lines)-1)*logGap
}

const logGap = 4

// sayLine is what a line says: what people wrote stays as it is.
func (u *UI) sayLine(l Line) string {
	if l.From != "" {
		return l.Text
	}
	return u.Say(l.Text)
}

// indent returns the width of the name before a line.
func (u *UI) indent(l Line) float32 {
	w := float32(0)
	if l.Time != "" {
		w += u.list.Width(StyleSmall, l.Time) + 10
	}
	if l.From != "" {
		w += min(u.list.Width(StyleBold, l.From), maxName) + 10
	}
	return w
}

const maxName = 140

func (u *UI) logScroll(m *memory, t touch, view draw.Rect, content float32) {
	most := max(content-view.H, 0)
	if m.stick {
		m.scroll = most
	}
	if !t.focused {
		return
	}
	before := m.scroll
	switch dir := u.move(); {
	case dir == NavUp && m.scroll > 0:
		m.scroll -= 40
	case dir == NavDown && m.scroll < most:
		m.scroll += 40
	case u.in.Press.Key == KeyPageUp:
		m.scroll -= view.H - 20
	case u.in.Press.Key == KeyPageDown:
		m.scroll += view.H - 20
	}
	if m.scroll != before {
		u.used()
		m.scroll = max(0, min(m.scroll, most))
	}
}

func (u *UI) logLines(m *memory, view draw.Rect) {
	u.list.PushClip(view.Inset4(-10, 0, 0, 0)) // room for the marks
	defer u.list.PopClip()
	high := u.list.LineHeight(StyleBody)
	y := view.Y - m.scroll
	if free := view.Y + view.H - (y + float32(m.log.total)*high + float32(len(m.log.lines)-1)*logGap); free > 0 && m.scroll == 0 {
		y = view.Y
	}
	for i := range m.log.lines {
		w := &m.log.lines[i]
		h := float32(w.lines) * high
		if y+h > view.Y && y < view.Bottom() {
			u.logLine(w.line, draw.R(view.X, y, m.log.width, h), high)
		}
		y += h + logGap
	}
}

func (u *UI) logLine(l Line, r draw.Rect, high float32) {
	x := r.X
	if l.New {
		u.list.FillRound(draw.R(x-9, r.Y+high/2-3, 6, 6), 3, u.theme.Accent)
	}
	if l.Time != "" {
		w := u.list.Width(StyleSmall, l.Time)
		u.list.TextIn(draw.R(x, r.Y, w+1, high), StyleSmall, l.Time, u.theme.Faint, draw.Start)
		x += w + 10
	}
	text := u.theme.Text
	if l.From != "" {
		c := u.theme.Soft
		if l.Mine {
			c = u.theme.Accent
		}
		w := min(u.list.Width(StyleBold, l.From), maxName)
		u.list.TextIn(draw.R(x, r.Y, w+0.5, high), StyleBold, l.From, c, draw.Start)
		x += w + 10
	} else {
		text = u.theme.Kind(l.Kind)
	}
	u.write(draw.Pt(x, r.Y), r.W-(x-r.X), StyleBody, text, u.sayLine(l))
}
