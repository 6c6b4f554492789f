package gameview

import (
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Words over the consoles, each on a dark plate.

// Colours over consoles, whatever the theme: a game can have any colour.
var (
	colorBack  = draw.RGB(0x0b0c0e)
	colorPlate = draw.Color{R: 10, G: 11, B: 14, A: 225}
	colorWords = draw.RGB(0xf2f3f5)
	colorSoft  = draw.RGB(0xb4b9c2)
	colorWait  = draw.RGB(0xffc857)
	colorGood  = draw.RGB(0x4cc38a)
	colorStop  = draw.RGB(0xff6b5e)
)

// plate writes lines on a dark ground, their right top corner, the middle of their top, or
// their left top corner at a place, as align says.
func (v *View) plate(list *draw.List, style draw.Style, x, y float32, lines []string, color draw.Color, align draw.Align) draw.Rect {
	size := plateSize(list, style, lines)
	r := draw.R(x, y, min(size.X, list.Bounds().W-16), size.Y)
	switch align {
	case draw.End:
		r.X -= r.W
	case draw.Middle:
		r.X -= r.W / 2
	}
	v.plates = append(v.plates, r)
	list.FillRound(r, 6, colorPlate)
	in := r.Inset2(8, 3)
	if align == draw.End {
		align = draw.Start
	}
	for _, text := range lines {
		list.TextIn(in.Top(list.LineHeight(style)), style, text, color, align)
	}
	return r
}

func plateSize(list *draw.List, style draw.Style, lines []string) draw.Point {
	return draw.Pt(list.Widest(style, lines...)+16, float32(len(lines))*list.LineHeight(style)+6)
}

// figures shows the figures in as few lines as have room beside the consoles, or else over them.
func (v *View) figures(list *draw.List, m moment) {
	if !v.prefs.HUD || m.figures.FPS <= 0 {
		return
	}
	words := figureWords(m.figures, len(m.others) == 0)
	style := widgets.StyleSmall
	for n := len(words); n > 0; n-- {
		lines := inLines(words, n)
		size := plateSize(list, style, lines)
		size.X = steady * float32(1+int(size.X/steady))
		if r, ok := v.beside(list, size); ok {
			v.plate(list, style, r.X, r.Y, lines, colorSoft, draw.Start)
			return
		}
	}
	v.plate(list, style, list.Bounds().Right()-8, 8, filled(list, style, words), colorSoft, draw.End)
}

// steady is the step of the width of the figures: they do not move with every digit.
const steady = 12

// between stands between two words of a line.
const between = "  ·  "

// inLines puts n words into each line.
func inLines(words []string, n int) (lines []string) {
	for len(words) > 0 {
		n := min(n, len(words))
		lines, words = append(lines, strings.Join(words[:n], between)), words[n:]
	}
	return lines
}

// filled puts as many words into each line as have room in the window.
func filled(list *draw.List, style draw.Style, words []string) (lines []string) {
	for _, word := range words {
		if n := len(lines); n > 0 {
			if longer := lines[n-1] + between + word; plateSize(list, style, []string{longer}).X <= list.Bounds().W-16 {
				lines[n-1] = longer
				continue
			}
		}
		lines = append(lines, word)
	}
	return lines
}

// beside returns a place of some size beside the consoles, ok if there is one: at the right
// edge before others, and high before low.
func (v *View) beside(list *draw.List, size draw.Point) (r draw.Rect, ok bool) {
	all := list.Bounds().Inset(8)
	var taken []draw.Rect
	xs, ys := []float32{all.Right() - size.X, all.X}, []float32{all.Y}
	for _, c := range v.plan.all() {
		b := points(list, c.Screens.Bounds().Union(c.Name)).Inset(-6)
		taken = append(taken, b)
		xs, ys = append(xs, b.Right(), b.X-size.X), append(ys, b.Bottom())
	}
	for _, y := range append(ys, all.Bottom()-size.Y) {
		for _, x := range xs {
			r := draw.R(x, y, size.X, size.Y)
			inside := r.X >= all.X && r.Y >= all.Y && r.Right() <= all.Right() && r.Bottom() <= all.Bottom()
			if inside && !overlaps(r, taken) {
				return r, true
			}
		}
	}
	return r, false
}

// overlaps reports whether one of some places has a part of r.
func overlaps(r draw.Rect, places []draw.Rect) bool {
	return slices.ContainsFunc(places, func(p draw.Rect) bool { return !p.Intersect(r).Empty() })
}

// briefWait is after how long a wait is worth words, and longWait large ones: shorter ones pass by. After hopeless
// the player may want to know what to do.
const (
	briefWait = 250 * time.Millisecond
	longWait  = time.Second
	hopeless  = 4 * time.Second
)

// banner says over our consoles why the game has stopped, and shows our notice.
func (v *View) banner(list *draw.List, m moment, now time.Duration) {
	ours, _ := v.plan.ours()
	at := points(list, ours)
	if ours.Empty() {
		at = list.Bounds()
	}
	x, y := at.Center().X, max(at.Y+at.H/4, 40)
	show := func(style draw.Style, text string, color draw.Color) {
		if text != "" {
			lines := v.wrap(list, style, text, max(at.W-48, 280))
			size := plateSize(list, style, lines)
			half := size.X/2 + 8
			middle := max(half, min(x, list.Bounds().Right()-half))
			for _, r := range v.plates { // such as the figures, where there is no room beside the consoles
				if !r.Intersect(draw.R(middle-half, y, 2*half, size.Y)).Empty() {
					y = r.Bottom() + 6
				}
			}
			y = v.plate(list, style, middle, y, lines, color, draw.Middle).Bottom() + 6
		}
	}
	waiting, style := waitingLine(m.figures, m.since), widgets.StyleSmall
	if m.figures.WaitingFor+m.since >= longWait {
		if style = widgets.StyleTitle; list.Width(style, waiting) > at.W {
			style = widgets.StyleHead
		}
	}
	show(style, waiting, colorWait)
	if waiting != "" && m.figures.WaitingFor+m.since >= hopeless {
		show(widgets.StyleBody, "The game goes on as soon as they are back. You can leave it in the menu.", colorWords)
	}
	if waiting == "" && v.blank(m) {
		show(widgets.StyleBody, "No picture yet: it appears with the first frame.", colorWords)
	}
	if m.off != 0 {
		show(widgets.StyleHead, "The game has switched your console off.", colorWords)
		show(widgets.StyleBody, "The menu can switch it on again.", colorWords)
	}
	if m.paused.Paused {
		show(widgets.StyleTitle, "Paused", colorWords)
		if keys := v.prefs.Hotkeys[Pause]; len(keys) > 0 {
			show(widgets.StyleBody, "Press "+v.keyLabel(keys[0])+" to go on.", colorWords)
		}
	}
	if v.notice.first.shown(now) < noticeShown {
		show(widgets.StyleHead, v.notice.text, colorWords)
	}
}

// blankFor is the time for which a console may be without a picture before words say why.
const blankFor = 300 * time.Millisecond

// blank reports whether a console of ours has had no picture for so long that the player may ask why.
func (v *View) blank(m moment) bool {
	return m.begun >= blankFor && slices.ContainsFunc(v.plan.Mine, func(c Placed) bool { return v.textures[c.Seat].w == 0 })
}

// wrap breaks a text into lines of some width that have room in the window.
func (v *View) wrap(list *draw.List, style draw.Style, text string, width float32) (lines []string) {
	list.Wrap(style, text, min(list.Bounds().W-32, width), func(s string) { lines = append(lines, s) })
	return lines
}

// lines shows the newest messages, the last one at the bottom.
func (v *View) lines(list *draw.List, m moment, bottom float32) {
	style := widgets.StyleSmall
	for i := len(m.lines) - 1; i >= 0; i-- {
		line := m.lines[i]
		text, color := phrase.Sentence(strings.TrimSpace(line.Text)), colorSoft
		if line.From != "" {
			text, color = line.From+": "+strings.TrimSpace(line.Text), colorWords
		}
		lines := v.wrap(list, style, text, 640)
		y := bottom - plateSize(list, style, lines).Y
		if y < 40 {
			return
		}
		v.plate(list, style, 8, y, lines, color, draw.Start)
		bottom = y - 2
	}
}
