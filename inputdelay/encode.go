package inputdelay

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Encoding of a list of inputs, used in datagrams and in recordings:
//
//	uvarint  count      inputs that follow, after the repeats are unfolded
//	then runs of equal inputs until count is reached, each:
//	  u16    keys       little endian; bit 15: a repeat count follows
//	  u8     x          \ only if keys has Touch
//	  u8     y          /
//	  uvarint repeats   only if bit 15: how often the input stands again, >= 1
//
// A frame costs 2 bytes, 4 with the stylus down, and a still pad costs 3 or 4
// bytes however long it is still. A list has exactly one encoding: inputs are
// normal, equal neighbours are always in one run, varints are minimal. The
// decoder refuses everything else, so equal bytes and equal lists are the same
// thing.

// repeats is the flag in the keys word that says that a repeat count follows.
const repeats = 1 << 15

// AppendInputs appends the encoding of ins to b and returns the longer slice.
// Inputs are brought to normal form on the way. It allocates only when b is too
// small.
func AppendInputs(b []byte, ins []Input) []byte {
	b = binary.AppendUvarint(b, uint64(len(ins)))
	for len(ins) > 0 {
		n := run(ins)
		b = appendRun(b, ins[0].Normal(), n)
		ins = ins[n:]
	}
	return b
}

// run counts the inputs at the start of ins, which is not empty, that are equal.
func run(ins []Input) int {
	first, n := ins[0].Normal(), 1
	for n < len(ins) && ins[n].Normal() == first {
		n++
	}
	return n
}

// appendRun appends one input that stands n times in a row.
func appendRun(b []byte, in Input, n int) []byte {
	word := uint16(in.Keys)
	if n > 1 {
		word |= repeats
	}
	b = binary.LittleEndian.AppendUint16(b, word)
	if in.Keys&Touch != 0 {
		b = append(b, in.X, in.Y)
	}
	if n > 1 {
		b = binary.AppendUvarint(b, uint64(n-1))
	}
	return b
}

// Fit returns how many inputs from the start of ins can be encoded in at most
// budget bytes, and how many bytes they take. Even an empty list takes one byte;
// with less than that it returns 0, 0.
func Fit(ins []Input, budget int) (n, size int) {
	if budget < 1 {
		return 0, 0
	}
	size = 1
	closed, length := 0, 0 // bytes of finished runs; inputs in the open one
	for i, in := range ins {
		if i > 0 && in.Normal() != ins[i-1].Normal() {
			closed, length = closed+runSize(ins[i-1], length), 0
		}
		length++
		total := uvarintSize(i+1) + closed + runSize(in, length)
		if total > budget {
			break
		}
		n, size = i+1, total
	}
	return n, size
}

// runSize is the number of bytes that appendRun appends.
func runSize(in Input, n int) int {
	size := 2
	if in.Keys&Touch != 0 {
		size += 2
	}
	if n > 1 {
		size += uvarintSize(n - 1)
	}
	return size
}

// uvarintSize is the number of bytes of a minimal uvarint.
func uvarintSize(n int) int {
	return (bits.Len64(uint64(n)|1) + 6) / 7
}

// AppendDecoded reads a list that [AppendInputs] wrote from the start of b, appends it to ins, and
// returns the bytes that follow it. A count above limit is an error: the
// caller says how much memory (4 bytes an input) a few hostile bytes may cost.
// After an error the returned slice is ins as it was.
func AppendDecoded(ins []Input, b []byte, limit int) (all []Input, rest []byte, err error) {
	count, b, err := uvarint(b, "input count")
	if err != nil {
		return ins, nil, err
	}
	if count > uint64(max(limit, 0)) {
		return ins, nil, fmt.Errorf("input count is %d, at most %d are allowed", count, limit)
	}
	all = ins
	for end := len(ins) + int(count); len(all) < end; {
		var in Input
		var n int
		in, n, b, err = decodeRun(b, end-len(all))
		if err == nil && len(all) > len(ins) && all[len(all)-1] == in {
			err = fmt.Errorf("%q stands in two runs", in)
		}
		if err != nil {
			return ins, nil, fmt.Errorf("input %d: %w", len(all)-len(ins), err)
		}
		for range n {
			all = append(all, in)
		}
	}
	return all, b, nil
}

// decodeRun reads one run of at most left inputs; left is at least 1.
func decodeRun(b []byte, left int) (in Input, n int, rest []byte, err error) {
	if len(b) < 2 {
		return in, 0, nil, fmt.Errorf("keys are cut off")
	}
	word := binary.LittleEndian.Uint16(b)
	in.Keys, b, n = Keys(word&^repeats), b[2:], 1
	if in.Keys&Touch != 0 {
		if len(b) < 2 {
			return in, 0, nil, fmt.Errorf("stylus position is cut off")
		}
		in.X, in.Y, b = b[0], b[1], b[2:]
		if in.Y >= ScreenHeight {
			return in, 0, nil, fmt.Errorf("stylus y is %d, at most %d is on the screen", in.Y, ScreenHeight-1)
		}
	}
	if word&repeats == 0 {
		return in, n, b, nil
	}
	again, b, err := uvarint(b, "repeat count")
	if err != nil {
		return in, 0, nil, err
	}
	if again == 0 || again >= uint64(left) {
		return in, 0, nil, fmt.Errorf("repeat count is %d, only 1 to %d is possible here", again, left-1)
	}
	return in, 1 + int(again), b, nil
}

// uvarint reads a minimal uvarint. name says in errors what it is.
func uvarint(b []byte, name string) (v uint64, rest []byte, err error) {
	v, n := binary.Uvarint(b)
	switch {
	case n == 0:
		return 0, nil, fmt.Errorf("%s is cut off", name)
	case n < 0:
		return 0, nil, fmt.Errorf("%s is larger than 64 bits", name)
	case n > 1 && b[n-1] == 0:
		return 0, nil, fmt.Errorf("%s is not in its shortest form", name)
	}
	return v, b[n:], nil
}
