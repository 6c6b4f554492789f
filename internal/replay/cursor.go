package replay

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"

	"github.com/nettplay/nettplay/inputdelay"
)

// A Cursor reads a log from some frame on. It holds what was read of one seat and
// not yet asked for, which is little, as all seats are written side by side.
type Cursor struct {
	log    *Log
	s      *scanner
	ends   []written // of what was read
	runs   [][]run
	proofs [][]proof
	held   int
	err    error // what ended the reading; io.EOF at the end
}

// maxHeld is the limit of runs of inputs and hashes that a cursor holds: 16 MB. In an honest log seats
// are a second apart.
const maxHeld = 1 << 19

// maxBehind is the number of frames after a frame's input for which a hash from before it can still be
// asked for.
const maxBehind = 4096

// From returns a cursor for frames from this one on.
func (l *Log) From(frame int64) *Cursor {
	at := mark{l.headed, begun(slices.DeleteFunc(slices.Clone(l.Seats), func(s Seat) bool { return s.From > 0 }))}
	for _, m := range l.marks {
		if slices.ContainsFunc(m.ends, func(e written) bool { return e.frames > frame }) {
			break
		}
		at = m
	}
	return &Cursor{
		log: l, s: newScanner(l.file, at.at, l.Size), ends: slices.Clone(at.ends),
		runs: make([][]run, ds.MaxSeats), proofs: make([][]proof, ds.MaxSeats),
	}
}

// enter makes room for a late joiner.
func (c *Cursor) enter(payload []byte) error {
	r, err := decodeRestart(payload)
	c.ends = append(c.ends, begun(r.entering())...)
	c.ends = c.ends[:min(len(c.ends), ds.MaxSeats)]
	return err
}

// Input returns a seat's input in a frame, false when the log does not go as far. Frames of a seat are
// to be asked for in rising order, the same one again and again if need be.
func (c *Cursor) Input(seat ds.Seat, frame int64) (in inputdelay.Input, ok bool, err error) {
	i := c.log.seat(seat)
	if i < 0 || frame < 0 || frame >= c.log.ends[i].frames {
		return inputdelay.Input{}, false, nil
	}
	for len(c.proofs[i]) > 0 && c.proofs[i][0].frames < frame-maxBehind {
		c.proofs[i] = c.proofs[i][1:] // nobody wants it
		c.held--
	}
	for {
		list := c.runs[i]
		for len(list) > 0 && list[0].end <= frame {
			list = list[1:]
			c.held--
		}
		c.runs[i] = list
		if len(list) > 0 {
			return list[0].in, true, nil
		}
		if err := c.read(frame); err != nil {
			return inputdelay.Input{}, false, err
		}
	}
}

// Hash is the hash of a seat's console after so many frames; false when there is
// none in the log. Ask in rising order.
func (c *Cursor) Hash(seat ds.Seat, frames int64) (h Hash, ok bool, err error) {
	i := c.log.seat(seat)
	if i < 0 || frames > c.log.ends[i].last.frames {
		return Hash{}, false, nil
	}
	if newest := c.log.ends[i].last; frames == newest.frames {
		return newest.hash, frames > 0, nil
	}
	for {
		list := c.proofs[i]
		for len(list) > 0 && list[0].frames < frames {
			list = list[1:]
			c.held--
		}
		c.proofs[i] = list
		if len(list) > 0 || i < len(c.ends) && c.ends[i].last.frames >= frames {
			break
		}
		if err := c.read(frames); err != nil {
			return Hash{}, false, err
		}
	}
	if list := c.proofs[i]; len(list) > 0 && list[0].frames == frames {
		return list[0].hash, true, nil
	}
	return Hash{}, false, nil
}

// read takes the next block. Inputs before the frame are not kept for long.
func (c *Cursor) read(frame int64) error {
	c.again()
	if c.err != nil {
		return fmt.Errorf("recording %s: reading frame %d: %w", c.log.Path, frame, c.err)
	}
	kind, payload, err := c.s.next()
	if err == nil && kind == kindFrames {
		err = c.readBlock(payload)
	}
	if err == nil && kind == kindRestart {
		err = c.enter(payload)
	}
	if c.err = err; err != nil {
		return c.read(frame)
	}
	return nil
}

func (c *Cursor) readBlock(payload []byte) error {
	f := wire.Reader(payload)
	readFrames(f, c.ends, int64(c.log.Settings.HashEvery), func(i int, r run) {
		// A run that goes on over the end of a block is one run.
		if n := len(c.runs[i]); n > 0 && c.runs[i][n-1].in == r.in {
			c.runs[i][n-1].end = r.end
			return
		}
		c.runs[i] = append(c.runs[i], r)
		c.held++
	}, func(i int, p proof) {
		c.proofs[i] = append(c.proofs[i], p)
		c.held++
	})
	if f.Err() == nil && c.held > maxHeld {
		return errors.New("the seats are written too far apart")
	}
	return f.Err()
}
