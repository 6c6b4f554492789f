// Package inputdelay holds what a player does, frame by frame: the [Input] of
// one frame, the [Queue] that decides at which frame an input applies, the
// compact encoding in which inputs travel and are recorded, and the [Script]
// that plays them from a text file.
//
// Every machine runs a copy of every console, and a copy may run a frame only
// with the input that its owner gave for exactly that frame. The network needs
// time, so an input that is sampled before local frame f is applied at frame
// f+delay, on the owner's machine too. A [Queue] is that rule for one seat: the
// owner pushes samples into it and learns which applied frames they fill; every
// other machine puts the same inputs into its own queue under the same frame
// numbers. Both ask it for the input of a frame, and both get the same answer
// or none at all: a queue never guesses.
//
// It promises:
//   - The answer for a frame never changes once it was given, except by
//     [Queue.Cut], which the game host orders at a frame nobody has reached.
//   - Every frame gets exactly one input, whatever the delay does. No key press
//     is lost when the delay shrinks.
//   - No clock, goroutine, socket or global state: the same calls give the same
//     answers everywhere.
//   - Memory is bounded, and what comes from other machines cannot make it grow.
//
// Frames are int64, the first is 0, and none lies above [ds.MaxFrame]. Nothing here
// is safe for concurrent use; one goroutine owns a queue.
//
// Read package mirror next: it carries the inputs from one machine's queue to
// the others'.
package inputdelay
