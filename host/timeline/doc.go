// Package timeline holds what happens to a game from outside, except inputs: a [Log] of decisions, each
// stamped with the frame at which every machine applies it. The game host makes them with a [Timeline];
// everybody else checks each one with [Log.Check]. So that no machine runs past a frame for which a
// decision is still to come, the game host promises a [ds.Horizon] with every datagram of inputs: no
// decision after the first n will apply before frame f.
//
// The package is pure: no clock, no socket, no goroutine. Read next: package host, whose
// game host decides and whose clients apply.
package timeline
