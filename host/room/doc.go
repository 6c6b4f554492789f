// Package room describes a room as all its machines know it: settings, players and spectators, what each
// console is built from, and the reasons for refusing someone. Each type lists its fields
// for the wire once, checks its own limits, and cleans the texts in it; see package wire. It holds no
// state and does no I/O.
//
// Read next: package host, whose game host and clients use these types.
package room
