// Package game is one round of play on one machine: a console for each seat, the input
// queues that feed them, the barriers at which they meet, the decisions of the timeline
// as they apply here, and the resyncs that replace consoles.
//
// A [Game] knows no socket, no clock and no file. Its caller, package session, hands in
// the time, the datagrams that arrived and the outcomes of the consoles, and sends the
// datagrams that the game returns. A [Game] belongs to one goroutine; only the consoles
// run on goroutines of their own ([Outcome]). Package player drives the same game from a
// recording.
//
// # When a console runs
//
// A console runs its next frame when all of this holds: its input queue has the input of
// that frame, every decision that could apply to it is known ([ds.Horizon]), no
// barrier stands before it, and the frame is due. In lockstep our own console runs at the
// DS' rate and waits while another machine is more than [ds.MaxBehind] frames behind. In
// clocked play only the game host waits for others, and only for one that is far behind
// (clocked.go). In rollback late inputs are guessed, and consoles go back where a guess was wrong
// (rollback.go); all that leaves the game is of confirmed frames. Time decides when a frame runs, never what is in it.
//
// Consoles that do not use their radio may be frames apart; those that do wait for each
// other on the air (package internal/air). For whatever concerns all consoles of the
// machine they meet at a barrier, at the beginning of one frame.
//
// # Read next
//
// game.go, round.go (the loop), feed.go and receive.go (what machines send each other),
// barrier.go, decide.go; then resync.go and replace.go; migration.go for a change
// of the game host.
package game
