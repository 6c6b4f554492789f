// Package launch turns the player's settings and the choices of one start into a
// session that is ready to run. The command line and the window both use it, so a
// room behaves the same whichever of them opened it.
//
// A [Machine] holds what all starts on this machine share. [Machine.Play] makes the
// session of a player, [Machine.Watch] that of a spectator, [Machine.Replay] that of a
// recording. The caller sets the rest in the configuration that it gets: functions
// that show frames, take notices or trace the radio.
//
// Read next: internal/session, which runs it.
package launch
