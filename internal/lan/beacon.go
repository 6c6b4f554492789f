package lan

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// A beacon on the wire, version 1, numbers little-endian:
//
//	 0  "npb", then the version: 1
//	 4  flags: 1 password, 2 wireless, 4 playing, 8 gone, 16 watch, 32 late
//	 5  players
//	 6  seats
//	 7  0
//	 8  id, 64 bits
//	16  the room's UDP port, 16 bits
//	18  the first 8 bytes of the game's SHA-256
//	26  texts, each a length byte and so many bytes UTF-8:
//	    room, host, game, core, program
//
// More bytes may follow, which a later program may give a meaning; a reader of
// version 1 ignores them.
const (
	beaconVersion = 1
	beaconFixed   = 26
)

// MaxBeacon is the size of the largest datagram that is looked at, in bytes. It
// fits into any network's packets.
const MaxBeacon = 512

// maxText is the longest text of a beacon in bytes: five of them fit.
const maxText = 72

// Beacon is a room's word of itself.
type Beacon struct {
	// ID is a random number that stays the same for as long as the room is open:
	// the same room heard over two networks is shown once.
	ID       uint64
	Port     int     // the room's UDP port
	ROM      [8]byte // the first bytes of the game's SHA-256
	Players  int     // that are there, 0 to 255
	Seats    int     // for how many there is room, 1 to 255
	Password bool    // one is needed
	Wireless bool    // the core has local wireless
	Playing  bool    // a game is running
	Late     bool    // others can come in while it does
	Watch    bool    // one more may watch

	// The texts are shortened when sent, and clean when received.
	Room    string // the room's name
	Host    string // the game host's nickname
	Game    string // its title
	Core    string // the core's name
	Program string // the version of nettplay

	gone bool // the room is closing
}

// flags are what the bits of the flags say, the lowest first.
func (n *Beacon) flags() []*bool {
	return []*bool{&n.Password, &n.Wireless, &n.Playing, &n.gone, &n.Watch, &n.Late}
}

// texts are those at the end, by the names in textNames.
func (n *Beacon) texts() []*string {
	return []*string{&n.Room, &n.Host, &n.Game, &n.Core, &n.Program}
}

var textNames = [...]string{"room", "host", "game", "core", "program"}

// Append appends the beacon's datagram to b.
func (n Beacon) Append(b []byte) []byte {
	flags := byte(0)
	for i, on := range n.flags() {
		if *on {
			flags |= 1 << i
		}
	}
	b = append(b, 'n', 'p', 'b', beaconVersion, flags, uint8(clamp(n.Players, 255)), uint8(clamp(n.Seats, 255)), 0)
	b = binary.LittleEndian.AppendUint64(b, n.ID)
	b = binary.LittleEndian.AppendUint16(b, uint16(clamp(n.Port, 65535)))
	b = append(b, n.ROM[:]...)
	for _, text := range n.texts() {
		cleaned := clean(*text)
		b = append(append(b, uint8(len(cleaned))), cleaned...)
	}
	return b
}

func clamp(v, hi int) int { return min(max(v, 0), hi) }

// errNoBeacon is for datagrams of somebody else.
var errNoBeacon = errors.New("not a beacon of nettplay")

// ParseBeacon reads a datagram. Its error names the field at fault.
func ParseBeacon(b []byte) (Beacon, error) {
	switch {
	case len(b) < 4 || string(b[:3]) != "npb":
		return Beacon{}, errNoBeacon
	case b[3] != beaconVersion:
		return Beacon{}, fmt.Errorf("beacon of version %d: only %d is known", b[3], beaconVersion)
	case len(b) < beaconFixed || len(b) > MaxBeacon:
		return Beacon{}, fmt.Errorf("beacon of %d bytes: not in %d..%d", len(b), beaconFixed, MaxBeacon)
	}
	n := Beacon{
		Players: int(b[5]), Seats: int(b[6]),
		ID: binary.LittleEndian.Uint64(b[8:]), Port: int(binary.LittleEndian.Uint16(b[16:])), ROM: [8]byte(b[18:26]),
	}
	for i, on := range n.flags() {
		*on = b[4]&(1<<i) != 0
	}
	if n.Port == 0 {
		return Beacon{}, errors.New("beacon: port 0")
	}
	if n.Seats == 0 || n.Players > n.Seats {
		return Beacon{}, fmt.Errorf("beacon: %d players on %d seats", n.Players, n.Seats)
	}
	rest := b[beaconFixed:]
	for i, text := range n.texts() {
		if len(rest) == 0 || int(rest[0]) > maxText || len(rest) < 1+int(rest[0]) {
			return n, fmt.Errorf("beacon: %s: cut short, or longer than %d bytes", textNames[i], maxText)
		}
		told := string(rest[1 : 1+rest[0]])
		*text = phrase.OrNameless(clean(told), told)
		rest = rest[1+rest[0]:]
	}
	return n, nil
}

// clean makes a text fit to be shown in one line: what does not print is
// dropped (controls, marks that turn the direction of writing, and letters that are blank), runs of white
// space become one space, and it ends after at most maxText bytes, between two
// characters. Cleaning a clean text changes nothing.
func clean(s string) string { return wire.CleanPrinting(s, maxText) }

// With returns the beacon with what a room says of itself: its players, their game, and
// whether others may come.
func (n Beacon) With(r room.Room) Beacon {
	n.Room, n.Seats, n.Playing = r.Settings.Room, r.Settings.Seats, r.Phase != room.PhaseLobby
	n.Late, n.Watch = !r.Settings.NoLateJoin, len(r.Spectators) < r.Settings.Spectators
	n.Players = 0
	for _, p := range r.Players {
		if p.Present {
			n.Players++
		}
	}
	if p, is := r.Player(r.Host); is {
		n.Host, n.Game = p.Nickname, p.ROM.Title
	}
	return n
}
