package savestate

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

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

// Packed bytes are one zstd frame that, unless it is tiny, says how long its
// content is. Packing the
// same bytes with the same version of this program gives the same packed bytes.

// maxWindow is the furthest back that packed data may refer: what a frame makes
// the decoder keep besides its output.
const maxWindow = 8 << 20

// smallFrame is the most content of which the encoder may not say how long it is.
const smallFrame = 255

// packer holds the tables of encoder and decoder, which are made once. Both may
// be used by several goroutines.
type packer struct {
	once    sync.Once
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	err     error
}

func (p *packer) open() error {
	p.once.Do(func() {
		// A state of DeSmuME with a small ROM: 40 kB at the fastest level, 34 kB at
		// this one in a quarter more time, 30 kB at the next in twice the time.
		enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault),
			zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(maxWindow), zstd.WithEncoderCRC(false))
		if err != nil {
			p.err = err
			return
		}
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(MaxState+maxWindow),
			zstd.WithDecodeAllCapLimit(true))
		p.encoder, p.decoder, p.err = enc, dec, err
	})
	if p.err != nil {
		return fmt.Errorf("prepare zstd: %w", p.err)
	}
	return nil
}

func (p *packer) pack(raw []byte) ([]byte, error) {
	if err := p.open(); err != nil {
		return nil, err
	}
	return p.encoder.EncodeAll(raw, nil), nil
}

// unpack returns as many bytes as part says. packed may come from anybody; it
// costs no more memory than that.
func (p *packer) unpack(part Part, packed []byte) ([]byte, error) {
	if err := p.open(); err != nil {
		return nil, err
	}
	if err := checkFrame(part, packed); err != nil {
		return nil, fmt.Errorf("unpack %s: %w", part, err)
	}
	raw, err := p.decoder.DecodeAll(packed, make([]byte, 0, part.Size))
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", part, err)
	}
	if int64(len(raw)) != part.Size {
		return nil, fmt.Errorf("unpack %s: %d bytes came out", part, len(raw))
	}
	return raw, nil
}

// checkFrame looks at the head of packed data before anything is allocated.
func checkFrame(part Part, packed []byte) error {
	var h zstd.Header
	switch err := h.Decode(packed); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("too short for a zstd frame")
	case err != nil:
		return err
	case h.Skippable || h.DictionaryID != 0 || !h.HasFCS && part.Size > smallFrame:
		return errors.New("not a zstd frame as this program makes them")
	case h.HasFCS && h.FrameContentSize != uint64(part.Size):
		return fmt.Errorf("the zstd frame says %d bytes", h.FrameContentSize)
	case !h.SingleSegment && h.WindowSize > maxWindow:
		return fmt.Errorf("the zstd frame wants a window of %d bytes, at most %d", h.WindowSize, maxWindow)
	}
	return nil
}
