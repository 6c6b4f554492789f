package host

import "github.com/nettplay/nettplay/internal/ds"

// The game host compares all machines, and tells the others with each pulse how far it
// has got, so that every player can see that the machines are alike.

// Agreed tells the newest frame of the running game after which all machines are known to
// have been alike, 0 for none. Everybody is told within about a second.
func (h *Host) Agreed(frame int64) { h.news.agreed = min(max(frame, 0), ds.MaxFrame) }

// Agreed is the newest frame of the running game after which, as the game host says, all
// machines were alike; 0 for none.
func (c *Client) Agreed() int64 { return c.agreed }
