package message

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/wire"
)

// The language of a room. A message is one packet of a reliable, ordered
// channel:
//
//	byte 0   kind, see kinds.go
//	byte 1.. the fields of the kind, one after the other, nothing after the last
//
// Fields:
//
//	int a..b  LEB128 of value - a, in its shortest form
//	bool      int 0..1
//	text n    int 0..n, so many bytes of UTF-8. Cleaned when read
//	hash      8 bytes, least significant first
//	time      int, microseconds, at most 24 h
//	[n] x     n times x, without a count
//	list n x  int 0..n, so many times x
//
// kinds.go has the kinds, each with its sender (C client, H game host) and its fields.
//
// Parts:
//
//	room      settings, phase int 1..3, round, revision, machine of the game host, epoch int,
//	          voters int 0..65535 (a bit for each machine), list 16 player,
//	          list 16 (spectator int 0..15, nickname text 72, program text 40)
//	settings  name text 72, seats int 2..16, min players int 1..16, delay int 0..30, auto delay int 0..3,
//	          rtc int 946684800..4102444799, clock now bool, hash every int 1..3600, skew int 0..16,
//	          no late join bool, keep consoles bool, sync int 0..2, core,
//	          list 64 (key text 64, value text 64), list 8 bios, frames int 0..2^40,
//	          spectators int 0..16, spectate delay int 0..600, kept moment, cheats
//	cheats    list 32 (name text 72, lines int 1..1024, code [lines] [8]byte); if there are any, game sha256 [32]byte
//	kept moment list 16 (seat, nickname text 72, firmware, game, save [32]byte); if there are any,
//	          name text 72, frames int 0..2^60
//	core      name text 72, version text 72, sha256 [32]byte
//	used core core, source name text 72, its version text 72
//	bios      name text 72, sha256 [32]byte
//	game      sha256 [32]byte, title text 72, size int 0..2^30; then, but not in seats and kept
//	          moments, code text 4, revision int 0..255, encrypted bool, patched bool
//	firmware  nickname text 40 (not cleaned but checked), mac [6]byte, language, colour,
//	          month, day: int 0..255 each
//	local players list 15 (nickname text 72, firmware, own bool, game if own)
//	player    machine, seat, number at its machine int 0..15, nickname text 72, firmware, game, own bool, ready bool,
//	          problem text 600, cause, note text 600, program text 40, present bool, ping time,
//	          jitter time, loss int 0..1000, repeated int 0..600, up progress, down progress, public key [32]byte, installation's key [32]byte, addresses
//	addresses list 5 text 72
//	vote      machine, signature [64]byte
//	handover  from machine, to machine, epoch int, serial int, signature [64]byte
//	inputs    list 32 (int 0..1200, so many bytes)
//	cause     int 0..14
//	progress  done int 0..2^40, total int 0..2^40
//	seat      seat, machine, nickname, firmware, game
//	decision  kind int 1..255, frame, (seat, input end frame) if leave, delay if set delay, seat,
//	          delay and offset int 0..6 if seat delay, auto delay int 0..3 if auto delay, machine, alike bool
//	          and keep bool if resync,
//	          seat if switch on, seat if enter,
//	          why text 200
//	hashes    list 16 (seat, ram hash, video hash, sram hash, air hash), by rising seat
//	short hashes list 16 (seat, ram, video, sram, air [4]byte each), by rising seat
//	desync    frame, agreed int -1..2^40, seat, machine, region text 72, words text 600
//	result    machine, nickname, finished bool, why text 600, frame, hashes, stats
//	stats     stalls int 0..2^40, stall time, sent, received int 0..2^50, p50, p99 time
//
// Hello and refused are frozen up to the bar for all protocol versions, so that
// programs of any two versions can tell each other what they speak; what follows
// the bar belongs to the version. Any other change of this page or of the
// fields in kinds.go, and any change that makes equal settings and inputs give other consoles, is a new [Protocol].

// Protocol is the version of all that machines of one room must do alike.
const Protocol = 16

// MaxMessage is the largest message, bytes.
const MaxMessage = 1 << 16

const magic = "nett"

// Encode writes a message. An error means that it breaks a limit of its own
// kind, which what the machines keep never does.
func Encode(m Message) ([]byte, error) {
	if KindOf(m) == 0 {
		return nil, fmt.Errorf("%T is not a message of this protocol", m)
	}
	c := wire.Writer([]byte{byte(KindOf(m))})
	m.Fields(c)
	if c.Err() == nil && len(c.Bytes()) > MaxMessage {
		c.Fail("size", "%d bytes, at most %d", len(c.Bytes()), MaxMessage)
	}
	if c.Err() != nil {
		return nil, fmt.Errorf("%v: %w", KindOf(m), c.Err())
	}
	return c.Bytes(), nil
}

// Decode reads a message from anyone.
func Decode(b []byte) (Message, error) {
	switch {
	case len(b) == 0:
		return nil, errors.New("an empty message")
	case len(b) > MaxMessage:
		return nil, fmt.Errorf("a message of %d bytes, at most %d", len(b), MaxMessage)
	}
	k := Kind(b[0])
	e, known := kinds[k]
	if !known {
		return nil, fmt.Errorf("a message of kind %d, which is not known", b[0])
	}
	m := e.blank()
	c := wire.Reader(b[1:])
	m.Fields(c)
	if err := c.End(); err != nil {
		return nil, fmt.Errorf("%v: %w", k, err)
	}
	return m, nil
}
