// Package udp is the real [link.Link]: UDP between machines, with ENet inside.
//
// ENet is a C library that parses what it receives, keeps unbounded queues, has
// time-outs that cannot be set through its Go binding and knows nothing of
// strangers. So it never sees the network. A Go UDP socket owns the outside; a
// remote machine must answer a challenge (package cookie) before anything of it is
// kept, must find a place at the door (door.go), and gets a session of its own:
// one goroutine that owns one ENet host on loopback, checks each datagram before
// C may read it (guard.go) and takes ENet's own datagrams from loopback to the
// outside (hop.go). ENet connections (carriers) bring pieces of messages;
// numbering, limits and repetition across carriers are ours (package stream), so a
// carrier that ENet gives up, or one that sits in an exponential back-off after
// a blackout, is replaced without the session noticing. Round trips, loss and silence
// are measured on datagrams of our own. wire.go draws all of them.
//
// Datagrams are sealed (package seal): only machines with the room's secret come in,
// nobody else can read, forge or repeat what they say, and a peer is the key that it
// proves. So one whose address changes amid a session goes on from the new address.
//
// Read next: session_run.go for the life of a peer, dial.go and greet.go for how it begins.
package udp
