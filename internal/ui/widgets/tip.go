package widgets

import (
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// tip is the text that appears where the mouse rests, or at the widget with the ring: what a widget is
// for, and the whole of each text that was cut there.
type tip struct {
	id    ID
	since time.Duration

	next   ID // of this build
	text   string
	rect   draw.Rect
	beside bool // the mouse, not the widget
}

func (t *tip) begin() { t.next, t.text = 0, "" }

// Tip explains the widget before, when the mouse rests on it or the ring is
// around it.
func (u *UI) Tip(text string) {
	if text == "" || !u.live() {
		return
	}
	u.MouseTip(text)
	seen := u.lastRect.Intersect(u.list.Clip())
	if u.tip.next == 0 && u.ringed() && u.focus.id == u.lastID && !seen.Empty() {
		u.tip.next, u.tip.text, u.tip.rect, u.tip.beside = u.lastID.number(8), u.Say(text), u.lastRect, false
	}
}

// MouseTip is Tip for the mouse alone.
func (u *UI) MouseTip(text string) {
	if text != "" && u.live() && u.pointsAt(u.lastRect.Intersect(u.list.Clip())) {
		u.tip.next, u.tip.text, u.tip.rect, u.tip.beside = u.lastID.number(7), u.Say(text), u.lastRect, true
	}
}

// pointsAt reports whether the mouse rests in a place.
func (u *UI) pointsAt(r draw.Rect) bool { return u.in.MouseIn && u.in.Held == 0 && u.mouse.at.In(r) }

// ringed reports whether the ring is around a widget.
func (u *UI) ringed() bool { return u.focus.shown && !u.focus.typing && u.focus.find() >= 0 }

// maxWhole is the number of texts that are shown whole at once.
const maxWhole = 3

// tipWhole adds the whole of what was cut where the mouse is. Without anything there, it
// tells the whole of what was cut in the part of the focused widget that is lit.
func (u *UI) tipWhole() {
	t := &u.tip
	if t.next == 0 || t.beside {
		u.whole(true, draw.Rect{}, u.pointsAt)
	}
	if (t.next == 0 || !t.beside) && u.ringed() {
		u.whole(false, u.focus.part, func(r draw.Rect) bool { return !r.Intersect(u.focus.part).Empty() })
	}
}

// whole adds texts that were cut, of the layer that takes input, and where at says so.
func (u *UI) whole(beside bool, rect draw.Rect, at func(draw.Rect) bool) {
	t, n := &u.tip, 0
	for _, w := range u.list.Texts() {
		place := w.Place.Intersect(w.Clip)
		if !w.Cut || w.Layer>>1 != layerOf(u.layers.nextTop)>>1 || n == maxWhole || !at(place) {
			continue
		}
		if beside {
			rect = place
		}
		if n++; t.next == 0 {
			t.next, t.text = u.focus.id.with(w.Text), w.Text
		} else if !strings.Contains(t.text, w.Text) {
			t.next, t.text = t.next.with(w.Text), w.Text+"\n"+t.text
		}
		t.rect, t.beside = rect, beside
	}
}

const tipDelay = 500 * time.Millisecond

func (u *UI) endTip() {
	u.tipWhole()
	t := &u.tip
	if t.next != t.id {
		t.id, t.since = t.next, u.in.Now
	}
	if t.id == 0 {
		return
	}
	if left := t.since + tipDelay - u.in.Now; left > 0 {
		u.Wake(left)
		return
	}
	u.drawTip(t)
}

func (u *UI) drawTip(t *tip) {
	defer u.list.SetLayer(u.list.SetLayer(draw.Layers - 1))
	all := u.list.Bounds().Inset(6)
	width := min(u.list.Widest(StyleSmall, strings.Split(t.text, "\n")...), 320, all.W-24)
	lines := u.list.Wrap(StyleSmall, t.text, width, nil)
	size := draw.R(0, 0, width+20, float32(lines)*u.list.LineHeight(StyleSmall)+12)
	r := u.list.Snap(u.tipPlace(t, size, all))
	u.list.Shadow(r.Move(0, 2), 7, 10, u.theme.Shadow)
	u.face(touch{}, r, 7, 1, u.theme.Raised, u.theme.LineStrong)
	u.write(draw.Pt(r.X+10, r.Y+6), width, StyleSmall, u.theme.Text, t.text)
}

// tipPlace returns where a tip of a size lies: below its widget, above, or at a side, wherever it covers the least of
// the other widgets.
func (u *UI) tipPlace(t *tip, size, all draw.Rect) (best draw.Rect) {
	const away = 6
	x := t.rect.X
	if t.beside {
		x = u.mouse.at.X
	}
	middle := t.rect.Y + (t.rect.H-size.H)/2
	least := float32(-1)
	for _, at := range []draw.Point{
		{X: x, Y: t.rect.Bottom() + away},
		{X: x, Y: t.rect.Y - away - size.H},
		{X: t.rect.Right() + away, Y: middle},
		{X: t.rect.X - away - size.W, Y: middle},
	} {
		r := draw.R(max(all.X, min(at.X, all.Right()-size.W)), max(all.Y, min(at.Y, all.Bottom()-size.H)), size.W, size.H)
		covers := float32(0)
		for _, o := range u.Targets() {
			if o.Rect != t.rect {
				covers += area(r.Intersect(o.Rect))
			}
		}
		covers += 10 * area(r.Intersect(t.rect)) // its own widget is what the player is about
		if least < 0 || covers < least {
			best, least = r, covers
		}
	}
	return best
}

func area(r draw.Rect) float32 {
	if r.Empty() {
		return 0
	}
	return r.W * r.H
}
