package savefile

import (
	"bytes"
	"errors"
)

// YSMenu, a menu of flash cards, keeps its settings for a game in the last 8 bytes of the game's
// save, which is 512 KiB or more:
//
//	-8  00 00 0d 00   flags; 0f instead of 0d: with soft reset
//	-4  "NMSY"
//
// Source: the flags that XenoFile, a file manager of flash cards, switches in saves.
const (
	ysMagic  = "NMSY"
	ysFlags  = "\x00\x00\x0d\x00" + ysMagic
	cardSize = 512 << 10 // of the saves of flash cards
)

func isYSMenu(file []byte) bool {
	return len(file) >= Smallest && bytes.HasSuffix(file, []byte(ysMagic))
}

// withoutFlags returns a card's save with the flags as the byte before them, if that is of an
// erased chip, else FF.
func withoutFlags(file []byte) []byte {
	sram := bytes.Clone(file)
	at := len(sram) - len(ysFlags)
	fill := byte(0xff)
	if sram[at-1] == 0 {
		fill = 0
	}
	for i := range sram[at:] {
		sram[at+i] = fill
	}
	return sram
}

// filled is backup memory as flash cards want it.
func filled(sram []byte) []byte {
	if len(sram) >= cardSize {
		return sram
	}
	return pad(sram, cardSize)
}

func encodeYSMenu(sram []byte) ([]byte, error) {
	b := bytes.Clone(filled(sram))
	at := len(b) - len(ysFlags)
	if !erased(b[at:]) {
		return nil, errors.New("the game's own data is where YSMenu keeps its flags")
	}
	copy(b[at:], ysFlags)
	return b, nil
}
