package pads

import "github.com/nettplay/nettplay/inputdelay"

const (
	// pointerSpeed is the speed of the stylus, in pixels a frame, with a stick at its end: across the
	// screen in a little more than a second.
	pointerSpeed = 3.6
	// pointerShown is the number of frames for which the stylus is shown after a stick moved it.
	pointerShown = 180
)

// pointer is the stylus of a seat: held by mouse or finger, or moved by a stick.
type pointer struct {
	x, y   float64 // where a stick has it
	placed bool    // it was moved or put down once; before that it is in the middle
	shown  int     // frames for which it is still shown

	down   bool // by mouse or finger
	tx, ty uint8
	// A touch of which no frame has seen the beginning, and perhaps not the end.
	began  bool
	bx, by uint8

	tapped bool // by a controller's button
}

// touch puts the stylus down or moves it, by mouse or finger.
func (p *pointer) touch(x, y uint8) {
	y = min(y, inputdelay.ScreenHeight-1)
	if !p.down && !p.began {
		p.began, p.bx, p.by = true, x, y
	}
	p.down, p.tx, p.ty = true, x, y
}

// up lifts what touch put down.
func (p *pointer) up() { p.down = false }

// lift lifts the stylus for good, also a tap that no frame has seen.
func (p *pointer) lift() { p.down, p.began, p.tapped = false, false, false }

// frame is one frame of the stylus: pull is what sticks do, touching what buttons
// do. A tap that was over before the frame is told where it began.
func (p *pointer) frame(pull stick, touching bool) (x, y uint8, down bool) {
	began := p.began
	p.began = false
	touching = touching || p.tapped
	p.tapped = false
	switch {
	case p.down:
		p.place(p.tx, p.ty)
		return p.tx, p.ty, true
	case began:
		p.place(p.bx, p.by)
		return p.bx, p.by, true
	}
	p.move(pull, touching)
	return uint8(p.x), uint8(p.y), touching
}

// place takes the stylus to where mouse or finger had it.
func (p *pointer) place(x, y uint8) {
	p.x, p.y, p.placed, p.shown = float64(x)+0.5, float64(y)+0.5, true, 0
}

// move moves the stylus by a stick.
func (p *pointer) move(pull stick, touching bool) {
	if !p.placed {
		p.x, p.y, p.placed = inputdelay.ScreenWidth/2, inputdelay.ScreenHeight/2, true
	}
	p.shown = max(p.shown-1, 0)
	if pull == (stick{}) && !touching {
		return
	}
	p.shown = pointerShown
	p.x = min(max(p.x+pull.x*pointerSpeed, 0), inputdelay.ScreenWidth-1)
	p.y = min(max(p.y+pull.y*pointerSpeed, 0), inputdelay.ScreenHeight-1)
}

// cursor is where to draw it.
func (p *pointer) cursor() (x, y uint8, shown bool) {
	return uint8(p.x), uint8(p.y), p.shown > 0 && !p.down
}
