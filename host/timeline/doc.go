// Package timeline holds what happens to a game from outside, except inputs: a [Log] of decisions, each
// stamped with the frame at which every machine applies it. The game host makes them with a [Timeline];
// the other machines check each one with [Log.Check]. To keep machines from running past a frame to which a
// later decision applies, the game host sends a [ds.Horizon] with every datagram of inputs: a promise that no
// decision after the first n applies before frame f.
//
// The package is pure: no clock, no socket, no goroutine. Read next: package host, whose
// game host decides and whose clients apply.
package timeline
