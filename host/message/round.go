package message

import (
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// MaxFirst is the limit of decisions that a game begins with.
const MaxFirst = 64

type Prepare struct {
	Round    uint32
	Settings room.Settings
	Seats    []room.SeatPlan
}

func (m *Prepare) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	c.Within("settings", m.Settings.Fields)
	room.SeatsField(c, &m.Seats)
}

type Installed struct {
	Round  uint32
	Hashes []room.SeatHash
}

func (m *Installed) Game() uint32 { return m.Round }

func (m *Installed) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.HashesField(c, &m.Hashes)
}

type Failed struct {
	Round uint32
	Cause room.Cause // room.CauseOther amid a game
	Why   string
}

func (m *Failed) Game() uint32 { return m.Round }

func (m *Failed) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.CauseField(c, &m.Cause)
	c.Text("why", &m.Why, room.MaxSentence)
}

// StartFailed tells that the game does not begin.
type StartFailed struct {
	Round    uint32
	Cause    room.Cause
	Why      string // names the player and the reason
	Machines []int  // at fault, as far as known
}

func (m *StartFailed) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.CauseField(c, &m.Cause)
	c.Text("why", &m.Why, room.MaxSentence)
	wire.List(c, "machines", &m.Machines, ds.MaxMachines, room.MachineField)
}

type Begin struct {
	Round     uint32
	Horizon   int64
	Decisions []timeline.Decision
}

func (m *Begin) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.FrameField(c, "horizon", &m.Horizon)
	wire.List(c, "decisions", &m.Decisions, MaxFirst, timeline.DecisionFields)
}

type Decision struct {
	Round    uint32
	Number   int // how many decisions stand before it
	Decision timeline.Decision
}

func (m *Decision) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	wire.Number(c, "number", &m.Number, 0, timeline.MaxDecisions-1)
	timeline.DecisionFields(c, &m.Decision)
}

type Pause struct {
	Round uint32
	Pause bool
}

func (m *Pause) Game() uint32 { return m.Round }

func (m *Pause) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	c.Bool("pause", &m.Pause)
}

type SwitchOn struct {
	Round uint32
	Seat  ds.Seat
}

func (m *SwitchOn) Game() uint32 { return m.Round }

func (m *SwitchOn) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.SeatField(c, &m.Seat)
}

type ResyncRequest struct {
	Round uint32
	Why   string
}

func (m *ResyncRequest) Game() uint32 { return m.Round }

func (m *ResyncRequest) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	c.Text("why", &m.Why, room.MaxSentence)
}

type Remade struct {
	Round  uint32
	Number int // which resync of the game
	Hashes []room.SeatHash
}

func (m *Remade) Game() uint32 { return m.Round }

func (m *Remade) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	wire.Number(c, "number", &m.Number, 1, timeline.MaxDecisions)
	room.HashesField(c, &m.Hashes)
}

type SaveOrder struct {
	Round  uint32
	Frame  int64
	Commit bool
}

func (m *SaveOrder) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.FrameField(c, "frame", &m.Frame)
	c.Bool("commit", &m.Commit)
}

type SaveAnswer struct {
	Round     uint32
	Frame     int64
	Committed bool   // it is current; else it is written beside the current one
	Why       string // it could not be; "" when it was
}

func (m *SaveAnswer) Game() uint32 { return m.Round }

func (m *SaveAnswer) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.FrameField(c, "frame", &m.Frame)
	c.Bool("committed", &m.Committed)
	c.Text("why", &m.Why, room.MaxSentence)
}

type Hashes struct {
	Round  uint32
	Frame  int64
	Hashes []room.SeatHash
}

func (m *Hashes) Game() uint32 { return m.Round }

func (m *Hashes) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.FrameField(c, "frame", &m.Frame)
	room.SeatHashes(c, &m.Hashes, c.Short)
}

type Finished struct {
	Round  uint32
	Frames int64
	Hashes []room.SeatHash
	Stats  Stats
}

func (m *Finished) Game() uint32 { return m.Round }

func (m *Finished) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.FrameField(c, "frames", &m.Frames)
	room.HashesField(c, &m.Hashes)
	c.Within("stats", m.Stats.fields)
}

// LateJoin lets a late joiner into the running game. All decisions of it follow.
type LateJoin struct {
	Round    uint32
	Settings room.Settings
	Seats    []room.SeatPlan // that began it
}

func (m *LateJoin) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	c.Within("settings", m.Settings.Fields)
	room.SeatsField(c, &m.Seats)
}
