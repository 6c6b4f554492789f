package room

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/wire"
)

// An Edition is what a game's header says of it, beyond its name: by this two games that are not the same are told
// apart, in words. It is for people only, and hashes and recordings know nothing of it.
type Edition struct {
	Code      string // four characters, of which the last is the region; "####" or "" in homebrew
	Revision  uint8  // 0 for the first
	Encrypted bool   // its secure area is as the cartridge has it
	Patched   bool   // the header does not go with its checksum
}

const codeLength = 4

func (e *Edition) fields(c *wire.Coder) {
	c.Text("game code", &e.Code, codeLength)
	wire.Number(c, "revision", &e.Revision, 0, 255)
	c.Bool("encrypted", &e.Encrypted)
	c.Bool("patched", &e.Patched)
}

// named reports whether the code names a game that was sold.
func (e Edition) named() bool {
	if len(e.Code) != codeLength {
		return false
	}
	for _, r := range e.Code {
		if (r < 'A' || r > 'Z') && (r < '0' || r > '9') {
			return false
		}
	}
	return true
}

// Akin reports whether two games are editions of one: of whatever region, revision or kind of dump. How near they are
// is larger for those that differ in less.
func (id ROMID) Akin(o ROMID) (near int) {
	a, b := id.Edition, o.Edition
	switch {
	case a.named() != b.named():
		return 0
	case !a.named():
		if id.Title == "" || id.Title != o.Title {
			return 0
		}
		near = 4
	case a.Code == b.Code:
		near = 4
	case a.Code[:codeLength-1] == b.Code[:codeLength-1]:
		near = 2
	default:
		return 0
	}
	if a.Revision == b.Revision {
		near++
	}
	return near
}

// versions are those of games by the last character of their code (GBATEK, "DS Cartridge Header").
var versions = map[byte]string{
	'A': "Asian", 'C': "Chinese", 'D': "German", 'E': "American", 'F': "French", 'H': "Dutch", 'I': "Italian", 'J': "Japanese",
	'K': "Korean", 'L': "second American", 'M': "Swedish", 'N': "Norwegian", 'O': "international", 'P': "European", 'Q': "Danish",
	'R': "Russian", 'S': "Spanish", 'T': "American and Australian", 'U': "Australian", 'V': "European and Australian",
	'W': "third European", 'X': "second European", 'Y': "fourth European", 'Z': "fifth European",
}

func (e Edition) region() string {
	r, known := versions[e.Code[codeLength-1]]
	if !known {
		r = "“" + e.Code[codeLength-1:] + "”"
	}
	return r
}

// DiffersWords says in what a game, theirs or yours by whose, differs from the room's, of which it is another edition.
func DiffersWords(whose string, theirs, rooms ROMID) string {
	a, b := theirs.Edition, rooms.Edition
	switch {
	case a.named() && b.named() && a.region() != b.region():
		return fmt.Sprintf("%s is the %s version, the room's is the %s one", whose, a.region(), b.region())
	case a.Revision != b.Revision:
		return fmt.Sprintf("%s is revision %d, the room's is %d", whose, a.Revision, b.Revision)
	case a.Encrypted && !b.Encrypted:
		return whose + " has its secure area encrypted, the room's is dumped decrypted"
	case b.Encrypted && !a.Encrypted:
		return whose + " is dumped decrypted, the room's has its secure area encrypted"
	case theirs.Size < rooms.Size:
		return fmt.Sprintf("%s is smaller: %s, the room's has %s", whose, kib(theirs.Size), kib(rooms.Size))
	case theirs.Size > rooms.Size:
		return fmt.Sprintf("%s is larger: %s, the room's has %s", whose, kib(theirs.Size), kib(rooms.Size))
	case a.Patched && !b.Patched:
		return whose + " is patched, the room's is not"
	case b.Patched && !a.Patched:
		return "the room's is patched, " + whose + " is not"
	}
	return fmt.Sprintf("%s has the same header and size and another content: one of the two is patched or damaged, or lost its signature for Download Play when it was trimmed", whose)
}

// kib is a size for people.
func kib(n int64) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}

// A Near is the game of a machine that is nearest to one of the room that it does not have.
type Near struct {
	Of   [32]byte // SHA-256 of the room's
	Game ROMID
}

// NearField is a list of them.
func NearField(c *wire.Coder, v *[]Near, most int) {
	wire.List(c, "other editions", v, most, func(c *wire.Coder, n *Near) {
		c.Fixed("sha256", n.Of[:])
		c.Within("game", n.Game.withEdition)
	})
}
