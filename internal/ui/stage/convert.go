package stage

import (
	"encoding/binary"

	"github.com/nettplay/nettplay/emucore"
)

// A converter makes texture bytes of pictures: four a pixel, blue, green, red and
// one that nobody reads.
type converter struct {
	table  []uint32 // of each 16-bit pixel of a format
	format emucore.PixelFormat
}

// convert writes the pixels of a format into to, which has room for them.
func (c *converter) convert(to, from []byte, format emucore.PixelFormat) {
	if format == emucore.XRGB8888 {
		copy(to, from)
		return
	}
	if c.table == nil || c.format != format {
		c.table, c.format = tableOf(format), format
	}
	table := (*[1 << 16]uint32)(c.table)
	from = from[:len(from)&^7]
	to = to[:2*len(from)]
	for len(from) >= 8 && len(to) >= 16 {
		four := binary.LittleEndian.Uint64(from)
		a, b := table[uint16(four)], table[uint16(four>>16)]
		binary.LittleEndian.PutUint64(to, uint64(a)|uint64(b)<<32)
		a, b = table[uint16(four>>32)], table[uint16(four>>48)]
		binary.LittleEndian.PutUint64(to[8:], uint64(a)|uint64(b)<<32)
		from, to = from[8:], to[16:]
	}
}

// tableOf lists what each 16-bit pixel of a format is in blue, green and red.
func tableOf(format emucore.PixelFormat) []uint32 {
	table := make([]uint32, 1<<16)
	for v := range table {
		r, g, b := v>>10&0x1f, v>>5&0x1f, v&0x1f
		g = g<<3 | g>>2
		if format == emucore.RGB565 {
			r, g = v>>11, v>>5&0x3f
			g = g<<2 | g>>4
		}
		table[v] = uint32(r<<3|r>>2)<<16 | uint32(g)<<8 | uint32(b<<3|b>>2)
	}
	return table
}
