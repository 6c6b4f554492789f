// Package pads turns keyboards, game controllers, mouse and touch into what the
// players of this machine do to their consoles.
//
// Two parts, of which only the last knows SDL:
//
//   - A [Mapper] is told what goes down and up, by the names the settings have
//     ("Left Shift", "leftshoulder", "-leftx"), and answers with the input of a
//     seat. Several seats of one machine can be played by different devices.
//   - [Controllers] opens game controllers as they are plugged in, by SDL's
//     mappings, and tells a Mapper of them.
//
// Promises:
//
//   - A press is never lost, however short: what went down and up between two
//     frames is held for one frame.
//   - Opposite directions of the cross, which the console's cannot give, cancel
//     out.
//   - What was held when a device was unplugged, the window lost the keyboard, or
//     the settings changed is let go.
//   - The Mapper looks at no clock: what moves with time, such as the stylus under
//     a stick, moves with frames.
//
// The Mapper may be told things by one goroutine (the main thread) while another
// (the session's) asks for inputs; it never keeps either waiting for long. SDL
// is called on the main thread only.
//
// Read package inputdelay for what an input is, and package gameview for how a
// place in the window becomes a pixel of the bottom screen.
package pads
