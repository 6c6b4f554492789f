package savefile

import (
	"bytes"
	"fmt"
)

// MaxSize is the limit of backup memory in bytes: larger than any cartridge's.
const MaxSize = 16 << 20

// Smallest is the size of the smallest chip in bytes.
const Smallest = 512

const tooMany = 16 // bytes behind a chip's end that are no beginning of a larger one

// Chip is what is known of a cartridge's backup memory. The zero Chip is that nothing is.
//
// Some cores know the size of each game's chip. DeSmuME finds out, when a game first uses the
// chip, how many bytes an address on its bus has, and that leaves several sizes. Sizes within
// Min and Max serve the game equally well there.
type Chip struct {
	Known    bool
	Min, Max int // bytes; both 0 for a cartridge without backup memory
}

// Of is a chip of a size in bytes; 0 for a cartridge without backup memory.
func Of(size int) Chip { return Chip{Known: true, Min: size, Max: size} }

// None reports whether the cartridge is known to have no backup memory.
func (c Chip) None() bool { return c.Known && c.Max == 0 }

// Valid reports whether a chip can be as it says: its bounds are sizes of chips, or it is
// none, or unknown.
func (c Chip) Valid() bool {
	return !c.Known && c == Chip{} || c.None() && c.Min == 0 || c.Known && IsSize(c.Min) && IsSize(c.Max) && c.Min <= c.Max
}

// IsSize reports whether chips of this size in bytes exist: 512 bytes, 8, 32, 64, 128, 256 and
// 512 KiB, and then each power of two up to MaxSize. They are those in the tables of melonDS
// (NDSCart.cpp, ParseROM) and of DeSmuME (mc.cpp, save_types).
func IsSize(n int) bool { return n > 0 && n <= MaxSize && roundUp(n) == n }

// roundUp returns the size of the smallest chip that holds n bytes, or a size above MaxSize.
func roundUp(n int) int {
	size := Smallest
	for size < n {
		if size *= 2; size < 8<<10 {
			size = 8 << 10
		} else if size == 16<<10 {
			size = 32 << 10
		}
	}
	return size
}

// Blank reports whether backup memory is as erased, all FF or all 00: there is no save in it.
func Blank(sram []byte) bool {
	return len(sram) == 0 || (sram[0] == 0 || sram[0] == 0xff) && bytes.Equal(sram[1:], sram[:len(sram)-1])
}

// erased reports whether each byte is FF or 00.
func erased(b []byte) bool {
	for _, v := range b {
		if v != 0 && v != 0xff {
			return false
		}
	}
	return true
}

// pad returns backup memory of n bytes that begins with sram; what it lacks is FF.
func pad(sram []byte, n int) []byte {
	image := make([]byte, n)
	for i := copy(image, sram); i < n; i++ {
		image[i] = 0xff
	}
	return image
}

// TooLongError tells that a save has data where the cartridge has no memory.
type TooLongError struct {
	Have int // bytes of the save
	Chip int // bytes of the largest chip that serves the game
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("the save has %s with data beyond the %s that the cartridge holds", SizeWords(e.Have), SizeWords(e.Chip))
}

// Fit makes backup memory of a length that a chip has. What lies behind the chip's end is cut
// off if it is all FF or 00, as flash cards and dumpers leave it; with anything else there the
// error is a *TooLongError. What is missing at the end is FF, as on an erased chip. The image of
// a blank save, and of any for a cartridge without backup memory, is nil. It may be part of
// sram, which stays as it is.
func Fit(sram []byte, c Chip) (image []byte, err error) {
	if Blank(sram) || c.None() {
		return nil, nil
	}
	if !c.Known {
		c.Min, c.Max = Smallest, MaxSize
	}
	if len(sram) > c.Max {
		if !erased(sram[c.Max:]) {
			return nil, &TooLongError{Have: len(sram), Chip: c.Max}
		}
		size := c.Max // or a smaller one, where several serve the game
		for below := roundDown(size); below >= c.Min && below > 0 && erased(sram[below:size]); below = roundDown(size) {
			size = below
		}
		return sram[:size:size], nil
	}
	size := max(roundUp(len(sram)), c.Min)
	if size == len(sram) {
		return sram, nil
	}
	// A byte too many, with nothing in it: the size before.
	if below := roundDown(size); below >= c.Min && len(sram) > below && len(sram)-below <= tooMany && erased(sram[below:]) {
		return sram[:below:below], nil
	}
	return pad(sram, size), nil
}

// roundDown returns the size of the chip before one of n bytes; 0 before the Smallest.
func roundDown(n int) int {
	switch {
	case n <= Smallest:
		return 0
	case n <= 8<<10:
		return Smallest
	case n <= 32<<10:
		return 8 << 10
	}
	return n / 2
}

// SizeWords is a length of backup memory in words.
func SizeWords(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KB", n>>10)
	case n == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}
