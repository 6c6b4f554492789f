package room

import "github.com/nettplay/nettplay/internal/wire"

// MaxRelays is the limit of a door's relays, and MaxRelay of the bytes of one's name.
const (
	MaxRelays = 3
	MaxRelay  = 64
)

// Door says how machines come into a room, whoever is its game host.
type Door struct {
	Secret     [16]byte // that connections are made with; see internal/seal
	Neighbours bool     // machines of a member's own network come in without it
	Listed     bool     // relays list the room for everybody
	Relays     []string // "host:port", by which friends come in, as the one says who opened the room
}

// Fields lists the door's fields for a codec.
func (d *Door) Fields(c *wire.Coder) {
	c.Fixed("secret", d.Secret[:])
	c.Bool("neighbours", &d.Neighbours)
	c.Bool("listed", &d.Listed)
	wire.List(c, "relays", &d.Relays, MaxRelays, func(c *wire.Coder, name *string) { c.Text("relay", name, MaxRelay) })
}
