package replay

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// window is the furthest back that packed bytes may refer: what unpacking costs
// besides its output.
const window = 4 << 20

// pack shrinks a save or a state with zstd.
func pack(raw []byte) ([]byte, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, fmt.Errorf("prepare zstd: %w", err)
	}
	defer enc.Close()
	return enc.EncodeAll(raw, nil), nil
}

// unpack is the reverse. Its result has exactly size bytes; packed may come from
// anybody.
func unpack(packed []byte, size int64) ([]byte, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(window), zstd.WithDecoderMaxMemory(uint64(size)+window), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, fmt.Errorf("prepare zstd: %w", err)
	}
	defer dec.Close()
	raw, err := dec.DecodeAll(packed, make([]byte, 0, size))
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	if int64(len(raw)) != size {
		return nil, fmt.Errorf("unpack: %d bytes came out, not %d", len(raw), size)
	}
	return raw, nil
}
