package mirror

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
)

// A datagram on the wire, at most MaxDatagram bytes:
//
//	u8       version and machine   2 in the upper half, the sender in the lower one
//	uvarint  round                 32 bits
//	uvarint  frame                 the sender's
//	uvarint  machines              of the further frames: bit m for machine m, not the sender's
//	  varint   frame               of each, by rising machine; minus the sender's
//	uvarint  horizon               0 for none, otherwise 1 more than the varint of it minus the sender's frame
//	uvarint  decisions             32 bits
//	uvarint  seats                 of acks: bit s for seat s
//	  varint   frame               of each, by rising seat; minus the sender's; -1 or more then
//	uvarint  count                 of windows, 0-16; no seat twice
//	  uvarint  seat                0-15
//	  varint   first               frame of the first input; minus the sender's; 0 or more then
//	  inputs                       at most MaxWindow, as inputdelay.AppendInputs writes them
//
// All frames are within 0 and ds.MaxFrame (acks: -1). uvarint is seven
// bits a byte, low ones first; varint is the same of (v<<1)^(v>>63). Both are in
// their shortest form and nothing follows the last window, so a datagram has
// exactly one encoding.
//
// Frames lie near each other, so all but the sender's take one byte: two machines tell each
// other 13 bytes and the inputs. A change of this layout takes another version.
//
// This file writes and reads by hand, because every machine does both sixty times a
// second: with a wire.Coder, BenchmarkFrame took 1.12 µs instead of 0.48 µs, and still
// 0.87 µs without the 512 bytes that Budget then allocated. The golden datagrams and
// FuzzDecode keep both directions alike.

// wireVersion is the upper half of the first byte of every datagram.
const wireVersion = 2

// Append appends the encoding of d to b and returns the longer slice. Values
// outside their limits, and further frames and acks that do not rise, make a
// datagram that Decode refuses. It allocates only when b is too small.
func (d *Datagram) Append(b []byte) []byte {
	b = d.appendHead(b)
	for _, w := range d.Windows {
		b = binary.AppendUvarint(b, uint64(w.Seat))
		b = binary.AppendVarint(b, w.First-d.base())
		b = inputdelay.AppendInputs(b, w.Inputs)
	}
	return b
}

// Budget returns how many bytes are left for Windows in a datagram whose other
// fields are set: what to ask [Host.Windows] for. With everything at its limits
// it is still above 700.
func (d *Datagram) Budget() int {
	var buf [512]byte
	return MaxDatagram - len(d.appendHead(buf[:0]))
}

// base is the sender's frame.
func (d *Datagram) base() int64 {
	if len(d.Frames) == 0 {
		return 0
	}
	return d.Frames[0].Frame
}

// appendHead appends everything up to and with the count of windows, whose size
// does not depend on how many there are.
func (d *Datagram) appendHead(b []byte) []byte {
	first, base := byte(0), d.base() // no version
	if d.Machine >= 0 && d.Machine < ds.MaxMachines {
		first = wireVersion<<4 | byte(d.Machine)
	}
	b = append(b, first)
	b = binary.AppendUvarint(b, uint64(d.Round))
	b = binary.AppendUvarint(b, uint64(base))
	var machines, seats numbers
	for i, f := range d.Frames {
		machines.add(f.Machine, i == 0 && f.Machine == d.Machine)
	}
	b = binary.AppendUvarint(b, machines.bits)
	for _, f := range d.Frames[min(1, len(d.Frames)):] {
		b = binary.AppendVarint(b, f.Frame-base)
	}
	b = binary.AppendUvarint(b, horizonCode(d.Horizon.Frame, base))
	b = binary.AppendUvarint(b, uint64(d.Horizon.Decisions))
	for _, a := range d.Acks {
		seats.add(int(a.Seat), false)
	}
	b = binary.AppendUvarint(b, seats.bits)
	for _, a := range d.Acks {
		b = binary.AppendVarint(b, a.Frame-base)
	}
	return binary.AppendUvarint(b, uint64(len(d.Windows)))
}

// horizonCode is a horizon as it is written.
func horizonCode(frame, base int64) uint64 {
	if frame == 0 {
		return 0
	}
	return uint64((frame-base)<<1^(frame-base)>>63) + 1
}

// numbers is a set of machines or seats as it is written.
type numbers struct {
	bits uint64
	next int // the least that may be added
}

// add puts a number in, unless it goes without saying. One that does not rise, or is out of
// range, makes the set one that Decode refuses.
func (s *numbers) add(n int, understood bool) {
	switch {
	case understood:
	case n < s.next || n >= maxNumbers:
		s.bits |= 1 << maxNumbers
	default:
		s.bits |= 1 << n
		s.next = n + 1
	}
}

// maxNumbers is the greatest number of machines, or of seats.
const maxNumbers = max(ds.MaxMachines, int(ds.MaxSeats))

// windowHead is the most bytes that a window takes besides its inputs.
const windowHead = 1 + 6

// Decode reads one datagram, which must fill b. Errors name the field and wrap
// [ErrPeer]. The result does not refer to b. A Datagram that is used again and again
// keeps the memory of its slices, so that nothing is allocated once they have
// grown. After an error d holds nothing of use.
func (d *Datagram) Decode(b []byte) error {
	if len(b) > MaxDatagram {
		return fmt.Errorf("datagram has %d bytes, at most %d are allowed: %w", len(b), MaxDatagram, ErrPeer)
	}
	r := reader{b: b}
	first := r.byte("version")
	if v := first >> 4; r.err == nil && v != wireVersion {
		return fmt.Errorf("datagram of version %d, this is version %d: %w", v, wireVersion, ErrPeer)
	}
	d.Machine = int(first & 15)
	d.Round = uint32(r.uvarint("round", math.MaxUint32))
	d.decodeFrames(&r)
	d.Horizon.Frame = r.horizon(d.base())
	d.Horizon.Decisions = uint32(r.uvarint("horizon decisions", math.MaxUint32))
	d.decodeAcks(&r)
	d.decodeWindows(&r)
	if r.err == nil && len(r.b) > 0 {
		r.fail("%d bytes follow the last window", len(r.b))
	}
	return r.err
}

func (d *Datagram) decodeFrames(r *reader) {
	base := int64(r.uvarint("sender's frame", ds.MaxFrame))
	d.Frames = append(d.Frames[:0], MachineFrame{d.Machine, base})
	machines := r.uvarint("machines of frames", 1<<maxNumbers-1)
	if machines&(1<<d.Machine) != 0 {
		r.fail("two frames of machine %d", d.Machine)
	}
	for ; machines != 0; machines &= machines - 1 {
		d.Frames = append(d.Frames, MachineFrame{bits.TrailingZeros64(machines), r.frame("frame", base, 0)})
	}
}

func (d *Datagram) decodeAcks(r *reader) {
	d.Acks = d.Acks[:0]
	for seats := r.uvarint("seats of acks", 1<<maxNumbers-1); seats != 0; seats &= seats - 1 {
		d.Acks = append(d.Acks, SeatFrame{ds.Seat(bits.TrailingZeros64(seats)), r.frame("ack", d.base(), -1)})
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
		w.First = r.frame("window's first frame", d.base(), 0)
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
	return r.near(name, r.uvarint(name, math.MaxUint64), base, lowest)
}

// horizon reads the horizon's frame, 0 for none.
func (r *reader) horizon(base int64) int64 {
	u := r.uvarint("horizon frame", math.MaxUint64)
	if u == 0 {
		return 0
	}
	return r.near("horizon frame", u-1, base, 1)
}

// near is the frame that a varint's bits tell the distance of.
func (r *reader) near(name string, u uint64, base, lowest int64) int64 {
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

// Limits of a game.
const (
	// MaxWindow is the number of unacknowledged inputs that are kept for a seat, in frames: 8.5
	// seconds. A queue at the other end has room for as many.
	MaxWindow = inputdelay.Window
	// MaxDatagram is the size of the largest datagram in bytes: every path carries it in one piece.
	MaxDatagram = link.MaxInput
)

// ErrPeer says that a peer sent what no honest one sends. The connection to it
// is worth nothing any more.
var ErrPeer = errors.New("the peer broke the protocol")

// SeatFrame is a frame of a seat.
type SeatFrame struct {
	Seat  ds.Seat
	Frame int64
}

// MachineFrame is a frame that a machine has reached.
type MachineFrame struct {
	Machine int
	Frame   int64
}

// Window is a run of inputs of one seat, of the frames First, First+1 and so on.
type Window struct {
	Seat   ds.Seat
	First  int64
	Inputs []inputdelay.Input
}

// Datagram is the message of one machine to another about a running game, once a frame.
type Datagram struct {
	Machine int    // the sender
	Round   uint32 // which game of the room it belongs to; receivers ignore others
	// Frames is the progress of machines: the next frame of the slowest
	// console of each. The sender's own stands first; the game host adds those
	// it knows of the others.
	Frames  []MachineFrame
	Horizon ds.Horizon // zero from everybody but the game host
	// Acks says, for every seat, the newest frame up to which the sender holds
	// all inputs; -1 for none.
	Acks    []SeatFrame
	Windows []Window // at most one of a seat
}
