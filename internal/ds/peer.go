package ds

// PeerID names one connection to another machine. It is never reused within a process: the
// same machine connecting again is a new peer. Zero is no peer.
type PeerID uint64
