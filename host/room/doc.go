// Package room is everybody's knowledge of a room: its settings, its players and spectators, what each
// console is built from, and the words with which somebody is not let in. Each type lists its fields
// for the wire once, checks its own limits, and cleans the texts in it; see package wire. It holds no
// state and does no I/O.
//
// Read next: package host, whose game host and clients speak of all this.
package room
