package mirror

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
)

// A datagram on the wire, at most MaxDatagram bytes:
//
//	u8       version      1
//	uvarint  machine      the sender, 0-15
//	uvarint  round        32 bits
//	uvarint  count        of frames, 0-16; no machine twice
//	  uvarint  machine    0-15, the first is the sender
//	  varint   frame      of the first: as it is; of the others: minus the first
//	uvarint  horizon      frame
//	uvarint  decisions    32 bits
//	uvarint  count        of acks, 0-16; no seat twice
//	  uvarint  seat       0-15
//	  varint   frame      minus the first of frames (0 if there is none); -1 or more then
//	uvarint  count        of windows, 0-16; no seat twice
//	  uvarint  seat       0-15
//	  uvarint  first      frame of the first input
//	  inputs              at most MaxWindow, as inputdelay.AppendInputs writes them
//
// All frames are within 0 and ds.MaxFrame (acks: -1). uvarint is seven
// bits a byte, low ones first; varint is the same of (v<<1)^(v>>63). Both are in
// their shortest form and nothing follows the last window, so a datagram has
// exactly one encoding.
//
// Frames lie near each other, so most of them take one byte. A change of this
// layout takes another version byte.
//
// This file writes and reads by hand, because every machine does both sixty times a
// second: with a wire.Coder, BenchmarkFrame took 1.12 µs instead of 0.48 µs, and still
// 0.87 µs without the 512 bytes that Budget then allocated. The golden datagrams and
// FuzzDecode keep both directions alike.

// wireVersion is the first byte of every datagram.
const wireVersion = 1

// Append appends the encoding of d to b and returns the longer slice. Values
// outside their limits make a datagram that Decode refuses. It allocates only
// when b is too small.
func (d *Datagram) Append(b []byte) []byte {
	b = d.appendHead(b)
	for _, w := range d.Windows {
		b = binary.AppendUvarint(b, uint64(w.Seat))
		b = binary.AppendUvarint(b, uint64(w.First))
		b = inputdelay.AppendInputs(b, w.Inputs)
	}
	return b
}

// appendHead appends everything up to and with the count of windows, whose size
// does not depend on how many there are.
func (d *Datagram) appendHead(b []byte) []byte {
	b = append(b, wireVersion)
	b = binary.AppendUvarint(b, uint64(d.Machine))
	b = binary.AppendUvarint(b, uint64(d.Round))
	b = binary.AppendUvarint(b, uint64(len(d.Frames)))
	base := int64(0)
	for i, f := range d.Frames {
		b = binary.AppendUvarint(b, uint64(f.Machine))
		b = binary.AppendVarint(b, f.Frame-base)
		if i == 0 {
			base = f.Frame
		}
	}
	b = binary.AppendUvarint(b, uint64(d.Horizon.Frame))
	b = binary.AppendUvarint(b, uint64(d.Horizon.Decisions))
	b = binary.AppendUvarint(b, uint64(len(d.Acks)))
	for _, a := range d.Acks {
		b = binary.AppendUvarint(b, uint64(a.Seat))
		b = binary.AppendVarint(b, a.Frame-base)
	}
	return binary.AppendUvarint(b, uint64(len(d.Windows)))
}

// windowHead is the number of bytes that a window takes besides its inputs.
func windowHead(w Window) int {
	return uvarintSize(uint64(w.Seat)) + uvarintSize(uint64(w.First))
}

// uvarintSize is the number of bytes of a minimal uvarint.
func uvarintSize(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }

// Decode reads one datagram, which must fill b. Errors name the field and wrap
// [ErrPeer]. The result does not refer to b.
func Decode(b []byte) (Datagram, error) {
	var d Datagram
	if err := d.Decode(b); err != nil {
		return Datagram{}, err
	}
	return d, nil
}

// Decode is the function [Decode] into a Datagram that is used again and again:
// it keeps the memory of its slices, so that nothing is allocated once they have
// grown. After an error d holds nothing of use.
func (d *Datagram) Decode(b []byte) error {
	if len(b) > MaxDatagram {
		return fmt.Errorf("datagram has %d bytes, at most %d are allowed: %w", len(b), MaxDatagram, ErrPeer)
	}
	r := reader{b: b}
	if v := r.byte("version"); r.err == nil && v != wireVersion {
		return fmt.Errorf("datagram of version %d, this is version %d: %w", v, wireVersion, ErrPeer)
	}
	d.Machine = r.int("machine", ds.MaxMachines-1)
	d.Round = uint32(r.uvarint("round", math.MaxUint32))
	d.decodeFrames(&r)
	d.Horizon.Frame = int64(r.uvarint("horizon frame", ds.MaxFrame))
	d.Horizon.Decisions = uint32(r.uvarint("horizon decisions", math.MaxUint32))
	d.decodeAcks(&r)
	d.decodeWindows(&r)
	if r.err == nil && len(r.b) > 0 {
		r.fail("%d bytes follow the last window", len(r.b))
	}
	return r.err
}

func (d *Datagram) decodeFrames(r *reader) {
	d.Frames = d.Frames[:0]
	var seen set
	base := int64(0)
	for i := range r.int("frame count", ds.MaxMachines) {
		m := r.int("frame's machine", ds.MaxMachines-1)
		f := r.frame("frame", base, 0)
		if i == 0 {
			base = f
			if m != d.Machine {
				r.fail("the first frame is of machine %d, not of the sender, %d", m, d.Machine)
			}
		}
		if !seen.add(m) {
			r.fail("two frames of machine %d", m)
		}
		d.Frames = append(d.Frames, MachineFrame{m, f})
	}
}

func (d *Datagram) decodeAcks(r *reader) {
	d.Acks = d.Acks[:0]
	var seen set
	base := int64(0)
	if len(d.Frames) > 0 {
		base = d.Frames[0].Frame
	}
	for range r.int("ack count", ds.MaxSeats) {
		seat := ds.Seat(r.int("ack's seat", ds.MaxSeats-1))
		f := r.frame("ack", base, -1)
		if !seen.add(int(seat)) {
			r.fail("two acks of seat %v", seat)
		}
		d.Acks = append(d.Acks, SeatFrame{seat, f})
	}
}

func (d *Datagram) decodeWindows(r *reader) {
	old := d.Windows[:cap(d.Windows)] // whose inputs' memory is used again
	d.Windows = d.Windows[:0]
	var seen set
	for i := range r.int("window count", ds.MaxSeats) {
		w := Window{Seat: ds.Seat(r.int("window's seat", ds.MaxSeats-1))}
		if i < len(old) {
			w.Inputs = old[i].Inputs[:0]
		}
		w.First = int64(r.uvarint("window's first frame", ds.MaxFrame))
		w.Inputs = r.inputs(w.Inputs, w.Seat)
		if !seen.add(int(w.Seat)) {
			r.fail("two windows of seat %v", w.Seat)
		}
		d.Windows = append(d.Windows, w)
	}
}

// set is a set of seats or machines.
type set uint16

// add puts one in and reports whether it was not there before.
func (s *set) add(i int) bool {
	if *s&(1<<i) != 0 {
		return false
	}
	*s |= 1 << i
	return true
}

// reader takes a datagram apart. After the first error it gives zeros, so loops
// end and one check at the end is enough.
type reader struct {
	b   []byte
	err error
}

// fail keeps the first error.
func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("datagram: %s: %w", fmt.Sprintf(format, args...), ErrPeer)
	}
}

func (r *reader) byte(name string) byte {
	if r.err != nil || len(r.b) == 0 {
		r.fail("%s is cut off", name)
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

// uvarint reads a number from 0 to limit.
func (r *reader) uvarint(name string, limit uint64) uint64 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.b)
	switch {
	case n == 0:
		r.fail("%s is cut off", name)
	case n < 0 || v > limit:
		r.fail("%s is above %d", name, limit)
	case n > 1 && r.b[n-1] == 0:
		r.fail("%s is not in its shortest form", name)
	default:
		r.b = r.b[n:]
		return v
	}
	return 0
}

// int is uvarint for small numbers.
func (r *reader) int(name string, limit int) int {
	return int(r.uvarint(name, uint64(limit)))
}

// frame reads a frame that is written as its distance from base. The addition
// may wrap around, but never into the allowed range: base is far from the ends
// of int64.
func (r *reader) frame(name string, base, lowest int64) int64 {
	u := r.uvarint(name, math.MaxUint64)
	f := base + (int64(u>>1) ^ -int64(u&1))
	if r.err == nil && (f < lowest || f > ds.MaxFrame) {
		r.fail("%s is %d, only %d to %d is possible", name, f, lowest, int64(ds.MaxFrame))
	}
	if r.err != nil {
		return 0
	}
	return f
}

// inputs reads the inputs of a window into ins.
func (r *reader) inputs(ins []inputdelay.Input, seat ds.Seat) []inputdelay.Input {
	if r.err != nil {
		return ins
	}
	ins, rest, err := inputdelay.AppendDecoded(ins, r.b, MaxWindow)
	if err != nil {
		r.fail("window of seat %v: %v", seat, err)
		return ins
	}
	r.b = rest
	return ins
}
