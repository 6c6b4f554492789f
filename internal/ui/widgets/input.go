package widgets

import (
	"image"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// Input holds what happened since the picture before. At most one thing in it decides where the next
// thing goes (a button of the mouse, a key, a move on a pad): its maker, see package window, ends it
// there and leaves the rest for the next one. Within it the order is: mouse moved, wheel, text, then
// that one thing.
type Input struct {
	Now     time.Duration // since any moment; never goes back
	Size    image.Point   // of the surface, in pixels
	Scale   float32       // pixels to a point: the display's times the user's; 0 is 1
	Focused bool          // the window has the keyboard

	Mouse    draw.Point // in pixels of the surface
	MouseIn  bool       // the mouse is over the window
	Held     Buttons    // buttons that are down at the end
	Pressed  MouseButton
	Released MouseButton
	Clicks   int        // with Pressed: 2 for a double click
	Touch    bool       // the mouse is a finger, the first that came down: it is among Fingers, too
	Wheel    draw.Point // notches: positive Y is up, away from the user

	// Fingers are those on a touch screen, in order: for consoles, not widgets, to which the first of
	// them is the mouse. Valid until the next Input.
	Fingers []Finger

	Text    string      // typed
	Compose Composition // what an input method has under way
	Press   KeyPress    // a key that went down; Press.Key is 0 for none
	Nav     Nav         // a move on a pad
	Control string      // the name of a pad's button or half axis that went down, for [UI.Bind]; "" for none
	Keys    []KeyPress  // every key that went down or up, in order: for consoles, not widgets. Valid until the next Input

	Dropped []string // paths of files dropped onto the window
	Close   bool     // the user wants to close the window
	Lost    bool     // the window has just lost the keyboard: no key is held any more
}

// Lasting returns the input without all that happened.
func (in Input) Lasting() Input {
	return Input{
		Now: in.Now, Size: in.Size, Scale: in.Scale, Focused: in.Focused,
		Mouse: in.Mouse, MouseIn: in.MouseIn, Held: in.Held, Touch: in.Touch, Compose: in.Compose,
	}
}

// eventful reports whether what happened may have changed also what was built already.
func (in *Input) eventful() bool {
	return in.Pressed != 0 || in.Released != 0 || in.Text != "" || in.Press.Key != 0 || in.Nav != 0 ||
		in.Control != "" || len(in.Dropped) > 0 || in.Wheel != draw.Point{} || in.Close
}

// Finger is a finger that came down, moved or went up.
type Finger struct {
	ID       int64      // the same from down to up
	At       draw.Point // in pixels of the surface
	Down, Up bool       // neither: it moved
}

// MouseButton is a button of the mouse.
type MouseButton uint8

// Buttons of the mouse. A finger is the left one.
const (
	NoButton MouseButton = iota
	LeftButton
	MiddleButton
	RightButton
)

// Buttons is a set of mouse buttons.
type Buttons uint8

// Has reports whether b is in the set.
func (s Buttons) Has(b MouseButton) bool { return b != NoButton && s&(1<<b) != 0 }

// With returns the set with b.
func (s Buttons) With(b MouseButton) Buttons { return s | 1<<b }

// Without returns the set without b.
func (s Buttons) Without(b MouseButton) Buttons { return s &^ (1 << b) }

// Composition is text that an input method shows before it is typed.
type Composition struct {
	Text  string
	Caret int // runes before the caret in it
}

// Mods is a set of keys that are held while another is pressed.
type Mods uint8

// Keys held.
const (
	Shift Mods = 1 << iota
	Ctrl       // or Command on a Mac
	Alt
)

// KeyPress is a key that went down, or up.
type KeyPress struct {
	Key    Key
	Name   string // as the settings have it, such as "Left Shift" or "Z"
	Sym    rune   // what the key writes by the user's layout, without Shift, lower case; 0 if nothing
	Mods   Mods
	Up     bool // it went up
	Repeat bool // it has been held
}

func (p KeyPress) is(k Key) bool {
	return p.Key == k || k == KeyEnter && p.Key == KeyPadEnter
}

// Key is a key by its place: the usage of page 7 of the USB HID tables, SDL's scancode.
type Key uint16

// Keys that widgets know.
const (
	KeyA         Key = 4
	KeyC         Key = 6
	KeyF         Key = 9
	KeyV         Key = 25
	KeyX         Key = 27
	KeyZ         Key = 29
	KeyEnter     Key = 40
	KeyEscape    Key = 41
	KeyBackspace Key = 42
	KeyTab       Key = 43
	KeySpace     Key = 44
	KeyComma     Key = 54
	KeyF1        Key = 58
	KeyF12       Key = 69
	KeyInsert    Key = 73
	KeyHome      Key = 74
	KeyPageUp    Key = 75
	KeyDelete    Key = 76
	KeyEnd       Key = 77
	KeyPageDown  Key = 78
	KeyRight     Key = 79
	KeyLeft      Key = 80
	KeyDown      Key = 81
	KeyUp        Key = 82
	KeyPadEnter  Key = 88
)

// Nav is a move of the user by a pad. The reader of the pads repeats it while
// it is held.
type Nav uint8

// Moves.
const (
	NoNav Nav = iota
	NavUp
	NavDown
	NavLeft
	NavRight
	NavAccept   // A
	NavForward  // Start: to the way forward, or presses that
	NavBack     // B
	NavPrevious // L: the tab before
	NavNext     // R: the tab after
)

// Clipboard is the system's.
type Clipboard interface {
	// Paste returns the text in it, "" if none.
	Paste() string
	// Copy replaces it.
	Copy(text string)
}

// Cursor is the look of the mouse.
type Cursor uint8

// Cursors.
const (
	Arrow Cursor = iota
	Hand
	Beam
)

// Output is the picture and what the window is to do.
type Output struct {
	List   *draw.List      // the picture; valid until the next Frame
	Cursor Cursor          // over the widget under the mouse
	Typing bool            // a field has the focus: text input is to be on
	Caret  image.Rectangle // where it is, in pixels, for an input method's window
	Wake   time.Duration   // draw again after so long even if nothing happens; negative: no need
}
