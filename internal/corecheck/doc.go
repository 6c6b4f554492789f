// Package corecheck finds out in a few seconds whether a core can be played with, before it
// is in a game for the first time: by a synctest of two consoles with a program of ours, in
// workers as in a game.
//
//	v, err := corecheck.Run(ctx, corecheck.Config{Core: core})
//	if v.Failed() { fmt.Println(v.Words()) }
//
// Three things are tried: that the same game twice gives the same consoles ([Repeat]), that
// consoles which load one state go on alike ([State]), and that consoles hear each other by
// radio, with the same packets each time ([Radio]). A core that crashes or hangs fails what
// was being tried. Nothing of a check is seen by a game.
//
// A [Book] keeps verdicts by the SHA-256 of the core, so each build is checked once.
//
// Read next: internal/launch, which asks for the verdict when a room is opened or joined.
package corecheck
