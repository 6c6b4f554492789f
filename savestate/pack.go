package savestate

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

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
