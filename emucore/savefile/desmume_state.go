package savefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A state of DeSmuME (saves.cpp), all little-endian:
//
//	00  "DeSmuME SState\0\0"
//	10  u32 version (12), u32 version of the program
//	18  u32 length of the whole
//	1c  u32 compressed length; ffffffff: not compressed
//	20  chunks, each u32 id, u32 length, data; the last is id ffffffff alone
//
// A chunk of variables is a row of fields: four letters, u32 element size,
// u32 count, data. Chunk 4 (memory) has main RAM as the field "WRAM". Chunk 51
// begins with its version, a u32 (3; 4 in today's builds), and ends with u32 lid
// shut and u8 frames for which the lid's button is still ignored. Chunk 60 has the five registers of the
// power management device as "PMCR".
//
// retro_serialize_size is larger than the state; what follows the length is
// whatever the buffer held.
const (
	desmumeMagic     = "DeSmuME SState\x00\x00"
	desmumeHead      = 32
	desmumeEnd       = 0xffffffff
	desmumeMemory    = 4
	desmumeSound     = 8
	desmumeConsole   = 51
	desmumeMMU       = 60
	desmumeMaxChunks = 256 // the core writes 22

	mainRAMField = "WRAM"
	mainRAMSize  = 4 << 20 // of a DS
)

// DesmumeMainRAM returns the part of a state that is the console's 4 MiB of main
// memory. The state may come from a stranger: every length is checked.
func DesmumeMainRAM(state []byte) ([]byte, error) {
	chunk, err := desmumeChunk(state, desmumeMemory)
	if err != nil {
		return nil, err
	}
	data, err := desmumeIn(chunk, mainRAMField)
	if err != nil {
		return nil, fmt.Errorf("DeSmuME state: no main memory: memory chunk: %w", err)
	}
	if len(data) != mainRAMSize {
		return nil, fmt.Errorf("DeSmuME state: main memory has %d bytes, not %d", len(data), mainRAMSize)
	}
	return data, nil
}

// DesmumePoweredOff reads whether the game has switched the console off: bit 6 of register 0 of the power
// management device. From there on the core stands still, and says nothing but a line on its standard output.
func DesmumePoweredOff(state []byte) (bool, error) {
	chunk, err := desmumeChunk(state, desmumeMMU)
	if err != nil {
		return false, err
	}
	registers, err := desmumeIn(chunk, "PMCR")
	if err != nil {
		return false, fmt.Errorf("DeSmuME state: chunk of the memory's registers: %w", err)
	}
	return len(registers) > 0 && registers[0]&0x40 != 0, nil
}

// desmumeIn returns the data of a field of a chunk of variables.
func desmumeIn(chunk []byte, field string) ([]byte, error) {
	for len(chunk) > 0 {
		name, data, rest, err := desmumeField(chunk)
		if err != nil {
			return nil, err
		}
		if name == field {
			return data, nil
		}
		chunk = rest
	}
	return nil, fmt.Errorf("it has no field %q", field)
}

// DesmumeLid reads where a state has the lid.
func DesmumeLid(state []byte) (shut bool, rest int, err error) {
	chunk, err := desmumeChunk(state, desmumeConsole)
	if err != nil {
		return false, 0, err
	}
	if len(chunk) < 9 {
		return false, 0, fmt.Errorf("DeSmuME state: console chunk of %d bytes, too short", len(chunk))
	}
	if v := binary.LittleEndian.Uint32(chunk); v != 3 && v != 4 {
		return false, 0, fmt.Errorf("DeSmuME state: console chunk of version %d, only 3 and 4 are known", v)
	}
	tail := chunk[len(chunk)-5:]
	return binary.LittleEndian.Uint32(tail) != 0, int(tail[4]), nil
}

// CheckDesmume checks that a state is whole: its head, its chunks up to the
// end mark, and the main memory.
func CheckDesmume(state []byte) error {
	if err := desmumeWalk(state, func(uint32, []byte) bool { return true }); err != nil {
		return err
	}
	_, err := DesmumeMainRAM(state)
	return err
}

// WriteDesmume writes what two builds of the core write alike into states of equal consoles: all
// chunks, but of the sound's (8), some bytes of which are uninitialised, only the length.
func WriteDesmume(state []byte, to io.Writer) error {
	if len(state) < desmumeHead {
		return errors.New("DeSmuME state: too short")
	}
	fmt.Fprintf(to, "%x\n", state[len(desmumeMagic):len(desmumeMagic)+4])
	return desmumeWalk(state, func(id uint32, data []byte) bool {
		fmt.Fprintf(to, "%d %d\n", id, len(data))
		if id != desmumeSound {
			_, _ = to.Write(data) // a hash
		}
		return true
	})
}

// desmumeChunk returns the data of one chunk.
func desmumeChunk(state []byte, id uint32) (chunk []byte, err error) {
	err = desmumeWalk(state, func(i uint32, data []byte) bool {
		if i == id {
			chunk = data
		}
		return chunk == nil
	})
	if err == nil && chunk == nil {
		err = fmt.Errorf("DeSmuME state: no chunk %d", id)
	}
	return chunk, err
}

// desmumeWalk calls f with each chunk until f says stop or the end mark comes.
func desmumeWalk(state []byte, f func(id uint32, data []byte) bool) error {
	b, err := desmumeBody(state)
	if err != nil {
		return err
	}
	for n := 0; n < desmumeMaxChunks; n++ {
		if len(b) < 4 {
			return errors.New("DeSmuME state: it ends in the middle of a chunk's id")
		}
		id := binary.LittleEndian.Uint32(b)
		if id == desmumeEnd {
			return nil
		}
		if len(b) < 8 {
			return fmt.Errorf("DeSmuME state: it ends in the head of chunk %d", id)
		}
		size := binary.LittleEndian.Uint32(b[4:])
		if int64(size) > int64(len(b)-8) {
			return fmt.Errorf("DeSmuME state: chunk %d has %d bytes, only %d are left", id, size, len(b)-8)
		}
		if !f(id, b[8:8+size:8+size]) {
			return nil
		}
		b = b[8+size:]
	}
	return fmt.Errorf("DeSmuME state: more than %d chunks", desmumeMaxChunks)
}

// desmumeBody checks the head and returns the chunks.
func desmumeBody(state []byte) ([]byte, error) {
	if len(state) < desmumeHead || string(state[:len(desmumeMagic)]) != desmumeMagic {
		return nil, errors.New("DeSmuME state: it does not begin with \"DeSmuME SState\"")
	}
	size := binary.LittleEndian.Uint32(state[0x18:])
	if size < desmumeHead || int64(size) > int64(len(state)) {
		return nil, fmt.Errorf("DeSmuME state: its length field says %d, there are %d bytes", size, len(state))
	}
	if c := binary.LittleEndian.Uint32(state[0x1c:]); c != 0xffffffff {
		return nil, fmt.Errorf("DeSmuME state: compressed (%d bytes), only plain ones are known", c)
	}
	return state[desmumeHead:size], nil
}

// desmumeField takes the first field off a chunk of variables.
func desmumeField(chunk []byte) (name string, data, rest []byte, err error) {
	if len(chunk) < 12 {
		return "", nil, nil, fmt.Errorf("%d bytes left, too few for a field", len(chunk))
	}
	name = string(chunk[:4])
	// Two factors of 32 bits: their product fits 64.
	size := uint64(binary.LittleEndian.Uint32(chunk[4:])) * uint64(binary.LittleEndian.Uint32(chunk[8:]))
	body := chunk[12:]
	if size > uint64(len(body)) {
		return "", nil, nil, fmt.Errorf("field %q has %d bytes, only %d are left", name, size, len(body))
	}
	return name, body[:size:size], body[size:], nil
}
