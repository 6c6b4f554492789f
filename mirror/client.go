package mirror

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
)

// Client is the receiving side for one directly connected machine: it puts what
// that machine sends into the queues of this one, each input once, and notices
// when it lies. Make it with [NewClient]. Not safe for concurrent use.
type Client struct {
	machine int
	seats   set
	fresh   []SeatFrame
}

// NewClient makes the receiving side for a machine that may send inputs of some
// seats: its own, or all that are not ours when it is the game host's. Seat
// numbers outside 0 to 15 are ignored.
func NewClient(machine int, seats []ds.Seat) *Client {
	c := &Client{machine: machine}
	for _, seat := range seats {
		if seat >= 0 && seat < ds.MaxSeats {
			c.seats.add(int(seat))
		}
	}
	return c
}

// Receive puts the inputs of a datagram into the queues that queue names; nil says
// that a seat is not played any more, and its inputs are dropped. Frames already in
// a queue stay unchanged. It returns the inputs that are new, each
// exactly once in the life of a queue, ascending within a seat; the slice is valid
// until the next Receive.
//
// It returns an error that wraps [ErrPeer], and puts nothing, when the datagram is
// another machine's, has an input of a seat that the machine may not send,
// another value for an input that was given before, or one so far ahead that the
// sender cannot have waited for this machine as the rules ask ([ds.MaxBehind]).
//
// The caller compares the datagram's Round before, and hands its Acks to a [Host]
// and its Frames to a [Pressure].
func (c *Client) Receive(d Datagram, queue func(seat ds.Seat) *inputdelay.Queue) (fresh []SeatFrame, err error) {
	if d.Machine != c.machine {
		return nil, fmt.Errorf("machine %d sends as machine %d: %w", c.machine, d.Machine, ErrPeer)
	}
	for _, w := range d.Windows {
		if err := c.check(w, queue); err != nil {
			return nil, err
		}
	}
	c.fresh = c.fresh[:0]
	for _, w := range d.Windows {
		if err := c.put(w, queue(w.Seat)); err != nil {
			return nil, err
		}
	}
	return c.fresh, nil
}

// check returns an error if no honest peer can have sent this window.
func (c *Client) check(w Window, queue func(seat ds.Seat) *inputdelay.Queue) error {
	if w.Seat < 0 || w.Seat >= ds.MaxSeats || c.seats&(1<<w.Seat) == 0 {
		return fmt.Errorf("machine %d sends input of seat %v, which is not its own: %w", c.machine, w.Seat, ErrPeer)
	}
	q := queue(w.Seat)
	if q == nil || len(w.Inputs) == 0 {
		return nil
	}
	if w.First < 0 || w.First > ds.MaxFrame || w.First+int64(len(w.Inputs)) > q.Oldest()+inputdelay.Window {
		return fmt.Errorf("machine %d sends %d inputs of seat %v from frame %d on, this machine plays frame %d: %w",
			c.machine, len(w.Inputs), w.Seat, w.First, q.Oldest(), ErrPeer)
	}
	for i, in := range w.Inputs {
		if f := w.First + int64(i); !q.Agrees(f, in) {
			was, _ := q.At(f)
			return fmt.Errorf("machine %d changes the input of seat %v at frame %d from %q to %q: %w",
				c.machine, w.Seat, f, was, in, ErrPeer)
		}
	}
	return nil
}

// put puts the new inputs of a window.
func (c *Client) put(w Window, q *inputdelay.Queue) error {
	if q == nil {
		return nil
	}
	for i, in := range w.Inputs {
		f := w.First + int64(i)
		if _, there := q.At(f); there || f < q.Oldest() {
			continue
		}
		if err := q.Put(f, in); err != nil {
			return fmt.Errorf("input of seat %v from machine %d: %w", w.Seat, c.machine, err)
		}
		c.fresh = append(c.fresh, SeatFrame{w.Seat, f})
	}
	return nil
}
