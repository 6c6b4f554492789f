// Package wire is the one codec of what machines tell each other: a message lists its
// fields once, and a [Coder] goes through the list in either direction, so that writing
// and reading cannot disagree. Every number has bounds and one encoding, every length is
// bounded before memory is taken, and an error names its field. It does no I/O.
//
// Read next: packages host and savestate, whose messages use it.
package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
	"time"
)

// A Coder writes or reads the fields of a message. The first error stays, and names its
// field; after it nothing more is written or read.
type Coder struct {
	b       []byte // writing: what is written; reading: what is left
	reading bool
	err     error
}

// Writer makes a coder that appends the fields to b.
func Writer(b []byte) *Coder { return &Coder{b: b} }

// Reader makes a coder that reads the fields from b, which the results may alias.
func Reader(b []byte) *Coder { return &Coder{b: b, reading: true} }

// Reading reports whether fields are read; otherwise they are written.
func (c *Coder) Reading() bool { return c.reading }

// Err is the first error, nil so far.
func (c *Coder) Err() error { return c.err }

// Same reports whether two of one type have the same fields, as they are written.
func Same(a, b func(*Coder)) bool {
	x, y := Writer(nil), Writer(nil)
	a(x)
	b(y)
	return x.err == nil && y.err == nil && bytes.Equal(x.b, y.b)
}

// Set ends the message with an error of another's making, unless there has been one.
func (c *Coder) Set(err error) {
	if c.err == nil {
		c.err = err
	}
}

// Skip leaves out the rest of a message that is read.
func (c *Coder) Skip() {
	if c.reading {
		c.b = nil
	}
}

// Bytes returns what has been written; of a reader, what is left to read.
func (c *Coder) Bytes() []byte { return c.b }

// End is the error of the whole message: the first one, or bytes after its last field.
func (c *Coder) End() error {
	if c.reading && c.err == nil && len(c.b) > 0 {
		c.Fail("end", "%d bytes too many", len(c.b))
	}
	return c.err
}

// Fail ends the message with an error of a field, unless there has been one.
func (c *Coder) Fail(field, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: %s", field, fmt.Sprintf(format, args...))
	}
}

// Within adds the name of what a group of fields belongs to, to its error.
func (c *Coder) Within(field string, fields func(*Coder)) {
	if c.err != nil {
		return
	}
	if fields(c); c.err != nil {
		c.err = fmt.Errorf("%s: %w", field, c.err)
	}
}

// Take reads the next n bytes, which alias the message; nil on an error.
func (c *Coder) Take(field string, n int) []byte {
	if c.err != nil {
		return nil
	}
	if len(c.b) < n {
		c.Fail(field, "%d bytes are missing", n-len(c.b))
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

// uvarint reads one in its shortest form; others are refused, so that a value
// has one encoding only.
func (c *Coder) uvarint(field string) uint64 {
	if c.err != nil {
		return 0
	}
	u, n := binary.Uvarint(c.b)
	switch {
	case n == 0:
		c.Fail(field, "the message ends within the number")
		return 0
	case n < 0:
		c.Fail(field, "the number is larger than 64 bits")
		return 0
	case n > 1 && c.b[n-1] == 0:
		c.Fail(field, "the number is not in its shortest form")
		return 0
	}
	c.b = c.b[n:]
	return u
}

// Number is a field with the values lo to hi. On an error v keeps its value.
func Number[T ~int | ~int64 | ~uint8 | ~uint16 | ~uint32](c *Coder, field string, v *T, lo, hi int64) {
	if c.err != nil {
		return
	}
	if c.reading {
		u := c.uvarint(field)
		if u > uint64(hi-lo) {
			c.Fail(field, "the number is not in %d..%d", lo, hi)
		}
		if c.err == nil {
			*v = T(lo + int64(u))
		}
		return
	}
	if n := int64(*v); n < lo || n > hi {
		c.Fail(field, "%d is not in %d..%d", n, lo, hi)
		return
	}
	c.b = binary.AppendUvarint(c.b, uint64(int64(*v)-lo))
}

// Big is a number of size bytes, at most 8, most significant byte first. A value that
// does not fit into the bytes or into T is refused.
func Big[T ~int | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64](c *Coder, field string, v *T, size int) {
	if c.err != nil {
		return
	}
	if !c.reading {
		n := uint64(*v)
		if *v < 0 || n>>(8*size) != 0 {
			c.Fail(field, "%d does not fit into %d bytes", *v, size)
			return
		}
		for shift := 8 * (size - 1); shift >= 0; shift -= 8 {
			c.b = append(c.b, byte(n>>shift))
		}
		return
	}
	var u uint64
	for _, b := range c.Take(field, size) {
		u = u<<8 | uint64(b)
	}
	if n := T(u); n < 0 || uint64(n) != u {
		c.Fail(field, "%d is too large", u)
	} else if c.err == nil {
		*v = n
	}
}

// Flags are the bits of one byte, the lowest first. Others are not looked at.
func (c *Coder) Flags(field string, bits ...*bool) {
	var all uint8
	for i, bit := range bits {
		if *bit {
			all |= 1 << i
		}
	}
	Big(c, field, &all, 1)
	for i, bit := range bits {
		*bit = all>>i&1 == 1
	}
}

// AddrPort is an address in 16 bytes, IPv4 as IPv6 has it, and a port in 2.
func (c *Coder) AddrPort(field string, v *netip.AddrPort) {
	ip, port := v.Addr().As16(), v.Port()
	c.Fixed(field, ip[:])
	Big(c, field, &port, 2)
	if c.reading {
		*v = netip.AddrPortFrom(netip.AddrFrom16(ip).Unmap(), port)
	}
}

// MaxDuration bounds every time that a message tells.
const MaxDuration = 24 * time.Hour

// Duration is sent in microseconds; what does not fit is cut.
func (c *Coder) Duration(field string, v *time.Duration) {
	us := min(max(*v, 0), MaxDuration).Microseconds()
	if Number(c, field, &us, 0, MaxDuration.Microseconds()); c.reading && c.err == nil {
		*v = time.Duration(us) * time.Microsecond
	}
}

// Bool is one byte, 0 or 1.
func (c *Coder) Bool(field string, v *bool) {
	var n uint8
	if *v && !c.reading {
		n = 1
	}
	Number(c, field, &n, 0, 1)
	if c.reading {
		*v = n == 1
	}
}

// Fixed is a field of len(v) bytes.
func (c *Coder) Fixed(field string, v []byte) {
	if !c.reading {
		c.b = append(c.b, v...)
		return
	}
	copy(v, c.Take(field, len(v)))
}

// Part is a field of n bytes. Those that are read alias the message.
func (c *Coder) Part(field string, v *[]byte, n int) {
	if !c.reading {
		c.Fixed(field, *v)
		return
	}
	*v = c.Take(field, n)
}

// Hash is a 64-bit hash, least significant byte first.
func (c *Coder) Hash(field string, v *uint64) { c.little(field, v, 8) }

// Short is the low half of a hash, 4 bytes; a larger value is refused.
func (c *Coder) Short(field string, v *uint64) {
	if !c.reading && *v > math.MaxUint32 {
		c.Fail(field, "%d is more than 32 bits", *v)
	}
	c.little(field, v, 4)
}

// little is the low size bytes of a number, the least significant one first.
func (c *Coder) little(field string, v *uint64, size int) {
	var b [8]byte
	if c.reading {
		copy(b[:], c.Take(field, size))
		*v = binary.LittleEndian.Uint64(b[:])
		return
	}
	binary.LittleEndian.PutUint64(b[:], *v)
	c.b = append(c.b, b[:size]...)
}

// Raw is a text as it is, of at most limit bytes.
func (c *Coder) Raw(field string, v *string, limit int) {
	n := len(*v)
	Number(c, field, &n, 0, int64(limit))
	c.text(field, v, n)
}

// ShortText is a text as it is, of at most 255 bytes, after one byte with its length.
func (c *Coder) ShortText(field string, v *string) {
	n := len(*v)
	Big(c, field, &n, 1)
	c.text(field, v, n)
}

// text is one of n bytes.
func (c *Coder) text(field string, v *string, n int) {
	switch {
	case c.err != nil:
	case c.reading:
		*v = string(c.Take(field, n))
	default:
		c.b = append(c.b, *v...)
	}
}

// Rest is all that follows, lo to hi bytes. The bytes read alias the message.
func (c *Coder) Rest(field string, v *[]byte, lo, hi int) {
	n := len(*v)
	if c.reading {
		n = len(c.b)
	}
	switch {
	case n < lo || n > hi:
		c.Fail(field, "%d of them, not %d to %d", n, lo, hi)
	default:
		c.Part(field, v, n)
	}
}

// Text is a text for people of at most limit bytes, clean after reading.
func (c *Coder) Text(field string, v *string, limit int) {
	if !c.reading {
		s := Clean(*v, limit)
		c.Raw(field, &s, limit)
		return
	}
	c.Raw(field, v, limit)
	*v = Clean(*v, limit)
}

// List is a number of entries with the fields of each. Memory is taken only for
// entries that are there.
func List[T any](c *Coder, field string, v *[]T, limit int, fields func(c *Coder, v *T)) {
	n := len(*v)
	Number(c, field, &n, 0, int64(limit))
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
