package session

import "github.com/nettplay/nettplay/internal/player"

// Names of package player under which users of this package know them.
type (
	Player       = player.Player
	PlayerStatus = player.Status
	ReplayConfig = player.Config
	Difference   = player.Difference
	Need         = player.Need
)

// The speeds of a player.
const (
	SlowestSpeed = player.SlowestSpeed
	FastestSpeed = player.FastestSpeed
	NoLimit      = player.NoLimit
)

// Functions of package player.
var (
	NewPlayer   = player.New
	ReplayNeeds = player.Needs
)
