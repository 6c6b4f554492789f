// Package online holds a machine's knowledge of others: the keys of those it met ([KnownKeys]), and through its relays open
// rooms, and friends who are there; and what it lets others know: its own open room, and to friends that it is there.
//
// A [Service] has a mailbox of its own at each relay, which is no room's. It tells a [View] of all that it
// knows, at most twice a second. All of a view is claimed by others; lengths are bounded
// and texts are clean, nothing else is certain before a room is joined.
//
// Read next: internal/relay for what relays publish, internal/launch for who uses it.
package online
