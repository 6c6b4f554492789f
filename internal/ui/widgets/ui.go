package widgets

import (
	"image"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// UI is what remains from one picture to the next.
type UI struct {
	theme Theme
	bare  bool
	list  *draw.List
	clip  Clipboard

	in    Input
	mouse draw.Point // in points
	was   draw.Point // the mouse in the picture before
	out   Output
	first bool   // this build has the input; the others only settle
	again bool   // something came out other than assumed
	age   uint32 // counts Frames

	frames  []frame // containers open
	scopes  []ID
	scrolls []scrolling
	counts  map[ID]int // how often a name was used in this build
	memory  map[ID]*memory
	pending ID // the name for the next widget

	layer    int // of what is being built
	top      int // the highest layer that takes input
	nextTop  int
	backUsed bool

	hot, active ID // under the mouse; being pressed
	nextHot     ID
	pressAt     draw.Point
	focus       focus
	toasts      []toast
	tip         tip
	lastRect    draw.Rect // of the widget before
	lastID      ID
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
		memory: map[ID]*memory{}, counts: map[ID]int{},
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
func (u *UI) Mouse() draw.Point { return u.mouse }

// Settling tells whether build is called only to settle the layout.
func (u *UI) Settling() bool { return !u.first }

// settles is how often a screen is built anew at most until its layout is as
// assumed.
const settles = 4

// Frame builds a picture out of what happened. It calls build once with the
// input, and up to four times more without: as long as the layout is not yet as
// assumed, and once after anything that may have changed the screen.
func (u *UI) Frame(in Input, build func(u *UI)) Output {
	if in.Scale <= 0 {
		in.Scale = 1
	}
	u.age++
	u.first = true
	for range 1 + settles {
		u.begin(in)
		build(u)
		u.end()
		if !u.again && !(u.first && in.eventful()) {
			break
		}
		u.first = false
		in = in.lasting()
	}
	if u.again {
		u.out.Wake = 0
	}
	u.was = u.mouse
	u.forget()
	return u.out
}

// lasting returns the input without all that happened.
func (in Input) lasting() Input {
	in.Pressed, in.Released, in.Clicks, in.Wheel = NoButton, NoButton, 0, draw.Point{}
	in.Text, in.Press, in.Nav, in.Control, in.Keys = "", KeyPress{}, NoNav, "", nil
	in.Dropped, in.Close, in.Lost = nil, false, false
	return in
}

// eventful tells whether something happened that a screen may have changed by,
// also in what it had built already.
func (in *Input) eventful() bool {
	return in.Pressed != 0 || in.Released != 0 || in.Text != "" || in.Press.Key != 0 || in.Nav != 0 ||
		in.Control != "" || len(in.Dropped) > 0 || in.Wheel != draw.Point{} || in.Close
}

func (u *UI) begin(in Input) {
	u.in = in
	u.mouse = in.Mouse.Mul(1 / in.Scale)
	u.list.Reset(in.Size, in.Scale)
	u.out = Output{List: u.list, Wake: -1}
	u.again, u.backUsed = false, false
	u.layer, u.nextTop, u.nextHot = 0, 0, 0
	u.scopes = append(u.scopes[:0], 1)
	clear(u.counts)
	u.pending, u.lastID = 0, 0
	u.focus.begin()
	u.tip.begin()
	if in.Pressed == LeftButton {
		u.pressAt = u.mouse
	}
	if in.Lost {
		u.active = 0
	}
	if !u.bare {
		u.list.Fill(u.list.Bounds(), u.theme.Back)
	}
	u.frames = append(u.frames[:0], column(u.list.Bounds()))
}

func (u *UI) end() {
	u.navigate()
	u.endToasts()
	u.endTip()
	if u.in.Released == LeftButton || !u.in.Held.Has(LeftButton) {
		u.active = 0
	}
	if u.nextHot != u.hot {
		u.hot = u.nextHot
		u.again = true
	}
	if u.nextTop != u.top {
		u.top = u.nextTop
		u.again = true
	}
}

// wake asks for a picture after so long.
func (u *UI) wake(d time.Duration) {
	d = max(d, time.Millisecond)
	if u.out.Wake < 0 || d < u.out.Wake {
		u.out.Wake = d
	}
}

// Wake asks for another picture after so long, such as for what moves.
func (u *UI) Wake(d time.Duration) { u.wake(d) }

// Back tells whether the user wants to go back by Escape or a pad's B, and
// nothing that is open has used that. Call it at the end of a screen.
func (u *UI) Back() bool {
	if u.backUsed || !u.live() || !u.wantsBack() {
		return false
	}
	u.backUsed = true
	return true
}

func (u *UI) wantsBack() bool { return u.in.Press.is(KeyEscape) || u.in.Nav == NavBack }

// Shortcut tells whether a key went down with exactly these held, and no
// dialog is open. Call it for what works all over a screen.
func (u *UI) Shortcut(mods Mods, key Key) bool {
	p := u.in.Press
	return u.live() && p.Key == key && !p.Repeat && p.Mods == mods
}

func (p KeyPress) is(k Key) bool {
	return p.Key == k || k == KeyEnter && p.Key == KeyPadEnter
}

// live tells whether what is being built takes input: nothing is open over it.
func (u *UI) live() bool { return u.layer >= u.top }

// Busy tells whether the user is in the middle of something that takes keys: a
// field has the focus, a dialog or a drop-down is open, or a control is being
// captured.
func (u *UI) Busy() bool { return u.top > 0 || u.focus.typing || u.focus.capturing }

func (u *UI) pixels(r draw.Rect) image.Rectangle {
	r = r.Mul(u.list.Scale())
	return image.Rect(int(r.X), int(r.Y), int(r.Right()), int(r.Bottom()))
}

func (u *UI) mouseMoved() bool { return u.mouse != u.was }
