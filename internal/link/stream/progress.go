package stream

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/link"
)

var errLength = errors.New("wrong length")

// Progress is one side's report on a stream that it receives.
type Progress struct {
	Received uint64 // consecutive segments that have arrived
	Limit    uint64 // segments that may be sent in all
	Ahead    uint64 // bit i: segment Received+1+i has arrived
}

// Count is the number of reliable streams in each direction: Control, Bulk.
const Count = 2

// AppendProgress writes what one side says about all streams.
func AppendProgress(b []byte, p [Count]Progress) []byte {
	for _, s := range p {
		b = binary.AppendUvarint(b, s.Received)
		b = binary.AppendUvarint(b, s.Limit)
		b = binary.AppendUvarint(b, s.Ahead)
	}
	return b
}

// DecodeProgress is the way back.
func DecodeProgress(b []byte) (p [Count]Progress, err error) {
	for i := range p {
		for _, field := range []*uint64{&p[i].Received, &p[i].Limit, &p[i].Ahead} {
			v, n := binary.Uvarint(b)
			if n <= 0 {
				return p, fmt.Errorf("progress of %s: %w", link.Channel(i), errLength)
			}
			*field, b = v, b[n:]
		}
		if p[i].Received > p[i].Limit {
			return p, fmt.Errorf("progress of %s: %d received of %d allowed", link.Channel(i), p[i].Received, p[i].Limit)
		}
	}
	if len(b) != 0 {
		return p, fmt.Errorf("progress with %d bytes behind it: %w", len(b), errLength)
	}
	return p, nil
}
