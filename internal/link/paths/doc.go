// Package paths decides by which of several addresses two machines speak, and in how large datagrams.
//
// The machine that dialled decides: it probes every address that the other one may have, and
// speaks on the best path that answers. The other machine follows: it answers from where the
// newest datagram came. So both always use the same path, and neither needs to tell the
// other of it. A direct path is preferred to a relay. One that dies is left within half a
// second or so if another answers, and comes back once it has answered for a while.
//
// Both send to each other's addresses at the beginning, for a router takes in only what looks
// like an answer. The first datagram is an opener: it need not arrive, and is sent so that it
// dies behind the sender's own router, because some routers shut out for good whoever knocks
// too early.
//
// [Size] finds out how large a datagram the path carries that is used.
//
// Both are pure: times and addresses come in. Each belongs to one goroutine. Package
// internal/link has the datagrams.
package paths
