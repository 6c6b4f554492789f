// Package link carries messages between the machines of a room: reliable,
// ordered ones for decisions and for savestates, and single datagrams for
// inputs, where a late one is worth nothing.
//
// There are two implementations of [Link]. [ENet] speaks real UDP with the ENet
// library. [Memory] is its twin inside one process, with seeded delay, loss,
// jitter, duplication, reordering and blackouts, and without real sockets, so
// that it works in a testing/synctest bubble. One suite of tests holds both to
// the same promises:
//
//   - Control and Bulk arrive whole, once and in order, or the peer is
//     disconnected. They do not wait for one another.
//   - Input arrives once or never, in any order, and waits for nobody.
//   - Send never blocks, and what it queues is bounded.
//   - A consumer that is slow to read Events makes the far side's Sends fail
//     with [ErrBacklog] in the end. It costs neither memory nor the connection;
//     only Input is dropped.
//   - A peer gets exactly one Connected and, at its end, exactly one
//     Disconnected event that says in words why. No event of it comes after.
//   - A peer that dialled us is a stranger until somebody vouches for it. Strangers keep no
//     place that others need: of those behind one IP address few come in at a time.
//   - A peer that falls silent is given up after Config.Silence and not earlier,
//     not counting time in which our own process did not get to listen. While it
//     is silent it does not keep anybody out, so it may come back from another
//     address.
//
// Bulk takes the whole line when it is sent much, up to what ENet has in flight,
// and then fills the queue in front of the line, in which inputs wait, too. A sender that
// sends much on it paces it: package savestate does, the only one to. Pacing here
// as well would be a second controller in series with that one, which knows more:
// it measures on Input, one way, what inputs suffer, while acknowledgements tell
// of both ways and of repetitions; and it knows how much there is to send.
//
// # How ENet is used
//
// ENet is a C library that parses what it receives, keeps unbounded queues, has
// time-outs that cannot be set through its Go binding and knows nothing of
// strangers. So it never sees the network. A Go UDP socket owns the outside; a
// remote machine must answer a challenge (cookie.go) before anything of it is
// kept, must find a place at the door (door.go), and gets a session of its own:
// one goroutine that owns one ENet host on loopback, checks each datagram before
// C may read it (guard.go) and takes ENet's own datagrams from loopback to the
// outside (hop.go). ENet connections (carriers) bring pieces of messages;
// numbering, limits and repetition across carriers are ours (stream.go), so a
// carrier that ENet gives up, or one that sits in an exponential back-off after
// a blackout, is replaced without the session noticing. Round trips, loss and silence are measured on datagrams of
// our own (meter.go). wire.go draws all of them.
//
// Datagrams are sealed (package seal): only machines with the room's secret come in,
// nobody else can read, forge or repeat what they say, and a peer is the key that it
// proves. So one whose address changes amid a session goes on from the new address.
//
// Read next: link.go for the interface, session.go for the life of a peer,
// memory.go for the twin, and package impair for a bad line.
package link
