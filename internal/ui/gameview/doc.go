// Package gameview is the screen of a game that runs: the consoles, the figures, the
// messages and the chat.
//
// From the bottom up:
//
//   - [Arrange] says where everything is, for any window, and a [Pen] which pixel of the
//     bottom screen it touches: exactly the one that is seen there. Both are pure.
//   - A [Feed] takes pictures from a console's goroutine to the main thread. Neither
//     waits for the other, and the newest picture wins.
//   - [Hotkeys] says which key of the program does what.
//   - A [View] is all of that on a screen, built with package widgets.
//
// View.Begin, Show and Notice may be called from any goroutine and return at once;
// everything else belongs to the main thread.
//
// Read package pads for what becomes of keys and stylus, and package sound for
// what is heard meanwhile.
package gameview
