package emucore

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
)

// CoreSuffix ends the name of a core's file.
const CoreSuffix = "_libretro.so"

// AptLine is the command on Debian and Ubuntu to get DeSmuME, and it alone: with recommended
// packages it would be RetroArch with 675 MB.
const AptLine = "sudo apt install --no-install-recommends libretro-desmume"

// checkLibrary checks that a file is a shared library for this machine's
// architecture that has libretro's functions.
func checkLibrary(f io.ReaderAt) error {
	magic := make([]byte, 4)
	if _, err := f.ReadAt(magic, 0); err != nil || string(magic) != elf.ELFMAG {
		return errors.New("it is not a shared library (ELF): a core is a file named like desmume_libretro.so")
	}
	lib, err := elf.NewFile(f)
	if err != nil {
		return fmt.Errorf("it is a damaged shared library, get it again: %w", err)
	}
	if want := architectures[runtime.GOARCH].machine; want != 0 && lib.Machine != want {
		return fmt.Errorf("it is for another architecture (%s): this program runs on %s, get the core for that", lib.Machine, runtime.GOARCH)
	}
	if lib.Type != elf.ET_DYN {
		return fmt.Errorf("it is no shared library (%s)", lib.Type)
	}
	syms, err := lib.DynamicSymbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return fmt.Errorf("it is a damaged shared library, get it again: %w", err)
	}
	if !slices.ContainsFunc(syms, isRetroRun) {
		return errors.New("it is a shared library, but not a libretro core (it has no retro_run)")
	}
	return nil
}

// isRetroRun tells libretro cores, which define it, from programs that use them.
func isRetroRun(s elf.Symbol) bool {
	return s.Name == "retro_run" && s.Section != elf.SHN_UNDEF
}

// architectures are Go's names, with those of ELF files and Debian's in /usr/lib.
var architectures = map[string]struct {
	machine elf.Machine
	triplet string
}{
	"386":     {elf.EM_386, "i386-linux-gnu"},
	"amd64":   {elf.EM_X86_64, "x86_64-linux-gnu"},
	"arm":     {elf.EM_ARM, "arm-linux-gnueabihf"},
	"arm64":   {elf.EM_AARCH64, "aarch64-linux-gnu"},
	"loong64": {elf.EM_LOONGARCH, "loongarch64-linux-gnu"},
	"ppc64le": {elf.EM_PPC64, "powerpc64le-linux-gnu"},
	"riscv64": {elf.EM_RISCV, "riscv64-linux-gnu"},
}

// ofThreads are the clocks that the system's threads read by themselves.
const ofThreads Manner = 0
