package air

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
)

// Everyone is the To of a broadcast.
const Everyone = everyone

// Record is a packet that was sent. Its fields come from the workers' memory: numbers to compare, not
// to index with.
type Record struct {
	Frame int64   // of the sender
	Round uint64  // decisions that had been taken when it was sent
	Seat  ds.Seat // the sender
	To    int     // a seat, or Everyone
	Len   int     // bytes
	Hash  uint64  // of the bytes, FNV-1a
}

// String is a line of a trace file.
func (r Record) String() string {
	to := fmt.Sprint(r.To)
	if r.To == Everyone {
		to = "*"
	}
	return fmt.Sprintf("frame %d round %d seat %d to %s len %d hash %016x", r.Frame, r.Round, r.Seat, to, r.Len, r.Hash)
}

// Trace returns the records since the last call, in order, and how many were
// overwritten before they could be read: 3,584 are kept, so call it at least
// once a frame. They are in the order (round, seat, sequence), which is the
// same on every machine.
func (a *Air) Trace() (got []Record, lost uint64, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mem == nil {
		return nil, 0, ErrClosed
	}
	var end uint64
	err = a.patiently(func() (owner int) {
		got, end, owner = a.in.trace(&a.gone, a.next, &a.buf)
		return owner
	})
	if err != nil {
		return nil, 0, err
	}
	if first := end - uint64(len(got)); first > a.next {
		lost = first - a.next
	}
	a.next = end
	return got, lost, nil
}
