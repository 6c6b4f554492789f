package draw

import "encoding/binary"

// turnBlock is the side of the squares in which Turn goes through a picture, in pixels: both sides of a square stay
// in the processor's cache.
const turnBlock = 16

// Turn copies a picture, turned by 90 degrees, into to, or into a larger slice where that is too short, and returns
// it: from has rows of width pixels of size bytes, 2 or 4. left has its top come to the left, else it comes to the right.
// Renderers draw what comes out as any other picture, so each pixel is where they draw it, at any size. Like Pack it is
// never inlined.
//
//go:noinline
func Turn(to, from []byte, width, size int, left bool) []byte {
	height := len(from) / (width * size)
	if cap(to) < len(from) {
		to = make([]byte, len(from))
	}
	to = to[:height*width*size]
	// Pixel x, y comes to row first + x*down, column y of it, counted from the other end where it is turned right.
	for by := 0; by < height; by += turnBlock {
		for bx := 0; bx < width; bx += turnBlock {
			for x := bx; x < min(bx+turnBlock, width); x++ {
				row, at, step := x, height-1-by, -1
				if left {
					row, at, step = width-1-x, by, 1
				}
				p, q := (row*height+at)*size, (by*width+x)*size
				for range min(turnBlock, height-by) {
					if size == 4 {
						binary.NativeEndian.PutUint32(to[p:], binary.NativeEndian.Uint32(from[q:]))
					} else {
						binary.NativeEndian.PutUint16(to[p:], binary.NativeEndian.Uint16(from[q:]))
					}
					p, q = p+step*size, q+width*size
				}
			}
		}
	}
	return to
}
