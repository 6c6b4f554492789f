package widgets

import (
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// UI is the state that remains from one picture to the next.
type UI struct {
	theme Theme
	bare  bool
	list  *draw.List
	clip  Clipboard

	in     Input
	out    Output
	first  bool   // this build has the input; the others only settle
	again  bool   // something came out other than assumed
	age    uint32 // counts Frames
	memory map[ID]*memory

	open     open
	layers   layers
	mouse    mouse
	anchor   anchor
	focus    focus
	board    board
	toasts   toasts
	tip      tip
	lastRect draw.Rect // of the widget before
	lastID   ID
	lastName string

	inspection *Inspection // nil: nobody asked for one
}

// open holds what a build is in the middle of.
type open struct {
	frames  []frame // containers
	scopes  []ID
	scrolls []scrolling
	counts  map[ID]int // how often a name was used in this build
}

// layers are the heights at which dialogs and lists lie over the screen.
type layers struct {
	now      int  // of what is being built
	top      int  // the one that takes input
	nextTop  int  // the highest of this build
	opening  bool // what is being built is a dialog that was not there before
	opened   bool // such a dialog is in this build
	backUsed bool
}

// mouse is where the mouse is, and on which widgets.
type mouse struct {
	at, was     draw.Point // in points, now and in the picture before
	hot, active ID         // under the mouse; being pressed
	nextHot     ID
	pressAt     draw.Point
}

// stayed reports whether the mouse is where the button went down: a widget that has moved from
// under it meanwhile is clicked all the same.
func (m *mouse) stayed() bool {
	way := m.at.Sub(m.pressAt)
	return max(way.X, -way.X, way.Y, -way.Y) < 4
}

// ID is a name within its scopes.
type ID uint64

// New makes a UI that writes with fonts. A nil clipboard is one of its own.
func New(fonts *draw.Fonts, clip Clipboard) *UI {
	if clip == nil {
		clip = &ownClipboard{}
	}
	return &UI{
		theme: DarkTheme(), list: draw.NewList(fonts), clip: clip,
		memory: map[ID]*memory{}, open: open{counts: map[ID]int{}},
	}
}

type ownClipboard struct{ text string }

func (c *ownClipboard) Paste() string    { return c.text }
func (c *ownClipboard) Copy(text string) { c.text = text }

// SetTheme changes the colours from the next Frame on.
func (u *UI) SetTheme(t Theme) { u.theme = t }

// SetBare leaves out the background, or not, from the next Frame on: for a
// screen that lies over the pictures of consoles.
func (u *UI) SetBare(bare bool) { u.bare = bare }

// Theme returns the colours.
func (u *UI) Theme() *Theme { return &u.theme }

// Canvas returns what is drawn on, within build.
func (u *UI) Canvas() *draw.List { return u.list }

// Input returns what happened, within build. While a picture settles it has
// only what lasts: no text, keys, or buttons that went down or up.
func (u *UI) Input() *Input { return &u.in }

// Mouse returns where the mouse is, in points.
func (u *UI) Mouse() draw.Point { return u.mouse.at }

// Settling reports whether build is called only to settle the layout.
func (u *UI) Settling() bool { return !u.first }

// settles is the limit of times that a screen is built anew until its layout is as assumed.
const settles = 4

// Frame builds a picture out of what happened. It calls build once with the
// input, and up to four times more without: as long as the layout is not yet as
// assumed, and once after anything that may have changed the screen.
func (u *UI) Frame(in Input, build func(u *UI)) Output {
	if in.Scale <= 0 {
		in.Scale = 1
	}
	switch {
	case in.Nav != 0:
		u.focus.pad = true
	case in.Press.Key != 0 || in.Pressed != 0:
		u.focus.pad = false
	}
	in = u.board.hear(in)
	if in.Nav == NavForward {
		in.Nav = u.goForward()
	}
	u.age++
	u.first = true
	for range 1 + settles {
		u.begin(in)
		build(u)
		u.end()
		if !u.again && !(u.first && in.eventful()) && !u.anchor.hold() {
			break
		}
		u.first = false
		in = in.Lasting()
	}
	if u.again {
		u.out.Wake = 0
	}
	u.mouse.was, u.focus.roll = u.mouse.at, 0
	u.anchor.end(u.mouse.hot)
	u.forget()
	return u.out
}

// Lasting returns the input without all that happened.
func (in Input) Lasting() Input {
	return Input{
		Now: in.Now, Size: in.Size, Scale: in.Scale, Focused: in.Focused,
		Mouse: in.Mouse, MouseIn: in.MouseIn, Held: in.Held, Touch: in.Touch, Compose: in.Compose,
	}
}

// eventful reports whether something happened that a screen may have changed by,
// also in what it had built already.
func (in *Input) eventful() bool {
	return in.Pressed != 0 || in.Released != 0 || in.Text != "" || in.Press.Key != 0 || in.Nav != 0 ||
		in.Control != "" || len(in.Dropped) > 0 || in.Wheel != draw.Point{} || in.Close
}

func (u *UI) begin(in Input) {
	u.in = in
	u.mouse.at = in.Mouse.Mul(1 / in.Scale)
	u.list.Reset(in.Size, in.Scale)
	u.out = Output{List: u.list, Wake: -1}
	u.again, u.layers.backUsed, u.layers.opened = false, false, false
	u.layers.now, u.layers.nextTop, u.mouse.nextHot = 0, 0, 0
	u.inspection.begin()
	u.open.scopes = append(u.open.scopes[:0], 1)
	clear(u.open.counts)
	u.lastID = 0
	u.anchor.now, u.anchor.next = anchored{}, anchored{}
	u.focus.begin()
	u.board.built = false
	u.toasts.clear = u.toasts.clear[:0]
	u.tip.begin()
	if in.Pressed == LeftButton {
		u.mouse.pressAt = u.mouse.at
	}
	if in.Lost {
		u.mouse.active = 0
	}
	if !u.bare {
		u.list.Fill(u.list.Bounds(), u.theme.Back)
	}
	u.open.frames = append(u.open.frames[:0], column(u.list.Bounds()))
}

func (u *UI) end() {
	u.navigate()
	u.endBoard()
	u.endToasts()
	u.endTip()
	if u.in.Released == LeftButton || !u.in.Held.Has(LeftButton) {
		u.mouse.active = 0
	}
	if u.mouse.nextHot != u.mouse.hot {
		u.mouse.hot = u.mouse.nextHot
		u.again = true
	}
	if u.layers.nextTop != u.layers.top {
		u.layers.top = u.layers.nextTop
		u.again = true
	}
}

// Wake asks for another picture after so long, such as for what moves.
func (u *UI) Wake(d time.Duration) {
	d = max(d, time.Millisecond)
	if u.out.Wake < 0 || d < u.out.Wake {
		u.out.Wake = d
	}
}

// Back reports whether the user wants to go back by Escape or a pad's B, and
// nothing that is open has used that. Call it at the end of a screen.
func (u *UI) Back() bool {
	asked := u.in.Press.is(KeyEscape) || u.in.Nav == NavBack
	if u.layers.backUsed || !u.live() || !asked {
		return false
	}
	u.layers.backUsed = true
	return true
}

// Shortcut reports whether a key went down with exactly these held, and no
// dialog is open. Call it for what works all over a screen.
func (u *UI) Shortcut(mods Mods, key Key) bool {
	p := u.in.Press
	return u.live() && p.Key == key && !p.Repeat && p.Mods == mods
}

func (p KeyPress) is(k Key) bool {
	return p.Key == k || k == KeyEnter && p.Key == KeyPadEnter
}

// Capturing reports whether a [UI.Bind] of what was built so far waits for a key.
func (u *UI) Capturing() bool { return u.focus.capturing }

// live reports whether what is being built takes input: nothing is open over it, and it does
// not open just now by what happened, or while the user meant something else.
func (u *UI) live() bool {
	return u.layers.now == u.layers.top || u.layers.now > u.layers.top && !u.first
}

// Covered reports whether a dialog or a list is open over what is being built: what the user
// does is not meant for it.
func (u *UI) Covered() bool { return u.layers.now < u.layers.top }

// Busy reports whether the user is in the middle of something that takes keys: a
// field has the focus, a dialog or a drop-down is open, or a control is being
// captured.
func (u *UI) Busy() bool { return u.layers.top > 0 || u.focus.typing || u.focus.capturing }

func (u *UI) mouseMoved() bool { return u.mouse.at != u.mouse.was }
