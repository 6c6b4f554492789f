package savefile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// no$gba's file of a save:
//
//	00  "NocashGbaBackupMediaSavDataFile" 1a
//	20  32 bytes: when it was saved, and what no$gba keeps for itself
//	40  "SRAM"
//	44  u32 method: 0 stored, 1 run lengths, 2 LZ
//	    stored                       run lengths
//	48  u32 bytes of the memory      u32 bytes of what follows
//	4c  the memory                   u32 bytes of the memory
//	50                               the code
//
// then further entries like that of "SRAM", the last one "STOP". All numbers are little-endian.
// The code is a row of
//
//	00            the end
//	01..7f        so many bytes, as they are
//	80 v nn nn    the byte v, nnnn times
//	81..ff v      the byte v, as many times as the first byte is above 80
//
// Sources: wiki.desmume.org, "No gba save format"; src/mc.cpp of TASEmulators/desmume
// (no_gba_unpackSAV). That no$gba counts the field at 4c into the one at 48 is from files that
// converters write for it.
const (
	nogbaMagic  = "NocashGbaBackupMediaSavDataFile\x1a"
	nogbaEntry  = 0x40
	nogbaStored = 0x4c
	nogbaCode   = 0x50
)

var errNoGBACut = errors.New("it is a save of no$gba, and damaged: it ends too early")

func decodeNoGBA(file []byte) (Save, error) {
	if len(file) < nogbaStored || string(file[nogbaEntry:nogbaEntry+4]) != "SRAM" {
		return Save{}, errors.New("it is a file of no$gba, without a save")
	}
	num := func(at int) uint32 { return binary.LittleEndian.Uint32(file[at:]) }
	switch method := num(0x44); method {
	case 0:
		n := num(0x48)
		if int64(n) > int64(len(file)-nogbaStored) {
			return Save{}, errNoGBACut
		}
		return Save{Form: NoGBA, SRAM: file[nogbaStored:][:n:n]}, nil
	case 1:
		if len(file) < nogbaCode {
			return Save{}, errNoGBACut
		}
		n := num(0x4c)
		if n > MaxSize {
			return Save{}, fmt.Errorf("it is a save of no$gba with %d bytes, more than any cartridge's save (%d MB)", n, MaxSize>>20)
		}
		sram, err := unpack(file[nogbaCode:], int(n))
		return Save{Form: NoGBACompressed, SRAM: sram}, err
	case 2:
		return Save{}, errors.New("no$gba has compressed it in a way that nettplay does not read: choose SAV/SNA File Format: Uncompressed in its options, and save once more")
	default:
		return Save{}, fmt.Errorf("it is a save of no$gba, packed by method %d, which nobody knows", method)
	}
}

// unpack reads the code of n bytes of memory. A run of at most 64 KiB comes of at least 2 bytes, so
// nothing is allocated that the code could not make.
func unpack(code []byte, n int) ([]byte, error) {
	if n > len(code)*(0xffff/4+1) {
		return nil, errNoGBACut
	}
	sram := make([]byte, 0, n)
	for len(code) > 0 && code[0] != 0 {
		c, rest := int(code[0]), code[1:]
		var run []byte
		switch {
		case c < 0x80 && c <= len(rest):
			run, code = rest[:c], rest[c:]
		case c == 0x80 && len(rest) >= 3:
			c = int(binary.LittleEndian.Uint16(rest[1:]))
			code = rest[3:]
		case c > 0x80 && len(rest) >= 1:
			c, code = c-0x80, rest[1:]
		default:
			return nil, errNoGBACut
		}
		if c > n-len(sram) {
			return nil, errors.New("it is a save of no$gba, and damaged: more is packed in it than it says")
		}
		if run != nil {
			sram = append(sram, run...)
			continue
		}
		at := len(sram)
		sram = sram[:at+c]
		for i := range sram[at:] {
			sram[at+i] = rest[0]
		}
	}
	if len(sram) < n {
		return nil, errNoGBACut
	}
	return sram, nil
}

func encodeNoGBA(sram []byte, compress bool) []byte {
	b := append(make([]byte, 0, nogbaCode+len(sram)+len(sram)/64+16), nogbaMagic...)
	b = append(b, make([]byte, nogbaEntry-len(nogbaMagic))...)
	b = append(b, "SRAM"...)
	if compress {
		b = binary.LittleEndian.AppendUint32(b, 1)
		b = binary.LittleEndian.AppendUint32(b, 0) // see below
		b = binary.LittleEndian.AppendUint32(b, uint32(len(sram)))
		b = pack(b, sram)
		binary.LittleEndian.PutUint32(b[0x48:], uint32(len(b)-nogbaStored))
	} else {
		b = binary.LittleEndian.AppendUint32(b, 0)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(sram)))
		b = append(b, sram...)
	}
	b = append(b, "STOP"...)
	return append(b, make([]byte, 8)...)
}

// pack writes the code of memory.
func pack(b, sram []byte) []byte {
	const worth = 4 // bytes that are alike, from which on a run is shorter than a copy
	plain := func(part []byte) {
		for len(part) > 0 {
			n := min(len(part), 0x7f)
			b = append(append(b, byte(n)), part[:n]...)
			part = part[n:]
		}
	}
	from := 0
	for at := 0; at < len(sram); {
		run := 1
		for at+run < len(sram) && run < 0xffff && sram[at+run] == sram[at] {
			run++
		}
		if run < worth {
			at += run
			continue
		}
		plain(sram[from:at])
		if run < 0x80 {
			b = append(b, byte(0x80+run), sram[at])
		} else {
			b = append(b, 0x80, sram[at], byte(run), byte(run>>8))
		}
		at += run
		from = at
	}
	plain(sram[from:])
	return append(b, 0)
}
