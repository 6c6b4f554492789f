package emucore

import "image"

// A PixelFormat is the layout of a pixel in [Video].Pix. All formats are little-endian;
// unused bits are zero.
type PixelFormat uint8

// The formats a libretro core can draw in.
const (
	XRGB1555 PixelFormat = formatXRGB1555 // 2 bytes: 0, red 5, green 5, blue 5
	XRGB8888 PixelFormat = formatXRGB8888 // 4 bytes: 0 8, red 8, green 8, blue 8
	RGB565   PixelFormat = formatRGB565   // 2 bytes: red 5, green 6, blue 5
)

// Size returns the size of a pixel in bytes, 0 for an unknown format.
func (f PixelFormat) Size() int {
	switch f {
	case XRGB1555, RGB565:
		return 2
	case XRGB8888:
		return 4
	}
	return 0
}

// Video is a console's picture: both screens in the core's layout, for a DS
// 256x384 pixels with the top screen above the bottom screen. Before the first
// frame, and after Load until the next, there is none: Width is 0.
type Video struct {
	Width, Height int
	Pitch         int // bytes from a row to the next
	Format        PixelFormat
	Pix           []byte // rows from the top
}

// Image converts the picture. The result is a copy.
//
//go:norace
func (v Video) Image() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, v.Width, v.Height))
	size := v.Format.Size()
	for y := range v.Height {
		row := v.Pix[y*v.Pitch : y*v.Pitch+v.Width*size]
		out := img.Pix[y*img.Stride : y*img.Stride+v.Width*4]
		for x := range v.Width {
			r, g, b := v.Format.rgb(row[x*size:])
			out[x*4], out[x*4+1], out[x*4+2], out[x*4+3] = r, g, b, 0xff
		}
	}
	return img
}

// rgb reads the pixel at the start of p.
//
//go:norace
func (f PixelFormat) rgb(p []byte) (r, g, b uint8) {
	if f == XRGB8888 {
		return p[2], p[1], p[0]
	}
	v := uint16(p[0]) | uint16(p[1])<<8
	if f == RGB565 {
		return widen(v>>11, 5), widen(v>>5&0x3f, 6), widen(v&0x1f, 5)
	}
	return widen(v>>10&0x1f, 5), widen(v>>5&0x1f, 5), widen(v&0x1f, 5)
}

// widen scales a colour value of the given bits to 8 bits: all ones becomes 255.
func widen(v uint16, bits uint) uint8 {
	v <<= 8 - bits
	return uint8(v | v>>bits)
}

// picture checks a reply's description of the picture, and returns the picture in
// the shared memory.
func (s *shared) picture(width, height, format uint32) (v Video, ok bool) {
	if width == 0 && height == 0 {
		return Video{}, true
	}
	if format > formatRGB565 || width == 0 || height == 0 || width > videoMaxSide || height > videoMaxSide {
		return Video{}, false
	}
	f := PixelFormat(format)
	v = Video{Width: int(width), Height: int(height), Pitch: int(width) * f.Size(), Format: f}
	n := v.Pitch * v.Height
	if n > videoMax {
		return Video{}, false
	}
	v.Pix = s.video()[:n:n]
	return v, true
}
