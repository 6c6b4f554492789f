package host

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
)

// A room whose next game goes on from a kept moment seats players by their nicknames, as
// they sat then, with the console's settings and the game of that time.

// free reports whether nobody sits in a seat.
func (h *Host) free(seat ds.Seat) bool {
	return !slices.ContainsFunc(h.members, func(m *member) bool { return m.present && m.seat == seat })
}

// fitsKept tells whether those who want to come in had consoles in the game that goes on.
func (h *Host) fitsKept(join *message.Join, name string) (r room.Refusal, did string, ok bool) {
	kept := h.settings.Continues
	if !kept.Any() || h.phase != room.PhaseLobby {
		return room.Refusal{}, "", true
	}
	names := []string{name}
	for _, p := range join.LocalPlayers {
		names = append(names, room.CleanNickname(p.Nickname))
	}
	var taken []ds.Seat
	for _, n := range names {
		was, there := kept.Of(n, func(seat ds.Seat) bool { return h.free(seat) && !slices.Contains(taken, seat) })
		if taken = append(taken, was.Seat); there {
			continue
		}
		why := fmt.Sprintf("a kept game of %s goes on in this room, and nobody was called %s", phrase.List(kept.Players()), n)
		if own, was := kept.Of(n, func(ds.Seat) bool { return true }); was && own.Nickname == n {
			why = fmt.Sprintf("a kept game goes on in this room, and somebody plays %s's console already", n)
		}
		return room.Refusal{Code: room.CodeFull, Sentence: why, Hint: "join with the nickname that you had then, or ask the game host for the place of somebody who does not come"},
			"cannot join: " + n + " has no console in the game that goes on", false
	}
	return room.Refusal{}, "", true
}

// seatKept gives a member the seat, the console's settings and the game that they had, or
// those of somebody whose place is open.
func (h *Host) seatKept(m *member) error {
	if !h.settings.Continues.Any() || h.phase != room.PhaseLobby {
		return nil
	}
	was, there := h.settings.Continues.Of(m.nickname, h.free)
	if !there {
		return fmt.Errorf("%s has no console in the kept game of %s", m.nickname, phrase.List(h.settings.Continues.Players()))
	}
	m.seat, m.firmware, m.rom, m.note = was.Seat, was.Firmware, &was.ROM, ""
	return nil
}

// absent are the consoles of the kept game that nobody plays.
func (h *Host) absent() []room.Blocker {
	var list []room.Blocker
	for _, k := range h.settings.Continues.Seats {
		switch {
		case !h.free(k.Seat):
		case k.Open:
			list = append(list, room.Blocker{Cause: room.CauseAbsent, Machine: -1, Seat: k.Seat, Words: "nobody is here yet to play " + k.Nickname + "'s console"})
		default:
			list = append(list, room.Blocker{Cause: room.CauseAbsent, Machine: -1, Seat: k.Seat, Words: k.Nickname + " is not here yet"})
		}
	}
	return list
}

// endKept is for a kept moment that has gone on, or cannot any more: the next game begins anew, with as
// many as are here. The kept one needed all who were in it.
func (h *Host) endKept() {
	if h.settings.Continues.Any() {
		h.settings.Continues, h.settings.MinPlayers = room.Kept{}, min(h.settings.MinPlayers, room.MinSeats)
	}
}

// keepContinued has settings go with the kept moment, as long as there is one: what the
// consoles depend on is as it was.
func (h *Host) keepContinued(s room.Settings) room.Settings {
	now := h.settings
	s.Continues = now.Continues
	if now.Continues.Any() {
		s.RTC, s.Skew, s.Options, s.BIOS = now.RTC, now.Skew, now.Options, now.BIOS
	}
	return s
}
