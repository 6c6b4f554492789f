package room

import "github.com/nettplay/nettplay/internal/rollback"

// Sync is how the machines of a room keep together.
type Sync uint8

// The ways.
const (
	// Lockstep: each machine stamps its own inputs, and all wait for those that come late.
	Lockstep Sync = iota
	// Clocked: the game host stamps the inputs of all seats at a steady clock, so that nobody waits for a machine
	// whose inputs come late.
	Clocked
	// Rollback: each machine stamps its own inputs, and nobody waits for a while: consoles run on with guesses,
	// and go back where those were wrong.
	Rollback
)

var syncNames = [...]string{"lockstep", "clocked", "rollback"}

// String is the way's name.
func (s Sync) String() string { return syncNames[min(int(s), len(syncNames)-1)] }

// SyncNamed is the way of a name, Lockstep for any other.
func SyncNamed(name string) Sync {
	for s, n := range syncNames {
		if n == name {
			return Sync(s)
		}
	}
	return Lockstep
}

// Slack is the number of frames that consoles may be ahead of those that their machine tells.
func (s Settings) Slack() int {
	if s.Sync == Rollback {
		return rollback.MaxDepth
	}
	return 0
}
