package draw

import "image"

// Surface is memory that is painted on. A pixel has blue in its lowest 8 bits, then
// green and red; the highest 8 are 255 where something was painted.
type Surface struct {
	Size  image.Point
	Pitch int // pixels from one row to the next
	Pix   []uint32
}

// row returns the pixels of a rectangle in one of its rows.
func (s *Surface) row(in image.Rectangle, y int) []uint32 {
	return s.Pix[y*s.Pitch+in.Min.X:][:in.Dx():in.Dx()]
}

// opaque is the part of a pixel that says that it was painted.
const opaque = 0xff000000

// word is a colour as a surface has it.
func (c Color) word() uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }

// Image returns a copy of what is on a surface, opaque.
func (s *Surface) Image() *image.RGBA {
	img := image.NewRGBA(image.Rectangle{Max: s.Size})
	for y := range s.Size.Y {
		row := img.Pix[y*img.Stride:]
		for x, v := range s.Pix[y*s.Pitch:][:s.Size.X] {
			row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = uint8(v>>16), uint8(v>>8), uint8(v), 255
		}
	}
	return img
}
