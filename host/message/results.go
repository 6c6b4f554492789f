package message

import (
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Stats are a machine's counts of a game.
type Stats struct {
	Stalls           int64         // how often its own console stood still because of others
	StallTime        time.Duration // for how long in all
	Sent, Received   int64         // bytes
	StepP50, StepP99 time.Duration // one frame of one console
}

// Result is the end of a game for one machine.
type Result struct {
	Machine  int
	Nickname string
	Finished bool   // it ran everything to the end
	Why      string // else why not, in words
	Frames   int64  // done by its own console
	Hashes   []room.SeatHash
	Stats    Stats
}

// Outcome is the manner of a game's end.
type Outcome uint8

// The outcomes.
const (
	OutcomeFinished Outcome = 1 // the end was decided, and everyone who was left has reached it
	OutcomeDesync   Outcome = 2 // the machines were not alike any more
	OutcomeAborted  Outcome = 3 // it could not go on
)

// Desync is the verdict on machines that are not alike.
type Desync struct {
	Frame   int64   // frames done when they were first known to differ
	Agreed  int64   // frames done when they were last known to be alike in this seat; -1 for never
	Seat    ds.Seat // whose console
	Machine int     // the odd one out
	Region  string
	Words   string // the whole of it, for people
}

func (s *Stats) fields(c *wire.Coder) {
	wire.Number(c, "stalls", &s.Stalls, 0, ds.MaxFrame)
	c.Duration("stall time", &s.StallTime)
	wire.Number(c, "sent", &s.Sent, 0, 1<<50)
	wire.Number(c, "received", &s.Received, 0, 1<<50)
	c.Duration("p50", &s.StepP50)
	c.Duration("p99", &s.StepP99)
}

// Ended tells that the game is over on all machines.
type Ended struct {
	Round   uint32
	Outcome Outcome
	Why     string
	Desync  *Desync  // with OutcomeDesync
	Results []Result // by machine, one for each that began the game
}

func (m *Ended) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	wire.Number(c, "outcome", &m.Outcome, int64(OutcomeFinished), int64(OutcomeAborted))
	c.Text("why", &m.Why, room.MaxSentence)
	if m.Outcome == OutcomeDesync && c.Err() == nil {
		if c.Reading() {
			m.Desync = new(Desync)
		}
		c.Within("desync", m.Desync.fields)
	}
	wire.List(c, "results", &m.Results, ds.MaxMachines, resultFields)
}

type DesyncFound struct {
	Round  uint32
	Desync Desync
}

func (m *DesyncFound) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	c.Within("desync", m.Desync.fields)
}

func (d *Desync) fields(c *wire.Coder) {
	room.FrameField(c, "frame", &d.Frame)
	wire.Number(c, "agreed", &d.Agreed, -1, ds.MaxFrame)
	room.SeatField(c, &d.Seat)
	room.MachineField(c, &d.Machine)
	c.Text("region", &d.Region, room.MaxName)
	c.Text("words", &d.Words, room.MaxSentence)
}

func resultFields(c *wire.Coder, r *Result) {
	room.MachineField(c, &r.Machine)
	c.Text("nickname", &r.Nickname, room.MaxName)
	c.Bool("finished", &r.Finished)
	c.Text("why", &r.Why, room.MaxSentence)
	room.FrameField(c, "frames", &r.Frames)
	room.HashesField(c, &r.Hashes)
	c.Within("stats", r.Stats.fields)
}

// MaxTrace is the number of frames one Rerun can have.
const MaxTrace = 1024

// Rerun has the hashes of a console, frame by frame, when a machine played it again.
type Rerun struct {
	Round uint32
	Seat  ds.Seat
	From  int64       // after the frames after this one
	Trace []TraceHash // one for each frame, at most MaxTrace
}

// TraceHash is a console's state after a frame: the low 32 bits of the hash of each of its regions.
type TraceHash struct{ RAM, SRAM, Video, Air uint32 }

func (m *Rerun) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.SeatField(c, &m.Seat)
	room.FrameField(c, "from", &m.From)
	wire.List(c, "frames", &m.Trace, MaxTrace, func(c *wire.Coder, h *TraceHash) {
		for _, v := range []*uint32{&h.RAM, &h.SRAM, &h.Video, &h.Air} {
			sum := uint64(*v)
			c.Short("hash", &sum)
			*v = uint32(sum)
		}
	})
}

// Arrivals tells the game host how the inputs of others arrive at a machine, about once a second
// in a room that keeps its input delay by itself.
type Arrivals struct {
	Round uint32
	List  []SeatArrival // by rising seat
}

// SeatArrival tells how the inputs of one seat arrive.
type SeatArrival struct {
	Seat ds.Seat
	autodelay.Arrival
}

func (m *Arrivals) Game() uint32 { return m.Round }

func (m *Arrivals) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	before := ds.Seat(-1)
	wire.List(c, "arrivals", &m.List, ds.MaxSeats, func(c *wire.Coder, l *SeatArrival) {
		room.SeatField(c, &l.Seat)
		if c.Err() == nil && l.Seat <= before {
			c.Fail("seat", "%v after %v", l.Seat, before)
		}
		before = l.Seat
		l.Arrival.Fields(c)
	})
}
