// Package app is the desktop program: the flow from its start to a game with
// friends and back.
//
// Its parts, from the inside out:
//
//   - [Model] is what the program does and knows: which screen shows, the room, the
//     settings. The player's wishes and the world's news are its methods; what is to
//     be done outside comes out as [Command]s. It is pure, and the tests walk
//     through it at random.
//   - [View] draws a model with package widgets and calls its methods.
//   - The engine (engine.go, play.go) does the commands: it runs sessions, looks for
//     cores, games and rooms, writes files. What comes of that is posted back.
//   - The board (board.go) joins a running game with the stage, the sound card,
//     keys and controllers.
//   - [Run] is the loop on the main thread around all of them.
//
// What it promises: nothing that waits (network, disk, a core) is done on the
// main thread; closing the window at any moment leaves the room in good order, keeps
// the save, and leaves no process; every failure ends in a sentence that says
// what happened and what to do, with a way back.
//
// Files: the settings (package config), the saves (package saves), and Memory: what
// is remembered for convenience. Read model.go next, then view.go.
package app
