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
	Revision uint32           // the Room.Revision that this machine has checked
	Ready    bool             // the player wants to start
	Problem  string           // why this machine cannot start, in words; "" when it can
	Cause    Cause            // of Problem
	Missing  [][32]byte       // games of the roster that this machine lacks, by SHA-256, at most 16
	Near     []Near           // the nearest games to those that it has, at most 16
	Up, Down Progress         // while a game is prepared
	Depth    Depth            // in rollback
	OwnDelay autodelay.Choice // for its players' presses, in rollback
	Paths    []Path           // to other clients of a higher number
}

// Bounded returns a copy that fits into a message.
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

// Same reports whether s and o are equal except for progress and paths.
func (s Status) Same(o Status) bool {
	return s.Revision == o.Revision && s.Ready == o.Ready && s.Problem == o.Problem && s.Cause == o.Cause && s.Depth == o.Depth && s.OwnDelay == o.OwnDelay && slices.Equal(s.Missing, o.Missing) && slices.Equal(s.Near, o.Near)
}

// Depth is how many frames a machine can guess in rollback, by its own measurement: 0 if not known yet, else the
// number of frames plus one.
type Depth uint8

// MaxDepth is the largest Depth.
const MaxDepth Depth = rollback.MaxDepth + 1

// DepthOf returns the Depth for a number of frames.
func DepthOf(frames int) Depth { return Depth(min(max(frames, 0), rollback.MaxDepth) + 1) }

// Frames returns the number of frames, and whether it is known.
func (d Depth) Frames() (frames int, known bool) { return int(d) - 1, d > 0 }

// Weakest returns the player whose machine can guess the fewest frames, among those whose depth is known.
func (r *Room) Weakest() (p Player, frames int, known bool) {
	for _, o := range r.Players {
		if n, is := o.Depth.Frames(); is && o.Present && o.Local == 0 && (!known || n < frames) {
			p, frames, known = o, n, true
		}
	}
	return p, frames, known
}

// Path is a connection between two clients, which they keep in case the game host is lost.
type Path struct {
	Machine int           // the other one; its number is higher
	RTT     time.Duration // zero: not measured yet
	Way     string        // how datagrams go where that is not directly, in words; else ""
}

// Datagrams lost of 1,000: at least badLoss makes a line bad if all others lose at most goodLoss.
const (
	badLoss  = 80
	goodLoss = 20
)

// BadLine returns the one machine, among two or more clients, whose line to the game host is bad:
// it needs a delay longer than the next by more than [ds.MaxOffset], or it alone loses many datagrams.
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

// worstOf returns the machine with the highest value, that value, and the next highest.
func worstOf(lines []Player, value func(Player) int) (machine, worst, next int) {
	slices.SortStableFunc(lines, func(a, b Player) int { return value(b) - value(a) })
	return lines[0].Machine, value(lines[0]), value(lines[1])
}
