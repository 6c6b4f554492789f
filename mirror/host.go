package mirror

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
)

// Host is the sending side of one machine: it keeps the inputs that some
// directly connected machine has not acknowledged and says what to send to each.
// On a player's machine these are the inputs of its own seats; on the game
// host's, those of all seats. Make it with [NewHost]. Not safe for concurrent
// use.
type Host struct {
	seats   [ds.MaxSeats]*sentSeat
	clients [ds.MaxMachines]*receiver
	windows []Window // handed out by Windows
}

// sentSeat keeps the inputs of a seat that somebody may still need: those of the
// frames first to next-1, in order, so that a part of them is a slice.
type sentSeat struct {
	first, next int64
	// The inputs are memory[start : start+next-first]. There is room for twice
	// the window, so they are moved to the front only once in a while.
	memory [2 * MaxWindow]inputdelay.Input
	start  int
}

// receiver is a machine that inputs are sent to.
type receiver struct {
	serves set                // seats
	acked  [ds.MaxSeats]int64 // newest frame it holds of each of them
}

// NewHost returns a Host without seats and clients.
func NewHost() *Host {
	return &Host{windows: make([]Window, 0, ds.MaxSeats)}
}

// AddSeat starts a seat, 0 to 15, whose first input to be put is that of frame
// first: the one after the neutral frames with which its queue begins. A seat that
// is there already starts anew. Other seat numbers are ignored.
func (h *Host) AddSeat(seat ds.Seat, first int64) {
	if seat < 0 || seat >= ds.MaxSeats {
		return
	}
	h.seats[seat] = &sentSeat{first: first, next: first}
	for _, c := range h.clients {
		if c != nil {
			c.acked[seat] = first - 1
		}
	}
}

// AddClient starts to serve a machine, 0 to 15, the inputs of some seats, from
// the oldest that is kept on. For a machine that is served already only the seats
// change; what it acknowledged of those it keeps stays. So a machine that comes
// back on another connection is simply left where it is. Other machine numbers
// are ignored.
func (h *Host) AddClient(machine int, seats []ds.Seat) {
	if machine < 0 || machine >= ds.MaxMachines {
		return
	}
	c := h.clients[machine]
	if c == nil {
		c = new(receiver)
		h.clients[machine] = c
	}
	old := c.serves
	c.serves = 0
	for _, seat := range seats {
		if seat < 0 || seat >= ds.MaxSeats || !c.serves.add(int(seat)) {
			continue
		}
		if s := h.seats[seat]; s != nil && old.add(int(seat)) {
			c.acked[seat] = s.first - 1
		}
	}
	h.free()
}

// RemoveClient stops serving a machine, and frees the inputs that only this one
// had not acknowledged.
func (h *Host) RemoveClient(machine int) {
	if h.client(machine) != nil {
		h.clients[machine] = nil
		h.free()
	}
}

// Put takes the next input of a seat. Frames come in order, without a gap, from
// the seat's first on. With [MaxWindow] inputs that some machine has not
// acknowledged it returns an error that wraps inputdelay.ErrFull, and the same
// input may be put again later.
func (h *Host) Put(seat ds.Seat, frame int64, in inputdelay.Input) error {
	s := h.seat(seat)
	switch {
	case s == nil:
		return fmt.Errorf("send input of seat %v: there is no such seat", seat)
	case frame != s.next:
		return fmt.Errorf("send input of seat %v, frame %d: frame %d is next", seat, frame, s.next)
	case s.next-s.first >= MaxWindow:
		return fmt.Errorf("send input of seat %v, frame %d: frame %d is not acknowledged: %w",
			seat, frame, s.first, inputdelay.ErrFull)
	}
	end := s.start + int(s.next-s.first)
	if end == len(s.memory) {
		end = copy(s.memory[:], s.memory[s.start:])
		s.start = 0
	}
	s.memory[end] = in.Normal()
	s.next++
	h.trim(seat)
	return nil
}

// Next returns the frame of a seat that is to be put next, and whether there is
// such a seat.
func (h *Host) Next(seat ds.Seat) (frame int64, ok bool) {
	s := h.seat(seat)
	if s == nil {
		return 0, false
	}
	return s.next, true
}

// Ack takes what a machine says it holds. Older and repeated acknowledgements change
// nothing, nor do those of seats that the machine is not sent. An acknowledgement of an
// input that was never put is a lie: it is an error that wraps [ErrPeer], and none of acks
// counts then.
func (h *Host) Ack(machine int, acks []SeatFrame) error {
	c := h.client(machine)
	if c == nil {
		return fmt.Errorf("acknowledgement of machine %d, which is not served", machine)
	}
	for _, a := range acks {
		if s := h.served(c, a.Seat); s != nil && a.Frame >= s.next {
			return fmt.Errorf("machine %d acknowledges frame %d of seat %v, the newest is %d: %w",
				machine, a.Frame, a.Seat, s.next-1, ErrPeer)
		}
	}
	for _, a := range acks {
		if h.served(c, a.Seat) != nil && a.Frame > c.acked[a.Seat] {
			c.acked[a.Seat] = a.Frame
			h.trim(a.Seat)
		}
	}
	return nil
}

// Backlog returns the seat of which a machine has acknowledged the least, and how
// many frames of it are on their way. The seat is -1 when nothing is.
func (h *Host) Backlog(machine int) (seat ds.Seat, frames int64) {
	c := h.client(machine)
	seat = -1
	if c == nil {
		return seat, 0
	}
	for i := range ds.Seats {
		if s := h.served(c, i); s != nil && s.next-1-c.acked[i] > frames {
			seat, frames = i, s.next-1-c.acked[i]
		}
	}
	return seat, frames
}

// seat returns a seat, or nil.
func (h *Host) seat(seat ds.Seat) *sentSeat {
	if seat < 0 || seat >= ds.MaxSeats {
		return nil
	}
	return h.seats[seat]
}

// client returns a machine that is served, or nil.
func (h *Host) client(machine int) *receiver {
	if machine < 0 || machine >= ds.MaxMachines {
		return nil
	}
	return h.clients[machine]
}

// served returns a seat if the machine is sent it, or nil.
func (h *Host) served(c *receiver, seat ds.Seat) *sentSeat {
	s := h.seat(seat)
	if s == nil || c.serves&(1<<seat) == 0 {
		return nil
	}
	return s
}

// free trims all seats.
func (h *Host) free() {
	for seat := range ds.Seats {
		h.trim(seat)
	}
}

// trim frees the inputs of a seat that every machine that is sent them holds.
func (h *Host) trim(seat ds.Seat) {
	s := h.seat(seat)
	if s == nil {
		return
	}
	oldest := s.next
	for _, c := range h.clients {
		if c != nil && h.served(c, seat) != nil {
			oldest = min(oldest, c.acked[seat]+1)
		}
	}
	if oldest > s.first {
		s.start += int(oldest - s.first)
		s.first = oldest
	}
}
