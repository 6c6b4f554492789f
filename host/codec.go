package host

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"
)

// coder writes or reads the fields of a message. Each message lists its fields
// once, and the coder goes through the list in either direction, so that the two
// cannot disagree. The first error stays, and names its field.
type coder struct {
	b       []byte // writing: what is written; reading: what is left
	reading bool
	err     error
}

func (c *coder) fail(field, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: %s", field, fmt.Sprintf(format, args...))
	}
}

// within adds the name of what a group of fields belongs to, to its error.
func (c *coder) within(field string, fields func(*coder)) {
	if c.err != nil {
		return
	}
	if fields(c); c.err != nil {
		c.err = fmt.Errorf("%s: %w", field, c.err)
	}
}

// take reads the next n bytes, which alias the message; nil on an error.
func (c *coder) take(field string, n int) []byte {
	if c.err != nil {
		return nil
	}
	if len(c.b) < n {
		c.fail(field, "%d bytes are missing", n-len(c.b))
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

// uvarint reads one in its shortest form; others are refused, so that a value
// has one encoding only.
func (c *coder) uvarint(field string) uint64 {
	if c.err != nil {
		return 0
	}
	u, n := binary.Uvarint(c.b)
	switch {
	case n == 0:
		c.fail(field, "the message ends within the number")
		return 0
	case n < 0:
		c.fail(field, "the number is larger than 64 bits")
		return 0
	case n > 1 && c.b[n-1] == 0:
		c.fail(field, "the number is not in its shortest form")
		return 0
	}
	c.b = c.b[n:]
	return u
}

// number is a field with the values lo to hi.
func number[T ~int | ~int64 | ~uint8 | ~uint16 | ~uint32](c *coder, field string, v *T, lo, hi int64) {
	if c.err != nil {
		return
	}
	if c.reading {
		u := c.uvarint(field)
		if u > uint64(hi-lo) {
			c.fail(field, "the number is not in %d..%d", lo, hi)
			return
		}
		*v = T(lo + int64(u))
		return
	}
	if n := int64(*v); n < lo || n > hi {
		c.fail(field, "%d is not in %d..%d", n, lo, hi)
		return
	}
	c.b = binary.AppendUvarint(c.b, uint64(int64(*v)-lo))
}

// maxDuration bounds every time that a message tells.
const maxDuration = 24 * time.Hour

// duration is sent in microseconds; what does not fit is cut.
func (c *coder) duration(field string, v *time.Duration) {
	us := min(max(*v, 0), maxDuration).Microseconds()
	if number(c, field, &us, 0, maxDuration.Microseconds()); c.reading && c.err == nil {
		*v = time.Duration(us) * time.Microsecond
	}
}

// bool is one byte, 0 or 1.
func (c *coder) bool(field string, v *bool) {
	var n uint8
	if *v && !c.reading {
		n = 1
	}
	number(c, field, &n, 0, 1)
	if c.reading {
		*v = n == 1
	}
}

// fixed is a field of len(v) bytes.
func (c *coder) fixed(field string, v []byte) {
	if !c.reading {
		c.b = append(c.b, v...)
		return
	}
	copy(v, c.take(field, len(v)))
}

// hash is a 64-bit hash, least significant byte first.
func (c *coder) hash(field string, v *uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], *v)
	c.fixed(field, b[:])
	if c.reading {
		*v = binary.LittleEndian.Uint64(b[:])
	}
}

// short is a hash as [Short] leaves it, 4 bytes.
func (c *coder) short(field string, v *uint64) {
	var b [4]byte
	if binary.LittleEndian.PutUint32(b[:], uint32(*v)); !c.reading && *v > math.MaxUint32 {
		c.fail(field, "%d is more than 32 bits", *v)
	}
	c.fixed(field, b[:])
	if c.reading {
		*v = uint64(binary.LittleEndian.Uint32(b[:]))
	}
}

// raw is a text as it is, of at most limit bytes.
func (c *coder) raw(field string, v *string, limit int) {
	n := len(*v)
	if c.reading {
		n = 0
	}
	number(c, field, &n, 0, int64(limit))
	if c.err != nil {
		return
	}
	if c.reading {
		*v = string(c.take(field, n))
	} else {
		c.b = append(c.b, *v...)
	}
}

// text is a text for people of at most limit bytes. Whatever was sent, it is
// clean here.
func (c *coder) text(field string, v *string, limit int) {
	if !c.reading {
		s := clean(*v, limit)
		c.raw(field, &s, limit)
		return
	}
	c.raw(field, v, limit)
	*v = clean(*v, limit)
}

// list is a number of entries with the fields of each. Memory is taken only for
// entries that are there.
func list[T any](c *coder, field string, v *[]T, limit int, fields func(c *coder, v *T)) {
	n := len(*v)
	number(c, field, &n, 0, int64(limit))
	if c.reading {
		*v = nil
	}
	for i := 0; i < n && c.err == nil; i++ {
		if c.reading {
			var zero T
			*v = append(*v, zero)
		}
		fields(c, &(*v)[i])
	}
	if c.err != nil && c.reading {
		*v = nil
	}
}
