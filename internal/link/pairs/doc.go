// Package pairs decides by which of several candidate pairs (RFC 8445) two machines speak: each pair is an address
// of the other machine, as seen from the one socket of this one.
//
// The machine that dialled is the controlling one: it sends connectivity checks to every address that the other one
// may have, and speaks on the best pair that answers. The other machine follows: it answers from where the newest
// datagram came. So both always use the same pair, and neither needs to tell the other of it. A direct pair is
// preferred to a relayed one. One that dies is left within half a second or so if another answers, and comes back once
// it has answered for a while.
//
// Both send to each other's addresses at the beginning, for a router takes in only what looks like an answer. The
// first check of a pair has a low TTL: it need not arrive, and is sent so that it dies behind the sender's own
// router, because some routers shut out for good whoever knocks too early.
//
// A Set is pure: times and addresses come in. It belongs to one goroutine. Package internal/link/udp has the
// datagrams.
package pairs
