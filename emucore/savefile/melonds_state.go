package savefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A state of melonDS (Savestate.cpp), all little-endian:
//
//	00  "MELN"
//	04  u16 major version, u16 minor version
//	08  u32 length of the whole
//	0c  u32 zero
//	10  sections to the end, each:
//	    00  magic, four letters
//	    04  u32 length, this head included
//	    08  u64 zero
//	    10  data
//
// The core looks for each section from the front by adding up lengths, so a
// length of zero would keep it looking for ever.
const (
	melonMagic = "MELN"
	melonHead  = 16 // of the state, and of each section
)

// CheckMelonDS checks that the sections of a state fill it.
func CheckMelonDS(state []byte) error { return walkMelonDS(state, func(string, int) {}) }

// WriteMelonDS writes what two builds of the core write alike into states of equal consoles: the
// version, and name and length of each section. The sections themselves hold uninitialised bytes.
func WriteMelonDS(state []byte, to io.Writer) error {
	if len(state) >= melonHead {
		fmt.Fprintf(to, "%x\n", state[4:8])
	}
	return walkMelonDS(state, func(name string, size int) { fmt.Fprintf(to, "%q %d\n", name, size) })
}

// walkMelonDS calls f with each section.
func walkMelonDS(state []byte, f func(name string, size int)) error {
	if len(state) < melonHead || string(state[:4]) != melonMagic {
		return errors.New("melonDS state: it does not begin with " + melonMagic)
	}
	if n := binary.LittleEndian.Uint32(state[8:]); int64(n) != int64(len(state)) {
		return fmt.Errorf("melonDS state: its length field says %d bytes, there are %d", n, len(state))
	}
	for off := melonHead; off < len(state); {
		rest := len(state) - off
		if rest < melonHead {
			return fmt.Errorf("melonDS state: %d bytes left at %d, too few for a section", rest, off)
		}
		n := binary.LittleEndian.Uint32(state[off+4:])
		if n < melonHead || int64(n) > int64(rest) {
			return fmt.Errorf("melonDS state: section %q at %d: length %d, not in %d to %d", state[off:off+4], off, n, melonHead, rest)
		}
		f(string(state[off:off+4]), int(n))
		off += int(n)
	}
	return nil
}
