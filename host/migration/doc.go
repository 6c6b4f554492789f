// Package migration is the rules by which a room gets another game host: who may vote, what
// a vote and a handover sign, which game host is the later of two, and how it proves that
// it is one. See [Leadership]. The messages with which members elect a game host are here,
// too.
//
// The package is pure: it holds no connection, no clock and no game. Package host acts on
// its verdicts: its client looks for the others and stands as candidate, its game host
// hands over. Read leadership.go first.
package migration
