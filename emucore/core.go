package emucore

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
)

// maxCoreSize bounds what is hashed: the largest DS core has some 30 MB.
const maxCoreSize = 1 << 30

// A Core is a libretro core for the DS on disk.
type Core struct {
	Path     string // absolute
	Name     string // library_name, as in Profile.Library
	Version  string // library_version
	Wireless bool   // has local wireless (asks for the netpacket interface)
	SHA256   [32]byte
	// Fingerprint is of what the core does, by internal/corecheck; zero: not known. Opening a core does
	// not find it out.
	Fingerprint [32]byte
	Size        int64 // bytes
}

// NotCoreError says why a file cannot be used as a DS core.
type NotCoreError struct {
	Path string
	Why  string // for people, without the path
}

func (e *NotCoreError) Error() string {
	return fmt.Sprintf("core %s: %s", e.Path, e.Why)
}

// errCoreChanged says that a core is no longer the one that was opened, for
// instance because the system was upgraded since.
var errCoreChanged = errors.New("the file has changed since it was opened")

// inspectCore checks, without running any of it, that a file is a libretro
// core that this machine could load, and hashes it.
func inspectCore(path string) (sum [32]byte, size int64, err error) {
	refuse := func(why string) error { return &NotCoreError{path, why} }
	f, size, err := openFile("core", path, refuse)
	if err != nil {
		return sum, 0, err
	}
	defer f.Close()
	if size > maxCoreSize {
		return sum, 0, refuse(fmt.Sprintf("%d bytes are too many for a core", size))
	}
	if err := checkELF(f); err != nil {
		return sum, 0, refuse(err.Error())
	}
	if sum, err = hashFile(f, size, errCoreChanged); err != nil {
		return sum, 0, fmt.Errorf("hashing core %s: %w", path, err)
	}
	return sum, size, nil
}

// checkELF checks that a file is a shared library for this machine's
// architecture that has libretro's functions.
func checkELF(f io.ReaderAt) error {
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
