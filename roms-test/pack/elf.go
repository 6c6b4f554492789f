package main

import (
	"debug/elf"
	"fmt"
	"io"
)

// maxProgram bounds what a program may take of its processor's memory.
const maxProgram = 4 << 20

// readProgram takes the program that a linked ELF file loads: the bytes of its
// segments from the lowest address on. Room for zeroes at the end (.bss) is left
// to the program's own start.
func readProgram(path string) (program, error) {
	f, err := elf.Open(path)
	if err != nil {
		return program{}, fmt.Errorf("open program: %w", err)
	}
	defer f.Close()
	if f.Machine != elf.EM_ARM || f.Type != elf.ET_EXEC {
		return program{}, fmt.Errorf("%s: %v %v, not a linked ARM program", path, f.Machine, f.Type)
	}
	p := program{entry: uint32(f.Entry)}
	for _, s := range f.Progs {
		if err := p.add(s); err != nil {
			return program{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	for len(p.data)%4 != 0 {
		p.data = append(p.data, 0)
	}
	if p.entry < p.load || p.entry-p.load >= uint32(len(p.data)) {
		return program{}, fmt.Errorf("%s: entry %#x is outside the program", path, p.entry)
	}
	return p, nil
}

func (p *program) add(s *elf.Prog) error {
	if s.Type != elf.PT_LOAD || s.Filesz == 0 {
		return nil
	}
	if p.data == nil {
		p.load = uint32(s.Paddr)
	}
	gap := int64(s.Paddr) - int64(p.load) - int64(len(p.data))
	if gap < 0 || gap+int64(s.Filesz) > maxProgram {
		return fmt.Errorf("segment of %d bytes at %#x does not follow what is before it", s.Filesz, s.Paddr)
	}
	data, err := io.ReadAll(s.Open())
	if err != nil {
		return fmt.Errorf("read segment: %w", err)
	}
	p.data = append(append(p.data, make([]byte, gap)...), data...)
	return nil
}
