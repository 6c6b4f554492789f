package report

import (
	"fmt"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/game"
)

// Hashes are a console's hashes as machines compare them.
func Hashes(h room.SeatHash) desync.Hashes {
	h = h.Short()
	return desync.Hashes{desync.RAM: h.Hash.RAM, desync.SRAM: h.Hash.SRAM, desync.Video: h.Hash.Video, desync.Air: h.Air}
}

// Desync is a verdict in a game, as all machines get to know it.
func Desync(g *game.Game, v desync.Verdict) message.Desync {
	words := fmt.Sprintf("%s's copy of %s's console (seat %v) differs in %s after frame %d",
		g.Owner(v.Machine), g.Owner(g.Owners()[v.Seat]), v.Seat, v.Region, v.Frame)
	if v.Agreed >= 0 {
		words += fmt.Sprintf("; all agreed after frame %d", v.Agreed)
	}
	return message.Desync{
		Frame: v.Frame, Agreed: v.Agreed, Seat: v.Seat, Machine: v.Machine, Region: v.Region.String(), Words: words,
	}
}
