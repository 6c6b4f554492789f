// Package replay is the log of a game: everything that is needed to play it
// again, frame by frame, with every console that took part.
//
// Consoles are a function of what they start from and of their inputs, so a log
// holds just that: a head (core, games, firmware settings, clock, seats), the
// initial saves and states, and then, as the game goes on, the inputs of all
// seats, the game host's decisions, and hashes of the consoles, by which a
// replay proves itself: a few kilobytes a minute.
//
//	recorder := replay.NewRecorder(replay.Config{Folder: dir})   // the session calls it
//
//	log, err := replay.Open(path)
//	cursor := log.From(0)
//	in, ok, err := cursor.Input(seat, frame)
//
// It promises:
//   - Recording never waits for the disk, costs about a microsecond a frame and
//     bounded memory, and never ends a game: a [Recorder] that cannot go on says
//     so once, in [Recorder.Problem].
//   - What happened more than a second ago is in the file, whatever becomes of
//     the process.
//   - A log is a hostile file to its reader. Every length is bounded before
//     anything is allocated, texts are cleaned, and what is read is as large in
//     memory as the read-ahead, not as the file says.
//   - A file that was cut off anywhere is read up to the last whole block, and
//     says that it was cut ([Log.Cut]). One that is still being written can be
//     read like any other.
//   - Logs of older formats stay readable; testdata has one of each.
//
// A [Tail] gives out the log of a game that runs, as much of it as may be seen, and a
// [Live] is that log where it is watched: its [Log] grows.
//
// Keyframes, from which a replay goes on in the middle of a game, are no part of
// a log: they are large and can always be made again. [Keyframes] keeps them in a
// folder of its own, within a limit.
//
// Read format.go next, then package internal/player, which plays logs with the
// very same game loop that plays games.
package replay
