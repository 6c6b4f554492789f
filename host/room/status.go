package room

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/internal/wire"
)

// Status is a machine's report of itself.
type Status struct {
	Revision uint32           // the Room.Revision that this machine has looked at
	Ready    bool             // the player wants to start
	Problem  string           // why this machine cannot start, in words; "" when it can
	Cause    Cause            // of Problem
	Missing  [][32]byte       // games of the roster that this machine has not, by SHA-256, at most 16
	Near     []Near           // of those, the nearest games that it has instead, at most 16
	Up, Down Progress         // while a game is prepared
	Depth    Depth            // in rollback
	OwnDelay autodelay.Choice // for its players' presses, in rollback
	Paths    []Path           // to other clients of a higher number
}

// Bounded is a copy that fits into a message.
func (s Status) Bounded() Status {
	s.Problem = wire.Clean(s.Problem, MaxSentence)
	s.Missing = slices.Clone(s.Missing[:min(len(s.Missing), ds.MaxSeats)])
	s.Near = slices.Clone(s.Near[:min(len(s.Near), ds.MaxSeats)])
	s.Paths = slices.Clone(s.Paths[:min(len(s.Paths), maxPaths)])
	for i := range s.Paths {
		s.Paths[i].Way, s.Paths[i].RTT = wire.Clean(s.Paths[i].Way, MaxReason), max(s.Paths[i].RTT, 0)
	}
	s.Depth, s.OwnDelay = min(s.Depth, MaxDepth), min(s.OwnDelay, autodelay.MaxChoice)
	for _, p := range []*Progress{&s.Up, &s.Down} {
		p.Done, p.Total = min(max(p.Done, 0), MaxBytes), min(max(p.Total, 0), MaxBytes)
	}
	return s
}

// Same compares all but progress and paths.
func (s Status) Same(o Status) bool {
	return s.Revision == o.Revision && s.Ready == o.Ready && s.Problem == o.Problem && s.Cause == o.Cause && s.Depth == o.Depth && s.OwnDelay == o.OwnDelay && slices.Equal(s.Missing, o.Missing) && slices.Equal(s.Near, o.Near)
}

// Depth is how many frames a machine can guess in rollback, as it has found out: 0 where it has not yet, else one more than
// so many.
type Depth uint8

// MaxDepth is the largest.
const MaxDepth Depth = rollback.MaxDepth + 1

// DepthOf is that of so many frames.
func DepthOf(frames int) Depth { return Depth(min(max(frames, 0), rollback.MaxDepth) + 1) }

// Frames are its frames, if they are known.
func (d Depth) Frames() (frames int, known bool) { return int(d) - 1, d > 0 }

// Weakest is the player whose machine guesses the fewest frames, of those that have found out.
func (r *Room) Weakest() (p Player, frames int, known bool) {
	for _, o := range r.Players {
		if n, is := o.Depth.Frames(); is && o.Present && o.Local == 0 && (!known || n < frames) {
			p, frames, known = o, n, true
		}
	}
	return p, frames, known
}

// Path is the way between two clients, which they keep for the time when the game host is gone.
type Path struct {
	Machine int           // the other one; its number is higher
	RTT     time.Duration // zero: not measured yet
	Way     string        // how datagrams go where that is not directly, in words; else ""
}

// How many of 1,000 datagrams a line loses that is bad beside others, and how many those lose at most.
const (
	badLoss  = 80
	goodLoss = 20
)

// BadLine returns the machine of two or more game clients whose line to the game host alone is bad:
// it needs a delay that is longer than the next by more than [ds.MaxOffset], or it alone loses much.
func BadLine(players []Player) (machine int, bad bool) {
	lines := measured(players)
	if len(lines) < 2 {
		return 0, false
	}
	need := func(p Player) int { return SuggestDelay(p.Ping, p.Jitter) }
	loss := func(p Player) int { return p.Loss }
	if m, worst, next := worstOf(lines, need); worst > next+ds.MaxOffset {
		return m, true
	}
	m, worst, next := worstOf(lines, loss)
	return m, worst >= badLoss && next <= goodLoss
}

// worstOf returns the machine with the highest value, that, and the next one.
func worstOf(lines []Player, value func(Player) int) (machine, worst, next int) {
	slices.SortStableFunc(lines, func(a, b Player) int { return value(b) - value(a) })
	return lines[0].Machine, value(lines[0]), value(lines[1])
}
