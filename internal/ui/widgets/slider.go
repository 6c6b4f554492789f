package widgets

import (
	"math"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// Slider is a number that is moved between two others; it tells whether it was.
func (u *UI) Slider(s Slider, value *float64) (changed bool) {
	id := u.id(s.Name, "slider")
	r := u.Cell(220, Control)
	track := r
	beside := track.CutRight(64)
	track = track.Inset2(9, 0)
	t := u.interact(id, draw.R(r.X, r.Y+4, r.W-64, r.H-8), false)
	before := *value
	u.does(t, "Left and right change it")
	s.drag(u, track, value)
	step := s.stride()
	if u.in.Press.Mods == Shift {
		step = s.Step
	}
	if to, moved := slide(u, t, *value, s.Min, s.Max, step); moved {
		*value = s.onStride(*value, to, step)
	}
	*value = s.nearest(*value)
	s.draw(u, t, track, *value)
	number := s.Format(*value)
	u.describe(t, description{labelled: true, state: number, instead: true})
	u.list.TextIn(beside, StyleBody, u.Say(number), u.theme.Text, draw.End)
	u.pointer(t, Hand)
	return *value != before
}

// stride is how far a press of an arrow moves it: a step, or where those are many, some that make it about a twentieth
// of the way. Shift makes it a step.
func (s Slider) stride() float64 {
	const many, least = 40, 20 // presses from one end to the other
	steps, n := math.Round((s.Max-s.Min)/s.Step), 1.0
	for _, more := range []float64{2, 5, 10, 20, 50, 100} {
		if steps > many && steps/more >= least {
			n = more
		}
	}
	return n * s.Step
}

// onStride is where a press leads: from between two places of the stride to the next one.
func (s Slider) onStride(from, to, step float64) float64 {
	if to <= s.Min || to >= s.Max {
		return to
	}
	if to > from {
		return s.Min + math.Floor((to-s.Min)/step+1e-9)*step
	}
	return s.Min + math.Ceil((to-s.Min)/step-1e-9)*step
}

// nearest returns the value that a slider can have next to v.
func (s Slider) nearest(v float64) float64 {
	return max(s.Min, min(s.Min+math.Round((v-s.Min)/s.Step)*s.Step, s.Max))
}

func (s Slider) drag(u *UI, track draw.Rect, value *float64) {
	if u.mouse.active != u.lastID || !u.first || track.W <= 0 {
		return
	}
	at := float64((u.mouse.at.X - track.X) / track.W)
	*value = s.Min + max(0, min(at, 1))*(s.Max-s.Min)
}

// slide returns where the keys want the focused widget to go, which is at some value between two.
func slide[N int64 | float64](u *UI, t touch, at, least, most, step N) (to N, moved bool) {
	m := u.move()
	if u.in.Press.Mods == Shift && !u.focus.keyUsed {
		m = arrows[u.in.Press.Key]
	}
	switch {
	case !t.focused || u.focus.keyUsed:
		return at, false
	case m == NavLeft:
		to = at - step
	case m == NavRight:
		to = at + step
	case u.in.Press.Key == KeyHome:
		to = least
	case u.in.Press.Key == KeyEnd:
		to = most
	default:
		return at, false
	}
	u.used()
	return max(least, min(to, most)), true
}

func (s Slider) draw(u *UI, t touch, track draw.Rect, value float64) {
	at := float32(0)
	if s.Max > s.Min {
		at = float32((value - s.Min) / (s.Max - s.Min))
	}
	rail := draw.R(track.X, track.Y+track.H/2-2, track.W, 4)
	u.list.FillRound(rail, 2, u.theme.LineStrong)
	u.list.FillRound(draw.R(rail.X, rail.Y, max(rail.W*at, 4), 4), 2, u.theme.Accent)
	k := draw.R(track.X+track.W*at-9, track.Y+track.H/2-9, 18, 18)
	u.face(t, k, 9, 2, u.touched(u.theme.Accent, t), u.theme.Panel)
}

// Progress is a bar that shows how far something has come.
func (u *UI) Progress(p Progress) {
	p.Text = u.Say(p.Text)
	r := u.Cell(160, 22)
	if p.Text != "" {
		text := r.CutRight(min(u.list.Width(StyleSmall, p.Text)+10, r.W/2))
		u.list.TextIn(text, StyleSmall, p.Text, u.theme.Soft, draw.End)
	}
	bar := draw.R(r.X, r.Y+r.H/2-4, r.W, 8)
	c := u.theme.Accent
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
