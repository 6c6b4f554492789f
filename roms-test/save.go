package romstest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
)

// The layout of save.nds' EEPROM of 8 KB (src/save/log.c). Numbers are little
// endian.
//
//	0x000  head A        the head with more steps is the one that counts, so that
//	0x020  head B        there is always a whole one while the other is written
//	0x100  496 entries   step n is entry (n-1) modulo 496
//
//	head   0 "NPSV"   4 version, 1   8 steps ever made   12 check
//	entry  0 number of the step, from 1
//	       4 keys that went down, 2 bytes, as inputdelay.Keys
//	       6 check, 2 bytes
//	       8 frame, by the program's own count
//	      12 clock: second 6 bits, minute 6, hour 5, day 5, month 4, year since 2000
//
// The check of a head is the hash of the words before it; that of an entry the low
// half of the hash of number, keys, frame and clock (mix, from hashStart).
const (
	SaveSize = 8192 // bytes of EEPROM

	headSize    = 0x20
	logAt       = 0x100
	entrySize   = 16
	logSlots    = (SaveSize - logAt) / entrySize
	saveVersion = 1
	saveMagic   = 0x5653504E // "NPSV"
	hashStart   = 0x6E747031
)

// SaveLogKept is the number of the newest steps in the log.
const SaveLogKept = logSlots - 1

// SaveLog is the content of the EEPROM of [Save].
type SaveLog struct {
	Steps   uint32 // ever made; 0: the memory is blank
	Entries []SaveEntry
}

// SaveEntry is one step: what happened in one frame, when the player pressed keys.
type SaveEntry struct {
	Number uint32          // from 1; the newest has SaveLog.Steps
	Keys   inputdelay.Keys // that went down: the twelve buttons only
	Frame  uint32          // since the console was switched on, by the program's count
	Time   time.Time       // by the console's clock, taken as UTC
}

// ErrBadSave is matched by the errors of [ReadSave].
var ErrBadSave = errors.New("not the memory of save.nds")

// ReadSave reads the raw EEPROM of [Save], with the oldest entry first. It checks
// everything that it returns. Memory that was never written gives no steps.
func ReadSave(sram []byte) (SaveLog, error) {
	if len(sram) != SaveSize {
		return SaveLog{}, fmt.Errorf("%w: %d bytes, not %d", ErrBadSave, len(sram), SaveSize)
	}
	steps := max(readHead(sram), readHead(sram[headSize:]))
	if steps == 0 {
		if !blank(sram) {
			return SaveLog{}, fmt.Errorf("%w: no head with a right check", ErrBadSave)
		}
		return SaveLog{}, nil
	}
	log := SaveLog{Steps: steps}
	kept := min(steps, SaveLogKept)
	for n := steps - kept; n < steps; n++ {
		e, err := readEntry(sram, n+1)
		if err != nil {
			return SaveLog{}, fmt.Errorf("%w: entry of step %d: %w", ErrBadSave, n+1, err)
		}
		log.Entries = append(log.Entries, e)
	}
	return log, nil
}

// readHead returns the steps of a head, 0 if it is none.
func readHead(b []byte) uint32 {
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
	if word(0) != saveMagic || word(1) != saveVersion || word(3) != mix(word(0), word(1), word(2)) {
		return 0
	}
	return word(2)
}

func readEntry(sram []byte, number uint32) (SaveEntry, error) {
	b := sram[logAt+int((number-1)%logSlots)*entrySize:][:entrySize]
	is, keys := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint16(b[4:])
	frame, clock := binary.LittleEndian.Uint32(b[8:]), binary.LittleEndian.Uint32(b[12:])
	if is != number {
		return SaveEntry{}, fmt.Errorf("its number is %d", is)
	}
	if check := binary.LittleEndian.Uint16(b[6:]); check != uint16(mix(is, uint32(keys), frame, clock)) {
		return SaveEntry{}, fmt.Errorf("check %04X is wrong", check)
	}
	return SaveEntry{Number: number, Keys: inputdelay.Keys(keys), Frame: frame, Time: clockTime(clock)}, nil
}

func clockTime(c uint32) time.Time {
	bits := func(shift, n uint32) int { return int(c >> shift & (1<<n - 1)) }
	return time.Date(2000+bits(26, 6), time.Month(bits(22, 4)), bits(17, 5),
		bits(12, 5), bits(6, 6), bits(0, 6), 0, time.UTC)
}

// blank is memory that was never written: all ones, or all zeroes on some cores.
func blank(b []byte) bool {
	for _, c := range b {
		if c != b[0] || c != 0 && c != 0xFF {
			return false
		}
	}
	return true
}

// mix is the programs' hash (src/common/nds.h) of some words.
func mix(words ...uint32) uint32 {
	h := uint32(hashStart)
	for _, w := range words {
		h = (h ^ w) * 0x9E3779B1
		h ^= h >> 15
	}
	return h
}
