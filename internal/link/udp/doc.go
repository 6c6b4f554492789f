// Package udp is the real [link.Link]: UDP between machines, with ENet inside.
//
// A session (session.go) is a [conn.Conn], and the ENet connection that carries its datagrams (carrier.go). ENet is a C library
// that parses what it receives and knows nothing of strangers, so it never sees the network. A Go UDP socket owns the outside; a
// remote machine must answer a challenge (a cookie of package seal) before anything of it is kept, must find a place at the door
// (door.go), and gets a session of its own, with an ENet host on loopback. What the session's seal has opened and the
// guard has checked byte by byte (guard.go) is fed to ENet, and what ENet sends is sealed. Streams, losses, round trips and silence
// are the conn's. wire.go draws the datagrams.
//
// Datagrams are sealed (package seal): only machines with the room's secret come in,
// nobody else can read, forge or repeat what they say, and a peer is the key that it
// proves. So one whose address changes amid a session goes on from the new address.
//
// Read next: session.go for the life of a peer, dial.go and greet.go for how it begins.
package udp
