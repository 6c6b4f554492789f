package host

import (
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// maxFirst is how many decisions a game may begin with.
const maxFirst = 64

type prepareMsg struct {
	Round    uint32
	Settings room.Settings
	Seats    []room.SeatPlan
}

func (m *prepareMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	c.Within("settings", m.Settings.Fields)
	room.SeatsField(c, &m.Seats)
}

type installedMsg struct {
	Round  uint32
	Hashes []room.SeatHash
}

func (m *installedMsg) game() uint32 { return m.Round }

func (m *installedMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.HashesField(c, &m.Hashes)
}

type failedMsg struct {
	Round uint32
	Why   string
}

func (m *failedMsg) game() uint32 { return m.Round }

func (m *failedMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	c.Text("why", &m.Why, room.MaxSentence)
}

type startFailedMsg struct{ StartFailed }

func (m *startFailedMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	c.Text("why", &m.Why, room.MaxSentence)
	wire.List(c, "machines", &m.Machines, ds.MaxMachines, room.MachineField)
}

type beginMsg struct {
	Round     uint32
	Horizon   int64
	Decisions []timeline.Decision
}

func (m *beginMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.FrameField(c, "horizon", &m.Horizon)
	wire.List(c, "decisions", &m.Decisions, maxFirst, timeline.DecisionFields)
}

type decisionMsg struct {
	Round    uint32
	Number   int // how many decisions stand before it
	Decision timeline.Decision
}

func (m *decisionMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	wire.Number(c, "number", &m.Number, 0, timeline.MaxDecisions-1)
	timeline.DecisionFields(c, &m.Decision)
}

type pauseMsg struct {
	Round uint32
	Pause bool
}

func (m *pauseMsg) game() uint32 { return m.Round }

func (m *pauseMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	c.Bool("pause", &m.Pause)
}

type resyncRequestMsg struct {
	Round uint32
	Why   string
}

func (m *resyncRequestMsg) game() uint32 { return m.Round }

func (m *resyncRequestMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	c.Text("why", &m.Why, room.MaxSentence)
}

type repairedMsg struct {
	Round  uint32
	Number int // which resync of the game
	Hashes []room.SeatHash
}

func (m *repairedMsg) game() uint32 { return m.Round }

func (m *repairedMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	wire.Number(c, "number", &m.Number, 1, timeline.MaxDecisions)
	room.HashesField(c, &m.Hashes)
}

type commitMsg struct {
	Round  uint32
	Frame  int64
	Commit bool
}

func (m *commitMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.FrameField(c, "frame", &m.Frame)
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
	room.RoundField(c, &m.Round)
	room.FrameField(c, "frame", &m.Frame)
	c.Bool("committed", &m.Committed)
	c.Text("why", &m.Why, room.MaxSentence)
}

type hashesMsg struct {
	Round  uint32
	Frame  int64
	Hashes []room.SeatHash
}

func (m *hashesMsg) game() uint32 { return m.Round }

func (m *hashesMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.FrameField(c, "frame", &m.Frame)
	room.SeatHashes(c, &m.Hashes, c.Short)
}

type finishedMsg struct {
	Round  uint32
	Frames int64
	Hashes []room.SeatHash
	Stats  Stats
}

func (m *finishedMsg) game() uint32 { return m.Round }

func (m *finishedMsg) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.FrameField(c, "frames", &m.Frames)
	room.HashesField(c, &m.Hashes)
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

type desyncFoundMsg struct {
	Round  uint32
	Desync Desync
}

func (m *desyncFoundMsg) Fields(c *wire.Coder) {
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
