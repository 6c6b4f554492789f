// Package election finds a new game host among the clients of a room whose game host is
// lost. Each client has one [Election]: peer links to the other clients, whether this machine
// stands as candidate, and its vote.
//
// An Election is as pure as the client that owns it. The client says what it knows in a
// [View] with each call, and acts on what it is told: it gives up the old game host when
// [Election.Voted] is beyond its room's epoch, and becomes game host when it has [Won].
//
// Package migration has the rules by which votes count, and the messages. Read next: package
// host, whose Client has an Election.
package election
