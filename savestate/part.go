package savestate

import (
	"cmp"
	"encoding/hex"
	"fmt"

	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"
)

// Kind says what a part of a console is.
type Kind uint8

// The kinds of parts. Their numbers are in manifests.
const (
	KindState Kind = 1 // emucore.State.Data
	KindSRAM  Kind = 2 // the cartridge's backup memory, raw
	// KindAir is the radio between all consoles, as air.Air.Save has it, beside the
	// state of one of them. Install does not look at it.
	KindAir Kind = 3
	// KindCheats is the codes that act on the console, as cheat.Encode has them. They act after a state is loaded as
	// before.
	KindCheats Kind = 4
)

// The largest parts, in raw bytes. The states of known cores are 12 and 19 MB.
// Cartridges hold up to 1 MiB of flash memory; the few with NAND memory save up
// to 16 MiB in it. Neither limit is below what emucore takes.
const (
	MaxState = ds.MaxState
	MaxSRAM  = 16 << 20
	MaxAir   = 16 << 20 // 16 queues of 256 packets of 2,400 bytes are under 10 MB
)

// partKinds are the name and the limit of each kind.
var partKinds = map[Kind]struct {
	name  string
	limit int64
}{
	KindState: {"state", MaxState},
	KindSRAM:  {"save", MaxSRAM},
	KindAir:   {"radio", MaxAir},

	KindCheats: {"list of cheats", cheat.MaxSize},
}

func (k Kind) String() string {
	return cmp.Or(partKinds[k].name, fmt.Sprintf("part of kind %d", uint8(k)))
}

// limit is the most raw bytes of a part, 0 for no such kind.
func (k Kind) limit() int64 { return partKinds[k].limit }

// A Part describes one large piece of a console: its bytes as they are, and as
// they travel, packed with zstd. Two parts are the same if all fields are.
type Part struct {
	Kind         Kind
	Size         int64 // raw bytes, at least 1
	SHA256       [32]byte
	PackedSize   int64
	PackedSHA256 [32]byte
}

func (p Part) String() string {
	return fmt.Sprintf("%s %s (%d bytes)", p.Kind, hex.EncodeToString(p.SHA256[:4]), p.Size)
}

// check says what is impossible about a part.
func (p Part) check() error {
	most := p.Kind.limit()
	switch {
	case most == 0:
		return fmt.Errorf("kind: %d is not known", p.Kind)
	case p.Size < 1 || p.Size > most:
		return fmt.Errorf("%s: size: %d bytes, not in 1 to %d", p.Kind, p.Size, most)
	case p.PackedSize < 1 || p.PackedSize > packedLimit(p.Size):
		return fmt.Errorf("%s: packed size: %d bytes, not in 1 to %d", p.Kind, p.PackedSize, packedLimit(p.Size))
	}
	return nil
}

// packedLimit is the most bytes that size raw ones can be packed into: each block
// of 128 KiB that does not shrink costs 3 bytes, the frame some 20.
func packedLimit(size int64) int64 { return size + size>>14 + 64 }
