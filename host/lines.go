package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
)

// takeLines surfaces how the inputs of others arrive at a machine. A machine says nothing of its own
// seats.
func (h *Host) takeLines(now time.Time, p *peer, part *part, m *message.Lines) {
	for _, l := range m.List {
		if !h.plays(l.Seat) || h.owns(part.machine, l) {
			h.expel(now, p, fmt.Sprintf("it tells how the inputs of seat %v arrive, which is its own or nobody's", l.Seat))
			return
		}
	}
	h.emit(event.Lines{Machine: part.machine, List: m.List})
}

func (h *Host) owns(machine int, l message.SeatLine) bool {
	return slices.ContainsFunc(h.round.seats, func(s room.SeatPlan) bool { return s.Seat == l.Seat && s.Machine == machine })
}

// firstDelay is the input delay with which a game begins: where it is automatic, one that suits the pings.
func (h *Host) firstDelay() int {
	auto := h.settings.AutoDelay
	if auto == 0 {
		return h.settings.Delay
	}
	players := h.Roster()
	for _, p := range players {
		if p.Present && p.Machine != h.me && p.Ping <= 0 {
			return min(h.settings.Delay, auto.Cap())
		}
	}
	return min(room.SuggestRoomDelay(players, h.settings.Clocked), auto.Cap())
}
