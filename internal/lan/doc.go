// Package lan finds rooms on the local network without a typed address.
//
// The machine of an open room sends a [Beacon], one small UDP datagram, once a second to
// the broadcast address of each of its networks ([Announce]). A player who looks for a room
// listens on the beacon port ([Browse]) and keeps a list of recent beacons. A beacon tells a
// player what matters before joining: the room, the game, the number of players. It is
// advice only: the address to connect to is the datagram's source, and the game host
// decides who comes in.
//
// The package promises:
//   - Beacons are hostile: lengths are bounded, texts lose characters that do not print,
//     and the list holds at most [MaxRooms] rooms, at most [MaxPerAddress] of one address.
//     So nobody can fill memory or screen.
//   - A room disappears when it says so, or [Expiry] after its last beacon.
//   - A closed room sends no beacon after Close has returned.
//
// beacon.go is the format, table.go the list; both are pure. announce.go and browse.go send
// and receive. Read next: internal/ui/app, whose screen shows the list.
package lan
