package main

import (
	"debug/elf"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestProgramIsHardened: however the program is built, what its C calls is bound before it runs and not to be overwritten, and
// its C watches its stack and its copies.
func TestProgramIsHardened(t *testing.T) {
	f, err := elf.Open("/proc/self/exe")
	must.Succeed(t, err)
	defer f.Close()
	flags, err := f.DynValue(elf.DT_FLAGS)
	must.Succeed(t, err)
	if len(flags) == 0 || elf.DynFlag(flags[0])&elf.DF_BIND_NOW == 0 || !slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_GNU_RELRO }) {
		t.Errorf("RELRO is not full: flags %v", flags)
	}
	if slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_GNU_STACK && p.Flags&elf.PF_X != 0 }) {
		t.Error("the stack may be run")
	}
	symbols, err := f.ImportedSymbols()
	must.Succeed(t, err)
	has := func(is func(name string) bool) bool {
		return slices.ContainsFunc(symbols, func(s elf.ImportedSymbol) bool { return is(s.Name) })
	}
	if !has(func(name string) bool { return name == "__stack_chk_fail" }) {
		t.Error("no stack is watched")
	}
	if !has(func(name string) bool { return strings.HasSuffix(name, "_chk") }) {
		t.Error("no copy is checked")
	}
}
