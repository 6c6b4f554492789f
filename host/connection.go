package host

// PeerID names one line to another machine, as package internal/link numbers
// them.
type PeerID = uint64
