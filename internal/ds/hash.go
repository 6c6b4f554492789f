package ds

import "fmt"

// A Hash stands for the state of a console between two frames: equal consoles have
// equal hashes. It is quick to compute, and no defence against somebody who lies.
type Hash struct {
	RAM   uint64 // main memory; 0 if the core does not show it
	Video uint64 // the last frame's picture; 0 if there is none
	SRAM  uint64 // the cartridge's backup memory; 0 if it has none
}

// Sum is one number for all three. It is equal on all machines.
func (h Hash) Sum() uint64 {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	sum := uint64(offset)
	for _, word := range [...]uint64{h.RAM, h.Video, h.SRAM} {
		for range 8 {
			sum = (sum ^ word&0xff) * prime
			word >>= 8
		}
	}
	return sum
}

// Differs names the first region in which two hashes differ, "" when they do not. A
// difference in main RAM explains one in the picture.
func (h Hash) Differs(other Hash) string {
	switch {
	case h.RAM != other.RAM:
		return "main RAM"
	case h.SRAM != other.SRAM:
		return "save memory"
	case h.Video != other.Video:
		return "the picture"
	}
	return ""
}

// String is Sum in hexadecimal.
func (h Hash) String() string { return fmt.Sprintf("%016x", h.Sum()) }
