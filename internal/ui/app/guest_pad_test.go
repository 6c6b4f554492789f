package app

import (
	"image"
	"slices"
	"unicode"
)

// byPad has a controller alone.
type byPad struct{ *desk }

// newPad plugs a controller in.
func newPad(d *desk) guest {
	d.order("plug")
	return byPad{d}
}

func (p byPad) at() *desk { return p.desk }

func (p byPad) button(names ...string) {
	p.t.Helper()
	for _, name := range names {
		p.presses++
		p.order("press %s", name)
	}
}

// toward is the button of the cross that leads from one place to another: up or down first.
func toward(from, to image.Rectangle) string {
	switch {
	case to.Min.Y >= from.Max.Y:
		return "dpdown"
	case to.Max.Y <= from.Min.Y:
		return "dpup"
	case to.Min.X > from.Min.X:
		return "dpright"
	}
	return "dpleft"
}

// to leads the ring to a widget.
func (p byPad) to(name string) {
	p.t.Helper()
	p.has(name)
	last, tried := -1, map[string]bool{}
	for range 80 {
		s := p.now()
		i := s.find(name)
		from, there := s.focused()
		switch {
		case i < 0:
			p.has(name)
			continue
		case s.Focus == i:
			return
		case s.Forward == i:
			p.button("start")
			continue
		case !there:
			p.button("dpdown")
			continue
		}
		if s.Focus != last {
			clear(tried)
		}
		last = s.Focus
		p.button(p.way(from.All, s.Widgets[i].All, tried))
	}
	p.save("lost")
	p.t.Fatalf("the cross does not lead to %s: %+v", name, p.now())
}

// way is the button to try next: the one that leads there, or one that was not tried here.
func (p byPad) way(from, to image.Rectangle, tried map[string]bool) string {
	best := toward(from, to)
	if best == "dpleft" || best == "dpright" || !tried[best] {
		tried[best] = true
		return best
	}
	clear(tried)
	if to.Min.X > from.Min.X {
		return "dpright"
	}
	return "dpleft"
}

func (p byPad) press(name string) {
	p.t.Helper()
	p.to(name)
	p.button("a")
}

func (p byPad) choose(list, item string) {
	p.t.Helper()
	p.until(item, func(s seen) bool { return slices.Contains(s.Items, item) })
	p.to(list)
	for range 40 {
		s := p.now()
		switch i := slices.Index(s.Items, item); {
		case i == s.Lit:
			return
		case i > s.Lit:
			p.button("dpdown")
		default:
			p.button("dpup")
		}
	}
	p.t.Fatalf("%s is not reached: %+v", item, p.now())
}

func (p byPad) open(list, item string) {
	p.t.Helper()
	p.choose(list, item)
	p.button("a")
}

func (p byPad) write(field, text string, enter bool) {
	p.t.Helper()
	before := p.presses
	p.press(field)
	first := p.letter("q")
	right, down := p.letter("w").Min.X-first.Min.X, p.letter("a").Min.Y-first.Min.Y
	at := first
	for _, r := range text {
		switch {
		case r == ' ':
			p.button("y")
			continue
		case unicode.IsUpper(r):
			p.button("back")
		case r == ':': // on the board's second page, as digits are
			page := p.letter("#+=")
			p.steps("dpleft", "dpright", center(first)+right-center(at), right)
			p.steps("dpup", "dpdown", page.Min.Y-at.Min.Y, down)
			p.button("a")
			p.button("dpup")
			at = first.Add(image.Pt(2*right, page.Min.Y-down-first.Min.Y))
		}
		to := p.letter(string(r))
		p.steps("dpup", "dpdown", to.Min.Y-at.Min.Y, down)
		p.steps("dpleft", "dpright", center(to)-center(at), right)
		p.button("a")
		at = to
	}
	if enter {
		p.button("start")
	} else {
		p.button("b")
	}
	p.presses = before + 1 // a field counts as one
}

func center(r image.Rectangle) int { return (r.Min.X + r.Max.X) / 2 }

// steps presses a button of the cross for each key of the board on the way.
func (p byPad) steps(less, more string, way, step int) {
	p.t.Helper()
	name := more
	if way < 0 {
		name, way = less, -way
	}
	for range (way + step/2) / step {
		p.button(name)
	}
}

// letter is where a key of the board is, which is drawn last.
func (p byPad) letter(name string) image.Rectangle {
	p.t.Helper()
	find := func(s seen) int {
		for i, t := range slices.Backward(s.Texts) {
			if t.Name == name {
				return i
			}
		}
		return -1
	}
	s := p.until("the key "+name, func(s seen) bool { return find(s) >= 0 })
	return s.Texts[find(s)].All
}

func (p byPad) turn(_ string, by int) {
	p.t.Helper()
	for range max(by, -by) {
		p.button(map[bool]string{true: "rightshoulder", false: "leftshoulder"}[by > 0])
	}
}

func (p byPad) settings() { p.t.Helper(); p.press("Settings") }

func (p byPad) paste() { p.t.Helper(); p.press("paste") }

func (p byPad) back() { p.t.Helper(); p.button("b") }

func (p byPad) seek() { p.t.Helper(); p.to("seek"); p.button("dpright") }

func (p byPad) play() { p.t.Helper(); p.button("b") } // where a DS has its A

func (p byPad) menu() {
	p.t.Helper()
	p.presses++
	p.order("hold back")
	p.order("hold start")
	p.until("the menu", func(s seen) bool { return s.Menu })
	p.order("lift back")
	p.order("lift start")
}
