package widgets

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/ui/draw"
)

// UI is the state that remains from one picture to the next.
type UI struct {
	theme    Theme
	veiled   bool // some texts are not written as they are
	bare     bool
	padWords PadWords
	list     *draw.List
	clip     Clipboard

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

	inspection Inspection
	page       string // the title of the page, in English; "" for none
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

// layerOf returns the layer of the drawing in which a dialog or a list is, by its height.
func layerOf(height int) int { return 2 * height }

// mouse is where the mouse is, and on which widgets.
type mouse struct {
	at, was     draw.Point // in points, now and in the picture before
	hot, active ID         // under the mouse; being pressed
	nextHot     ID
	pressAt     draw.Point
	pull        ID // the area on which a finger came down, which may pull it
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

// SetVeil has all texts pass a function before they are written: see [draw.List.SetVeil].
func (u *UI) SetVeil(veil func(string) string) {
	u.list.SetVeil(veil)
	u.veiled = veil != nil
}

// SetLanguage changes the language from the next Frame on.
func (u *UI) SetLanguage(l *language.Language) { u.list.SetLanguage(l) }

// Say is an English text in the language of the window. Widgets say by themselves all that they are given, but for what
// people wrote and [Verbatim] texts.
func (u *UI) Say(english string) string { return u.list.Say(english) }

// sayAll says several texts. It is called for each picture, so it makes a list only where one differs.
func (u *UI) sayAll(texts []string) []string {
	said, own := texts, false
	for i, english := range texts {
		if s := u.Say(english); s != english {
			if !own {
				said, own = slices.Clone(texts), true
			}
			said[i] = s
		}
	}
	return said
}

// Verbatim marks a text that is the same in every language, such as a name: somebody may be called as a button is.
func Verbatim(text string) string { return draw.Verbatim(text) }

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

// LeaveField takes the keyboard from a field by Escape, and tells whether it did. Call it at the end of a screen,
// before [UI.Back]: Escape does not leave a page on which somebody writes.
func (u *UI) LeaveField() bool {
	if !u.focus.typing || !u.live() || u.layers.backUsed || !u.in.Press.is(KeyEscape) {
		return false
	}
	u.setFocus(0)
	u.focus.shown, u.layers.backUsed = false, true
	return true
}

// Shortcut reports whether a key went down with exactly these held, and no
// dialog is open. Call it for what works all over a screen.
func (u *UI) Shortcut(mods Mods, key Key) bool {
	p := u.in.Press
	return u.live() && p.Key == key && !p.Repeat && p.Mods == mods
}

// Command reports whether Ctrl and a letter or sign went down, by the user's layout, or by its place where that has no
// such letters, and no dialog is open. Call it for what works all over a screen.
func (u *UI) Command(sign rune, place Key) bool {
	return u.live() && !u.focus.capturing && !u.in.Press.Repeat && u.in.Press.command(sign, place)
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
