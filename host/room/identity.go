package room

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/wire"
)

// FreeNickname makes a name unlike all that are taken, without regard to case:
// "Bob", then "Bob 2", "Bob 3".
func FreeNickname(name string, taken []string) string {
	name = CleanNickname(name)
	free := func(s string) bool {
		return !slices.ContainsFunc(taken, func(t string) bool { return strings.EqualFold(s, t) })
	}
	if free(name) {
		return name
	}
	for n := 2; ; n++ {
		suffix := fmt.Sprintf(" %d", n)
		base := wire.Clean(firstRunes(name, maxNickname-len(suffix)), MaxName-len(suffix))
		if s := base + suffix; free(s) {
			return s
		}
	}
}

// A console's network address (MAC) must be its own in a room, or the games'
// local wireless mistakes one console for another. A player keeps the own one
// where possible, since games tie saves to it: who comes later to an address
// that is taken gets the next free one, for this room only, and the room is told.

// maker is the first half of the addresses of DS consoles.
var maker = [3]byte{0x00, 0x09, 0xbf}

// Usable reports whether a console may have this address. Of the two low bits the
// first is for groups of receivers; a core clears the second, and the console
// would then have another address than everyone thinks.
func Usable(mac [6]byte) bool { return mac != [6]byte{} && mac[0]&3 == 0 }

// FreeMAC is the wished address, or the next free one of the same maker. With an
// address that no console can have, the search begins at the given random one.
func FreeMAC(wish [6]byte, random [3]byte, taken [][6]byte) [6]byte {
	if !Usable(wish) {
		wish = [6]byte{maker[0], maker[1], maker[2], random[0], random[1], random[2]}
	}
	for slices.Contains(taken, wish) {
		for i := 5; i >= 3; i-- { // at most 16 are taken, so this ends
			if wish[i]++; wish[i] != 0 {
				break
			}
		}
	}
	return wish
}

// MacNote tells the room that a console has not its own address; "" when it has,
// or when it came without one. Holder is who has that address, if anyone. It does not tell
// the addresses: they are nobody else's business.
func MacNote(nickname string, wish, got [6]byte, holder string) string {
	if wish == got || wish == [6]byte{} {
		return ""
	}
	why := "is not one that a console can have"
	if holder != "" {
		why = "is that of " + holder + "'s console"
	}
	return fmt.Sprintf("%s's console has another address in this room than its own, which %s: a game that ties its save to the console may refuse it", nickname, why)
}
