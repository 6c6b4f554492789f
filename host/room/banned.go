package room

import "github.com/nettplay/nettplay/internal/wire"

// MaxBanned is the limit of those whom a room keeps out. The first one may come again when it is exceeded.
const MaxBanned = 64

// Banned is somebody who is banned from a room, whoever is its game host. An installation is
// kept out, by its key: addresses are shared by all behind a router, and change.
type Banned struct {
	Key      [32]byte
	Nickname string // when they were banned
}

// BannedField is a list of them for a codec.
func BannedField(c *wire.Coder, list *[]Banned) {
	wire.List(c, "banned", list, MaxBanned, func(c *wire.Coder, b *Banned) {
		c.Fixed("key", b.Key[:])
		c.Text("nickname", &b.Nickname, MaxName)
	})
}
