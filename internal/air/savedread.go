package air

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
)

var errShort = errors.New("it ends too early")

// reader takes big-endian numbers off b; after its end they are 0 and short is
// set.
type reader struct {
	b     []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.short, r.b = true, nil
		return make([]byte, n)
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) u8() int     { return int(r.take(1)[0]) }
func (r *reader) u16() int    { return int(binary.BigEndian.Uint16(r.take(2))) }
func (r *reader) u64() uint64 { return binary.BigEndian.Uint64(r.take(8)) }

// decodePicture reads a saved air and accepts nothing that Save cannot have
// written.
func decodePicture(b []byte) (*picture, error) {
	if len(b) < savedHeader || string(b[:len(savedMagic)]) != savedMagic {
		return nil, errors.New("not a saved air")
	}
	r := &reader{b: b[len(savedMagic):]}
	version := r.u8()
	p := &picture{skew: r.u8(), stop: int64(r.u64()), round: r.u64(), chain: r.u64(), records: r.u64(), snapshot: version == inSnapshot}
	p.plain, p.skew = p.skew >= savedPlain, p.skew%savedPlain
	if p.snapshot {
		p.silence = int64(r.u8())
	}
	n := r.u8()
	if version != atStop && !p.snapshot {
		return nil, fmt.Errorf("version %d, not %d or %d", version, atStop, inSnapshot)
	}
	if p.stop < 0 || p.stop > frameMax {
		return nil, fmt.Errorf("frame %d", p.stop)
	}
	if p.silence > min(longSilent, p.stop) {
		return nil, fmt.Errorf("silent for %d frames at frame %d", p.silence, p.stop)
	}
	if n > ds.MaxSeats {
		return nil, fmt.Errorf("%d consoles", n)
	}
	last := ds.Seat(-1)
	for range n {
		c, err := decodeConsole(r, p.snapshot)
		if err != nil {
			return nil, err
		}
		if c.seat <= last {
			return nil, fmt.Errorf("console of seat %v is out of place", c.seat)
		}
		last = c.seat
		p.consoles = append(p.consoles, c)
	}
	if r.short {
		return nil, errShort
	}
	if len(r.b) > 0 {
		return nil, fmt.Errorf("%d bytes too many", len(r.b))
	}
	return p, nil
}

func decodeConsole(r *reader, snapshot bool) (console, error) {
	c := console{seat: ds.Seat(r.u8())}
	on := r.u8()
	c.onAir = on == 1
	known := 0
	if snapshot && c.onAir {
		known = r.u8()
		c.said = account{known: known == 1, host: uint8(r.u8()), ahead: uint8(r.u8())}
	}
	packets := r.u16()
	switch {
	case r.short:
		return c, errShort
	case c.seat >= ds.MaxSeats:
		return c, fmt.Errorf("seat %v", c.seat)
	case on > 1:
		return c, fmt.Errorf("seat %v: on the air %d", c.seat, on)
	case known > 1:
		return c, fmt.Errorf("seat %v: known %d", c.seat, known)
	case c.said.host >= uint8(ds.MaxSeats) && c.said.host != noHost:
		return c, fmt.Errorf("seat %v: in the game of seat %v", c.seat, ds.Seat(c.said.host))
	case packets > queueMax || packets > 0 && !c.onAir:
		return c, fmt.Errorf("seat %v: %d packets", c.seat, packets)
	}
	for range packets {
		k := flying{from: ds.Seat(r.u8()), to: ds.Seat(r.u16())}
		size := r.u16()
		if size > packetMax {
			return c, fmt.Errorf("seat %v: a packet of %d bytes", c.seat, size)
		}
		k.data = r.take(size)
		if r.short {
			return c, errShort
		}
		if !k.valid(c.seat) {
			return c, fmt.Errorf("seat %v: a packet of %d bytes from seat %v to %d", c.seat, size, k.from, k.to)
		}
		c.queue = append(c.queue, k)
	}
	return c, nil
}
