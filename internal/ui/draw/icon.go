package draw

import (
	"math"
	"slices"
)

// Icon is a small picture in one colour.
type Icon uint8

// Icons.
const (
	NoIcon Icon = iota
	IconCheck
	IconCross
	IconDown
	IconUp
	IconLeft
	IconRight
	IconPlus
	IconMinus
	IconSearch
	IconSettings
	IconFolder
	IconInfo
	IconWarning
	IconError
	IconPlay
	IconPause
	IconScreen
	IconPerson
	IconPeople
	IconChat
	IconHome
	IconFilm
	IconSignal
	IconCopy
	IconTrash
	IconConsole
	IconClock
	IconLeave
	IconAgain
	IconFile
	IconGet
	IconSave
	IconKeys
	IconGlobe
	IconLink
	IconClip
	IconChip
	icons
)

// Icon paints an icon in the middle of r, size points wide and high.
func (l *List) Icon(r Rect, i Icon, size float32, c Color) {
	if i == NoIcon || i >= icons {
		return
	}
	n := int(clamp(round(size*l.scale), 4, 500))
	m := l.fonts.shape(shapeKey{icon, uint16(n), uint16(i)}, n, n, func(x, y float64) float64 {
		return iconOpacity(i, x*24/float64(n), y*24/float64(n), float64(n)/24)
	})
	x := round(r.X*l.scale + (r.W*l.scale-m.w)/2)
	y := round(r.Y*l.scale + (r.H*l.scale-m.h)/2)
	l.quad(m.texture, pixelRect{x, y, x + m.w, y + m.h}, m.uv, c)
}

// iconOpacity returns how much of a pixel an icon covers. Icons are drawn on a
// grid of 24x24 with a pen 2 wide; scale is pixels to a unit of the grid.
func iconOpacity(i Icon, x, y, scale float64) float64 {
	d := math.Inf(1)
	for _, distance := range strokes[i] {
		d = min(d, distance(x, y))
	}
	return -d*scale + 0.5
}

// stroke is one part of an icon: it returns how far a place is from its edge, negative inside.
type stroke func(x, y float64) float64

const pen = 1.0 // from the middle of a line to its edge

// line is a stroke from (a, b) to (c, d).
func line(a, b, c, d float64) stroke {
	dx, dy := c-a, d-b
	return func(x, y float64) float64 {
		t := max(0, min(((x-a)*dx+(y-b)*dy)/(dx*dx+dy*dy), 1))
		return math.Hypot(x-a-t*dx, y-b-t*dy) - pen
	}
}

// arc is a stroke around (a, b) from one angle to another, in degrees clockwise from the right.
func arc(a, b, radius, from, to float64) stroke {
	end := func(x, y, deg float64) float64 {
		rad := deg * math.Pi / 180
		return math.Hypot(x-a-radius*math.Cos(rad), y-b-radius*math.Sin(rad))
	}
	return func(x, y float64) float64 {
		angle := math.Atan2(y-b, x-a) * 180 / math.Pi
		for angle < from {
			angle += 360
		}
		if angle <= to {
			return math.Abs(math.Hypot(x-a, y-b)-radius) - pen
		}
		return min(end(x, y, from), end(x, y, to)) - pen
	}
}

func circle(a, b, radius float64) stroke { return arc(a, b, radius, 0, 360) }

// dot is filled.
func dot(a, b, radius float64) stroke {
	return func(x, y float64) float64 { return math.Hypot(x-a, y-b) - radius }
}

func frame(a, b, c, d float64) []stroke { return path(a, b, c, b, c, d, a, d, a, b) }
func join(parts ...[]stroke) []stroke   { return slices.Concat(parts...) }

func path(points ...float64) (s []stroke) {
	for i := 0; i+3 < len(points); i += 2 {
		s = append(s, line(points[i], points[i+1], points[i+2], points[i+3]))
	}
	return s
}

// strokes has the parts of every icon.
var strokes = [icons][]stroke{
	IconCheck:  path(5, 13, 10, 18, 19, 7),
	IconCross:  join(path(6, 6, 18, 18), path(18, 6, 6, 18)),
	IconDown:   path(6, 9, 12, 15, 18, 9),
	IconUp:     path(6, 15, 12, 9, 18, 15),
	IconLeft:   path(15, 5, 8, 12, 15, 19),
	IconRight:  path(9, 5, 16, 12, 9, 19),
	IconPlus:   join(path(12, 5, 12, 19), path(5, 12, 19, 12)),
	IconMinus:  path(5, 12, 19, 12),
	IconSearch: {circle(10.5, 10.5, 6), line(15, 15, 20, 20)},
	IconSettings: { // three lines with a knob each
		line(3, 6, 12.5, 6), line(18.5, 6, 21, 6), circle(15.5, 6, 2.4),
		line(3, 12, 5.5, 12), line(11.5, 12, 21, 12), circle(8.5, 12, 2.4),
		line(3, 18, 12.5, 18), line(18.5, 18, 21, 18), circle(15.5, 18, 2.4),
	},
	IconFolder:  path(3, 6, 9, 6, 11, 8.5, 21, 8.5, 21, 19, 3, 19, 3, 6),
	IconInfo:    {circle(12, 12, 9), line(12, 11.5, 12, 16.5), dot(12, 7.8, 1.2)},
	IconWarning: join(path(12, 4, 21.5, 20, 2.5, 20, 12, 4), []stroke{line(12, 10, 12, 14), dot(12, 17, 1.2)}),
	IconError:   {circle(12, 12, 9), line(9, 9, 15, 15), line(15, 9, 9, 15)},
	IconPlay:    path(7, 5, 19, 12, 7, 19, 7, 5),
	IconPause:   join(path(8, 5, 8, 19), path(16, 5, 16, 19)),
	IconScreen:  join(frame(3, 5, 21, 16), path(8, 20, 16, 20)),
	IconPerson:  {circle(12, 8, 4), arc(12, 21, 7.5, 185, 355)},
	IconPeople: {
		circle(9, 8.5, 3.5), arc(9, 20.5, 6.5, 185, 355), arc(15.5, 8.5, 3.5, -80, 80), arc(16.5, 20.5, 6, -75, -8),
	},
	IconChat:    path(4, 5, 20, 5, 20, 16, 11, 16, 7, 20, 7, 16, 4, 16, 4, 5),
	IconHome:    join(path(3.5, 11.5, 12, 4, 20.5, 11.5), path(6, 10, 6, 20, 18, 20, 18, 10)),
	IconFilm:    join(frame(3, 5, 21, 19), path(8, 5, 8, 19), path(16, 5, 16, 19), path(3, 12, 8, 12), path(16, 12, 21, 12)),
	IconSignal:  {dot(12, 18.5, 1.6), arc(12, 18.5, 5.5, -138, -42), arc(12, 18.5, 10, -138, -42), arc(12, 18.5, 14.5, -138, -42)},
	IconCopy:    join(frame(8, 8, 20, 20), path(4, 15, 4, 4, 15, 4)),
	IconTrash:   join(path(4, 7, 20, 7), path(6, 7, 7.5, 20, 16.5, 20, 18, 7), path(9, 7, 9, 4, 15, 4, 15, 7)),
	IconConsole: join(frame(5, 3, 19, 21), path(5, 12, 19, 12), []stroke{dot(8, 16.5, 1.1), dot(16, 16.5, 1.1)}),
	IconClock:   join(path(4, 3, 20, 3), path(4, 21, 20, 21), path(6, 3, 6, 7, 18, 17, 18, 21), path(18, 3, 18, 7, 6, 17, 6, 21)), // an hourglass: a face is too like the circles of messages
	IconFile:    join(path(13, 3, 5, 3, 5, 21, 19, 21, 19, 9, 13, 3), path(13, 3, 13, 9, 19, 9)),
	IconGet:     join(path(12, 4, 12, 15), path(7, 10, 12, 15, 17, 10), path(4.5, 16, 4.5, 20, 19.5, 20, 19.5, 16)),
	IconSave:    join(path(5, 3, 16, 3, 19, 6, 19, 21, 5, 21, 5, 3), frame(8, 6, 16, 13), path(8, 17, 8, 21), path(12, 17, 12, 21), path(16, 17, 16, 21)), // a cartridge
	IconKeys:    join(frame(2, 6, 22, 18), path(7, 14.5, 17, 14.5), []stroke{dot(6.5, 10, 1.2), dot(10.2, 10, 1.2), dot(13.8, 10, 1.2), dot(17.5, 10, 1.2)}),
	IconGlobe:   {circle(12, 12, 9), line(3, 12, 21, 12), arc(22, 12, 13.5, 139, 221), arc(2, 12, 13.5, -41, 41)},
	IconLink:    {line(9, 15, 15, 9), arc(8, 16, 4.5, 0, 270), arc(16, 8, 4.5, 180, 450)},
	IconClip:    {circle(6, 6.5, 2.8), circle(6, 17.5, 2.8), line(8.2, 8.3, 20.5, 18), line(8.2, 15.7, 20.5, 6)}, // scissors
	IconChip:    join(frame(7, 7, 17, 17), path(10, 3, 10, 7), path(14, 3, 14, 7), path(10, 17, 10, 21), path(14, 17, 14, 21), path(3, 10, 7, 10), path(3, 14, 7, 14), path(17, 10, 21, 10), path(17, 14, 21, 14)),
	IconAgain:   join([]stroke{arc(12, 12, 7.5, -40, 250)}, path(18.2, 2.5, 18.2, 7.4, 13.3, 7.4)),
	IconLeave:   join(path(13, 4, 5, 4, 5, 20, 13, 20), path(10, 12, 20, 12), path(16.5, 8.5, 20, 12, 16.5, 15.5)),
}
