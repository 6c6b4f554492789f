// Package player plays a recorded game again, or one whose log still grows: it seeks, makes
// keyframes on the way, and compares the consoles with what was recorded.
//
// A [Player] runs the same consoles, radio and loop as the game (package internal/game);
// only the inputs come from a log (package internal/replay). So a replay proves itself: a
// console that differs from its recorded hash is a [Difference], with its first frame.
//
// Three use it: the viewer of recordings, a spectator, whose log grows, and a late joiner,
// which follows the game until it comes into it ([Joining]).
//
// One goroutine, that of [Player.Run], owns all that plays; everybody else gives it orders.
//
// Read next: loop.go, game.go (how consoles are made, at the start, a keyframe or a resync),
// keyframes.go, live.go; then package internal/desync.
package player
