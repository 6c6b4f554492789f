package host

import (
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// The words of package room that a caller of a Host or Client meets.
type (
	BIOSHash    = room.BIOSHash
	CoreID      = room.CoreID
	LocalPlayer = room.LocalPlayer
	Option      = room.Option
	Phase       = room.Phase
	Player      = room.Player
	Progress    = room.Progress
	ROMID       = room.ROMID
	Refusal     = room.Refusal
	Room        = room.Room
	SeatHash    = room.SeatHash
	SeatPlan    = room.SeatPlan
	Settings    = room.Settings
	Spectator   = room.Spectator
	Status      = room.Status
)

const (
	CodeBIOS = room.CodeBIOS
	CodeCore = room.CodeCore

	DefaultSpectateDelay = room.DefaultSpectateDelay
	DefaultSpectators    = room.DefaultSpectators
	MaxLocalPlayers      = room.MaxLocalPlayers
	MaxSpectateDelay     = room.MaxSpectateDelay
	MaxSpectators        = room.MaxSpectators
	MinSeats             = room.MinSeats

	PhaseClosed    = room.PhaseClosed
	PhaseJoining   = room.PhaseJoining
	PhaseLobby     = room.PhaseLobby
	PhasePlaying   = room.PhasePlaying
	PhasePreparing = room.PhasePreparing
)

// The words of package timeline that a caller meets.
type (
	Decision = timeline.Decision
	Horizon  = ds.Horizon
	Kind     = timeline.Kind
)

const (
	Start    = timeline.Start
	SetDelay = timeline.SetDelay
	Leave    = timeline.Leave
	End      = timeline.End
	Pause    = timeline.Pause
	Resume   = timeline.Resume
	Resync   = timeline.Resync
	Resynced = timeline.Resynced
	Enter    = timeline.Enter
	Idle     = timeline.Idle
)

// The words of package message that a caller meets.
type (
	CloseReason = message.CloseReason
	Desync      = message.Desync
	Outcome     = message.Outcome
	Rerun       = message.Rerun
	Result      = message.Result
	Stats       = message.Stats
	TraceHash   = message.TraceHash
)

const (
	ClosedByHost  = message.ClosedByHost
	ClosedDropped = message.ClosedDropped
	ClosedKicked  = message.ClosedKicked
	ClosedMoved   = message.ClosedMoved

	OutcomeAborted  = message.OutcomeAborted
	OutcomeDesync   = message.OutcomeDesync
	OutcomeFinished = message.OutcomeFinished

	MaxMessage = message.MaxMessage
	MaxTrace   = message.MaxTrace
	Protocol   = message.Protocol
)
