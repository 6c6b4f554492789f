// Package report makes desync reports: what is left to look at when the machines of a game
// were not alike, and what it shows.
//
// A [Reporter] serves a session. It keeps the consoles that differ ([Evidence]), writes them
// with the recording into a file for a bug report (package internal/bugreport has the
// format), plays the recording again and compares the machines' results. So all players are
// told whether a core computes otherwise on one machine, or a fault passed.
//
// [Bisect] looks for the first frame that differs, from one or two such files, with the
// consoles here ([PlayAgain]).
//
// Read next: reporter.go, bundle.go, bisect.go; package internal/desync, which notices that
// machines differ.
package report
