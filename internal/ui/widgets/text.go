package widgets

import (
	"strings"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// Title is the heading of a screen.
func (u *UI) Title(text string) {
	u.page = text
	u.line(StyleTitle, text, u.theme.Text, draw.Start)
}

// Heading is the heading of a part of a screen, broken into lines if it must be.
func (u *UI) Heading(text string) { u.paragraph(StyleHead, u.theme.Text, text, 0) }

// Headline says, large and in as many lines as it takes, what a screen of few words is about.
func (u *UI) Headline(text string) { u.paragraph(StyleTitle, u.theme.Text, text, 0) }

// Label is a line of text. A text that does not fit is cut, and then shown by a
// tooltip.
func (u *UI) Label(text string) { u.line(StyleBody, text, u.theme.Text, draw.Start) }

// Soft is a line of less important text.
func (u *UI) Soft(text string) { u.line(StyleBody, text, u.theme.Soft, draw.Start) }

// Small is a line of small, less important text.
func (u *UI) Small(text string) { u.line(StyleSmall, text, u.theme.Soft, draw.Start) }

// Text is a line of text in a style, with the colour of a kind.
func (u *UI) Text(st draw.Style, kind Kind, text string, align draw.Align) {
	c := u.theme.Text
	if kind != Normal {
		c = u.theme.Kind(kind)
	}
	u.line(st, text, c, align)
}

func (u *UI) line(st draw.Style, text string, c draw.Color, align draw.Align) {
	w, english := float32(0), text
	text = u.Say(text)
	if f := u.frame(); f.row {
		w = u.list.Width(st, text)
	}
	r := u.Cell(w, u.list.LineHeight(st))
	u.list.TextIn(r, st, text, c, align)
	u.lastRect, u.lastID = r, u.scope().with(english)
}

// Paragraph is text of any length, broken into lines.
func (u *UI) Paragraph(text string) { u.paragraph(StyleBody, u.theme.Text, text, 0) }

// Note is a paragraph of small, less important text.
func (u *UI) Note(text string) { u.paragraph(StyleSmall, u.theme.Soft, text, 0) }

// Lines is a note of at most n lines: the last is cut where there is more. Where buttons beside it leave room for hardly a word,
// it is left out.
func (u *UI) Lines(n int, text string) {
	const scrap = 60
	text = u.Say(text)
	width := u.frame().width()
	if lines := u.list.Wrap(StyleSmall, text, width, nil); lines > n && width < scrap {
		text = ""
	} else {
		n = min(n, lines)
	}
	r := u.Cell(width, float32(n)*u.list.LineHeight(StyleSmall))
	u.linesIn(r, n, text, u.theme.Soft)
	u.lastRect, u.lastID = r, u.scope().with(text)
}

// linesIn writes at most n small lines from the top of a place on.
func (u *UI) linesIn(r draw.Rect, n int, text string, c draw.Color) {
	u.alignedLines(r, n, text, c, draw.Start)
}

// middleLines writes at most n small lines, each in the middle, from the top of a place on.
func (u *UI) middleLines(r draw.Rect, n int, text string, c draw.Color) {
	u.alignedLines(r, n, text, c, draw.Middle)
}

func (u *UI) alignedLines(r draw.Rect, n int, text string, c draw.Color, align draw.Align) {
	rest, line := text, u.list.LineHeight(StyleSmall)
	u.list.Wrap(StyleSmall, text, r.W, func(s string) {
		switch n--; {
		case n > 0:
			if align == draw.Start {
				u.list.Text(draw.Pt(r.X, r.Y), StyleSmall, s, c)
			} else {
				u.list.TextIn(draw.R(r.X, r.Y, r.W+1, line), StyleSmall, s, c, align)
			}
			rest = strings.TrimLeft(strings.TrimPrefix(rest, s), " \n")
		case n == 0:
			u.list.TextIn(draw.R(r.X, r.Y, r.W, line), StyleSmall, rest, c, align)
		}
		r.Y += line
	})
}

// Message is a paragraph about the state of something: with an icon, in the
// colour of its kind.
func (u *UI) Message(kind Kind, text string) {
	if text == "" {
		return
	}
	r := u.paragraph(StyleBody, u.theme.Text, text, 28)
	u.list.Icon(draw.R(r.X, r.Y, 20, u.list.LineHeight(StyleBody)), kindIcons[kind], 18, u.theme.Kind(kind))
}

// paragraph writes text in lines, indent points from the left, and returns where.
func (u *UI) paragraph(st draw.Style, c draw.Color, text string, indent float32) draw.Rect {
	text = u.Say(text)
	width := u.frame().width()
	lines := u.list.Wrap(st, text, width-indent, nil)
	r := u.Cell(width, float32(lines)*u.list.LineHeight(st))
	u.write(draw.Pt(r.X+indent, r.Y), r.W-indent, st, c, text)
	u.lastRect = r
	return r
}

// write writes text from a place on, broken into lines of some width.
func (u *UI) write(at draw.Point, width float32, st draw.Style, c draw.Color, text string) {
	u.list.Wrap(st, text, width, func(s string) {
		u.list.Text(at, st, s, c)
		at.Y += u.list.LineHeight(st)
	})
}

// Badge is a word on a coloured ground.
func (u *UI) Badge(kind Kind, text string) {
	english := text
	text = u.Say(text)
	w := u.list.Width(StyleSmall, text) + 16
	r := u.Cell(w, 22)
	r.W = w
	u.badge(r, kind, text)
	u.lastRect, u.lastID = r, u.scope().with(english)
}

func (u *UI) badge(r draw.Rect, kind Kind, text string) {
	c := u.theme.Kind(kind)
	u.list.FillRound(r, r.H/2, u.theme.Panel.Mix(c, 0.18))
	u.list.TextIn(r.Inset2(4, 0), StyleSmall, text, u.theme.Text.Mix(c, 0.55), draw.Middle)
}

// Icon is an icon in the colour of a kind.
func (u *UI) Icon(icon draw.Icon, kind Kind) {
	r := u.Cell(20, 20)
	u.list.Icon(r, icon, 20, u.theme.Kind(kind))
	u.lastRect, u.lastID = r, 0
}

// Image is a picture, w x h points, in the middle of its place.
func (u *UI) Image(t draw.Texture, w, h float32) {
	r := u.Cell(w, h).Centered(w, h)
	u.list.Image(t, r)
	u.lastRect, u.lastID = r, 0
}
