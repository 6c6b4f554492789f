package host

import "github.com/nettplay/nettplay/host/room"

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
