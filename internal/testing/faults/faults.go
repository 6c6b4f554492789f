// Package faults makes consoles go wrong on purpose, for tests of what finds out and
// repairs it. The program has it only when it is built with -tags nettplay_faults.
package faults

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
)

// Fault is a passing fault on purpose, with any core, for tests: from a frame on, one
// console of this machine is not what it should be, until a resync replaces it. It is in
// no recording, so playing again gives what the other machines had.
//
// In main RAM the difference is real: the console gets buttons in that frame that nobody
// pressed. In the other regions only the hash differs, for cores cannot be made to
// differ there alone; the test core can (testcore_desync_what).
type Fault struct {
	Region desync.Region
	Frame  int64
	Seat   ds.Seat
}

// Parse reads a fault as in "ram@150:2": a region (ram, sram, video, air), the
// frame, the seat counted from 1.
func Parse(text string) (*Fault, error) {
	region, rest, ok := strings.Cut(text, "@")
	at, seat, ok2 := strings.Cut(rest, ":")
	regions := map[string]desync.Region{"ram": desync.RAM, "sram": desync.SRAM, "video": desync.Video, "air": desync.Air}
	r, known := regions[region]
	frame, err := strconv.ParseInt(at, 10, 64)
	n, err2 := strconv.Atoi(seat)
	if err := errors.Join(err, err2); !ok || !ok2 || !known || err != nil || frame < 0 || n < 1 || n > ds.MaxSeats {
		return nil, fmt.Errorf("fault %q: it must be a region, a frame and a seat, as in ram@150:2", text)
	}
	return &Fault{Region: r, Frame: frame, Seat: ds.Seat(n - 1)}, nil
}

// Console returns the console of a seat with the fault, if it is that seat's. It is for
// session.Config.TestConsole.
func (f Fault) Console(seat ds.Seat, c game.Console) game.Console {
	if f.Seat != seat {
		return c
	}
	return &flawed{c, f}
}

// flawed is a console with a fault.
type flawed struct {
	game.Console
	fault Fault
}

// Step runs one frame.
func (c *flawed) Step(in inputdelay.Input) (emucore.Frame, error) {
	return c.Console.Step(c.pressed(in))
}

// Advance runs one frame, without a picture.
func (c *flawed) Advance(in inputdelay.Input) (emucore.Frame, error) {
	return c.Console.Advance(c.pressed(in))
}

func (c *flawed) pressed(in inputdelay.Input) inputdelay.Input {
	if c.fault.Region == desync.RAM && c.Frame() == c.fault.Frame {
		in.Keys ^= inputdelay.KeyA | inputdelay.KeyRight
	}
	return in.Normal()
}

// Hash is the hash of the console, or what it is taken for.
func (c *flawed) Hash() (ds.Hash, error) {
	h, err := c.Console.Hash()
	if c.Frame() > c.fault.Frame {
		switch c.fault.Region {
		case desync.SRAM:
			h.SRAM ^= 1
		case desync.Video:
			h.Video ^= 1
		}
	}
	return h, err
}

// Said returns the hash of what the console has sent by radio, or is taken to have sent.
func (c *flawed) Said(chain uint64, frames int64) uint64 {
	if c.fault.Region == desync.Air && frames > c.fault.Frame {
		return chain ^ 1
	}
	return chain
}
