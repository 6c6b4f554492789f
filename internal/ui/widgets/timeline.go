package widgets

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// Timeline is a line of time: how far something has come, and where it can go at once.
type Timeline struct {
	Name   string
	Length int64
	At     int64              // has been reached
	Target int64              // where it is going; negative: nowhere
	Marks  []int64            // rising
	Places []Place            // that have names
	Step   int64              // of the arrows
	Format func(int64) string // a time in words
}

// Place is a place with a name on a line of time.
type Place struct {
	At    int64
	Words string
}

const (
	timelineHeight = 24
	markHeight     = 5
)

// Timeline draws a line of time from one edge of its place to the other, with the times at
// both ends. Mouse and arrows ask to go elsewhere.
func (u *UI) Timeline(l Timeline) (to int64, moved bool) {
	id := u.id(l.Name, "timeline")
	r := u.Cell(0, timelineHeight)
	at, length := u.Say(l.Format(l.At)), u.Say(l.Format(l.Length))
	wide := max(u.list.Width(StyleSmall, at), u.list.Width(StyleSmall, length)) + 1
	u.list.TextIn(r.Left(wide), StyleSmall, at, u.theme.Text, draw.Start)
	u.list.TextIn(r.CutRight(wide), StyleSmall, length, u.theme.Soft, draw.End)
	track := r.Inset2(18, 0)
	t := u.interact(id, r.Inset2(8, 0), false)
	to, moved = l.ask(u, t, track)
	l.draw(u, t, track)
	u.pointer(t, Hand)
	return to, moved
}

// place returns where a time is.
func (l Timeline) place(track draw.Rect, at int64) float32 {
	if l.Length <= 0 {
		return track.X
	}
	return track.X + track.W*float32(min(max(at, 0), l.Length))/float32(l.Length)
}

// under returns the time at a place.
func (l Timeline) under(track draw.Rect, x float32) int64 {
	if track.W <= 0 {
		return 0
	}
	return int64(float64(min(max((x-track.X)/track.W, 0), 1)) * float64(l.Length))
}

// wanted is the time from which the arrows go on.
func (l Timeline) wanted() int64 {
	if l.Target >= 0 {
		return l.Target
	}
	return l.At
}

func (l Timeline) ask(u *UI, t touch, track draw.Rect) (to int64, moved bool) {
	if u.mouse.active == u.lastID && u.first && (t.pressed || u.mouseMoved()) {
		return l.under(track, u.mouse.at.X), true
	}
	return slide(u, t, l.wanted(), 0, l.Length, l.Step)
}

func (l Timeline) draw(u *UI, t touch, track draw.Rect) {
	middle := track.Y + track.H/2
	rail := draw.R(track.X, middle-2, track.W, 4)
	here, knob := l.place(track, l.At), l.place(track, l.wanted())
	u.list.FillRound(rail, 2, u.theme.LineStrong)
	if knob > here {
		u.list.FillRound(draw.R(here, rail.Y, knob-here, 4), 2, u.theme.AccentSoft)
	}
	u.list.FillRound(draw.R(rail.X, rail.Y, max(min(here, knob)-rail.X, 4), 4), 2, u.theme.Accent)
	l.marks(u, track, middle+4)
	for _, p := range l.Places {
		if x := l.place(track, p.At); p.At > 0 {
			u.list.FillRound(draw.R(x-1.5, middle-8, 3, 16), 1.5, u.theme.Warning)
		}
	}
	k := draw.R(knob-7, middle-7, 14, 14)
	u.face(t, k, 7, 2, u.touched(u.theme.Accent, t), u.theme.Panel)
	if t.hot || u.mouse.active == u.lastID {
		l.hint(u, track)
	}
}

// marks draws the places to which it can go at once; those that would touch are one.
func (l Timeline) marks(u *UI, track draw.Rect, top float32) {
	last := float32(-1)
	for _, m := range l.Marks {
		if x := l.place(track, m); m > 0 && m <= l.Length && x-last >= 3 {
			u.list.Fill(draw.R(x-0.5, top, 1, markHeight), u.theme.Soft)
			last = x
		}
	}
}

// hint writes above the line which time is under the mouse.
func (l Timeline) hint(u *UI, track draw.Rect) {
	words := u.Say(l.Format(l.under(track, u.mouse.at.X)))
	for _, p := range l.Places {
		if x := l.place(track, p.At); p.At > 0 && u.mouse.at.X > x-6 && u.mouse.at.X < x+6 {
			words = u.Say(l.Format(p.At)) + "  " + u.Say(p.Words)
		}
	}
	w := u.list.Width(StyleSmall, words) + 14
	x := min(max(u.mouse.at.X, track.X), track.Right()) - w/2
	box := u.list.Snap(draw.R(x, track.Y-24, w, 22))
	defer u.list.SetLayer(u.list.SetLayer(draw.Layers - 1))
	u.list.PushWholeClip()
	u.face(touch{}, box, 6, 1, u.theme.Raised, u.theme.LineStrong)
	u.list.TextIn(box, StyleSmall, words, u.theme.Text, draw.Middle)
	u.list.PopClip()
}

// Take tells which of some keys, pressed or held alone, went down; nothing else on the
// screen hears of it then. 0 is for none, and while anything is open that takes keys. Call
// it before the widgets that could want the key.
func (u *UI) Take(keys ...Key) Key {
	p := u.in.Press
	if u.focus.keyUsed || !u.live() || u.Busy() || p.Mods != 0 || p.Up || !slices.Contains(keys, p.Key) {
		return 0
	}
	u.focus.keyUsed = true
	return p.Key
}
