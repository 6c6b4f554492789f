package diagnostics

import (
	"encoding/json"
	"io"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// When the frames of a game were due, began and were done on one machine,
// and when the inputs of the others arrived: "nettplay --frame-times FILE" writes it, and
// "make netbench" reads it. It measures and decides nothing.
//
// A [FrameRecorder] is a game's meter (game.Meter). Next to read: internal/measuring/netbench.

// FrameTimesVersion is that of the file.
const FrameTimesVersion = 1

// maxFrames is the number of a game's frames that are kept, the first ones: almost five hours.
const maxFrames = 1 << 20

// none stands in a series for what did not happen.
const none = -1

// FrameTimes are one machine's times of a game.
type FrameTimes struct {
	Version int         `json:"version"`
	Epoch   int64       `json:"epoch_us"` // microseconds since 1970, by the machine's clock; all times count from it
	Due     Series      `json:"due"`      // when each frame of the machine's own consoles was due by its pacer
	Begun   Series      `json:"begun"`    // when it began, and its input was sampled
	Delays  []Delay     `json:"delays"`   // the input delay and its changes
	Seats   []SeatTimes `json:"seats"`
}

// Delay is an input delay in frames, from a frame of our own consoles on.
type Delay struct {
	Frame int64 `json:"frame"`
	Delay int   `json:"delay"`
}

// SeatTimes is one console on the machine.
type SeatTimes struct {
	Seat    ds.Seat `json:"seat"`    // from 0
	Mine    bool    `json:"mine"`    // the machine's own
	Arrived Series  `json:"arrived"` // when the input of each frame came; empty for our own seats
	Shown   Series  `json:"shown"`   // when the console had done each frame
}

// Series has a time for each frame from First on, in microseconds after the epoch; -1 for none.
type Series struct {
	First int64   `json:"first"`
	US    []int64 `json:"us"`
}

// At is the time of a frame, if there is one.
func (s *Series) At(frame int64) (us int64, ok bool) {
	if i := frame - s.First; i >= 0 && i < int64(len(s.US)) && s.US[i] != none {
		return s.US[i], true
	}
	return 0, false
}

// End is the frame after the last.
func (s *Series) End() int64 { return s.First + int64(len(s.US)) }

// put notes a time. Frames before the first are left out, and those beyond maxFrames.
func (s *Series) put(frame, us int64) {
	if len(s.US) == 0 {
		s.First = frame
	}
	i := frame - s.First
	if i < 0 || i >= maxFrames {
		return
	}
	for int64(len(s.US)) <= i {
		s.US = append(s.US, none)
	}
	if s.US[i] == none {
		s.US[i] = us
	}
}

// FrameRecorder takes the times of one game. The zero value is ready. It belongs to one goroutine at a
// time.
type FrameRecorder struct {
	epoch time.Time // of the first call; zero before it
	times FrameTimes
	seats [ds.MaxSeats]*SeatTimes
}

// Begun implements game.Meter.
func (r *FrameRecorder) Begun(frame int64, due, now time.Time, delay int) {
	r.times.Due.put(frame, r.since(due))
	r.times.Begun.put(frame, r.since(now))
	if d := r.times.Delays; len(d) == 0 || d[len(d)-1].Delay != delay {
		r.times.Delays = append(d, Delay{Frame: frame, Delay: delay})
	}
}

// Arrived implements game.Meter.
func (r *FrameRecorder) Arrived(seat ds.Seat, frame int64, now time.Time) {
	if s := r.seat(seat); s != nil {
		s.Arrived.put(frame, r.since(now))
	}
}

// Shown implements game.Meter.
func (r *FrameRecorder) Shown(seat ds.Seat, frame int64, at time.Time) {
	if s := r.seat(seat); s != nil {
		s.Shown.put(frame, r.since(at))
	}
}

// since is a time in microseconds after the epoch, which is the first time of all.
func (r *FrameRecorder) since(at time.Time) int64 {
	if r.epoch.IsZero() {
		r.epoch, r.times.Epoch = at, at.UnixMicro()
	}
	return at.Sub(r.epoch).Microseconds()
}

// seat returns the record of a seat, nil for a number that no seat has.
func (r *FrameRecorder) seat(n ds.Seat) *SeatTimes {
	if n < 0 || n >= ds.MaxSeats {
		return nil
	}
	if r.seats[n] == nil {
		r.seats[n] = &SeatTimes{Seat: n}
	}
	return r.seats[n]
}

// Times are those so far. The lists are the recorder's.
func (r *FrameRecorder) Times() FrameTimes {
	t := r.times
	t.Version, t.Seats = FrameTimesVersion, []SeatTimes{}
	for _, s := range r.seats {
		if s != nil {
			list := *s
			list.Mine = len(s.Arrived.US) == 0
			t.Seats = append(t.Seats, list)
		}
	}
	return t
}

// Write writes the times so far as one line of JSON.
func (r *FrameRecorder) Write(w io.Writer) error {
	return json.NewEncoder(w).Encode(r.Times())
}
