package romstest_test

import (
	"encoding/binary"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// hash is the programs' hash, written down a second time.
func hash(words ...uint32) uint32 {
	h := uint32(0x6E747031)
	for _, w := range words {
		h ^= w
		h *= 2654435761
		h ^= h >> 15
	}
	return h
}

// saved makes the EEPROM after some steps as the documentation draws it.
func saved(steps int) []byte {
	b := make([]byte, romstest.SaveSize)
	for i := range b {
		b[i] = 0xFF
	}
	for n := 1; n <= steps; n++ {
		step(b, uint32(n))
	}
	return b
}

// step makes step n at frame 10n and second n of 2026-05-04, pressing B and START.
func step(b []byte, n uint32) {
	const keys = 1<<1 | 1<<3
	clock := n%60 | n/60%60<<6 | 4<<17 | 5<<22 | 26<<26
	e := b[0x100+(n-1)%496*16:]
	binary.LittleEndian.PutUint32(e, n)
	binary.LittleEndian.PutUint16(e[4:], keys)
	binary.LittleEndian.PutUint16(e[6:], uint16(hash(n, keys, 10*n, clock)))
	binary.LittleEndian.PutUint32(e[8:], 10*n)
	binary.LittleEndian.PutUint32(e[12:], clock)
	head := b[n%2*0x20:]
	copy(head, "NPSV")
	binary.LittleEndian.PutUint32(head[4:], 1)
	binary.LittleEndian.PutUint32(head[8:], n)
	binary.LittleEndian.PutUint32(head[12:], hash(0x5653504E, 1, n))
}

func TestReadSave(t *testing.T) {
	for _, steps := range []int{0, 1, 2, 495, 496, 497, 1000} {
		log, err := romstest.ReadSave(saved(steps))
		if err != nil {
			t.Fatalf("%d steps: %v", steps, err)
		}
		if log.Steps != uint32(steps) || len(log.Entries) != min(steps, romstest.SaveLogKept) {
			t.Errorf("%d steps: read %d with %d entries", steps, log.Steps, len(log.Entries))
		}
		for i, e := range log.Entries {
			n := uint32(steps - len(log.Entries) + i + 1)
			want := romstest.SaveEntry{
				Number: n, Keys: inputdelay.KeyB | inputdelay.KeyStart, Frame: 10 * n,
				Time: time.Date(2026, 5, 4, 0, int(n/60%60), int(n%60), 0, time.UTC),
			}
			if !reflect.DeepEqual(e, want) {
				t.Fatalf("%d steps: entry %d is %+v, want %+v", steps, i, e, want)
			}
		}
	}
	if log, err := romstest.ReadSave(make([]byte, romstest.SaveSize)); err != nil || log.Steps != 0 {
		t.Errorf("zeroes: %+v, %v", log, err)
	}
}

// A step that was cut off between its entry and its head, or while its head was
// written, did not happen; the log before it is whole.
func TestReadSaveAfterACut(t *testing.T) {
	for _, steps := range []int{1, 3, 495, 496, 700} {
		before, after := saved(steps), saved(steps+1)
		copy(after[:0x40], before[:0x40])
		log, err := romstest.ReadSave(after)
		if err != nil || log.Steps != uint32(steps) {
			t.Errorf("%d steps, cut before the head: %d, %v", steps, log.Steps, err)
		}
		after = saved(steps + 1)
		after[(steps+1)%2*0x20+12]++
		log, err = romstest.ReadSave(after)
		if err != nil || log.Steps != uint32(steps) {
			t.Errorf("%d steps, cut within the head: %d, %v", steps, log.Steps, err)
		}
	}
}

func TestReadSaveErrors(t *testing.T) {
	with := func(at int) []byte {
		b := saved(700)
		b[at] ^= 1
		return b
	}
	for name, b := range map[string][]byte{
		"nothing":            nil,
		"short":              saved(3)[:8191],
		"long":               append(saved(3), 0),
		"number of an entry": with(0x100),
		"keys of an entry":   with(0x100 + 4),
		"clock of an entry":  with(romstest.SaveSize - 1),
		"something else":     append([]byte("a game's save"), saved(0)[13:]...),
		"one bit of nothing": func() []byte { b := saved(0); b[5000] = 0xFE; return b }(),
	} {
		if log, err := romstest.ReadSave(b); !errors.Is(err, romstest.ErrBadSave) {
			t.Errorf("%s: %+v, %v", name, log, err)
		}
	}
}

// The program itself wrote these on a console with the default core.
func TestReadSaveGolden(t *testing.T) {
	b := must.Read(t, "testdata/save.sav")
	log, err := romstest.ReadSave(b)
	must.Succeed(t, err)
	want := []romstest.SaveEntry{
		{Number: 1, Keys: inputdelay.KeyA, Frame: 20},
		{Number: 2, Keys: inputdelay.KeyB | inputdelay.KeyUp, Frame: 30},
		{Number: 3, Keys: inputdelay.KeyStart, Frame: 40},
	}
	if log.Steps != 3 || len(log.Entries) != 3 {
		t.Fatalf("read %+v", log)
	}
	for i, e := range log.Entries {
		want[i].Time = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		if e != want[i] {
			t.Errorf("entry %d is %+v, want %+v", i, e, want[i])
		}
	}
}

func FuzzReadSave(f *testing.F) {
	for _, steps := range []int{0, 1, 496, 700} {
		f.Add(saved(steps))
	}
	f.Add([]byte{})
	f.Add(make([]byte, romstest.SaveSize))
	f.Fuzz(func(t *testing.T, b []byte) {
		log, err := romstest.ReadSave(b)
		if err != nil {
			return
		}
		if len(log.Entries) != int(min(log.Steps, romstest.SaveLogKept)) {
			t.Errorf("%d steps with %d entries", log.Steps, len(log.Entries))
		}
	})
}
