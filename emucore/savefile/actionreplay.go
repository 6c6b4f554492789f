package savefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// A .duc file of the Action Replay DS, also .dss of MAX Drive DS, has a header of 500 bytes:
//
//	000  "ARDS000000000001"
//	010  texts about the save, two bytes a letter: its game, its name, a description
//	158  the same, one byte a letter: 28, 32 and 95 bytes
//	1f4  backup memory, raw, to the end
//
// Sources: src/mc.cpp of TASEmulators/desmume (import_duc, version 1), which looks at no more than
// the first 16 bytes; a dump of a file's beginning at gbatemp.net/threads/214450.
//
// A file that begins so and is as long as a chip, 512 KiB above all, has no room for the header
// before the save: it lies over the save's first 500 bytes, which are gone. The rest stays in its
// place, since games find their data by its address. Many games keep a second copy of theirs.
const (
	ducMagic  = "ARDS000000000001"
	ducHeader = 500
	ducTitle  = 0x158 // where the game's name is, 28 bytes
)

func decodeActionReplay(file []byte) (Save, error) {
	s := Save{Form: ActionReplay}
	switch {
	case len(file) > ducHeader && IsSize(len(file)):
		s.SRAM, s.Lost = slices.Clone(file), ducHeader
		for i := range s.SRAM[:ducHeader] {
			s.SRAM[i] = 0xff
		}
	case len(file) > ducHeader:
		s.SRAM = file[ducHeader:]
	default:
		return s, errors.New("it is a save of an Action Replay, and ends within its header: it is not a whole one")
	}
	return s, nil
}

// encodeActionReplay fills the memory up to the size of a chip: of another length, the file could be as
// long as a chip with its header.
func encodeActionReplay(sram []byte, title string) []byte {
	sram = pad(sram, roundUp(len(sram)))
	b := make([]byte, ducHeader, ducHeader+len(sram))
	copy(b, ducMagic)
	title = ascii(title, 27)
	for i := range len(title) {
		binary.LittleEndian.PutUint16(b[0x10+2*i:], uint16(title[i]))
	}
	copy(b[ducTitle:], title)
	return append(b, sram...)
}

// A .duc file of later Action Replays (Media Edition, EZ, DSi) has a header of 164 bytes:
//
//	00  00 00 00 00
//	04  23 bytes: the game
//	1b  a1 00 00 00 00
//	20  31 bytes: the save's name, 00
//	40  00
//	41  70 bytes: a description
//	87  00 ...
//	a1  u16 the memory's size, divided by 256
//	a3  c0
//	a4  backup memory, raw, to the end
//
// Sources: DUC_Structure.txt (projectpokemon.org, August 2009); src/mc.cpp of
// TASEmulators/desmume (import_duc, version 2), which has the size; PKHeX's SaveHandlerARDS.
const ducEZHeader = 0xa4

func isActionReplayEZ(file []byte) bool {
	n := len(file) - ducEZHeader
	return IsSize(n) && binary.LittleEndian.Uint32(file) == 0 && file[0xa3] == 0xc0 &&
		int(binary.LittleEndian.Uint16(file[0xa1:]))<<8 == n
}

func encodeActionReplayEZ(sram []byte, title string) ([]byte, error) {
	if !IsSize(len(sram)) || len(sram)>>8 > 0xffff {
		return nil, fmt.Errorf("an Action Replay's save cannot have %s", SizeWords(len(sram)))
	}
	b := make([]byte, ducEZHeader, ducEZHeader+len(sram))
	copy(b[4:], ascii(title, 22))
	b[0x1b] = 0xa1
	copy(b[0x20:], ascii(title, 30))
	binary.LittleEndian.PutUint16(b[0xa1:], uint16(len(sram)>>8))
	b[0xa3] = 0xc0
	return append(b, sram...), nil
}

// ascii keeps of a text what these headers can hold, at most n bytes.
func ascii(s string, n int) string {
	b := make([]byte, 0, n)
	for _, r := range s {
		if len(b) == n {
			break
		}
		if r < ' ' || r > '~' {
			r = '?'
		}
		b = append(b, byte(r))
	}
	return string(b)
}
