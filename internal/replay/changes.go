package replay

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"

	"github.com/nettplay/nettplay/inputdelay"
)

// Inputs are written as changes. Each begins with a varint
//
//	gap<<2 | how
//
// where gap is the number of frames since the last change of this seat in the
// block, or since the block's first frame. The change goes on over the end
// of the block. How:
//
//	0 again   the key that was changed last is changed back
//	1 keys    keys:u8: the key of the low four bits is pressed or let go, and that
//	          of the high four bits too if it is another one
//	2 drawn   move:u8: the stylus moves by -8..7 pixels to the right (low four
//	          bits) and down (high four bits)
//	3 all     keys:u16, and x:u8 y:u8 if they have Touch: anything else
//
// So most presses and releases take one or two bytes, a frame of a stroke two.
// Touch itself is let go by a key change, but put down by "all".
const (
	again = 0
	keys  = 1
	drawn = 2
	all   = 3
)

const touchKey = 12 // bit of inputdelay.Touch

// track is the state on which the coding of one seat's inputs depends. The zero value is the beginning
// of a log.
type track struct {
	frames int64            // so far
	in     inputdelay.Input // of the last one
	last   uint8            // the key that was changed last
}

// written is the place up to which a seat is written, on which what follows depends.
type written struct {
	track
	last proof // the newest hash
}

// begun are the places of seats that have just begun.
func begun(seats []Seat) []written {
	list := make([]written, len(seats))
	for i, s := range seats {
		list[i] = written{track{frames: s.From}, proof{frames: s.From}}
	}
	return list
}

// readFrames reads a block of frames. The runs of inputs that each seat has in it go to each, and the
// hashes to hash.
func readFrames(c *wire.Coder, ends []written, every int64, each func(i int, r run), hash func(i int, p proof)) {
	for i := range ends {
		ends[i].readBlock(c, func(r run) { each(i, r) })
	}
	for n := number(c, "number of hashes", maxBlock); n > 0 && c.Err() == nil; n-- {
		if i, p := readProof(c, ends, every); c.Err() == nil {
			hash(i, p)
		}
	}
}

// appendChange appends the change to another input.
func (t *track) appendChange(b []byte, gap int64, in inputdelay.Input) []byte {
	head := func(how uint64) []byte { return binary.AppendUvarint(b, uint64(gap)<<2|how) }
	before := t.in
	t.in = in
	toggled := uint16(before.Keys ^ in.Keys)
	moved := before.X != in.X || before.Y != in.Y
	// Letting go of the stylus moves it to 0, 0.
	lifted := before.Keys&inputdelay.Touch != 0 && in.Keys&inputdelay.Touch == 0
	put := before.Keys&inputdelay.Touch == 0 && in.Keys&inputdelay.Touch != 0
	dx, dy := int(in.X)-int(before.X), int(in.Y)-int(before.Y)
	switch n := bits.OnesCount16(toggled); {
	case n >= 1 && n <= 2 && !put && (!moved || lifted):
		low := uint8(bits.TrailingZeros16(toggled))
		high := uint8(15 - bits.LeadingZeros16(toggled))
		if n == 1 && low == t.last {
			return head(again)
		}
		t.last = low
		return append(head(keys), high<<4|low)
	case n == 0 && in.Keys&inputdelay.Touch != 0 && dx >= -8 && dx <= 7 && dy >= -8 && dy <= 7:
		return append(head(drawn), uint8(dy)<<4|uint8(dx)&15)
	}
	b = binary.LittleEndian.AppendUint16(head(all), uint16(in.Keys))
	if in.Keys&inputdelay.Touch != 0 {
		b = append(b, in.X, in.Y)
	}
	return b
}

// run is an input that holds for the frames before end.
type run struct {
	end int64
	in  inputdelay.Input
}

// readBlock reads what a block adds to the seat. The runs that it is made of go to each.
func (t *track) readBlock(c *wire.Coder, each func(run)) {
	added := number(c, "number of frames", maxAdded)
	if c.Err() != nil || added == 0 {
		return
	}
	if t.frames+added > ds.MaxFrame {
		c.Fail("number of frames", "up to frame %d, the last one is %d", t.frames+added, int64(ds.MaxFrame))
		return
	}
	end := t.frames + added
	at := t.frames
	for n := number(c, "number of changes", maxBlock); n > 0 && c.Err() == nil; n-- {
		at = t.change(c, at, end, each)
	}
	if c.Err() != nil {
		return
	}
	if at < end {
		each(run{end, t.in})
	}
	t.frames = end
}

// change reads one change and returns the frame from which on it holds.
func (t *track) change(c *wire.Coder, at, end int64, each func(run)) int64 {
	head := number(c, "change", maxAdded<<2|3)
	frame := at + head>>2
	if c.Err() == nil && frame >= end {
		c.Fail("change", "in frame %d of a block that ends before frame %d", frame, end)
	}
	if c.Err() != nil {
		return at
	}
	if frame > at {
		each(run{frame, t.in})
	}
	in, err := t.changed(c, head&3)
	c.Set(err)
	t.in = in.Normal()
	return frame
}

// changed is the input after a change.
func (t *track) changed(c *wire.Coder, how int64) (inputdelay.Input, error) {
	in := t.in
	switch how {
	case again:
		return toggle(in, t.last, t.last)
	case keys:
		k := uint8(little(c, "key", 1))
		t.last = k & 15
		return toggle(in, k&15, k>>4)
	case drawn:
		move := uint8(little(c, "move of the stylus", 1))
		if in.Keys&inputdelay.Touch == 0 {
			return in, fmt.Errorf("the stylus moves without touching")
		}
		in.X += uint8(int8(move<<4) >> 4)
		in.Y += uint8(int8(move) >> 4)
	case all:
		in = inputdelay.Input{Keys: inputdelay.Keys(little(c, "keys", 2))}
		if in.Keys&inputdelay.Touch != 0 {
			in.X, in.Y = uint8(little(c, "stylus x", 1)), uint8(little(c, "stylus y", 1))
		}
	}
	return in, nil
}

// toggle changes one key or two.
func toggle(in inputdelay.Input, a, b uint8) (inputdelay.Input, error) {
	if a == 15 || b == 15 {
		return in, fmt.Errorf("key 15, there are 0 to 14")
	}
	in.Keys ^= 1 << a
	if a != b {
		in.Keys ^= 1 << b
	}
	if (a == touchKey || b == touchKey) && in.Keys&inputdelay.Touch != 0 {
		return in, fmt.Errorf("the stylus is put down nowhere")
	}
	return in, nil
}
