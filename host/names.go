package host

import (
	"github.com/nettplay/nettplay/host/event"
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

// The words of package event that a caller meets.
type (
	Admitted           = event.Admitted
	Begin              = event.Begin
	Candidacy          = event.Candidacy
	ChatLine           = event.ChatLine
	ConnectPeers       = event.ConnectPeers
	ConnectionLost     = event.ConnectionLost
	Decided            = event.Decided
	DesyncFound        = event.DesyncFound
	Elected            = event.Elected
	Ended              = event.Ended
	Event              = event.Event
	HashReport         = event.HashReport
	HostChanged        = event.HostChanged
	JoinFailed         = event.JoinFailed
	LateJoined         = event.LateJoined
	Outgoing           = event.Outgoing
	PlayerDisconnected = event.PlayerDisconnected
	PlayerJoined       = event.PlayerJoined
	PlayerLeft         = event.PlayerLeft
	PlayerReconnected  = event.PlayerReconnected
	Prepare            = event.Prepare
	Reconnected        = event.Reconnected
	Refused            = event.Refused
	Reran              = event.Reran
	ResyncRequested    = event.ResyncRequested
	RoomChanged        = event.RoomChanged
	RoomClosed         = event.RoomClosed
	RoomLost           = event.RoomLost
	SaveCommit         = event.SaveCommit
	SeatLeft           = event.SeatLeft
	SpectatorJoined    = event.SpectatorJoined
	SpectatorLeft      = event.SpectatorLeft
	StartFailed        = event.StartFailed
	SteppedDown        = event.SteppedDown
	Welcomed           = event.Welcomed
)
