package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// elfFile is a linked program with the given segments, written by hand: header,
// program headers, data.
func elfFile(t *testing.T, entry uint32, machine uint16, segments ...[2]uint32) string {
	t.Helper()
	var b bytes.Buffer
	put := func(v any) { binary.Write(&b, binary.LittleEndian, v) }
	b.WriteString("\x7fELF\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	put([]uint16{2, machine})
	put([]uint32{1, entry, 52, 0, 0})
	put([]uint16{52, 32, uint16(len(segments)), 40, 0, 0})
	at := uint32(52 + 32*len(segments))
	for _, s := range segments {
		put([]uint32{1, at, s[0], s[0], s[1], s[1], 7, 4})
		at += s[1]
	}
	for i, s := range segments {
		b.Write(bytes.Repeat([]byte{byte(i + 1)}, int(s[1])))
	}
	path := filepath.Join(t.TempDir(), "a.elf")
	must.Succeed(t, os.WriteFile(path, b.Bytes(), 0o666))
	return path
}

const (
	machineARM = 40
	machineX86 = 62
)

func TestReadProgram(t *testing.T) {
	p, err := readProgram(elfFile(t, 0x02000004, machineARM, [2]uint32{0x02000000, 6}, [2]uint32{0x02000008, 1}))
	must.Succeed(t, err)
	want := []byte{1, 1, 1, 1, 1, 1, 0, 0, 2, 0, 0, 0}
	if p.load != 0x02000000 || p.entry != 0x02000004 || !bytes.Equal(p.data, want) {
		t.Errorf("load %#x, entry %#x, data %v", p.load, p.entry, p.data)
	}
}

func TestReadProgramErrors(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	must.Succeed(t, os.WriteFile(text, []byte("no program"), 0o666))
	one := [2]uint32{0x02000000, 8}
	for _, c := range []struct{ name, path, want string }{
		{"missing", filepath.Join(t.TempDir(), "none"), "open program"},
		{"no ELF", text, "open program"},
		{"other machine", elfFile(t, 0x02000000, machineX86, one), "not a linked ARM program"},
		{"entry outside", elfFile(t, 0x02000008, machineARM, one), "entry 0x2000008 is outside"},
		{"nothing to load", elfFile(t, 0x02000000, machineARM), "outside"},
		{"segments swapped", elfFile(t, 0x02000000, machineARM, one, [2]uint32{0x01000000, 4}), "does not follow"},
		{"segments far apart", elfFile(t, 0x02000000, machineARM, one, [2]uint32{0x7F000000, 4}), "does not follow"},
	} {
		if _, err := readProgram(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
