// Package mirror carries inputs between machines. The mirror host of a seat sends its
// inputs: in lockstep the machine that owns the seat, in clocked play the game host, which
// also passes on those of others. Every other machine is a mirror client, which puts them into
// its own queue of that seat (package inputdelay), under the same frame numbers.
//
// Datagrams get lost, duplicated and reordered, and a retransmission request costs a
// round trip. So each one carries every input that its receiver has not acknowledged
// yet, and a lost one costs nothing as long as a later one arrives in time. The
// same datagram reports its sender's progress: its frames, from which
// [Pressure] determines whom to wait for, and the newest input it holds of each seat,
// which is the acknowledgement.
//
// Machines form a star: all are connected to the game host's, which passes
// on the inputs of all seats from its own copy. One machine, once a frame:
//
//	host.Put(seat, frame, in)        for each input that inputdelay.Queue.Push made available
//	d.Windows = host.Windows(m, d.Budget())
//	send(m, d.Append(nil))           for each directly connected machine m
//
// and for each datagram that arrives:
//
//	d.Decode(bytes)                  drop it if it is of another Round
//	fresh, err := client.Receive(d, queue)
//	host.Put(...)                    the fresh ones, on the machine that passes on
//	err = host.Ack(d.Machine, d.Acks)
//	pressure.Report(...)             for each of d.Frames that d.Machine may speak for
//
// Three rules keep that safe. Add all clients of a seat before its first Put, because
// inputs that all clients have acknowledged are freed. Put an input into the [Host]
// before its queue forgets it. When a seat is cut by a decision, put the neutral
// frames of the cut before the decision is sent, because a machine that receives it
// acknowledges them.
//
// It promises:
//   - Every input reaches the queue of every client exactly once, unchanged,
//     however many datagrams are lost, as long as some arrive.
//   - No datagram is larger than [MaxDatagram], and no more than [MaxWindow]
//     inputs of a seat are kept: beyond that, Put returns ErrFull.
//   - A peer can hold up the game, but cannot change an input that was given,
//     speak for a seat that is not its own, make memory grow, or crash anything.
//     An error that wraps [ErrPeer] reports something an honest peer never sends.
//   - No clock, goroutine, socket or global state. Nothing here is safe for
//     concurrent use; one goroutine owns it.
//
// Read package host next: it decides who owns which seat and when a game starts,
// and internal/session combines them.
package mirror
