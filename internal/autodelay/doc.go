// Package autodelay keeps a game's input delay where the lines need it: how late the inputs of
// others arrive ([Arrivals], [Arrival]), and which delay follows from that ([Keeper]).
//
// The figure that decides is the need of an input: the shortest input delay, in quarters of a
// frame, at which it would have been here when this machine's own pacing began the frame at
// which it applies. One number holds what the way takes, its jitter, what is lost and comes with the
// next datagram, and how far apart in time the two machines play; it takes no agreement between
// two clocks, and does not depend on the delay that is in force.
//
// It promises:
//   - No clock, goroutine, socket or global state: times come in as arguments, and the same calls
//     give the same answers.
//   - Integers only.
//   - What another machine reports is bounded: it can lengthen delays to the preset's cap at
//     most.
//
// Nothing here is safe for concurrent use.
package autodelay
