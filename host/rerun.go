package host

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/wire"
)

// Machines that were not alike play what they recorded again, each for itself and beside
// the game, and hash the console after each frame. The game host gets what came of it and
// tells everybody whose machine differs, and first after which frame.

// takeRerun passes on what a machine got, also of a game that is over.
func (h *Host) takeRerun(now time.Time, p *peer, m *message.Rerun) {
	if m.Round == 0 || m.Round > h.lastRound {
		h.expel(now, p, fmt.Sprintf("it has played game %d again, and there were %d", m.Round, h.lastRound))
		return
	}
	h.emit(event.Reran{Machine: p.member.machine, Rerun: *m})
}

// Tell says something to everyone in the room as the room itself, as what happens in it is
// said.
func (h *Host) Tell(now time.Time, text string) {
	if text = wire.Clean(text, room.MaxChat); h.phase != room.PhaseClosed && text != "" {
		h.say(text)
		h.flush(h.clock.At(now))
	}
}

// Reran tells the game host what came out when this machine played a part of the game
// again. While the connection is gone it is not told.
func (c *Client) Reran(_ time.Time, r message.Rerun) error {
	if c.stage != inside {
		return fmt.Errorf("tell of playing again: %w, the room is %v", ErrPhase, c.Phase())
	}
	return c.tell(&r)
}
