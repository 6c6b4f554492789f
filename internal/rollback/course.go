package rollback

import (
	"math/bits"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
)

// MaxDepth is the limit of frames that consoles are ahead of the confirmed ones: 200 ms.
const MaxDepth = 12

// places is the number of frames whose beginnings are noted at once.
const places = MaxDepth + 1

// Place is where consoles are noted as they stand before a frame. No two frames that somebody may go back
// to share one.
func Place(frame int64) int { return int(frame % places) }

// Seats is a set of seats.
type Seats uint16

// Has reports whether a seat is among them.
func (s Seats) Has(seat ds.Seat) bool { return s&(1<<seat) != 0 }

// Add puts a seat among them.
func (s *Seats) Add(seat ds.Seat) { *s |= 1 << seat }

// each calls do with each of them, by rising seat, until that returns false.
func (s Seats) each(do func(seat ds.Seat) bool) {
	for ; s != 0; s &= s - 1 {
		if !do(ds.Seat(bits.TrailingZeros16(uint16(s)))) {
			return
		}
	}
}

// Inputs are those of one frame.
type Inputs struct {
	Seats   Seats // that play it
	Guessed Seats // whose input is a guess
	Of      [ds.MaxSeats]inputdelay.Input
}

// Known returns a seat's true input of a frame, if it is here.
type Known func(seat ds.Seat, frame int64) (in inputdelay.Input, here bool)

// Gather returns the inputs of a frame: the true ones that are here, and guesses.
func (known Known) Gather(seats Seats, frame int64) Inputs {
	in := Inputs{Seats: seats}
	seats.each(func(seat ds.Seat) bool {
		var here bool
		if in.Of[seat], here = known(seat, frame); !here {
			in.Guessed.Add(seat)
			in.Of[seat] = known.guess(seat, frame)
		}
		return true
	})
	return in
}

// guess repeats the last input of a seat that is here, without the stylus if it is old; nothing is pressed
// if there is none.
func (known Known) guess(seat ds.Seat, frame int64) inputdelay.Input {
	for age := range int64(MaxDepth + 1) {
		if in, here := known(seat, frame-1-age); here {
			return inputdelay.Repeat(in, int(age)+1)
		}
	}
	return inputdelay.Input{}
}

// run is a frame as it was run.
type run struct {
	inputs Inputs
	noted  bool // the consoles were noted as they stood before it
}

// A Course is that of consoles which stand together. Make it with [NewCourse].
type Course struct {
	confirmed int64 // frames that are
	ran       []run // the frames from there on
	newest    int64 // the most frames that there were
}

// NewCourse is the course of consoles that stand before a frame.
func NewCourse(frame int64) *Course { return &Course{confirmed: frame, newest: frame} }

// Confirmed is the first frame that is not confirmed.
func (c *Course) Confirmed() int64 { return c.confirmed }

// Next is the frame before which the consoles stand.
func (c *Course) Next() int64 { return c.confirmed + int64(len(c.ran)) }

// Ahead is the number of frames that the consoles are ahead of the confirmed ones.
func (c *Course) Ahead() int { return len(c.ran) }

// Newest reports whether a frame is the newest that ever ran, and whether it runs again.
func (c *Course) Newest(frame int64) (newest, again bool) {
	return frame >= c.newest-1, frame < c.newest
}

// Each calls do with the inputs of each frame that is not confirmed, as it ran last.
func (c *Course) Each(do func(frame int64, in *Inputs)) {
	for i := range c.ran {
		do(c.confirmed+int64(i), &c.ran[i].inputs)
	}
}

// Run notes that the next frame runs with these inputs, and tells whether the consoles are to be noted before: one may
// have to go back there.
func (c *Course) Run(in Inputs) (note bool) {
	note = in.Guessed != 0 || len(c.ran) > 0
	c.ran = append(c.ran, run{in, note})
	c.newest = max(c.newest, c.Next())
	return note
}

// Confirm confirms the oldest frame that is not confirmed, if it ran with the inputs that are true, and
// returns those. With anyway it is confirmed as soon as they are here, whatever it ran with.
func (c *Course) Confirm(known Known, anyway bool) (in Inputs, ok bool) {
	if len(c.ran) == 0 {
		return in, false
	}
	in, ok = c.ran[0].inputs, true
	in.Guessed.each(func(seat ds.Seat) bool {
		truth, here := known(seat, c.confirmed)
		ok = here && (anyway || truth == in.Of[seat])
		in.Of[seat] = truth
		return ok
	})
	if ok {
		in.Guessed = 0
		c.ran = append(c.ran[:0], c.ran[1:]...)
		c.confirmed++
	}
	return in, ok
}

// Wrong returns the frame to which the consoles are to go back, because an input that was guessed for it, or for one
// soon after it, is another one.
func (c *Course) Wrong(known Known) (frame int64, wrong bool) {
	for i := range c.ran {
		if c.ran[i].noted {
			frame = c.confirmed + int64(i)
		}
		c.ran[i].inputs.Guessed.each(func(seat ds.Seat) bool {
			truth, here := known(seat, c.confirmed+int64(i))
			wrong = here && truth != c.ran[i].inputs.Of[seat]
			return !wrong
		})
		if wrong {
			return frame, true
		}
	}
	return 0, false
}

// Back notes that the consoles stand before an earlier frame again, which is not confirmed.
func (c *Course) Back(frame int64) { c.ran = c.ran[:frame-c.confirmed] }
