package widgets

import (
	"math"
	"strconv"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// Slider is a number that is moved between two others; it tells whether it was.
func (u *UI) Slider(s Slider, value *float64) (changed bool) {
	id := u.id(s.Name, "slider")
	r := u.place(220, Control)
	track := r
	number := track.CutRight(64)
	track = track.Inset2(9, 0)
	t := u.interact(id, draw.R(r.X, r.Y+4, r.W-64, r.H-8), s.Disabled)
	before := *value
	u.does(t, "Left and right change it")
	s.drag(u, t, track, value)
	s.arrows(u, t, value)
	*value = s.nearest(*value)
	s.draw(u, t, track, *value)
	u.list.TextIn(number, StyleBody, s.format(*value), u.ink(s.Disabled), draw.End)
	u.pointer(t, Hand)
	u.Tip(s.Tip)
	return *value != before
}

func (s Slider) step() float64 {
	if s.Step > 0 {
		return s.Step
	}
	return (s.Max - s.Min) / 100
}

// nearest returns the value that a slider can have next to v.
func (s Slider) nearest(v float64) float64 {
	if step := s.step(); step > 0 {
		v = s.Min + math.Round((v-s.Min)/step)*step
	}
	return max(s.Min, min(v, s.Max))
}

func (s Slider) format(v float64) string {
	if s.Format != nil {
		return s.Format(v)
	}
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

func (s Slider) drag(u *UI, t touch, track draw.Rect, value *float64) {
	if u.mouse.active != u.lastID || s.Disabled || !u.first || track.W <= 0 {
		return
	}
	at := float64((u.mouse.at.X - track.X) / track.W)
	*value = s.Min + max(0, min(at, 1))*(s.Max-s.Min)
}

func (s Slider) arrows(u *UI, t touch, value *float64) {
	if !t.focused {
		return
	}
	switch m := u.move(); {
	case m == NavLeft:
		*value -= s.step()
	case m == NavRight:
		*value += s.step()
	case u.in.Press.Key == KeyHome:
		*value = s.Min
	case u.in.Press.Key == KeyEnd:
		*value = s.Max
	default:
		return
	}
	u.used()
}

func (s Slider) draw(u *UI, t touch, track draw.Rect, value float64) {
	at := float32(0)
	if s.Max > s.Min {
		at = float32((value - s.Min) / (s.Max - s.Min))
	}
	rail := draw.R(track.X, track.Y+track.H/2-2, track.W, 4)
	full := u.theme.Accent
	if s.Disabled {
		full = u.theme.LineStrong
	}
	u.list.FillRound(rail, 2, u.theme.LineStrong)
	u.list.FillRound(draw.R(rail.X, rail.Y, max(rail.W*at, 4), 4), 2, full)
	k := draw.R(track.X+track.W*at-9, track.Y+track.H/2-9, 18, 18)
	u.face(t, k, 9, 2, u.touched(full, t), u.theme.Panel)
}

// Progress is a bar that shows how far something has come.
func (u *UI) Progress(p Progress) {
	r := u.place(160, 22)
	if p.Text != "" {
		text := r.CutRight(min(u.list.Width(StyleSmall, p.Text)+10, r.W/2))
		u.list.TextIn(text, StyleSmall, p.Text, u.theme.Soft, draw.End)
	}
	bar := draw.R(r.X, r.Y+r.H/2-4, r.W, 8)
	c := u.theme.Accent
	if p.Kind != Normal {
		c = u.theme.Kind(p.Kind)
	}
	u.list.FillRound(bar, 4, u.theme.Raised)
	u.lastRect, u.lastID = r, 0
	if p.Value < 0 {
		u.list.PushClip(bar)
		u.list.FillRound(u.moving(bar), 4, c)
		u.list.PopClip()
		return
	}
	if v := float32(max(0, min(p.Value, 1))); v > 0 {
		u.list.FillRound(draw.R(bar.X, bar.Y, max(bar.W*v, 8), 8), 4, c)
	}
}

// moving returns where the bar of something that takes unknown time is now.
func (u *UI) moving(bar draw.Rect) draw.Rect {
	u.Wake(33 * time.Millisecond)
	const round = 1400 * time.Millisecond
	t := float32(u.in.Now%round) / float32(round)
	return draw.R(bar.X-bar.W*0.3+t*bar.W*1.3, bar.Y, bar.W*0.3, bar.H)
}
