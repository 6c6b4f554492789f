// Package session is a room over time on this machine, from opening or joining it to the
// report at its end: join, lobby, start, play, end, and again.
//
// [Run] has one goroutine that owns everything else: the connections to the other machines
// (package internal/link), the room (package host), the transfer of what consoles start
// from (package savestate), the round that is played (package internal/game), the saves
// (packages internal/savecommit and internal/saves) and the comparison of hashes (package
// internal/desync). It owns the clock and calls down; the packages below tell it of events and
// know nothing of it.
//
// An assembly (package internal/assembly) makes consoles alike on all machines, for one of four
// purposes: the start of a round or of a kept moment, a resync, and our own late join.
//
// # Read next
//
// run.go (the loop), events.go (what arrives, and what the room asks for) and play.go (a game's
// turn), which stand on all others; session.go, on which all others stand; assembly.go, then start.go,
// resync.go and latejoin.go; connections.go, reconnection.go and migration.go for what
// becomes of connections; judge.go and repair.go for machines that differ; admission.go for late
// joiners as the game host sees them, catchup.go and package internal/spectate for how they get to
// where the game is; saving.go for saves; ending.go and leaving.go.
package session
