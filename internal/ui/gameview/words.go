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
	if v.prefs.Streamer && m.figures.Relay != "" {
		m.figures.Relay = "a relay"
	}
	words := figureWords(m.figures, len(m.others) == 0)
	for i, w := range words {
		words[i] = list.Say(w)
	}
	style := widgets.StyleSmall
	for width := list.Bounds().W - 16; width >= leastFigures; width -= steady * 4 {
		lines := filled(list, style, words, width-16)
		size := plateSize(list, style, lines)
		size.X = steady * float32(1+int(size.X/steady))
		if r, ok := v.beside(list, size); ok {
			v.plate(list, style, r.X, r.Y, lines, colorSoft, draw.Start)
			return
		}
	}
	v.plate(list, style, list.Bounds().Right()-8, 8, filled(list, style, words, list.Bounds().W-32), colorSoft, draw.End)
}

// leastFigures is the least width, in points, in which figures are written beside the consoles.
const leastFigures = 110

// steady is the step of the width of the figures: they do not move with every digit.
const steady = 12

// between stands between two words of a line.
const between = "  ·  "

// filled puts as many words into each line as have room in a width, and breaks those that have none.
func filled(list *draw.List, style draw.Style, words []string, width float32) (lines []string) {
	for _, word := range words {
		if n := len(lines); n > 0 {
			if longer := lines[n-1] + between + word; list.Width(style, longer) <= width {
				lines[n-1] = longer
				continue
			}
		}
		list.Wrap(style, word, width, func(s string) { lines = append(lines, s) })
	}
	return lines
}

// spaces are the places beside the consoles, in points: a little away from them, and from the words that are there.
func (v *View) spaces(list *draw.List) (free []draw.Rect) {
	all := list.Bounds().Inset(8)
	for _, r := range v.plan.Free {
		from := len(free)
		free = append(free, points(list, r).Inset(6).Intersect(all))
		for _, p := range v.plates {
			p = p.Inset(-4)
			for i := from; i < len(free); i++ {
				at := free[i]
				if p.Intersect(at).Empty() {
					continue
				}
				free[i].H = max(p.Y-at.Y, 0)
				if below := at.Bottom() - p.Bottom(); below > 0 {
					free = append(free, draw.R(at.X, p.Bottom(), at.W, below))
				}
			}
		}
	}
	return free
}

// beside returns a place of some size beside the consoles, ok if there is one: high before low, and at the right
// edge before others.
func (v *View) beside(list *draw.List, size draw.Point) (best draw.Rect, ok bool) {
	for _, at := range v.spaces(list) {
		if size.X > at.W+0.5 || size.Y > at.H+0.5 {
			continue
		}
		r := draw.R(at.Right()-size.X, at.Y, size.X, size.Y)
		if !ok || r.Y < best.Y-0.5 || r.Y < best.Y+0.5 && r.X > best.X {
			best, ok = r, true
		}
	}
	return best, ok
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

// phrased is a line of words in a style.
type phrased struct {
	style draw.Style
	text  string
	color draw.Color
}

// leastBanner and mostBanner bound the width of words beside the consoles that say why a game has stopped, in points.
const (
	leastBanner = 150
	mostBanner  = 420
)

// banner says why the game has stopped, and shows our notice: beside the consoles, or over ours where there is no room.
func (v *View) banner(list *draw.List, m moment, now time.Duration) {
	at := list.Bounds()
	if ours := v.plan.ours(); !ours.Empty() {
		at = points(list, ours)
	}
	var words []phrased
	show := func(style draw.Style, text string, color draw.Color) {
		if text != "" {
			words = append(words, phrased{style, text, color})
		}
	}
	waiting, style := waitingLine(m.figures, m.since), widgets.StyleSmall
	if m.figures.WaitingFor+m.since >= longWait {
		if style = widgets.StyleTitle; list.Width(style, list.Say(waiting)) > at.W {
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
			show(widgets.StyleBody, "Press "+v.keyLabel(keys[0])+" to resume.", colorWords)
		}
	}
	v.sign(list, words, at)
	if v.notice.first.shown(now) < noticeShown && v.notice.text != "" {
		v.sign(list, []phrased{{widgets.StyleHead, v.notice.text, colorWords}}, at)
	}
}

// sign writes some words on a plate beside the consoles, or over ours, which stand at a place.
func (v *View) sign(list *draw.List, words []phrased, at draw.Rect) {
	if len(words) == 0 {
		return
	}
	var lines []phrased
	size := draw.Point{}
	fill := func(width float32) {
		lines, size = lines[:0], draw.Point{}
		for _, w := range words {
			list.Wrap(w.style, w.text, width-16, func(s string) {
				lines = append(lines, phrased{w.style, s, w.color})
				size = draw.Pt(max(size.X, list.Width(w.style, s)+16), size.Y+list.LineHeight(w.style))
			})
		}
		size.Y += 6
	}
	for width := float32(mostBanner); width >= leastBanner; width -= 30 {
		fill(width)
		if r, ok := v.beside(list, size); ok {
			v.panel(list, r, lines, draw.Start)
			return
		}
	}
	fill(min(list.Bounds().W-16, max(at.W-32, 296)))
	half := size.X/2 + 8
	middle := max(half, min(at.Center().X, list.Bounds().Right()-half))
	y := max(at.Y+at.H/4, 40)
	for _, r := range v.plates { // such as the figures, where there is no room beside the consoles
		if !r.Intersect(draw.R(middle-half, y, 2*half, size.Y)).Empty() {
			y = r.Bottom() + 6
		}
	}
	v.panel(list, draw.R(middle-size.X/2, y, size.X, size.Y), lines, draw.Middle)
}

// panel writes lines of several styles on a dark ground.
func (v *View) panel(list *draw.List, r draw.Rect, lines []phrased, align draw.Align) {
	v.plates = append(v.plates, r)
	list.FillRound(r, 6, colorPlate)
	in := r.Inset2(8, 3)
	for _, l := range lines {
		list.TextIn(in.Top(list.LineHeight(l.style)), l.style, l.text, l.color, align)
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
	list.Wrap(style, list.Say(text), min(list.Bounds().W-32, width), func(s string) { lines = append(lines, s) })
	return lines
}

// Widths of the chat beside the consoles, in points.
const (
	leastChat = 160
	mostChat  = 420
)

// chatPlace returns where the chat stands: the largest place beside the consoles in which a few lines have room, or else
// over them.
func (v *View) chatPlace(list *draw.List) (at draw.Rect, beside bool) {
	worth := float32(0)
	need := 3 * list.LineHeight(widgets.StyleSmall)
	if v.chat.open {
		need += widgets.Control + 4
	}
	for _, r := range v.spaces(list) {
		w := min(r.W, mostChat) * min(r.H, 240)
		if r.W >= leastChat && r.H >= need && (w > worth || w == worth && (r.Y > at.Y || r.Y == at.Y && r.X < at.X)) {
			at, worth = r, w
		}
	}
	if worth > 0 {
		at.W = min(at.W, mostChat)
		return at, true
	}
	all := list.Bounds().Inset(8)
	return draw.R(all.X, 40, min(all.W, 640), all.Bottom()-40), false
}

// lines shows the newest messages, the last one at the bottom of the place of the chat.
func (v *View) lines(list *draw.List, m moment, at draw.Rect) {
	style, bottom := widgets.StyleSmall, at.Bottom()
	if v.chat.open {
		bottom = chatField(at).Y - 4
	}
	for i := len(m.lines) - 1; i >= 0; i-- {
		line := m.lines[i]
		text, color := phrase.Sentence(strings.TrimSpace(line.Text)), colorSoft
		if line.From != "" {
			text, color = draw.Verbatim(line.From)+": "+strings.TrimSpace(line.Text), colorWords
		}
		lines := v.wrap(list, style, line.at.Format("15:04")+"  "+text, at.W-16)
		y := bottom - plateSize(list, style, lines).Y
		if y < at.Y {
			return
		}
		v.plate(list, style, at.X, y, lines, color, draw.Start)
		bottom = y - 2
	}
}
