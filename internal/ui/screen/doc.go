// Package screen has the common part of the window's screens: the settings, the games, the
// way from screen to screen, messages, and the layout of a page.
//
// Each screen is a type of a package below this one: it has its own state, changes it
// by its own methods and draws itself. Screens that belong together share a package:
//
//   - start: home, first steps, games, the forms to host and to join, playing alone
//   - room: from the way into a room to its end
//   - viewer: recordings, and games of others
//   - settings
//   - files: the saves that are kept, and where a file or a folder is looked for, for all others
//
// Screens are pure, like all of [Shared]: an [Engine] does anything outside.
//
// Read package app next: its engine does what screens ask for, and turns events into calls.
package screen
