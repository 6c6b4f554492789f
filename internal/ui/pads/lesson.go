package pads

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A lesson teaches the buttons of a controller: the player presses each in turn, and a mapping comes out. It knows
// no SDL: it is told what the controller says, by numbers. One goroutine owns it.
type lesson struct {
	about Hardware
	model string // SDL's GUID of it
	id    ID
	at    int      // the step
	made  []string // what presses each step's button so far; "" for what it has not
	note  string   // why the last press did not count

	axes    []axis
	buttons []bool
	hats    []uint8
	ready   bool // all is let go of since the last press that counted
}

// axis is where an axis of a controller is, and was when the lesson began.
type axis struct{ rest, now int16 }

// step is one button to be pressed.
type step struct {
	name string // as in the settings and in mappings
	do   string // what to do with it
	what string // it
}

// words say what to do.
func (s step) words() string { return s.do + " " + s.what + "." }

// steps are those of a lesson. Places, not letters: what is printed differs.
var steps = []step{
	{"b", "Press", "the right one of the four buttons"},
	{"a", "Press", "the lowest of the four buttons"},
	{"y", "Press", "the highest of the four buttons"},
	{"x", "Press", "the left one of the four buttons"},
	{"dpup", "Press", "up on the cross"},
	{"dpdown", "Press", "down on the cross"},
	{"dpleft", "Press", "left on the cross"},
	{"dpright", "Press", "right on the cross"},
	{"start", "Press", "Start, or what is at its place"},
	{"back", "Press", "Select, or what is at its place"},
	{"leftshoulder", "Press", "the left shoulder button"},
	{"rightshoulder", "Press", "the right shoulder button"},
	{"lefttrigger", "Press", "the left trigger, behind the shoulder button"},
	{"righttrigger", "Press", "the right trigger, behind the shoulder button"},
	{AxisLeftX, "Push", "the left stick to the right"},
	{AxisLeftY, "Push", "the left stick down"},
	{AxisRightX, "Push", "the right stick to the right"},
	{AxisRightY, "Push", "the right stick down"},
	{"leftstick", "Press in", "the left stick"},
	{"rightstick", "Press in", "the right stick"},
	{"guide", "Press", "the button in the middle, with the maker's logo"},
}

// isStick reports whether a step wants a way of a stick.
func (s step) isStick() bool {
	return slices.Contains([]string{AxisLeftX, AxisLeftY, AxisRightX, AxisRightY}, s.name)
}

// newLesson begins with where the axes are at rest. So many buttons and hats there are.
func newLesson(id ID, about Hardware, model string, axes []int16, buttons, hats int) *lesson {
	l := &lesson{id: id, about: about, model: model, buttons: make([]bool, buttons), hats: make([]uint8, hats), ready: true}
	for _, rest := range axes {
		l.axes = append(l.axes, axis{rest, rest})
	}
	return l
}

// button tells that a button went down or up.
func (l *lesson) button(n int, down bool) {
	if n < 0 || n >= len(l.buttons) {
		return
	}
	l.buttons[n] = down
	if down {
		l.press(fmt.Sprintf("b%d", n), false)
	}
	l.rested()
}

// hat tells where a hat is: SDL's bits, of which one is a way.
func (l *lesson) hat(n int, value uint8) {
	if n < 0 || n >= len(l.hats) {
		return
	}
	l.hats[n] = value
	if value == 1 || value == 2 || value == 4 || value == 8 {
		l.press(fmt.Sprintf("h%d.%d", n, value), false)
	}
	l.rested()
}

// An axis counts as pressed, or as let go of, beyond and within these shares of its way.
const (
	pressedShare = 0.6
	restedShare  = 0.25
)

// move tells where an axis is.
func (l *lesson) move(n int, value int16) {
	if n < 0 || n >= len(l.axes) {
		return
	}
	a := &l.axes[n]
	a.now = value
	if share := a.share(); math.Abs(share) >= pressedShare {
		l.press(a.source(n, share < 0, steps[l.at].isStick()), true)
	}
	l.rested()
}

// share is how far an axis is from where it rests, -1 to 1.
func (a axis) share() float64 {
	way := float64(math.MaxInt16)
	if a.full() {
		way *= 2
	}
	return (float64(a.now) - float64(a.rest)) / way
}

// full reports whether an axis rests at an end, as triggers do: all of it is one way then.
func (a axis) full() bool { return math.Abs(float64(a.rest)) > 0.75*math.MaxInt16 }

// source is the axis in a mapping: "a2" whole, "a2~" the other way round, "+a2" half of it. A stick has two halves.
func (a axis) source(n int, negative, stick bool) string {
	switch {
	case a.full() && negative, stick && negative:
		return fmt.Sprintf("a%d~", n)
	case a.full(), stick:
		return fmt.Sprintf("a%d", n)
	case negative:
		return fmt.Sprintf("-a%d", n)
	}
	return fmt.Sprintf("+a%d", n)
}

// press takes what was pressed for the button of the step.
func (l *lesson) press(source string, isAxis bool) {
	if !l.ready || l.over() {
		return
	}
	s := steps[l.at]
	if s.isStick() && !isAxis {
		return // a stick that clicks
	}
	if at := slices.IndexFunc(l.made, func(m string) bool { return overlap(m, source) }); at >= 0 {
		l.note = "That is already " + steps[at].what + ". Press another one, or choose “It has none”."
		l.ready = false
		return
	}
	l.made, l.note, l.ready = append(l.made, source), "", false
	l.at++
}

// overlap reports whether two sources of a mapping are the same button or axis, or parts of it.
func overlap(a, b string) bool {
	bare := func(s string) string { return strings.TrimSuffix(strings.TrimLeft(s, "+-"), "~") }
	if a == "" || bare(a) != bare(b) {
		return false
	}
	half := func(s string) byte { return s[0] } // '+', '-', or whole
	return half(a) == half(b) || half(a) != '+' && half(a) != '-' || half(b) != '+' && half(b) != '-'
}

// rested notes that all is let go of.
func (l *lesson) rested() {
	if slices.Contains(l.buttons, true) || slices.ContainsFunc(l.hats, func(h uint8) bool { return h != 0 }) ||
		slices.ContainsFunc(l.axes, func(a axis) bool { return math.Abs(a.share()) > restedShare }) {
		return
	}
	l.ready = true
}

// skip goes on without the button of the step.
func (l *lesson) skip() {
	if !l.over() {
		l.made, l.note = append(l.made, ""), ""
		l.at++
	}
}

// back takes the last step again.
func (l *lesson) back() {
	if l.at > 0 {
		l.at--
		l.made, l.note = l.made[:l.at], ""
	}
}

// over reports whether all steps are done.
func (l *lesson) over() bool { return l.at >= len(steps) }

// mapping is what came out, in SDL's form, or why that is not enough to play with.
func (l *lesson) mapping(system string) (text, why string) {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			return !slices.ContainsFunc(steps[:len(l.made)], func(s step) bool { return s.name == name && l.made[slices.Index(steps, s)] != "" })
		})
	}
	if !has("a", "b") || !has("dpup", "dpdown", "dpleft", "dpright") && !has(AxisLeftX, AxisLeftY) {
		return "", "A controller needs two of the four buttons, and a cross or a left stick: nothing was changed."
	}
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == ',' || r == ':' || r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(l.about.Name, "")))
	if name == "" {
		name = "Controller"
	}
	parts := []string{l.model, name}
	for i, source := range l.made {
		if source != "" {
			parts = append(parts, steps[i].name+":"+source)
		}
	}
	return strings.Join(append(parts, "platform:"+system), ",") + ",", ""
}

// A Lesson is what the player sees of one: a controller's buttons are pressed in turn.
type Lesson struct {
	ID      ID
	Name    string // as the controller calls itself
	Button  string // the one to be pressed, by its name in the settings
	Words   string // what to do
	Note    string // why the last press did not count; "" it did
	At, All int    // the step, from 1, and their number
}

// view is what the player sees.
func (l *lesson) view() *Lesson {
	s := steps[min(l.at, len(steps)-1)]
	return &Lesson{ID: l.id, Name: l.about.Name, Button: s.name, Words: s.words(), Note: l.note, At: l.at + 1, All: len(steps)}
}
