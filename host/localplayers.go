package host

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/wire"
)

// Several players at one machine: the one who opened the room or joined it, and others
// besides them, each in a seat of their own. A machine's reports hold for all of its
// players, and they leave together.

// seatLocal gives one more player at a member's machine a seat.
func (h *Host) seatLocal(with *member, p room.LocalPlayer) error {
	if len(h.here()) >= h.settings.Seats {
		return fmt.Errorf("%s has no seat: all %d are taken", room.CleanNickname(p.Nickname), h.settings.Seats)
	}
	m := *with
	m.peer, m.local, m.disconnectedAt = nil, len(h.at(with.machine)), time.Time{}
	m.seat = h.freeSeat()
	var err error
	m.nickname = h.nickname(room.CleanNickname(p.Nickname))
	m.firmware, m.rom = p.Firmware, p.ROM
	if m.firmware.MAC, m.note, err = h.address(m.nickname, p.Firmware.MAC); err != nil {
		return err
	}
	if err := h.seatKept(&m); err != nil {
		return err
	}
	h.members = append(h.members, &m)
	slices.SortFunc(h.members, func(a, b *member) int { return int(a.seat - b.seat) })
	return nil
}

// setLocalPlayers lets those sit at a member's machine who are in the list; who was there
// before stays in the same seat. Those for whom there is no seat are left out, which the
// error tells.
func (h *Host) setLocalPlayers(with *member, list []room.LocalPlayer) (err error) {
	h.change(func() {
		there := h.at(with.machine)[1:]
		if h.settings.Continues.Any() { // each has a seat by name
			h.members = slices.DeleteFunc(h.members, func(m *member) bool { return slices.Contains(there, m) })
			there = nil
		}
		for _, m := range there[min(len(list), len(there)):] {
			h.members = slices.DeleteFunc(h.members, func(o *member) bool { return o == m })
		}
		for i, p := range list {
			if i >= len(there) {
				err = errors.Join(err, h.seatLocal(with, p))
				continue
			}
			m := there[i]
			m.rom, m.nickname, m.firmware.MAC = p.ROM, "", [6]byte{} // its own name and address are free
			m.nickname = h.nickname(room.CleanNickname(p.Nickname))
			if mac, note, e := h.address(m.nickname, p.Firmware.MAC); e == nil {
				m.firmware, m.note = p.Firmware, note
				m.firmware.MAC = mac
			}
		}
	})
	return err
}

// SetLocalPlayers says who plays at the game host's machine besides the first player. Only in
// the lobby. The error names players for whom there is no seat; the others have one.
func (h *Host) SetLocalPlayers(now time.Time, list []room.LocalPlayer) error {
	list, err := room.CheckLocalPlayers(list)
	if err != nil {
		return err
	}
	if h.phase != room.PhaseLobby {
		return fmt.Errorf("seat others: %w, the room is %v", room.ErrPhase, h.phase)
	}
	now = h.clock.At(now)
	err = h.setLocalPlayers(h.own(), list)
	h.flush(now)
	return err
}

// handleLocalPlayers is SetLocalPlayers for a client.
func (h *Host) handleLocalPlayers(now time.Time, p *peer, m *message.LocalPlayers) {
	list, err := room.CheckLocalPlayers(m.LocalPlayers)
	if err != nil {
		h.expel(now, p, err.Error())
		return
	}
	if h.phase != room.PhaseLobby {
		return // it crossed with the start
	}
	if err := h.setLocalPlayers(p.member, list); err != nil {
		h.send(p, &message.ChatLine{Seat: -1, Text: wire.Clean(err.Error(), room.MaxChat)})
	}
}
