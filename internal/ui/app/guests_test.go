package app

import (
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A guest sits at a desk with one kind of device, and sees what shows in the window. Each
// method waits until the window has answered.
type guest interface {
	// press presses a widget, by its name or by what is written on it.
	press(name string)
	// choose chooses an item of the list that a screen has, and open takes it at once.
	choose(list, item string)
	open(list, item string)
	// write writes into a field, in place of what is there. With enter it presses Enter there.
	write(field, text string, enter bool)
	// turn goes to another part of the screen, by its name, which is so many further.
	turn(part string, by int)
	// settings goes there from the first screen.
	settings()
	// paste joins by the invitation that was copied, from the first screen.
	paste()
	// back goes back.
	back()
	// seek goes forward in a recording.
	seek()
	// play presses A of the console.
	play()
	// menu opens the menu of the game.
	menu()
	at() *desk
}

// focused returns the widget that has the keyboard.
func (s seen) focused() (at spot, there bool) {
	if s.Focus < 0 || s.Focus >= len(s.Widgets) {
		return at, false
	}
	return s.Widgets[s.Focus], true
}

// find returns the number of a widget by its name, or by a text on it; -1 for none.
func (s seen) find(name string) int {
	if i := slices.IndexFunc(s.Widgets, func(w spot) bool { return w.Name == name }); i >= 0 {
		return i
	}
	for _, text := range s.Texts {
		if text.Name != name {
			continue
		}
		if i := slices.IndexFunc(s.Widgets, func(w spot) bool { return text.At.Overlaps(w.At) }); i >= 0 {
			return i
		}
	}
	return -1
}

// says reports whether a text shows, in one line or in several.
func (s seen) says(text string) bool {
	var all []string
	for _, t := range s.Texts {
		all = append(all, t.Name)
	}
	return strings.Contains(strings.Join(all, " "), text)
}

// place is where a widget is, or the text by which it was found, and the whole of the widget.
func (s seen) place(name string) (at, all image.Rectangle, there bool) {
	i := s.find(name)
	if i < 0 {
		return at, all, false
	}
	at = s.Widgets[i].At
	if s.Widgets[i].Name != name {
		at = s.Texts[slices.IndexFunc(s.Texts, func(t spot) bool { return t.Name == name && t.At.Overlaps(at) })].At
	}
	return at, s.Widgets[i].All, true
}

// has waits for a widget, and for a place where it stays.
func (d *desk) has(name string) seen {
	d.t.Helper()
	return d.until(name, func(s seen) bool { return s.find(name) >= 0 && !s.Calm })
}

// order gives an order for the controller, and waits until a picture has heard of it.
func (d *desk) order(format string, args ...any) {
	d.t.Helper()
	d.given++
	fmt.Fprintf(d.orders, format+"\n", args...)
	d.until("an answer to "+fmt.Sprintf(format, args...), func(s seen) bool { return s.Done >= d.given })
}

// settle waits until a picture has heard of all that was pressed and typed before.
func (d *desk) settle() {
	d.t.Helper()
	d.given++
	fmt.Fprintln(d.orders, "look")
	d.untilOver("a picture", func(s seen) bool { return s.Done >= d.given })
}

// reach brings a widget into sight, and returns where it stays. To scroll moves what is around it; to rest is to wait, with the
// device there already if it can be.
func (d *desk) reach(name string, rest, scroll func(image.Rectangle)) image.Rectangle {
	d.t.Helper()
	for range 20 {
		at, all, there := d.has(name).place(name)
		switch {
		case !there:
		case 2*at.Dy() < min(all.Dy(), 36):
			scroll(all)
		default:
			rest(at)
			if now, _, there := d.now().place(name); there && now == at {
				return at
			}
		}
	}
	d.save("lost")
	d.t.Fatalf("%s does not come into sight: %+v", name, d.now())
	return image.Rectangle{}
}

// pressItem chooses an item of a list by a press on it.
func pressItem(g guest, list, item string) {
	if g.at().t.Helper(); list == "saves" {
		item = "no. " + item
	}
	g.press(item)
}

// byKeys has a keyboard alone.
type byKeys struct{ *desk }

func (k byKeys) at() *desk { return k.desk }

// key presses a key, and waits until a picture has heard of it.
func (k byKeys) key(name string) {
	k.t.Helper()
	k.presses++
	k.desk.press(name)
	k.settle()
}

// beside is the arrow to a widget right beside, above or below the one that has the ring, as anybody sees it: they overlap
// across the way, and nothing stands between. "" for any other.
func (s seen) beside(to spot) string {
	from, there := s.focused()
	if !there {
		return ""
	}
	between := image.Rect(max(from.All.Min.X, to.All.Min.X), from.All.Max.Y, min(from.All.Max.X, to.All.Max.X), to.All.Min.Y)
	arrow := "Down"
	switch {
	case to.All.Max.Y <= from.All.Min.Y:
		arrow, between.Min.Y, between.Max.Y = "Up", to.All.Max.Y, from.All.Min.Y
	case to.All.Min.Y < from.All.Max.Y:
		between = image.Rect(from.All.Max.X, max(from.All.Min.Y, to.All.Min.Y), to.All.Min.X, min(from.All.Max.Y, to.All.Max.Y))
		arrow = "Right"
		if to.All.Max.X <= from.All.Min.X {
			arrow, between.Min.X, between.Max.X = "Left", to.All.Max.X, from.All.Min.X
		}
	}
	across := between.Dx()
	if arrow == "Left" || arrow == "Right" {
		across = between.Dy()
	}
	if across <= 0 || slices.ContainsFunc(s.Widgets, func(w spot) bool { return w != from && w != to && w.All.Overlaps(between) }) {
		return ""
	}
	return arrow
}

// to leads the ring to a widget by Tab, or by an arrow where the widget is right beside the ring and Tab takes more than
// one press.
func (k byKeys) to(name string) {
	k.t.Helper()
	k.has(name)
	tried := false
	for range 80 {
		s := k.now()
		i := s.find(name)
		switch {
		case i < 0:
			k.has(name)
			continue
		case i == s.Focus:
			return
		}
		key, n := "Tab", len(s.Widgets)
		ahead := (i - s.Focus + n) % n
		if s.Focus >= 0 && ahead > n/2 {
			key = "shift+Tab"
		}
		if arrow := s.beside(s.Widgets[i]); arrow != "" && !tried && min(ahead, n-ahead) > 1 {
			key, tried = arrow, true
		}
		k.key(key)
	}
	k.save("lost")
	k.t.Fatalf("Tab does not lead to %s: %+v", name, k.now())
}

func (k byKeys) press(name string) {
	k.t.Helper()
	k.to(name)
	k.key("Return")
}

func (k byKeys) choose(list, item string) {
	k.t.Helper()
	k.until(item, func(s seen) bool { return slices.Contains(s.Items, item) })
	k.to(list)
	for range 40 {
		s := k.now()
		i := slices.Index(s.Items, item)
		if i == s.Lit {
			return
		}
		k.key(map[bool]string{true: "Down", false: "Up"}[i > s.Lit])
	}
	k.t.Fatalf("%s is not reached: %+v", item, k.now())
}

func (k byKeys) open(list, item string) {
	k.t.Helper()
	k.choose(list, item)
	k.key("Return")
}

func (k byKeys) write(field, text string, enter bool) {
	k.t.Helper()
	k.to(field)
	k.presses++
	k.desk.write(text)
	if enter {
		k.desk.press("Return")
	}
	k.settle()
}

func (k byKeys) turn(_ string, by int) {
	k.t.Helper()
	for range max(by, -by) {
		k.key(map[bool]string{true: "ctrl+Tab", false: "ctrl+shift+Tab"}[by > 0])
	}
}

func (k byKeys) settings() { k.t.Helper(); k.key("ctrl+comma") }

func (k byKeys) paste() { k.t.Helper(); k.key("ctrl+v") }

func (k byKeys) back() { k.t.Helper(); k.key("Escape") }

func (k byKeys) seek() { k.t.Helper(); k.key("Right") }

func (k byKeys) play() { k.t.Helper(); k.key("x") }

func (k byKeys) menu() {
	k.t.Helper()
	k.key("Escape")
	k.until("the menu", func(s seen) bool { return s.Menu })
}

// byMouse has a mouse, and a keyboard to write with.
type byMouse struct{ *desk }

func (m byMouse) at() *desk { return m.desk }

// pointAt brings a widget into sight, and the mouse on it.
func (m byMouse) pointAt(name string) {
	m.t.Helper()
	m.reach(name, m.moveTo, func(all image.Rectangle) {
		m.moveTo(image.Rect(0, 0, m.frame.Dx(), m.frame.Dy()))
		m.presses++
		wheel := "5"
		if all.Min.Y < m.frame.Dy()/2 {
			wheel = "4"
		}
		m.do("click", "--repeat", "3", "--delay", "1", wheel)
		m.settle()
	})
}

func (m byMouse) moveTo(r image.Rectangle) {
	m.t.Helper()
	at := r.Min.Add(r.Max).Div(2).Add(m.frame.Min)
	m.do("mousemove", strconv.Itoa(at.X), strconv.Itoa(at.Y))
	m.settle()
}

func (m byMouse) press(name string) {
	m.t.Helper()
	m.pointAt(name)
	m.presses++
	m.do("click", "1")
	m.settle()
}

func (m byMouse) choose(list, item string) { m.t.Helper(); pressItem(m, list, item) }

func (m byMouse) open(_, item string) {
	m.t.Helper()
	m.until(item, func(s seen) bool { return slices.Contains(s.Items, item) })
	m.pointAt(item)
	m.presses++
	m.do("click", "--repeat", "2", "--delay", "50", "1")
	m.settle()
}

func (m byMouse) write(field, text string, enter bool) {
	m.t.Helper()
	m.press(field)
	m.presses++
	m.desk.press("ctrl+a")
	m.desk.write(text)
	if enter {
		m.desk.press("Return")
	}
	m.settle()
}

func (m byMouse) turn(part string, _ int) { m.t.Helper(); m.press(part) }

func (m byMouse) settings() { m.t.Helper(); m.press("Settings") }

func (m byMouse) paste() { m.t.Helper(); m.press("paste") }

func (m byMouse) back() { m.t.Helper(); m.press("back") }

func (m byMouse) seek() { m.t.Helper(); m.press("seek") }

func (m byMouse) play() { m.t.Helper(); byKeys(m).play() }

func (m byMouse) menu() { m.t.Helper(); byKeys(m).menu() }

// actions is how many presses and clicks a way through the window may cost each of those who go it, by device. A text that
// is written counts as one. A way that no test goes by a device has 0.
type actions struct{ keys, pad, mouse, touch int }

// mostActions has all ways: no change makes one longer unnoticed. Who makes one shorter lowers its number.
var mostActions = map[string]actions{
	"first start of Bob":                 {keys: 7, pad: 0, mouse: 5},
	"first start of Ann":                 {keys: 7, pad: 0, mouse: 5},
	"come back after a crash":            {keys: 5, pad: 8, mouse: 5},
	"leave, and come back into the game": {keys: 0, pad: 13, mouse: 0},
	"host again":                         {keys: 0, pad: 0, mouse: 1},
	"back to the room":                   {keys: 0, pad: 0, mouse: 0},
	"back after a crash":                 {keys: 0, pad: 0, mouse: 1},
	"a setting":                          {keys: 12, pad: 14, mouse: 4, touch: 4},
	"change the game":                    {keys: 8, pad: 6, mouse: 2, touch: 3},
	"chat":                               {keys: 2, pad: 2, mouse: 3, touch: 2},
	"close the window":                   {keys: 3, pad: 3, mouse: 2, touch: 2},
	"delay":                              {keys: 13, pad: 9, mouse: 4, touch: 7},
	"delete a recording":                 {keys: 6, pad: 6, mouse: 4, touch: 4},
	"export a save":                      {keys: 5, pad: 5, mouse: 2, touch: 2},
	"first start":                        {keys: 11, pad: 10, mouse: 7, touch: 7},
	"go on from a moment":                {keys: 6, pad: 6, mouse: 3, touch: 4},
	"host":                               {keys: 4, pad: 4, mouse: 3, touch: 4},
	"import a save":                      {keys: 7, pad: 7, mouse: 2, touch: 3},
	"join a running game":                {keys: 3, pad: 3, mouse: 3, touch: 4},
	"join by address":                    {keys: 3, pad: 1, mouse: 2, touch: 1},
	"join by invitation":                 {keys: 1, pad: 2, mouse: 1, touch: 1},
	"join by list":                       {keys: 4, pad: 4, mouse: 2, touch: 3},
	"keep a moment":                      {keys: 5, pad: 5, mouse: 4, touch: 3},
	"leave":                              {keys: 7, pad: 11, mouse: 5, touch: 5},
	"make a video":                       {keys: 5, pad: 5, mouse: 3, touch: 3},
	"one more player here":               {keys: 14, pad: 11, mouse: 4, touch: 3},
	"ready and start":                    {keys: 11, pad: 4, mouse: 3, touch: 3},
	"rename a recording":                 {keys: 3, pad: 3, mouse: 3, touch: 2}, // the ring is on Watch once a video is made
	"replay and seek":                    {keys: 8, pad: 8, mouse: 4, touch: 7},
	"restore an older save":              {keys: 6, pad: 4, mouse: 3, touch: 3},
	"verify a recording":                 {keys: 3, pad: 10, mouse: 2, touch: 2},
	"watch":                              {keys: 9, pad: 12, mouse: 5, touch: 6},
}

// journey says what a way through the window costs, in clicks and presses.
func journey(t *testing.T, name string, players ...guest) func() {
	counts := make([]int, len(players))
	for i, p := range players {
		counts[i] = p.at().presses
	}
	return func() {
		var words []string
		for i, p := range players {
			n := p.at().presses - counts[i]
			if n > 0 {
				words = append(words, fmt.Sprint(n))
			}
			most, by := mostActions[name], 0
			switch p.(type) {
			case byKeys:
				by = most.keys
			case byPad:
				by = most.pad
			case byMouse:
				by = most.mouse
			case byTouch:
				by = most.touch
			}
			if n > by {
				t.Errorf("%q takes %d actions by %T, mostActions allows %d", name, n, p, by)
			}
			p.at().save(strings.ReplaceAll(name, " ", "-"))
		}
		t.Logf("%s: %s", name, strings.Join(words, ", "))
	}
}
