package screen

import (
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// favourites are the sixteen colours that a console's owner can choose from, as the console shows them.
var favourites = [...]uint32{
	0x61829a, 0xba4900, 0xfb0018, 0xfb8afb, 0xfb9200, 0xf3e300, 0xaafb00, 0x00fb00,
	0x00a238, 0x49db8a, 0x30baf3, 0x0059f3, 0x000092, 0x8a00d3, 0xd300eb, 0xfb0092,
}

// Favourite returns a favourite colour by its number in the console.
func Favourite(n uint8) draw.Color { return draw.RGB(favourites[int(n)%len(favourites)]) }

// PlateColor is the colour of what stands in for the icon of a game that has none: the same wherever the game shows.
func PlateColor(title string) draw.Color {
	sum := 0
	for _, b := range []byte(title) {
		sum = sum*31 + int(b)
	}
	return Favourite(uint8(sum & 15))
}

// DrawConsole draws an open Nintendo DS into r, in a colour. An empty place is only its outline, dashed.
func DrawConsole(l *draw.List, r draw.Rect, c draw.Color, th *widgets.Theme, empty bool) {
	hinge := max(r.H*0.06, 2)
	half := (r.H - hinge) / 2
	for i, part := range []draw.Rect{draw.R(r.X, r.Y, r.W, half), draw.R(r.X, r.Bottom()-half, r.W, half)} {
		radius := r.W * 0.09
		screen := part.Centered(r.W*0.56, part.H*0.74)
		if empty {
			dashes(l, part, th.LineStrong)
			continue
		}
		shell := th.Panel.Mix(c, 0.75)
		l.FillRound(part, radius, shell)
		l.Border(part, radius, 1, shell.Mix(draw.White, 0.25))
		l.FillRound(screen, r.W*0.02, draw.RGB(0x10141a))
		knob := r.W * 0.035
		if i == 0 {
			for _, side := range []float32{-1, 1} { // the speakers
				at := draw.Pt(r.X+r.W/2+side*r.W*0.385, part.Y+part.H/2)
				l.FillRound(draw.R(at.X-knob/2, at.Y-knob/2, knob, knob), knob/2, shell.Mix(draw.Black, 0.35))
			}
			continue
		}
		ink := shell.Mix(draw.Black, 0.4)
		cross := draw.Pt(r.X+r.W*0.115, part.Y+part.H/2)
		l.Fill(draw.R(cross.X-knob*1.5, cross.Y-knob/2, 3*knob, knob), ink)
		l.Fill(draw.R(cross.X-knob/2, cross.Y-knob*1.5, knob, 3*knob), ink)
		for _, d := range []draw.Point{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}} {
			at := draw.Pt(r.Right()-r.W*0.115+1.3*knob*d.X, cross.Y+1.3*knob*d.Y)
			l.FillRound(draw.R(at.X-knob/2, at.Y-knob/2, knob, knob), knob/2, ink)
		}
	}
	if !empty {
		l.Fill(draw.R(r.X+r.W*0.14, r.Y+half, r.W*0.72, hinge), th.Panel.Mix(c, 0.5))
	}
}

// dashes outlines a place with short lines.
func dashes(l *draw.List, r draw.Rect, c draw.Color) {
	const dash, thick = 4, 1.5
	for x := r.X; x < r.Right()-1; x += 2 * dash {
		w := min(dash, r.Right()-x)
		l.Fill(draw.R(x, r.Y, w, thick), c)
		l.Fill(draw.R(x, r.Bottom()-thick, w, thick), c)
	}
	for y := r.Y; y < r.Bottom()-1; y += 2 * dash {
		h := min(dash, r.Bottom()-y)
		l.Fill(draw.R(r.X, y, thick, h), c)
		l.Fill(draw.R(r.Right()-thick, y, thick, h), c)
	}
}
