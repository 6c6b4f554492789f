package host

import "github.com/nettplay/nettplay/internal/ds"

// PeerID names one connection to another machine, as package internal/link numbers them.
type PeerID = ds.PeerID
