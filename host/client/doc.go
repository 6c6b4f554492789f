// Package client is a machine in a room that is not its game host: it joins, says what the
// player wants, does what the game host decides, comes back when its connection broke, takes
// part in the election of another game host, or watches.
//
// A [Client] is as pure as the game host, and called as it is: the comment of package host says
// how, and has the messages of a game. The game host is hostile, too: what it says is checked
// against what it said before. registry.go has a row for each message that a client is told.
//
// A client that becomes the game host leaves what it knows; see [Client.Promote]. The tests of
// package host play whole rooms, and test this package, too.
package client
