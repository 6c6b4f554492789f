// Package lan finds rooms on the local network without an address being typed.
//
// The machine of an open room sends a [Beacon], one small UDP datagram, once a
// second to the broadcast address of each of its networks ([Announce]). Whoever
// looks for a room listens on the beacon port ([Browse]) and keeps a list of what
// was heard lately. A beacon says what a player wants to know before joining: the
// room, the game, how many are there. It is advice and nothing more: where to
// connect is taken from the datagram's source, and whether one is let in is the
// game host's to say.
//
// It promises:
//   - Beacons are hostile: lengths are bounded, texts are cleaned of what does not
//     print, and the list holds at most [MaxRooms] rooms, at most [MaxPerAddress]
//     of one address, so nobody can fill memory or screen.
//   - A room disappears when it says so, or [Expiry] after its last beacon.
//   - A room that is closed is not announced any more when Close has returned.
//
// beacon.go is the format, table.go the list; both are pure. announce.go and
// browse.go do the sending and receiving. Read internal/ui/app next for the
// screen that shows the list.
package lan
