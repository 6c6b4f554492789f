package savestate

import (
	"errors"

	"github.com/nettplay/nettplay/internal/ds"
)

// An Event is one of [ManifestReceived], [PartDone] and [PartFailed].
type Event interface{ event() }

// ManifestReceived tells that the peer offers the parts of a console in this round.
// The same one is told once a round. Whether the peer may speak for that seat is for the owner of
// the exchange to know.
type ManifestReceived struct{ Manifest Manifest }

// PartDone tells that a part that was to be fetched is in the store, verified.
type PartDone struct{ Part Part }

// PartFailed tells that a part will not come: Err matches [ErrForged],
// [ErrNotOffered] or [ErrStoreFull], or says what else is wrong with its bytes.
// Nothing of it is kept. It may be fetched again.
type PartFailed struct {
	Part Part
	Err  error
	// Garbage says that the peer is to blame, nobody else: it has sent bytes that
	// are not what its own manifest promises. An honest one cannot, whoever made
	// the part, for it hands out only what it has verified.
	Garbage bool
	Seats   []ds.Seat // of the peer's manifests that name the part, from 0, rising
}

// ErrNotOffered says that the peer does not offer a part, or does no longer.
var ErrNotOffered = errors.New("the peer does not offer it")

func (ManifestReceived) event() {}
func (PartDone) event()         {}
func (PartFailed) event()       {}

// Progress counts packed bytes.
type Progress struct{ Done, Total int64 }

// add counts p in.
func (p *Progress) add(done, total int64) { p.Done += done; p.Total += total }
