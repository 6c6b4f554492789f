// Package widgets has the widgets of nettplay's windows: buttons, fields, lists,
// dialogs and what goes around them, drawn with package draw.
//
// It is immediate mode: a screen is a function that is called for every
// picture, says what is on it, and hears at once what the user did:
//
//	out := ui.Frame(in, func(u *widgets.UI) {
//		u.Title("Join a game")
//		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
//			u.Field(widgets.Field{Name: "address", Hint: "host name or address"}, &address)
//			if u.Button(widgets.Button{Text: "Join", Kind: widgets.Primary}) {
//				join(address)
//			}
//		})
//	})
//
// # Layout
//
// A widget takes the next place in the container around it. In a column, which
// is what a screen and the inside of most containers is, that is the whole
// width, below the widget before. In a [UI.Row] it is the next cell: a width in
// points, [Auto] for what the widget needs, or [Fill] for a share of what is
// left. Exact places: cut [UI.Area] with draw.Rect's methods and fill the pieces
// with [UI.In]; or take a piece with [UI.Cell] and draw on [UI.Canvas].
//
// Heights and widths that depend on what comes later are those of the call
// before. [UI.Frame] therefore calls the function again, without any input,
// when something came out other than assumed; so a screen's function must do
// things only when a widget says so, never because it was called.
//
// # Names
//
// A widget's memory (focus, scroll position, caret) is kept under a name:
// its Name, or else its text, within the scopes around it ([UI.Scope]). A
// widget whose text changes needs a Name, one of many alike a scope.
//
// # Keyboard and pad
//
// Everything can be reached without a mouse. Tab and Shift+Tab go through the
// widgets in order; arrows and a pad's cross go to the nearest in that
// direction, unless the focused widget needs them; Enter, Space and A press. Where no
// widget needs Enter, it presses the way forward, the [Primary] button. Escape leaves a
// field. Escape and B go back ([UI.Back]) or close what is open; L and R change tabs.
// The ring around the focused widget shows once keys or a pad were used. A pad's A on a
// field opens a board of keys on the screen, to write without a keyboard.
//
// # Promises
//
// It knows no SDL and looks at no clock: all it hears is in [Input]. So a test
// can do all a user can. All calls of a UI come from one goroutine.
//
// Read package window next: where Input comes from and where the picture goes.
package widgets
