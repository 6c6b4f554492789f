// Package bugreport writes everything that the search for a fault needs into one zip
// file, and reads it again.
//
// There are two kinds: of a recording, which a player asks for ("nettplay replay
// --report"), and of machines that were not alike any more, which the program writes
// by itself. The latter is a [Bundle]: the verdict, the recording so far, what the
// console was on both machines, and where they differ.
//
// It promises: a file is there whole or not at all; nobody but its owner can read
// it, since players' saves are in it; there are never more than some of them in a
// folder. A file that is read may come from anybody: every length is bounded before
// anything is allocated.
//
// The package decides nothing about games. Read next: verdict.go, then
// internal/desync/report/bundle.go, which fills a bundle.
package bugreport
