package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// A log, format 2: format 1 is the same, but nobody comes in with a restart. Numbers of fixed size are little endian; "varint" is an
// unsigned varint of package encoding/binary.
//
//	"NPLOG\n"  format:u16
//	blocks:
//	  kind:u8  length:varint  payload  checksum:u32
//
// The checksum is CRC-32C of kind, length and payload. Blocks of kinds that a
// reader does not know are skipped. The first one is the head. Kinds:
//
//	1 head      JSON, see head.go
//	2 part      sha256:32 bytes: a piece of the zstd frame that holds the save or
//	            state with this hash; pieces follow each other in order
//	3 frames    for each seat of the head, in its order, then for each that has come
//	            in with a restart since:
//	                frames:varint  that the block adds to this seat
//	                changes:varint if there are frames
//	                change...      see changes.go
//	            hashes:varint
//	            for each: what:u8 (frames:varint) (ram:u32) (video:u32) (sram:u32)
//	                      see hashes.go
//	4 decision  kind:u8 frame:varint seat:varint delay:varint input end:varint
//	            why:text
//	5 chat      from:text text:text
//	6 end       why:text
//	7 restart   JSON, see restart.go; its parts follow
//	8 whole     beginnings:varint: all parts of so many stand before this block, those of
//	            the head first, then those of each restart. A reader of a growing log
//	            needs that; logs of older programs do not have it
//
//	9 moment    name:text frames:varint length:varint picture, see moment.go: the log is
//	            a kept moment and no recording
//
// A text is its length in bytes, a varint, and UTF-8. Bytes behind the last
// field of a block come from a newer version of the program, and are skipped.
//
// Nothing is ever changed once it is written. A log without an end block is of a
// game that still runs, or of a program that was killed.
const (
	magic  = "NPLOG\n"
	Format = 2 // the newest format, the one that is written
)

type blockKind uint8

const (
	kindHead     blockKind = 1
	kindPart     blockKind = 2
	kindFrames   blockKind = 3
	kindDecision blockKind = 4
	kindChat     blockKind = 5
	kindEnd      blockKind = 6
	kindRestart  blockKind = 7
	kindWhole    blockKind = 8
	kindMoment   blockKind = 9
)

// Limits of a log. No game comes near them.
const (
	maxFile      = 1 << 30
	maxBlock     = 512 << 10 // bytes of a payload
	maxHead      = 256 << 10
	maxDecisions = 4096 // as in package host
	maxText      = 600  // bytes, as in package host
	maxPart      = 32 << 20
	maxAdded     = 1 << 20 // frames of a seat in one block
	partPiece    = 256 << 10
	maxRestarts  = 64
	maxRestart   = 64 << 10
)

// ErrNotALog says that a file is something else.
var ErrNotALog = errors.New("this is not a recording of nettplay")

// errCut says that a block is not whole.
var errCut = errors.New("the rest is cut off")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendHeader begins a file.
func appendHeader(b []byte) []byte {
	return binary.LittleEndian.AppendUint16(append(b, magic...), Format)
}

const headerSize = len(magic) + 2

// checkHeader looks at the first headerSize bytes of a file.
func checkHeader(b []byte) error {
	if len(b) < headerSize || string(b[:len(magic)]) != magic {
		return ErrNotALog
	}
	if v := binary.LittleEndian.Uint16(b[len(magic):]); v < 1 || v > Format {
		return fmt.Errorf("it has format %d, and this version of nettplay reads formats up to %d: a newer one has written it", v, Format)
	}
	return nil
}

// appendBlock appends a whole block.
func appendBlock(b []byte, kind blockKind, payload []byte) []byte {
	start := len(b)
	b = append(b, byte(kind))
	b = binary.AppendUvarint(b, uint64(len(payload)))
	b = append(b, payload...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli))
}

// fields reads the fields of a payload one after the other; the first that is
// wrong is kept in err and all later ones are zero.
type fields struct {
	b   []byte
	err error
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// bytes takes n bytes, which stay part of the payload.
func (f *fields) bytes(name string, n int) []byte {
	if f.err == nil && len(f.b) < n {
		f.fail("%s is cut off", name)
	}
	if f.err != nil {
		return nil
	}
	got := f.b[:n]
	f.b = f.b[n:]
	return got
}

func (f *fields) u8(name string) uint8 {
	if b := f.bytes(name, 1); b != nil {
		return b[0]
	}
	return 0
}

func (f *fields) u16(name string) uint16 {
	if b := f.bytes(name, 2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (f *fields) u32(name string) uint32 {
	if b := f.bytes(name, 4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (f *fields) u64(name string) uint64 {
	if b := f.bytes(name, 8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// varint takes a number of at most limit.
func (f *fields) varint(name string, limit int64) int64 {
	if f.err != nil {
		return 0
	}
	v, n := binary.Uvarint(f.b)
	switch {
	case n <= 0:
		f.fail("%s is cut off", name)
		return 0
	case v > uint64(limit):
		f.fail("%s is %d, at most %d is possible", name, v, limit)
		return 0
	}
	f.b = f.b[n:]
	return int64(v)
}

func (f *fields) text(name string) string {
	n := f.varint(name, maxText)
	return clean(string(f.bytes(name, int(n))))
}

func appendText(b []byte, s string) []byte {
	s = clean(s)
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}
