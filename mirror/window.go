package mirror

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
)

// Windows returns what to send to a machine now: of each seat it is sent, all
// inputs that it has not acknowledged, the oldest first. Encoded in a datagram
// they take at most budget bytes ([Datagram.Budget]). When not all fit, seats
// with few inputs send all of them and the others share the rest evenly; what is
// left out comes once the first ones are acknowledged. 16 bytes are enough for
// some input to get through.
//
// The windows are in seat order and never empty. They point into the Host: they
// are valid until its next call.
func (h *Host) Windows(machine, budget int) []Window {
	c := h.client(machine)
	if c == nil {
		return nil
	}
	h.windows = h.windows[:0]
	var sizes [ds.MaxSeats]int // of the whole windows, by place in h.windows
	var order [ds.MaxSeats]int // places, the smallest window first
	for seat := range ds.Seats {
		s := h.served(c, seat)
		if s == nil || c.acked[seat]+1 >= s.next {
			continue
		}
		i := len(h.windows)
		w := Window{Seat: seat, First: c.acked[seat] + 1, Inputs: s.from(c.acked[seat] + 1)}
		_, size := inputdelay.Fit(w.Inputs, MaxDatagram)
		sizes[i], order[i] = windowHead+size, i
		h.windows = append(h.windows, w)
	}
	smallest := order[:len(h.windows)]
	slices.SortStableFunc(smallest, func(a, b int) int { return sizes[a] - sizes[b] })
	for k, i := range smallest {
		w := &h.windows[i]
		// A late one shares what the small ones left. The last one gets all
		// of it, so even a tiny budget moves something.
		n, size := inputdelay.Fit(w.Inputs, budget/(len(smallest)-k)-windowHead)
		w.Inputs = w.Inputs[:n]
		if n > 0 {
			budget -= windowHead + size
		}
	}
	h.windows = slices.DeleteFunc(h.windows, func(w Window) bool { return len(w.Inputs) == 0 })
	return h.windows
}

// from returns the kept inputs of the frames from frame on, which is one of them.
func (s *sentSeat) from(frame int64) []inputdelay.Input {
	end := s.start + int(s.next-s.first)
	return s.memory[s.start+int(frame-s.first) : end : end]
}
