package corestore

import (
	"debug/elf"
	"debug/pe"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A Platform is the target of a core's build, by Go's names.
type Platform struct{ OS, Arch string }

// supported reports whether sources are known to have builds for it.
func (p Platform) supported() bool { return slices.Contains(supported, p) }

var supported = []Platform{{"linux", "amd64"}, {"linux", "arm64"}, {"windows", "amd64"}}

// Machines that libraries are for, by Go's names of architectures.
var (
	elfMachines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	peMachines  = map[string]uint16{"amd64": pe.IMAGE_FILE_MACHINE_AMD64, "arm64": pe.IMAGE_FILE_MACHINE_ARM64}
)

// check reads the head of a library and tells why it is none for this platform.
func (p Platform) check(f io.ReaderAt) (Reason, error) {
	if p.OS == "windows" {
		return p.checkPE(f)
	}
	lib, err := elf.NewFile(f)
	if err != nil {
		return NotACore, errors.New("the file in the archive is not a shared library (ELF), or a damaged one")
	}
	want := elfMachines[p.Arch]
	switch {
	case lib.Class != elf.ELFCLASS64 || lib.Machine != want:
		return WrongMachine, fmt.Errorf("the core is for another kind of computer (%v, %v), and this one is %v", lib.Machine, lib.Class, want)
	case lib.Type != elf.ET_DYN:
		return NotACore, fmt.Errorf("the file in the archive is no shared library (%v)", lib.Type)
	}
	return 0, nil
}

func (p Platform) checkPE(f io.ReaderAt) (Reason, error) {
	// Package pe takes the head of an object file, too, which begins with its machine.
	magic := make([]byte, 2)
	if _, _ = f.ReadAt(magic, 0); string(magic) != "MZ" {
		return NotACore, errors.New("the file in the archive is not a library of Windows")
	}
	lib, err := pe.NewFile(f)
	if err != nil {
		return NotACore, errors.New("the file in the archive is a damaged library of Windows")
	}
	switch {
	case lib.Machine != peMachines[p.Arch]:
		return WrongMachine, fmt.Errorf("the core is for another kind of computer (%#x), and this one is %#x", lib.Machine, peMachines[p.Arch])
	case lib.Characteristics&pe.IMAGE_FILE_DLL == 0:
		return NotACore, errors.New("the file in the archive is a program, no library")
	}
	return 0, nil
}
