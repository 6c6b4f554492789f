// Package assembly makes consoles alike on all machines of a room.
//
// An [Assembly] has the consoles that come from this machine put into a store, offers them to
// the others, fetches the rest, builds all of them in fresh workers and tells their hashes. A
// round's start, a resync and a late join each give it a [Purpose]: whose consoles, from which
// machine each comes, between which air, and what the room is to be told.
//
// The wall stands here because those three share all of this and nothing else. An assembly
// knows which machine it runs on and which one is game host, and no phase of the room, no
// decision, no player and no connection: the [Session] around it carries what
// [Assembler.Exchange] has to say. So the one thing that must come out the same on all machines
// has one place, and is tested without a room.
//
// An [Assembler] remains between assemblies: the store, and an exchange with each machine, so that
// nothing travels twice because something is begun again.
//
// Read next: package savestate, which moves the parts, and package internal/session, which has
// the purposes.
package assembly
