package replay

import (
	"encoding/binary"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Hashes are kept as 32 bits for each region of a console, which is enough to
// notice a difference: one in main RAM does not go away again, so it would have to
// hide from every later hash too. A hash begins with a byte:
//
//	bits 0 to 3  the seat, as its index in the head
//	bit 4        frames:varint follows: how many more than at the seat's hash
//	             before. Without it they are as many more as the room's setting says
//	bit 5        ram:u32 follows, else it is 0
//	bit 6        video:u32 follows, else it is 0
//	bit 7        sram:u32 follows, else it is as at the seat's hash before
const (
	hashFrames = 1 << 4
	hashRAM    = 1 << 5
	hashVideo  = 1 << 6
	hashSRAM   = 1 << 7
)

// Hash is a log's short form of a [ds.Hash].
type Hash struct{ RAM, Video, SRAM uint32 }

// HashOf returns a log's short form of h.
func HashOf(h ds.Hash) Hash { return Hash{fold(h.RAM), fold(h.Video), fold(h.SRAM)} }

// fold keeps zero, which means "none".
func fold(h uint64) uint32 { return uint32(h ^ h>>32) }

// Differs is [ds.Hash.Differs].
func (h Hash) Differs(other Hash) string { return h.Wide().Differs(other.Wide()) }

// Wide returns h in the form of a whole hash, to compare with another one like it.
func (h Hash) Wide() ds.Hash {
	return ds.Hash{RAM: uint64(h.RAM), Video: uint64(h.Video), SRAM: uint64(h.SRAM)}
}

// proof is a hash with the number of frames that the console had done.
type proof struct {
	frames int64
	hash   Hash
}

// append appends the proof that follows p, of the console at an index of the log's seats.
func (p *proof) append(b []byte, index int, every int64, next proof) []byte {
	what := uint8(index)
	var rest []byte
	if gap := next.frames - p.frames; gap != every {
		what |= hashFrames
		rest = binary.AppendUvarint(rest, uint64(gap))
	}
	if next.hash.RAM != 0 {
		what |= hashRAM
		rest = binary.LittleEndian.AppendUint32(rest, next.hash.RAM)
	}
	if next.hash.Video != 0 {
		what |= hashVideo
		rest = binary.LittleEndian.AppendUint32(rest, next.hash.Video)
	}
	if next.hash.SRAM != p.hash.SRAM {
		what |= hashSRAM
		rest = binary.LittleEndian.AppendUint32(rest, next.hash.SRAM)
	}
	*p = next
	return append(append(b, what), rest...)
}

// readProof reads one proof of one of the seats.
func readProof(c *wire.Coder, ends []written, every int64) (index int, p proof) {
	what := uint8(little(c, "hash", 1))
	index = int(what & 15)
	if c.Err() == nil && index >= len(ends) {
		c.Fail("hash", "of console %d of %d", index+1, len(ends))
	}
	if c.Err() != nil {
		return 0, proof{}
	}
	gap := every
	if what&hashFrames != 0 {
		gap = number(c, "frames of a hash", ds.MaxFrame)
	}
	last := &ends[index].last
	p = proof{last.frames + gap, Hash{SRAM: last.hash.SRAM}}
	if what&hashRAM != 0 {
		p.hash.RAM = uint32(little(c, "main RAM's hash", 4))
	}
	if what&hashVideo != 0 {
		p.hash.Video = uint32(little(c, "the picture's hash", 4))
	}
	if what&hashSRAM != 0 {
		p.hash.SRAM = uint32(little(c, "save memory's hash", 4))
	}
	if c.Err() == nil && (gap <= 0 || p.frames > ds.MaxFrame) {
		c.Fail("hash", "after %d frames, the one before was after %d", p.frames, last.frames)
	}
	if c.Err() == nil {
		*last = p
	}
	return index, p
}
