package draw

import (
	"bytes"
	"slices"
)

// Pack copies a picture into to, or into a larger slice where that is too short, and returns it:
// height rows of row bytes each, which lie pitch bytes apart in from, without what stands
// between them.
//
//go:noinline
func Pack(to, from []byte, row, pitch, height int) []byte {
	to = slices.Grow(to[:0], row*height)[:row*height]
	if pitch == row {
		copy(to, from)
		return to
	}
	for y := range height {
		copy(to[y*row:(y+1)*row], from[y*pitch:])
	}
	return to
}

// Same reports whether a picture that Pack gave has the pixels of height rows of row bytes each, which
// lie pitch bytes apart in from. Like Pack it is never inlined: the caller's package may be built
// with the race detector, and this one is not.
//
//go:noinline
func Same(packed, from []byte, row, pitch, height int) bool {
	if len(packed) != row*height {
		return false
	}
	if pitch == row {
		return bytes.Equal(packed, from[:len(packed)])
	}
	for y := range height {
		if !bytes.Equal(packed[y*row:(y+1)*row], from[y*pitch:y*pitch+row]) {
			return false
		}
	}
	return true
}
