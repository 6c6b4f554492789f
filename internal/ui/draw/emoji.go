package draw

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Emoji in texts are pictures of our own, [drawings], in colours; the rest shows what it is called, on a plate as wide as
// its letters, and a flag the two letters of its country. So a friend's message never has a box in it.

// emojiNames has a line for each emoji of one rune: its number, and the name that Unicode gives it.
//
//go:embed emoji.txt
var emojiNames string

// emoji returns the emoji that a cluster is, without what only changes how it looks, and ok whether it is one. What is
// a letter of usual fonts, too, such as ☀, is one with the selector behind it that says so.
func emoji(cluster string) (r rune, ok bool) {
	r, n := utf8.DecodeRuneInString(cluster)
	switch {
	case r < 0x203c:
		return r, false
	case isFlag(r), r >= 0x1f300 && r < 0x1fb00, r == 0x1f004, r == 0x1f0cf, r >= 0x1f18e && r < 0x1f252:
		return r, true
	case r < 0x2300 || r >= 0x3300:
		return r, false
	}
	return r, strings.HasPrefix(cluster[n:], "\ufe0f") || strings.ContainsRune(colourful, r)
}

// colourful are the emoji below U+3300 that are one by themselves.
const colourful = "⌚⌛⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕"

// plate is what an emoji without a drawing shows: the two letters of a flag, or names.
func (f *Fonts) plate(cluster string) string {
	if words, ok := f.plates[cluster]; ok {
		return words
	}
	if f.plates == nil || len(f.plates) >= maxPlates {
		f.plates = map[string]string{}
	}
	words := f.spell(cluster)
	f.plates[cluster] = words
	return words
}

// maxPlates bounds what is remembered of names, which strangers choose.
const maxPlates = 256

func (f *Fonts) spell(cluster string) string {
	var words strings.Builder
	for _, r := range cluster {
		switch {
		case isFlag(r):
			words.WriteByte(byte('A' + r - 0x1f1e6))
			continue
		case silent(r) || combining(r) || isSkin(r):
			continue
		}
		if words.Len() > 0 {
			words.WriteByte(' ')
		}
		words.WriteString(f.nameOf(r))
	}
	return shortened(words.String())
}

// nameOf returns what Unicode calls an emoji.
func (f *Fonts) nameOf(r rune) string {
	if f.names == nil {
		f.names = map[rune]string{}
		for line := range strings.Lines(emojiNames) {
			number, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if n, err := strconv.ParseUint(number, 16, 21); err == nil {
				f.names[rune(n)] = name
			}
		}
	}
	if name, ok := f.names[r]; ok {
		return name
	}
	return "emoji"
}

// shortened cuts a name to whole words of at most 18 letters.
func shortened(s string) string {
	const most = 18
	if len(s) <= most {
		return s
	}
	if at := strings.LastIndexByte(s[:most+1], ' '); at > 0 {
		return s[:at]
	}
	return s[:most]
}

// drawing is the picture of an emoji.
type drawing struct {
	number int // that its masks have, below 4096
	parts  []part
}

// drawing returns the picture of an emoji, without parts if it has none.
func (f *Fonts) drawing(r rune) drawing {
	if f.drawings == nil {
		f.drawings = map[rune]drawing{}
		for r, parts := range drawings() {
			f.drawings[r] = drawing{len(f.drawings), parts}
		}
	}
	return f.drawings[r]
}

// emojiWidth returns how wide an emoji is, in pixels.
func (fc *face) emojiWidth(cluster string, r rune) float32 {
	if fc.fonts.drawing(r).parts != nil {
		return fc.emojiSide() + 2*fc.emojiGap()
	}
	inner := fc.plateFace()
	return inner.plainWidth(fc.fonts.plate(cluster)) + 2*fc.platePad() + 2*fc.emojiGap()
}

func (fc *face) emojiSide() float32 { return round(fc.px * 1.2) }
func (fc *face) emojiGap() float32  { return max(round(fc.px*0.06), 1) }
func (fc *face) platePad() float32  { return round(fc.px * 0.3) }
func (fc *face) plateFace() *face   { return fc.fonts.face(Style{fc.px * 0.8, fc.weight}, 1) }

// plainWidth is the width of a text of ASCII.
func (fc *face) plainWidth(s string) (w float32) {
	for i := range len(s) {
		w += fc.glyph(rune(s[i]), 0).advance
	}
	return w
}

// writeEmoji draws an emoji at the pen, and returns where the pen is then. It takes no more of a colour than its opacity.
func (l *List) writeEmoji(fc *face, pen, base float32, cluster string, r rune, c Color) float32 {
	gap, middle := fc.emojiGap(), base-fc.px*0.36
	d := l.fonts.drawing(r)
	if d.parts == nil {
		l.writePlate(fc, pen+gap, base, fc.fonts.plate(cluster), c)
		return pen + fc.emojiWidth(cluster, r)
	}
	side := fc.emojiSide()
	x, y, n := round(pen+gap), round(middle-side/2), int(clamp(side, 4, 500))
	tone := skinOf(cluster)
	for i, part := range d.parts {
		m := l.fonts.shape(shapeKey{emojiPart, uint16(n), uint16(d.number<<4 | i)}, n, n, func(px, py float64) float64 {
			return 0.5 - part.shape(px*24/float64(n), py*24/float64(n))*float64(n)/24
		})
		colour := part.color
		if colour == skin {
			colour = tone
		}
		l.quad(m.texture, pixelRect{x, y, x + m.w, y + m.h}, m.uv, colour.Fade(float32(c.A)/255))
	}
	return pen + side + 2*gap
}

// writePlate writes a name on a plate that is in the middle of a line's letters.
func (l *List) writePlate(fc *face, x, base float32, words string, c Color) {
	inner, pad := fc.plateFace(), fc.platePad()
	high, middle := round(fc.px*1.15), base-fc.px*0.34
	w := inner.plainWidth(words) + 2*pad
	l.FillRound(Rect{x, middle - high/2, w, high}.Mul(1/l.scale), 4, c.Fade(0.16))
	pen, low := x+pad, round(middle+inner.px*0.34)
	for i := range len(words) {
		pen += l.letter(inner, pen, low, rune(words[i]), c)
	}
}

// skinOf returns the colour of the skin that a cluster asks for.
func skinOf(cluster string) Color {
	for _, r := range cluster {
		if isSkin(r) {
			return [...]Color{RGB(0xf7dcc0), RGB(0xe0bb95), RGB(0xbf8f68), RGB(0x9b643d), RGB(0x5c4033)}[r-0x1f3fb]
		}
	}
	return skin
}

// part is a layer of a drawing, on a grid of 24 by 24 as icons are.
type part struct {
	color Color
	shape stroke
}

// The shapes that drawings are made of; dot and line, which icons are made of, are among them.

// bar is a line of any thickness, round at its ends.
func bar(a, b, c, d, thick float64) stroke {
	inner := line(a, b, c, d)
	return func(x, y float64) float64 { return inner(x, y) + pen - thick/2 }
}

// bow is a part of a ring, as arc is, of any thickness.
func bow(a, b, radius, from, to, thick float64) stroke {
	inner := arc(a, b, radius, from, to)
	return func(x, y float64) float64 { return inner(x, y) + pen - thick/2 }
}

func oval(a, b, rx, ry float64) stroke {
	return func(x, y float64) float64 {
		return (math.Hypot((x-a)/rx, (y-b)/ry) - 1) * min(rx, ry)
	}
}

// shape is a polygon, filled.
func shape(points ...float64) stroke {
	return func(x, y float64) float64 {
		d, inside, n := math.Inf(1), false, len(points)
		for i, j := 0, n-2; i < n; i, j = i+2, i {
			ax, ay, bx, by := points[j], points[j+1], points[i], points[i+1]
			t := max(0, min(((x-ax)*(bx-ax)+(y-ay)*(by-ay))/((bx-ax)*(bx-ax)+(by-ay)*(by-ay)), 1))
			d = min(d, math.Hypot(x-ax-t*(bx-ax), y-ay-t*(by-ay)))
			if (ay > y) != (by > y) && x < (bx-ax)*(y-ay)/(by-ay)+ax {
				inside = !inside
			}
		}
		if inside {
			return -d
		}
		return d
	}
}

// block is a rectangle whose corners have a radius.
func block(a, b, c, d, radius float64) stroke {
	mx, my, hx, hy := (a+c)/2, (b+d)/2, (c-a)/2-radius, (d-b)/2-radius
	return func(x, y float64) float64 {
		qx, qy := math.Abs(x-mx)-hx, math.Abs(y-my)-hy
		return math.Hypot(max(qx, 0), max(qy, 0)) + min(max(qx, qy), 0) - radius
	}
}

// below is all that is lower than a height, above what is higher.
func below(at float64) stroke { return func(_, y float64) float64 { return at - y } }
func above(at float64) stroke { return func(_, y float64) float64 { return y - at } }

func of(parts ...stroke) stroke { // all of them
	return func(x, y float64) float64 {
		d := math.Inf(1)
		for _, p := range parts {
			d = min(d, p(x, y))
		}
		return d
	}
}

func both(p, q stroke) stroke { return func(x, y float64) float64 { return max(p(x, y), q(x, y)) } }
func cut(p, q stroke) stroke  { return func(x, y float64) float64 { return max(p(x, y), -q(x, y)) } }

// mirrored is a shape and its mirror image on the other half.
func mirrored(p stroke) stroke {
	return func(x, y float64) float64 { return min(p(x, y), p(24-x, y)) }
}

// heart is one around (a, b), r wide to each side.
func heart(a, b, r float64) stroke {
	return of(dot(a-r*0.48, b-r*0.3, r*0.56), dot(a+r*0.48, b-r*0.3, r*0.56),
		shape(a-r*0.99, b-r*0.06, a-r*0.3, b-r*0.3, a+r*0.3, b-r*0.3, a+r*0.99, b-r*0.06, a, b+r))
}

// star has five points.
func star(a, b, r float64) stroke {
	var points []float64
	for i := range 10 {
		radius, angle := r, float64(i)*math.Pi/5-math.Pi/2
		if i%2 == 1 {
			radius = r * 0.45
		}
		points = append(points, a+radius*math.Cos(angle), b+radius*math.Sin(angle))
	}
	return shape(points...)
}

// spark has four points, drawn in.
func spark(a, b, r float64) stroke {
	return func(x, y float64) float64 {
		return (math.Sqrt(math.Abs(x-a)) + math.Sqrt(math.Abs(y-b)) - math.Sqrt(r)) * math.Sqrt(r) * 0.5
	}
}

// drop is a tear whose round end is at (a, b).
func drop(a, b, r float64) stroke {
	return of(dot(a, b, r), shape(a-r*0.95, b-r*0.3, a, b-r*2.3, a+r*0.95, b-r*0.3))
}
