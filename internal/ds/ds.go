// Package ds is the vocabulary that all packages of nettplay share: a seat, a
// console's hash, its firmware, the length of a frame, and the limits that
// everybody keeps to. Each is defined here once. It holds no state, does no I/O
// and imports no other package of this project.
//
// Read next: package inputdelay, for what a player presses and when it applies.
package ds

import (
	"fmt"
	"math"
	"math/bits"
	"net/netip"
	"strconv"
	"time"
)

// The limits that all parts of the program, and all formats, share.
const (
	// MaxSeats is the limit of a game's consoles. Seats are 0 to MaxSeats-1.
	MaxSeats = 16
	// MaxMachines is the limit of machines that play in a room. Machines are 0 to MaxMachines-1.
	MaxMachines = 16
	// MaxDelay is the longest input delay in frames, half a second.
	MaxDelay = 30
	// MaxOffset is the limit of frames that a machine is asked to play behind the others.
	MaxOffset = 6
	// MaxBehind is the number of frames that a machine may be behind before the others wait for it.
	MaxBehind = 16
	// MaxFrame is the last frame that can be named anywhere: 580 years. No sum of a
	// few frame numbers overflows, and JSON readers that use floats read it exactly.
	MaxFrame = 1 << 40
	// MaxRTC is the last second that a console's clock can show, in Unix time: the end
	// of 2099.
	MaxRTC = 4102444799
	// MaxState is the longest savestate in bytes, with emucore's header of 40.
	MaxState = 40 + 64<<20
)

// An Option is a core option that a room chose, and its value.
type Option struct{ Key, Value string }

// A Hash stands for the state of a console between two frames: equal consoles have
// equal hashes. It is quick to compute, and no defence against somebody who lies.
type Hash struct {
	RAM   uint64 // main memory; 0 if the core does not show it
	Video uint64 // the last frame's picture; 0 if there is none
	SRAM  uint64 // the cartridge's backup memory; 0 if it has none
}

// Sum is one number for all three. It is equal on all machines.
func (h Hash) Sum() uint64 {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	sum := uint64(offset)
	for _, word := range [...]uint64{h.RAM, h.Video, h.SRAM} {
		for range 8 {
			sum = (sum ^ word&0xff) * prime
			word >>= 8
		}
	}
	return sum
}

// Differs names the first region in which two hashes differ, "" when they do not. A
// difference in main RAM explains one in the picture.
func (h Hash) Differs(other Hash) string {
	switch {
	case h.RAM != other.RAM:
		return "main RAM"
	case h.SRAM != other.SRAM:
		return "save memory"
	case h.Video != other.Video:
		return "the picture"
	}
	return ""
}

// String is Sum in hexadecimal.
func (h Hash) String() string { return fmt.Sprintf("%016x", h.Sum()) }

// A Horizon is announced by the game host: no decision but the first Decisions ones will
// ever apply before Frame. A machine runs a console at frame f only when f < Frame and it
// has all of these decisions.
type Horizon struct {
	Frame     int64
	Decisions uint32
}

// IsLocal reports whether an address is one of a local network, or of a machine for itself:
// the internet beyond the router knows nothing of it.
func IsLocal(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast()
}

// Origin is whom an address stands for where it is counted what one stranger does: one who has
// an IPv6 address has all of its network, which are 64 bits.
func Origin(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return a
	}
	p, err := a.Prefix(64)
	if err != nil {
		return a
	}
	return p.Addr()
}

// PeerID names one connection to another machine. It is never reused within a process: the
// same machine connecting again is a new peer. Zero is no peer.
type PeerID uint64

// A Seat is a player's place in a game, 0 to [MaxSeats]-1. The console of a seat runs on
// every machine.
type Seat int

// Seats is for ranging over all seats: for seat := range ds.Seats.
const Seats Seat = MaxSeats

// String is the seat as players count it: from 1.
func (s Seat) String() string { return strconv.Itoa(int(s) + 1) }

// A frame of the DS: 263 lines of 355 dots of 6 cycles of a clock of 33.513982
// MHz (GBATEK, "DS Video").
const (
	cyclesPerSecond = 33513982
	cyclesPerFrame  = 355 * 6 * 263
)

// FrameRate is the number of frames a console makes in a second of its own
// time, about 59.8261.
const FrameRate = float64(cyclesPerSecond) / cyclesPerFrame

// FrameTime returns the duration of n frames, from the start of the first, rounded down to nanoseconds.
// It is exact for any n: equal on all machines and without drift. For n < 0 it is the negative of
// FrameTime(-n).
func FrameTime(n int64) time.Duration {
	if n < 0 {
		if n == math.MinInt64 {
			return math.MinInt64
		}
		return -FrameTime(-n)
	}
	hi, lo := bits.Mul64(uint64(n), cyclesPerFrame*1_000_000_000)
	if hi >= cyclesPerSecond {
		return math.MaxInt64
	}
	ns, _ := bits.Div64(hi, lo, cyclesPerSecond)
	if ns > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}
