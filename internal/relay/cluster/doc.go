// Package cluster makes several relays one service. Each tells the others, by NATS, what its
// holders publish and that it is there; so any of them answers for any room, and tells the
// machines that use it where the others are.
//
// All of it is a lease: it is told again every few seconds and forgotten when it is not. A relay
// whose NATS is gone goes on alone with what its own holders publish, and shares again as soon as it is
// back. Words from NATS are bounded, decoded as a stranger's, and can at most fill
// the index of others' entries: a relay's own go before it.
//
// NATS keeps the leases in a bucket in memory, so that a relay that starts knows all at
// once. Changes are heard as they are said, not from the bucket: that goes on
// while the bucket's nodes agree on a new leader.
//
// Read next: cluster.go for the loop, words.go for what is said; internal/relay/index.go for
// what a relay makes of it; node.go for a NATS inside the program.
package cluster
