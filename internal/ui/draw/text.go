package draw

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// Align is where text stands in the space it has.
type Align uint8

// Alignments.
const (
	Start  Align = iota // left
	Middle              // centred
	End                 // right
)

const ellipsis = "…"

// LineHeight returns the distance of lines, in points.
func (l *List) LineHeight(s Style) float32 { return round(s.Size*1.4*l.scale) / l.scale }

// SetVeil has all texts pass a function before they are measured and written: what it leaves out is nowhere in the
// list, [List.Texts] included. nil is for none.
func (l *List) SetVeil(veil func(string) string) { l.veil = veil }

// Veiled returns what is written of a text.
func (l *List) Veiled(s string) string {
	if l.veil == nil {
		return s
	}
	return l.veil(s)
}

// Width returns how wide s is in one line, in points.
func (l *List) Width(st Style, s string) float32 {
	return l.fonts.face(st, l.scale).width(l.Veiled(s)) / l.scale
}

// Widest returns how wide the widest of some texts is in one line, in points.
func (l *List) Widest(st Style, texts ...string) (w float32) {
	for _, s := range texts {
		w = max(w, l.Width(st, s))
	}
	return w
}

func (fc *face) width(s string) (w float32) {
	for _, c := range Clusters(s) {
		w += fc.clusterWidth(c)
	}
	return w
}

func (fc *face) clusterWidth(c string) (w float32) {
	if len(c) == 1 && c[0] < 0x80 {
		return fc.glyph(rune(c[0]), 0).advance
	}
	if r, ok := emoji(c); ok {
		return fc.emojiWidth(c, r)
	}
	for _, r := range composed(c) {
		w += fc.glyph(r, 0).advance
	}
	return w
}

// Text writes s in one line whose box has its top left corner at p. The line is
// [List.LineHeight] high. All in points.
func (l *List) Text(p Point, st Style, s string, c Color) {
	s = l.Veiled(s)
	l.writeIn(Rect{Y: p.Y, H: l.LineHeight(st)}, st, p.X*l.scale, s, s, c)
}

// Written is a text that is to be painted in one line.
type Written struct {
	Text  string // the whole, also where a part was cut
	Cut   bool   // an ellipsis stands for the rest
	Place Rect   // of the letters, in points
	Clip  Rect   // in force
	Layer int
}

// Texts returns what was written since Reset, in order. It is valid until the next Reset.
func (l *List) Texts() []Written { return l.texts }

// write writes from the pen on and returns where the pen is then, in pixels.
func (l *List) write(fc *face, pen, base float32, s string, c Color) float32 {
	for s != "" {
		n := NextCluster(s)
		pen = l.writeCluster(fc, pen, base, s[:n], c)
		s = s[n:]
	}
	return pen
}

func (l *List) writeCluster(fc *face, pen, base float32, cluster string, c Color) float32 {
	if len(cluster) == 1 && cluster[0] < 0x80 {
		return pen + l.letter(fc, pen, base, rune(cluster[0]), c)
	}
	if r, ok := emoji(cluster); ok {
		return l.writeEmoji(fc, pen, base, cluster, r, c)
	}
	before := pen
	for i, r := range composed(cluster) {
		if i > 0 && combining(r) { // in the middle of its letter
			g := fc.glyph(r, 0)
			l.letter(fc, before+(pen-before-g.w)/2-g.left, base, r, c)
			continue
		}
		before = pen
		pen += l.letter(fc, pen, base, r, c)
	}
	return pen
}

func (l *List) letter(fc *face, pen, base float32, r rune, c Color) float32 {
	quarter := int(pen*steps + 0.5)
	g := fc.glyph(r, uint8(quarter&(steps-1)))
	if g.w > 0 {
		x, y := float32(quarter>>2)+g.left, base+g.top
		l.quad(g.texture, pixelRect{x, y, x + g.w, y + g.h}, g.uv, c)
	}
	return g.advance
}

// TextIn writes s in one line in the vertical middle of r. The part that does not fit is
// cut, with an ellipsis; [List.Texts] has the whole, for tooltips.
func (l *List) TextIn(r Rect, st Style, s string, c Color, align Align) {
	s = l.Veiled(s)
	fc := l.fonts.face(st, l.scale)
	n, width := fc.fit(s, r.W*l.scale)
	shown := s
	if n < len(s) {
		shown = s[:n] + ellipsis
		width += fc.width(ellipsis)
	}
	pen := r.X * l.scale
	switch align {
	case Middle:
		pen = round(pen + (r.W*l.scale-width)/2)
	case End:
		pen += r.W*l.scale - width
	}
	l.writeIn(r, st, pen, shown, s, c)
}

// writeIn writes what is shown of a text in the vertical middle of r, and notes the text.
func (l *List) writeIn(r Rect, st Style, pen float32, shown, text string, c Color) {
	fc, line := l.fonts.face(st, l.scale), l.LineHeight(st)
	top, high := (r.Y+(r.H-line)/2)*l.scale, line*l.scale
	base := round(top + (high-fc.ascent-fc.descent)/2 + fc.ascent)
	end := l.write(fc, pen, base, shown, c)
	if text != "" {
		place := Rect{pen, top, end - pen, high}.Mul(1 / l.scale)
		l.texts = append(l.texts, Written{text, shown != text, place, l.Clip(), l.layer})
	}
}

// TailIn is TextIn for a text whose end matters more, such as a path: it is cut at its
// beginning.
func (l *List) TailIn(r Rect, st Style, s string, c Color) {
	s = l.Veiled(s)
	fc := l.fonts.face(st, l.scale)
	rest, width := s, fc.width(s)
	if width <= r.W*l.scale+0.5 {
		l.TextIn(r, st, s, c, Start)
		return
	}
	for room := r.W*l.scale - fc.width(ellipsis); rest != "" && width > room; {
		n := NextCluster(rest)
		width -= fc.clusterWidth(rest[:n])
		rest = rest[n:]
	}
	l.writeIn(r, st, r.X*l.scale, ellipsis+rest, s, c)
}

// fit returns how many bytes of s fit into width pixels, and how wide they are.
// If not all do, there is room for an ellipsis behind them.
func (fc *face) fit(s string, width float32) (n int, used float32) {
	room, fits, wide := width-fc.width(ellipsis), 0, float32(0)
	for i := 0; i < len(s); { // an iterator takes a tenth of a screen's time
		c := s[i : i+NextCluster(s[i:])]
		w := fc.clusterWidth(c)
		if used+w > width+0.5 {
			return fits, wide
		}
		i += len(c)
		if used += w; used <= room {
			fits, wide = i, used
		}
	}
	return len(s), used
}

// Index returns the place in s, in bytes, between the two letters nearest to x
// points from its beginning.
func (l *List) Index(st Style, s string, x float32) int {
	fc := l.fonts.face(st, l.scale)
	pen := float32(0)
	for i, c := range Clusters(s) {
		w := fc.clusterWidth(c)
		if x*l.scale < pen+w/2 {
			return i
		}
		pen += w
	}
	return len(s)
}

// Wrap calls line for each line of s when it is no wider than width points: it
// is broken at spaces, between Japanese or Chinese letters, inside of a word
// that alone is too wide, and at "\n". Spaces at a break are dropped. It
// returns the number of lines, at least 1.
func (l *List) Wrap(st Style, s string, width float32, line func(s string)) (lines int) {
	fc := l.fonts.face(st, l.scale)
	for paragraph := range strings.SplitSeq(l.Veiled(s), "\n") {
		lines += fc.wrap(paragraph, width*l.scale, line)
	}
	return lines
}

func (fc *face) wrap(s string, width float32, line func(string)) (lines int) {
	for {
		n := fc.breakAt(s, width)
		if line != nil {
			line(strings.TrimRight(s[:n], " "))
		}
		lines++
		s = strings.TrimLeft(s[n:], " ")
		if s == "" {
			return lines
		}
	}
}

// breakAt returns how many bytes of s go into a line.
func (fc *face) breakAt(s string, width float32) int {
	var used float32
	at, part := 0, 0 // the last good place for a break, and the last one between the parts of a path
	for i := 0; i < len(s); {
		c := s[i : i+NextCluster(s[i:])]
		w := fc.clusterWidth(c)
		if used+w > width+0.5 && c[0] != ' ' && i > 0 {
			return cmp.Or(at, part, i)
		}
		used += w
		if i += len(c); breaks(c, s[i:]) {
			at = i
		} else if used > width/3 && strings.Contains(`/\-_`, c) {
			part = i
		}
	}
	return len(s)
}

// breaks reports whether a line may end between a cluster and what follows.
func breaks(before, after string) bool {
	if before == " " {
		return true
	}
	return after != "" && (wide(before) || wide(after)) && !closing(after)
}

// wide reports whether s begins with a letter of a script without spaces.
func wide(s string) bool {
	if s[0] < utf8.RuneSelf {
		return false // as most are
	}
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x2e80 && r < 0xac00 || r >= 0xf900 && r < 0xfb00 || r >= 0xff00 && r < 0xfff0 || r >= 0x20000 && r < 0x30000
}

// closing reports whether s begins with what may not begin a line.
func closing(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("、。，．！？）」』】〕〉》ー…ッャュョァィゥェォっゃゅょぁぃぅぇぉ,.!?)]}:; ", r)
}
