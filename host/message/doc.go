// Package message is the language of a room: every message that a game host, its clients
// and its spectators say to each other, and how it is written as bytes. message.go has the
// codec and the parts of messages, kinds.go the number, the name and the fields of each.
//
// The package is pure, and says nothing about when a message may be said or what it does:
// package host does, one row for each message in its registry.go.
package message
