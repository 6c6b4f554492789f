package savestate

import (
	"encoding/binary"
	"fmt"
)

// reader reads fields off the front of bytes that a stranger sent. The first
// error stays, and names its field; after it all fields are zero.
type reader struct {
	b   []byte
	err error
}

// bytes returns the next n bytes, which alias b; nil when they are not there.
func (r *reader) bytes(field string, n int) []byte {
	if r.err != nil {
		return nil
	}
	if len(r.b) < n {
		r.err = fmt.Errorf("%s: %d bytes are missing", field, n-len(r.b))
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) fill(field string, v []byte) { copy(v, r.bytes(field, len(v))) }

func (r *reader) u8(field string) uint8 {
	var v [1]byte
	r.fill(field, v[:])
	return v[0]
}

func (r *reader) u32(field string) uint32 {
	var v [4]byte
	r.fill(field, v[:])
	return binary.BigEndian.Uint32(v[:])
}

func (r *reader) u64(field string) uint64 {
	var v [8]byte
	r.fill(field, v[:])
	return binary.BigEndian.Uint64(v[:])
}

// count is a number of entries, 0 after an error.
func (r *reader) count(field string, limit int) int {
	n := int(r.u8(field))
	if n > limit && r.err == nil {
		r.err = fmt.Errorf("%s: %d of them, at most %d", field, n, limit)
	}
	if r.err != nil {
		return 0
	}
	return n
}

func (r *reader) text(field string) string {
	return string(r.bytes(field, int(r.u8(field))))
}

// end is the first error, or that something is left.
func (r *reader) end() error {
	if r.err == nil && len(r.b) > 0 {
		r.err = fmt.Errorf("%d bytes too many", len(r.b))
	}
	return r.err
}
