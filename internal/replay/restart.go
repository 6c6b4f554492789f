package replay

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// A Restart is a frame at which all consoles of a game were made anew from one
// machine's states: a resync. Everything after it depends on those.
type Restart struct {
	Frame int64
	// Seats are by rising seat those that still played, of which only Plan.Seat and Start
	// are set, and those that come in, whose From is Frame.
	Seats []Seat
}

// The payload of a restart's block.
type restartJSON struct {
	Frame int64             `json:"frame"`
	Seats []restartSeatJSON `json:"seats"`
}

type restartSeatJSON struct {
	Seat  ds.Seat `json:"seat"`
	Start []byte  `json:"start"` // a savestate.Manifest
	// Enters is for a late joiner: its start is that of a console switched on.
	Enters *seatJSON `json:"enters,omitempty"`
}

func (r *Restart) encode() ([]byte, error) {
	j := restartJSON{Frame: r.Frame}
	for _, s := range r.Seats {
		x := restartSeatJSON{Seat: s.Plan.Seat, Start: s.Start.Append(nil)}
		if s.From == r.Frame {
			enters := s.json()
			x.Enters = &enters
		}
		j.Seats = append(j.Seats, x)
	}
	b, err := json.Marshal(j)
	if err == nil {
		_, err = decodeRestart(b)
	}
	return b, err
}

func decodeRestart(b []byte) (r Restart, err error) {
	if len(b) > maxRestart {
		return r, fmt.Errorf("restart: %d bytes, at most %d are possible", len(b), maxRestart)
	}
	var j restartJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return r, fmt.Errorf("restart: %w", err)
	}
	if j.Frame < 1 || j.Frame > ds.MaxFrame || len(j.Seats) < 1 || len(j.Seats) > ds.MaxSeats {
		return r, fmt.Errorf("restart: at frame %d with %d seats", j.Frame, len(j.Seats))
	}
	r.Frame = j.Frame
	before := ds.Seat(-1)
	for _, s := range j.Seats {
		m, err := decodeStart(s.Start)
		switch {
		case err != nil:
			return r, fmt.Errorf("restart: seat %v: %w", s.Seat, err)
		case m.Seat != s.Seat || s.Seat <= before || m.Frame != j.Frame:
			return r, fmt.Errorf("restart: seat %v after %v, with the start of seat %v at frame %d", s.Seat, before, m.Seat, m.Frame)
		}
		before = s.Seat
		seat := Seat{Plan: room.SeatPlan{Seat: s.Seat}, Start: m}
		if s.Enters != nil {
			h := Head{}
			h.Settings.Core.SHA256 = m.Core
			if seat, err = h.decodeSeat(*s.Enters, j.Frame); err != nil || seat.Plan.Seat != s.Seat {
				return r, fmt.Errorf("restart: seat %v, which comes in as seat %v: %w", s.Seat, seat.Plan.Seat, err)
			}
		}
		r.Seats = append(r.Seats, seat)
	}
	return r, nil
}

// RestartBefore is the last restart up to a frame, nil for none.
func (l *Log) RestartBefore(frame int64) *Restart {
	for i := range slices.Backward(l.Restarts) {
		if l.Restarts[i].Frame <= frame {
			return &l.Restarts[i]
		}
	}
	return nil
}

func (l *Log) scanRestart(payload []byte) error {
	r, err := decodeRestart(payload)
	switch {
	case err != nil:
		return err
	case len(l.Restarts) >= maxRestarts:
		return fmt.Errorf("more than %d restarts", maxRestarts)
	case len(l.Restarts) > 0 && r.Frame < l.Restarts[len(l.Restarts)-1].Frame:
		return fmt.Errorf("a restart at frame %d after one at frame %d", r.Frame, l.Restarts[len(l.Restarts)-1].Frame)
	}
	for _, s := range r.Seats {
		switch there := l.seat(s.Plan.Seat) >= 0; {
		case there && s.From > 0:
			return fmt.Errorf("seat %v joins, and plays already", s.Plan.Seat)
		case !there && s.From == 0:
			return fmt.Errorf("a restart of seat %v, which does not play", s.Plan.Seat)
		case s.From > 0 && s.Start.Core != l.Settings.Core.SHA256:
			return fmt.Errorf("seat %v joins with another core", s.Plan.Seat)
		}
	}
	l.Seats = append(l.Seats, r.entering()...)
	l.ends = append(l.ends, begun(r.entering())...)
	l.know(r.Seats)
	l.Restarts = append(l.Restarts, r)
	return nil
}

// entering are the seats that come in with a restart, in the order in which their
// inputs and hashes follow those of the others from there on.
func (r *Restart) entering() []Seat {
	var list []Seat
	for _, s := range r.Seats {
		if s.From > 0 {
			list = append(list, s)
		}
	}
	return list
}

// know notes the parts of which bytes may come.
func (l *Log) know(seats []Seat) {
	for _, s := range seats {
		for _, p := range s.Start.Parts {
			l.known[p.SHA256] = p
		}
	}
}

// Resynced notes that all consoles are made anew at a frame. Part is as in
// [Beginning].
func (r *Recorder) Resynced(frame int64, seats []Seat, part func(sha [32]byte) ([]byte, bool)) {
	x := Restart{Frame: frame, Seats: seats}
	b, err := x.encode()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil || r.problem != nil {
		return
	}
	if r.now.restarts++; err == nil && r.now.restarts > maxRestarts {
		err = fmt.Errorf("the game had more than %d resyncs", maxRestarts)
	}
	if err != nil {
		r.fail(err)
		return
	}
	r.now.other = appendBlock(r.now.drain(), kindRestart, b)
	for _, s := range x.entering() {
		if s.Plan.Seat >= 0 && int(s.Plan.Seat) < len(r.now.index) && r.now.index[s.Plan.Seat] < 0 {
			r.now.index[s.Plan.Seat] = len(r.now.seats)
			r.now.seats = append(r.now.seats, recorded{written: begun([]Seat{s})[0], begin: s.From, changed: s.From})
		}
	}
	r.now.parts = append(r.now.parts, Beginning{Head: Head{Seats: seats}, Part: part})
}
