// Package event is the word of a game host or a client of package host to its caller: what has
// happened, as an [Event], and what is to be sent, as an [Outgoing]. event.go has the life of a room
// and of its games, changes.go the changes of members and game hosts meanwhile.
package event
