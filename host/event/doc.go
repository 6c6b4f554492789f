// Package event defines what a game host or client of package host returns to its caller: what has
// happened, as an [Event], and what to send, as an [Outgoing]. event.go covers the life of a room
// and its games, changes.go the changes of members and game hosts during them.
package event
