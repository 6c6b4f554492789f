package host

import (
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// maxFirst is how many decisions a game may begin with.
const maxFirst = 64

type prepareMsg struct {
	Round    uint32
	Settings Settings
	Seats    []SeatPlan
}

func (m *prepareMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	c.Within("settings", m.Settings.fields)
	seatsField(c, &m.Seats)
}

func seatsField(c *wire.Coder, v *[]SeatPlan) {
	wire.List(c, "seats", v, ds.MaxSeats, func(c *wire.Coder, s *SeatPlan) { s.fields(c) })
}

func (s *SeatPlan) fields(c *wire.Coder) {
	seatField(c, &s.Seat)
	machineField(c, &s.Machine)
	c.Text("nickname", &s.Nickname, maxName)
	c.Within("firmware", func(c *wire.Coder) { firmwareFields(c, &s.Firmware) })
	c.Within("game", s.ROM.fields)
}

type installedMsg struct {
	Round  uint32
	Hashes []SeatHash
}

func (m *installedMsg) game() uint32 { return m.Round }

func (m *installedMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	hashesField(c, &m.Hashes)
}

// hashesField is a list of consoles' hashes, by rising seat.
func hashesField(c *wire.Coder, v *[]SeatHash) { seatHashes(c, v, c.Hash) }

func seatHashes(c *wire.Coder, v *[]SeatHash, hash func(field string, v *uint64)) {
	before := ds.Seat(-1)
	wire.List(c, "hashes", v, ds.MaxSeats, func(c *wire.Coder, h *SeatHash) {
		seatField(c, &h.Seat)
		if c.Err() == nil && h.Seat <= before {
			c.Fail("seat", "%d after %d", h.Seat, before)
		}
		before = h.Seat
		hash("ram", &h.Hash.RAM)
		hash("video", &h.Hash.Video)
		hash("sram", &h.Hash.SRAM)
		hash("air", &h.Air)
	})
}

type failedMsg struct {
	Round uint32
	Why   string
}

func (m *failedMsg) game() uint32 { return m.Round }

func (m *failedMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	c.Text("why", &m.Why, maxSentence)
}

type startFailedMsg struct{ StartFailed }

func (m *startFailedMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	c.Text("why", &m.Why, maxSentence)
	wire.List(c, "machines", &m.Machines, ds.MaxMachines, machineField)
}

type beginMsg struct {
	Round     uint32
	Horizon   int64
	Decisions []Decision
}

func (m *beginMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	frameField(c, "horizon", &m.Horizon)
	wire.List(c, "decisions", &m.Decisions, maxFirst, decisionFields)
}

type decisionMsg struct {
	Round    uint32
	Number   int // how many decisions stand before it
	Decision Decision
}

func (m *decisionMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	wire.Number(c, "number", &m.Number, 0, maxDecisions-1)
	decisionFields(c, &m.Decision)
}

func decisionFields(c *wire.Coder, d *Decision) {
	wire.Number(c, "decision", &d.Kind, 1, 255)
	if c.Err() == nil && !d.Kind.known() {
		c.Fail("decision", "kind %d is not known to this version of nettplay, which so cannot stay like the others", uint8(d.Kind))
	}
	frameField(c, "frame", &d.Frame)
	switch d.Kind {
	case SetDelay:
		wire.Number(c, "delay", &d.Delay, 0, ds.MaxDelay)
	case Resync:
		machineField(c, &d.Machine)
		c.Bool("alike", &d.Alike)
	case Leave, Idle:
		seatField(c, &d.Seat)
		frameField(c, "input end", &d.InputEnd)
	case Enter:
		c.Within("plan", d.Plan.fields)
	}
	c.Text("why", &d.Why, maxReason)
}

type pauseMsg struct {
	Round uint32
	Pause bool
}

func (m *pauseMsg) game() uint32 { return m.Round }

func (m *pauseMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	c.Bool("pause", &m.Pause)
}

type resyncRequestMsg struct {
	Round uint32
	Why   string
}

func (m *resyncRequestMsg) game() uint32 { return m.Round }

func (m *resyncRequestMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	c.Text("why", &m.Why, maxSentence)
}

type repairedMsg struct {
	Round  uint32
	Number int // which resync of the game
	Hashes []SeatHash
}

func (m *repairedMsg) game() uint32 { return m.Round }

func (m *repairedMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	wire.Number(c, "number", &m.Number, 1, maxDecisions)
	hashesField(c, &m.Hashes)
}

type commitMsg struct {
	Round  uint32
	Frame  int64
	Commit bool
}

func (m *commitMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	frameField(c, "frame", &m.Frame)
	c.Bool("commit", &m.Commit)
}

type committedMsg struct {
	Round     uint32
	Frame     int64
	Committed bool   // it is current; else it is written beside the current one
	Why       string // it could not be; "" when it was
}

func (m *committedMsg) game() uint32 { return m.Round }

func (m *committedMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	frameField(c, "frame", &m.Frame)
	c.Bool("committed", &m.Committed)
	c.Text("why", &m.Why, maxSentence)
}

type hashesMsg struct {
	Round  uint32
	Frame  int64
	Hashes []SeatHash
}

func (m *hashesMsg) game() uint32 { return m.Round }

func (m *hashesMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	frameField(c, "frame", &m.Frame)
	seatHashes(c, &m.Hashes, c.Short)
}

type finishedMsg struct {
	Round  uint32
	Frames int64
	Hashes []SeatHash
	Stats  Stats
}

func (m *finishedMsg) game() uint32 { return m.Round }

func (m *finishedMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	frameField(c, "frames", &m.Frames)
	hashesField(c, &m.Hashes)
	c.Within("stats", m.Stats.fields)
}

func (s *Stats) fields(c *wire.Coder) {
	wire.Number(c, "stalls", &s.Stalls, 0, ds.MaxFrame)
	c.Duration("stall time", &s.StallTime)
	wire.Number(c, "sent", &s.Sent, 0, 1<<50)
	wire.Number(c, "received", &s.Received, 0, 1<<50)
	c.Duration("p50", &s.StepP50)
	c.Duration("p99", &s.StepP99)
}

type endedMsg struct{ Ended }

func (m *endedMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	wire.Number(c, "outcome", &m.Outcome, int64(OutcomeFinished), int64(OutcomeAborted))
	c.Text("why", &m.Why, maxSentence)
	if m.Outcome == OutcomeDesync && c.Err() == nil {
		if c.Reading() {
			m.Desync = new(Desync)
		}
		c.Within("desync", m.Desync.fields)
	}
	wire.List(c, "results", &m.Results, ds.MaxMachines, resultFields)
}

type desyncFoundMsg struct {
	Round  uint32
	Desync Desync
}

func (m *desyncFoundMsg) Fields(c *wire.Coder) {
	roundField(c, &m.Round)
	c.Within("desync", m.Desync.fields)
}

func (d *Desync) fields(c *wire.Coder) {
	frameField(c, "frame", &d.Frame)
	wire.Number(c, "agreed", &d.Agreed, -1, ds.MaxFrame)
	seatField(c, &d.Seat)
	machineField(c, &d.Machine)
	c.Text("region", &d.Region, maxName)
	c.Text("words", &d.Words, maxSentence)
}

func resultFields(c *wire.Coder, r *Result) {
	machineField(c, &r.Machine)
	c.Text("nickname", &r.Nickname, maxName)
	c.Bool("finished", &r.Finished)
	c.Text("why", &r.Why, maxSentence)
	frameField(c, "frames", &r.Frames)
	hashesField(c, &r.Hashes)
	c.Within("stats", r.Stats.fields)
}
