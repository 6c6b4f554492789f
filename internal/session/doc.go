// Package session is a game on this machine, from opening or joining a room to
// the report at its end.
//
// [Run] owns one goroutine that owns everything else: the line to the other
// machines (package internal/link), the room (package host), the exchange of
// what consoles start from (package savestate), and the game itself: one console
// per seat (package emucore), each on a goroutine of its own, fed from the
// seat's delay line (package inputdelay), which package mirror keeps equal on
// all machines, and watched by package internal/desync.
//
// Consoles that do not talk to each other are coupled loosely, as melonDS'
// netplay has it. Our own console runs at the DS' rate and waits only while
// another machine is more than 16 frames behind. A copy of somebody else's
// console runs when its input is there; without input it stands still and
// nothing is guessed. Consoles that talk by radio wait for each other on the air
// (package internal/air), and all consoles of a machine meet before a frame for
// what concerns all of them.
//
// What decides about a console is in game.go, feed.go and meet.go, which know no
// clock: time says only when a frame is run, never what is in it.
//
// [Watch] is somebody who only watches: it plays the game's log, which the game host
// gives out while it is written (spectators.go), with a [Player].
//
// Read next: session.go (the loop), start.go (from "prepare" to the first
// frame), game.go (the frames), meet.go; then what happens when something breaks:
// resync.go, reconnection.go, migration.go; who comes later: admission.go, catchup.go, progress.go; and what is left
// to look at then: evidence.go, bisect.go.
package session
