// Package membership describes a machine in a room, game host or client: what it brings, as a [Config];
// by what the others know it, as an [Identity]; how long it waits for them, as [Timeouts].
//
// A client that becomes the game host leaves all that it knows as a [Promotion], a plain record.
// It is the wall between packages host and host/client: both stand on this one, and neither
// knows the other. Nothing else passes between them but messages.
package membership
