package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
	"github.com/nettplay/nettplay/savestate"
)

// A log, format 3: format 2 is the same, but no console has cheats; in format 1 nobody comes in with a restart, either.
// Numbers of fixed size are little endian; "varint" is an
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
//	10 clip     from:varint to:varint: frames that the player wanted to keep, see chapters.go.
//	            Earlier versions of the program skip it
//	11 picture  length:varint PNG: of the game, see recorder.go; the last one counts. The same
//
// A text is its length in bytes, a varint, and UTF-8. Bytes behind the last
// field of a block come from a newer version of the program, and are skipped.
//
// Nothing is ever changed once it is written. A log without an end block is of a
// game that still runs, or of a program that was killed.
const (
	magic  = "NPLOG\n"
	Format = 3 // the newest format, which is written where there are cheats

	withoutCheats = 2 // the one that is written elsewhere, for earlier versions of the program
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
	kindClip     blockKind = 10
	kindShot     blockKind = 11
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
var ErrNotALog = errors.New("this is not a nettplay recording")

// errCut says that a block is not whole.
var errCut = errors.New("the rest is cut off")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendHeader begins a file.
func (h *Head) appendHeader(b []byte) []byte {
	format := withoutCheats
	cheated := func(s Seat) bool { _, has := s.Start.Part(savestate.KindCheats); return has }
	if len(h.Settings.Cheats.List) > 0 || slices.ContainsFunc(h.Seats, cheated) {
		format = Format // also where they act on those alone who come in later
	}
	return binary.LittleEndian.AppendUint16(append(b, magic...), uint16(format))
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

// number takes a varint of at most limit.
func number(c *wire.Coder, field string, limit int64) (v int64) {
	wire.Number(c, field, &v, 0, limit)
	return v
}

// little takes a number of size bytes, the least significant first.
func little(c *wire.Coder, field string, size int) (v uint64) {
	for i, b := range c.Take(field, size) {
		v |= uint64(b) << (8 * i)
	}
	return v
}

func text(c *wire.Coder, field string) (s string) {
	c.Raw(field, &s, maxText)
	return clean(s)
}

func appendText(b []byte, s string) []byte {
	s = clean(s)
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// clean makes a text from a file, or for one, fit to be shown on one line: valid,
// without characters that are not seen or that act on those around them, and at
// most maxText bytes.
func clean(s string) string { return strings.TrimSpace(phrase.Cut(phrase.Printable(s), maxText)) }
