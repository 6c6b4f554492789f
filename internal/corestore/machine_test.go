package corestore

import (
	"bytes"
	"debug/elf"
	"debug/pe"
	"encoding/binary"
	"testing"
)

// TestMachines: each system takes libraries of its own kind, for its own processor.
func TestMachines(t *testing.T) {
	program := smallFor(Platform{"windows", "amd64"})
	binary.LittleEndian.PutUint16(program[86:], 0)
	narrow := smallFor(Platform{"linux", "amd64"})
	narrow[4] = byte(elf.ELFCLASS32)
	object := binary.LittleEndian.AppendUint16(nil, pe.IMAGE_FILE_MACHINE_AMD64)
	for _, c := range []struct {
		at   Platform
		file []byte
		want Reason
		ok   bool
	}{
		{Platform{"linux", "amd64"}, smallFor(Platform{"linux", "amd64"}), 0, true},
		{Platform{"windows", "amd64"}, smallFor(Platform{"windows", "amd64"}), 0, true},
		{Platform{"linux", "amd64"}, smallFor(Platform{"windows", "amd64"}), NotACore, false},
		{Platform{"windows", "amd64"}, smallFor(Platform{"linux", "amd64"}), NotACore, false},
		{Platform{"windows", "amd64"}, smallFor(Platform{"windows", "arm64"}), WrongMachine, false},
		{Platform{"linux", "arm64"}, smallFor(Platform{"linux", "amd64"}), WrongMachine, false},
		{Platform{"linux", "amd64"}, narrow, WrongMachine, false},
		{Platform{"windows", "amd64"}, program, NotACore, false},
		{Platform{"windows", "amd64"}, append(object, make([]byte, 100)...), NotACore, false},
		{Platform{"windows", "amd64"}, []byte("M"), NotACore, false},
	} {
		if got, err := c.at.check(bytes.NewReader(c.file)); (err == nil) != c.ok || got != c.want {
			t.Errorf("%v, %.4q: %v, %v", c.at, c.file, got, err)
		}
	}
}
