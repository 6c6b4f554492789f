package emucore

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
)

// CoreSuffix ends the name of a core's file.
const CoreSuffix = "_libretro.dll"

// AptLine is empty: there is no command of Windows' own to get a core.
const AptLine = ""

// machines are Go's names of architectures, with those of Windows' files.
var machines = map[string]uint16{"amd64": pe.IMAGE_FILE_MACHINE_AMD64, "arm64": pe.IMAGE_FILE_MACHINE_ARM64}

var errDamaged = errors.New("it is a damaged library, get it again")

// checkLibrary checks that a file is a library for this machine's architecture that has libretro's functions.
func checkLibrary(f io.ReaderAt) error {
	magic := make([]byte, 4)
	if _, err := f.ReadAt(magic, 0); err == nil && string(magic) == "\x7fELF" {
		return errors.New("it is a core for Linux: get that for Windows, a file named like desmume_libretro.dll")
	} else if err != nil || string(magic[:2]) != "MZ" {
		return errors.New("it is not a library of Windows: a core is a file named like desmume_libretro.dll")
	}
	lib, err := pe.NewFile(f)
	if err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	if want := machines[runtime.GOARCH]; want != 0 && lib.Machine != want {
		return fmt.Errorf("it is for another architecture (%#x): this program runs on %s, get the core for that", lib.Machine, runtime.GOARCH)
	}
	if lib.Characteristics&pe.IMAGE_FILE_DLL == 0 {
		return errors.New("it is a program, not a library")
	}
	names, err := exports(lib)
	if err != nil {
		return err
	}
	if !names["retro_run"] {
		return errors.New("it is a library, but not a libretro core (it has no retro_run)")
	}
	return nil
}

// mostExports bounds what is read of a library: a core has some dozens.
const mostExports = 1 << 16

// exports are the names of what a library has for others.
func exports(lib *pe.File) (map[string]bool, error) {
	header, ok := lib.OptionalHeader.(*pe.OptionalHeader64)
	if !ok || header.NumberOfRvaAndSizes <= pe.IMAGE_DIRECTORY_ENTRY_EXPORT {
		return nil, nil
	}
	at := header.DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT].VirtualAddress
	if at == 0 {
		return nil, nil
	}
	data, err := section(lib, at)
	if err != nil {
		return nil, err
	}
	table, ok := from(data.bytes, at-data.at, 40)
	if !ok {
		return nil, errDamaged
	}
	n, list := binary.LittleEndian.Uint32(table[24:]), binary.LittleEndian.Uint32(table[32:])
	if n > mostExports {
		return nil, fmt.Errorf("%w: %d names", errDamaged, n)
	}
	names := make(map[string]bool, n)
	for i := range n {
		pointer, ok := from(data.bytes, list-data.at+4*i, 4)
		if !ok {
			return nil, errDamaged
		}
		name, ok := from(data.bytes, binary.LittleEndian.Uint32(pointer)-data.at, 1)
		if !ok {
			return nil, errDamaged
		}
		name = name[:cap(name)]
		end := bytes.IndexByte(name[:min(len(name), 512)], 0)
		if end < 0 {
			return nil, errDamaged
		}
		names[string(name[:end])] = true
	}
	return names, nil
}

// from is n bytes of b at a place, which may be none of it. What follows is within its capacity.
func from(b []byte, at, n uint32) ([]byte, bool) {
	if uint64(at)+uint64(n) > uint64(len(b)) {
		return nil, false
	}
	return b[at : at+n], true
}

// part is a section of a library where it lies in memory.
type part struct {
	at    uint32
	bytes []byte
}

// section is the one that an address is in.
func section(lib *pe.File, at uint32) (part, error) {
	for _, s := range lib.Sections {
		if at < s.VirtualAddress || at-s.VirtualAddress >= s.Size {
			continue
		}
		if s.Size > maxCoreSize {
			break
		}
		b, err := s.Data()
		if err != nil {
			return part{}, fmt.Errorf("%w: %w", errDamaged, err)
		}
		return part{s.VirtualAddress, b[:len(b):len(b)]}, nil
	}
	return part{}, errDamaged
}

// ofThreads are the clocks that threads read by themselves: those of MinGW read the time of day where they wait for a time.
const ofThreads = ReadsTime
