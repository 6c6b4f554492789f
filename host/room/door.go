package room

import "github.com/nettplay/nettplay/internal/wire"

// Door says how machines come into a room, whoever is its game host.
type Door struct {
	Secret     [16]byte // that connections are made with; see internal/seal
	Neighbours bool     // machines of a member's own network come in without it
}

// Fields lists the door's fields for a codec.
func (d *Door) Fields(c *wire.Coder) {
	c.Fixed("secret", d.Secret[:])
	c.Bool("neighbours", &d.Neighbours)
}
