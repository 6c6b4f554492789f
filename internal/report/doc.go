// Package report writes everything that the search for a fault needs into one zip file, and reads it again: of a recording,
// when a player asks ("nettplay replay --report"), and by itself of machines of a game that were not alike, a [Bundle].
//
// It promises: a file is there whole or not at all; nobody but its owner can read it, since players' saves are in it; there
// are never more than some of them in a folder. A file that is read may come from anybody: every length is bounded before
// anything is allocated.
//
// A [Reporter] serves a session. It keeps the consoles that differ ([Evidence]), writes them
// with the recording into a file (format.go), plays the recording again and compares the machines' results. So all players are
// told whether a core computes otherwise on one machine, or a fault passed.
//
// [Bisect] looks for the first frame that differs, from one or two such files, with the
// consoles here ([PlayAgain]).
//
// Read next: reporter.go, bundle.go, bisect.go; package internal/desync, which notices that
// machines differ.
package report
