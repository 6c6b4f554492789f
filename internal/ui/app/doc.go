// Package app is the desktop program: the flow from its start to a game with
// friends and back.
//
// Its parts, from the inside out:
//
//   - [Shell] holds all screens (packages below internal/ui/screen), shows one of them, and
//     hands on what happens. It is pure: an [Engine] does what is to be done outside.
//     Tests play through it at random.
//   - The engine (engine*.go) does what needs no window: it runs sessions, looks for cores, games
//     and rooms, and writes files. It posts the results back.
//   - The I/O hub (hub.go) joins a running game with the game view, the sound card, keys
//     and controllers. The roster (roster.go) tells it whose consoles there are.
//   - [Run] is the loop on the main thread around all of them. It does the rest of what screens ask for.
//
// The package promises: nothing that waits (network, disk, a core) runs on the main
// thread; closing the window at any moment leaves the room in good order, keeps the save,
// and leaves no process; every failure ends in a sentence that says what happened and what
// to do, with a way back.
//
// Files: the settings (package config), the saves (package saves), and what package
// memory remembers. Read shell.go next, then package screen.
package app
