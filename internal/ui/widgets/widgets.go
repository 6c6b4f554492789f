package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// Kind is the meaning of a button, a message or a mark.
type Kind uint8

// Kinds.
const (
	Normal  Kind = iota
	Primary      // the way forward; at most one in sight
	Danger       // something is lost
	Quiet        // without a frame until the mouse is over it
	Good         // it is as it should be
	Warning      // it may go wrong
)

// Button is something to press.
type Button struct {
	Text     string
	Sub      string // a second, smaller line: makes a large button
	Icon     draw.Icon
	Image    draw.Texture // square, of a large button, instead of the icon; 0: none
	Pictured bool         // the icon of a large button takes the room of an image, as others below it have one
	Kind     Kind
	Name     string // what it is remembered by; Text if empty
	Tip      string // shown when the mouse rests on it
	Disabled bool
	Default  bool   // has the keyboard when its dialog opens; the Primary one has it without this
	Rest     bool   // has the ring while there is no way forward, even disabled: the one that will be it
	Aside    bool   // never has the keyboard by itself: the way back, and what removes something or removes somebody
	Do       func() // what it does; nil: its caller hears that it was pressed
}

// Field is a line of text that can be changed.
type Field struct {
	Name   string // what it is remembered by
	Hint   string // shown while it is empty
	Icon   draw.Icon
	Secret bool   // shown as dots, never copied
	Max    int    // runes, 0: 4096
	Error  string // shown below, with a red frame
	Wrong  bool   // has a red frame: what is wrong is said elsewhere
	Focus  bool   // takes the focus when it is first shown
	Take   bool   // takes it now
	Select bool   // its text is selected then, to be written anew, as when Tab leads there
	Tail   bool   // its end shows while it has not the focus, as of a path
	// Forward leaves Enter to the way forward, the Primary button, as on the rest of the screen: for a field of a form
	// that has no use of its own for it.
	Forward bool
}

// Edited tells what happened to a field.
type Edited struct {
	Changed bool // the text is another one
	Entered bool // Enter was pressed, in a field without Forward
	Focused bool // it has the focus
	Left    bool // it has just lost the focus
}

// Slider is a number between two others.
type Slider struct {
	Name     string
	Min, Max float64
	Step     float64              // more than 0
	Format   func(float64) string // the number in words
}

// Check is a box with a text, ticked or not.
type Check struct {
	Text     string
	Name     string // Text if empty
	Tip      string
	Disabled bool
}

// Choice is one of several options.
type Choice struct {
	Name    string
	Options []string
	Tip     string
}

// List is a number of items of which one is chosen.
type List struct {
	Name   string
	Count  int
	Item   func(i int) Item // called for those in sight
	Height float32          // points; 0: what is left of the area, or all items if that has no end
	Empty  string           // shown when there is none
	Blank  draw.Icon        // above that, where there is room
	Focus  bool             // takes the focus when it is first shown
	Take   bool             // takes it now

	Pictures bool // its items have pictures; those with an icon leave as much room
}

// Item is one item of a list.
type Item struct {
	Title string
	Sub   string       // a second line
	Right string       // at the right edge
	Icon  draw.Icon    // or
	Image draw.Texture // square, as the icons in ROM banners, or
	Color draw.Color   // of a plate with the first letter of the title
	Badge string       // a mark behind the title
	Kind  Kind         // of the badge
	Faint bool
	Idle  bool // Enter does nothing with it, and is left to the way forward
}

// Picked tells what happened to a list.
type Picked struct {
	Changed   bool // another item is chosen
	Activated bool // the chosen one was double-clicked, or Enter was pressed on it
}

// Progress shows how far something has come.
type Progress struct {
	Value float64 // 0 to 1; negative: not known, a bar that moves
	Text  string  // on the right
}

// Log is lines that only ever become more: a chat.
type Log struct {
	Name   string
	Lines  []Line
	Height float32 // points; 0: what is left of the area
	Empty  string
}

// Line is one line of a log.
type Line struct {
	From string // who says it, "" for the program
	Text string
	Time string // such as "21:04"; "" for none
	Kind Kind
	Mine bool
	New  bool // is marked, since it was not seen yet
}

// Bind is the controls that do one thing, to be changed by pressing another.
type Bind struct {
	Name     string   // what it is remembered by
	Controls []string // names of keys or pad buttons now
	Pad      bool     // takes a pad's buttons, otherwise keys
	// Printed returns what is printed on a control; nil: its name.
	Printed  func(name string) string
	None     string // written where there are no Controls; "" is "none"
	Conflict string // what else a control does, as a sentence
}

// Bound is the user's wish of a Bind.
type Bound struct {
	Set   string // this control alone
	Add   string // this control too (Shift was held when the capture began)
	Clear bool   // none
}

// Modal is a dialog over everything else.
type Modal struct {
	Name  string // Title if empty
	Title string
	Width float32 // points, 0: 420
	Fixed bool    // cannot be closed by Escape
	Foot  func()  // builds its buttons, which do not scroll with the rest; may be nil
}
