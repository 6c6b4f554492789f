package air

import "github.com/nettplay/nettplay/internal/ds"

// Console says what a console is doing, and what it has done since it was plugged in. The numbers come
// from memory that a hostile worker can write to: display them, but do not base decisions on them.
type Console struct {
	Plugged bool
	OnAir   bool  // its radio has been used in its last frame or the one before
	Stopped bool  // it waits for other consoles: a worker that does not answer is not hung
	Frame   int64 // completed frames

	Sent, Heard  uint64 // packets
	Fallen       uint64 // packets lost because its outbox or its queue was full
	GiveUps      uint64 // blocking polls that returned no packet
	HostGiveUps  uint64 // ... of a game host awaiting replies: 0 in a healthy game
	Stops        uint64 // times it was let go on, after a poll or a frame
	Grants       uint64 // times it was let pass time while its wireless host ran
	QueueHighest uint64 // largest number of packets queued for it
}

// Status is a snapshot of the air's counters and consoles.
type Status struct {
	Rounds   uint64 // decisions so far
	Packets  uint64 // records of the trace so far
	Chain    uint64 // hash of all of them: equal on two machines, so were all packets
	Open     int64
	Stop     int64
	Consoles [ds.MaxSeats]Console
}

// Status returns the current status of the air and its consoles.
func (a *Air) Status() (Status, error) {
	var s Status
	err := a.view(func(st *state) error {
		s = Status{
			Rounds: uint64(st.round), Packets: uint64(st.records), Chain: uint64(st.chain),
			Open: int64(st.open), Stop: int64(st.stop),
		}
		for i := range st.seat {
			c := consoleOf(&st.seat[i])
			c.Stopped = c.Plugged && (c.Stopped || a.in.batonElsewhere(ds.Seat(i)))
			s.Consoles[i] = c
		}
		return nil
	})
	return s, err
}

func consoleOf(c *seatState) Console {
	w := where(c.where)
	return Console{
		Plugged: w != absent, OnAir: w >= running, Frame: int64(c.frame),
		Stopped: w == waiting || w == polling || w == blocked || w == parked,
		Sent:    uint64(c.sent), Heard: uint64(c.heard), Fallen: uint64(c.fallen),
		GiveUps: uint64(c.give_ups), HostGiveUps: uint64(c.host_give_ups), Stops: uint64(c.turn), Grants: uint64(c.grants),
		QueueHighest: uint64(c.high_water),
	}
}
