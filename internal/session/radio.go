package session

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/air"
	"github.com/zeebo/xxh3"
)

// radio is the air between the consoles of a game, as the game uses it: stopped
// where the consoles meet, and watched. A nil radio is one of a core without
// wireless: nothing happens on it.
type radio struct {
	air    *air.Air
	trace  func([]air.Record) // may be nil
	open   int64              // as the air was told
	stop   int64
	spoken [ds.MaxSeats]spoken

	mu       sync.Mutex
	consoles [ds.MaxSeats]console // that run on it
	users    int                  // who may still start one, and the owner
}

// spoken is what a console has sent, as far as it was looked at.
type spoken struct {
	chain  uint64       // of all records before the ones below
	recent []air.Record // by rising frame
}

// maxRecent is how many packets a console can have sent in the frames that were
// not looked at yet: far more than a DS can.
const maxRecent = 1 << 16

// newRadio makes the air for some seats, stopped at a frame. It is to be closed
// after the consoles.
func newRadio(seats []int, frame int64, skew int, serial bool, trace func([]air.Record)) (*radio, error) {
	a, err := air.New(air.Config{Skew: skew, Serial: serial, Frame: frame})
	if err != nil {
		return nil, err
	}
	for _, seat := range seats {
		if err := a.Plug(seat); err != nil {
			a.Close()
			return nil, err
		}
	}
	return &radio{air: a, trace: trace, stop: never, users: 1}, nil
}

// plug is how a console finds the air.
func (r *radio) plug(cfg *emucore.Config, seat int) {
	if r != nil {
		cfg.Radio = &emucore.Radio{Air: r.air, Seat: seat, Held: r.kill}
	}
}

// own notes whose console is in a seat.
func (r *radio) own(seat int, c console) {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.consoles[seat] = c
	}
}

// kill ends a console whose worker keeps the air to itself, without waiting for
// it. It comes from other consoles' goroutines.
func (r *radio) kill(seat int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if seat >= 0 && seat < ds.MaxSeats && r.consoles[seat] != nil {
		go r.consoles[seat].Close()
	}
}

// begin ends the stop at the first frame.
func (r *radio) begin(horizon int64) error {
	if r == nil {
		return nil
	}
	if err := r.limit(horizon, never); err != nil {
		return err
	}
	return r.resume(0)
}

// limit lets frames before open be begun, but none from stop on, where the
// consoles meet.
func (r *radio) limit(open, stop int64) error {
	if stop != r.stop {
		r.stop = stop
		if stop != never {
			if err := r.air.StopAt(stop); err != nil {
				return fmt.Errorf("stopping the radio at frame %d: %w", stop, err)
			}
		}
	}
	if open <= r.open {
		return nil
	}
	r.open = open
	return r.air.Open(open)
}

// resume lets the consoles go on that have met at a frame.
func (r *radio) resume(frame int64) error {
	if r == nil {
		return nil
	}
	if r.stop == frame {
		r.stop = never
	}
	if err := r.air.Resume(); err != nil {
		return fmt.Errorf("going on with the radio at frame %d: %w", frame, err)
	}
	return nil
}

// unplug takes a console off the air for good. All consoles must have met.
func (r *radio) unplug(seat int) error {
	if r == nil {
		return nil
	}
	return r.air.Unplug(seat)
}

// collect takes what has been sent since the last call.
func (r *radio) collect() error {
	if r == nil {
		return nil
	}
	records, lost, err := r.air.Trace()
	if err != nil {
		return fmt.Errorf("reading what was sent over the radio: %w", err)
	}
	if lost > 0 {
		return fmt.Errorf("%d packets of the radio were not looked at in time", lost)
	}
	for _, rec := range records {
		if rec.Seat >= 0 && rec.Seat < ds.MaxSeats { // a worker may have written anything
			s := &r.spoken[rec.Seat]
			s.recent = append(s.recent, rec)
			if len(s.recent) > maxRecent {
				return fmt.Errorf("the radio of seat %d sends without end", rec.Seat+1)
			}
		}
	}
	if r.trace != nil && len(records) > 0 {
		r.trace(records)
	}
	return nil
}

// said is the hash of all that a console has sent before the last frame it has
// done. What it sent in that one may still lie in its outbox; to have begun it, it
// was let run, and so all before was put on the air.
func (r *radio) said(seat int, frames int64) uint64 {
	if r == nil {
		return 0
	}
	s := &r.spoken[seat]
	n := 0
	var b [36]byte
	for n < len(s.recent) && s.recent[n].Frame < frames-1 {
		rec := s.recent[n]
		binary.LittleEndian.PutUint64(b[0:], s.chain)
		binary.LittleEndian.PutUint64(b[8:], uint64(rec.Frame))
		binary.LittleEndian.PutUint64(b[16:], rec.Round)
		binary.LittleEndian.PutUint64(b[24:], rec.Hash)
		binary.LittleEndian.PutUint32(b[32:], uint32(rec.Len))
		s.chain = xxh3.Hash(b[:])
		n++
	}
	s.recent = append(s.recent[:0], s.recent[n:]...)
	return s.chain
}

// report is what has happened on the air; nil where there is none.
func (r *radio) report() *RadioReport {
	if r == nil {
		return nil
	}
	status, err := r.air.Status()
	if err != nil {
		return nil
	}
	report := &RadioReport{Rounds: int64(status.Rounds), Packets: int64(status.Packets)}
	for _, c := range status.Consoles {
		report.GiveUps += int64(c.GiveUps)
		report.HostGiveUps += int64(c.HostGiveUps)
		report.Lost += int64(c.Fallen)
		report.Longest = max(report.Longest, int64(c.QueueHighest))
	}
	return report
}

// hold keeps the air for a job that starts a console on it and may end after its
// owner has lost interest. It must call close in its turn.
func (r *radio) hold() *radio {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.users++
	}
	return r
}

// close lets go of the memory, when the last one does. The consoles must be
// closed.
func (r *radio) close() {
	if r == nil {
		return
	}
	r.mu.Lock()
	r.users--
	last := r.users == 0
	r.mu.Unlock()
	if last {
		r.air.Close()
	}
}
