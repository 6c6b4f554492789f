// Package link carries messages between the machines of a room: reliable,
// ordered ones for decisions and for savestates, and single datagrams for
// inputs, where a late one is worth nothing.
//
// Package conn is a connection between two machines, as a pure state machine: streams, what is lost and goes again, the
// order and the rate in which things go, pings, goodbyes. Two implementations of [Link] drive it. Package udp speaks real UDP,
// with the ENet library beneath. Package memnet, which tests use, is a network inside one process, with seeded delay, loss, jitter, duplication,
// reordering and blackouts, and without real sockets, so that it works in a testing/synctest bubble. One suite of tests (udp's
// contract_test.go) holds both to the same promises:
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
// Bulk is paced here: it takes nearly the whole line, and keeps a queue in front of it in which an input waits less than
// a frame. Who sends on it says what, and not how fast.
//
// [NotReached] and [Hint] say to a player what a connection that was not made means, and what to do.
//
// Read next: link.go for the interface, package conn for a connection, udp for real machines, memnet for tests, and package
// impair for a bad line. Who plays alone has [Alone].
package link
