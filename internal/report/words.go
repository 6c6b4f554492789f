package report

import (
	"fmt"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
)

// Hashes are a console's hashes as machines compare them.
func Hashes(h room.SeatHash) desync.Hashes {
	h = h.Short()
	return hashes(h.Hash, h.Air)
}

// hashes are those of a console, and of what it has sent by radio.
func hashes(h ds.Hash, air uint64) desync.Hashes {
	return desync.Hashes{desync.RAM: h.RAM, desync.SRAM: h.SRAM, desync.Video: h.Video, desync.Air: air}
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
