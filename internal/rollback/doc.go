// Package rollback decides by which inputs consoles run that do not wait for all of them: which inputs
// are guessed, which frames are confirmed, and to which frame the consoles go back (docs/decisions/0074-rollback.md).
//
// A [Course] is that of consoles which stand together at each frame's end. Where the input of a seat is
// not here, it is guessed: the last one that is, repeated. A frame is confirmed once it ran with the true
// inputs of all seats, as did all frames before it. Where a guess was wrong, all consoles of the
// course go back to that frame and run it again.
//
//	frame        10   11   12   13
//	seat 0       a    a    b    b     ours: always true
//	seat 1       c    c*   c*   c*    * guessed
//	             ^ confirmed     ^ newest
//
// When the input of frame 11 comes and is c, frame 11 is confirmed. If it is d, the consoles go back to
// frame 11 and run 11 with d, 12 and 13 with d as a guess.
//
// A [Budget] measures what that costs, and says how many frames ahead of the confirmed ones
// fit into the time of one.
//
// All of it is pure: no clock, goroutine or console. What is guessed depends on when inputs arrive, so it is
// another thing on each machine; what is confirmed does not.
package rollback
