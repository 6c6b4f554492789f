package host

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// SetROM changes the game host's game, and that of all who play the same. Everybody is
// told, and nobody is ready after it. Only in the lobby.
func (h *Host) SetROM(now time.Time, rom room.ROMID) error {
	rom, err := room.CheckROM(rom)
	if err != nil {
		return err
	}
	if h.phase != room.PhaseLobby {
		return fmt.Errorf("choose another game: %w, the room is %v", room.ErrPhase, h.phase)
	}
	if h.settings.Continues.Any() {
		return errors.New("a kept game goes on in this room, so nobody chooses another")
	}
	now = h.clock.At(now)
	if before := *h.own().rom; before.SHA256 != rom.SHA256 {
		h.change(func() {
			for _, m := range h.members {
				if m.rom != nil && m.rom.SHA256 == before.SHA256 { // by its file: the same game all the same
					m.rom = &rom
				}
			}
			h.settings.Cheats = room.Cheats{} // they are of the game of before
		})
		h.publish(now) // before the words: who acts on them has seen what they are about
		h.Say(fmt.Sprintf("the game is now %v; %s chose it, so press Ready again", rom, h.own().nickname))
	}
	h.flush(now)
	return nil
}

func (h *Host) handleGame(_ time.Time, p *peer, m *message.Game) {
	if h.phase == room.PhaseLobby && !h.settings.Continues.Any() { // else it crossed with the start: the client sees that its game did not change
		h.change(func() { p.member.rom = m.ROM })
	}
}

// SetSettings changes the room settings, and nobody is ready after it. Only
// in the lobby; a delay in a game is changed with Decide.
func (h *Host) SetSettings(now time.Time, s room.Settings) error {
	s, err := h.keepContinued(s).Checked()
	if err != nil {
		return err
	}
	if h.phase != room.PhaseLobby {
		return fmt.Errorf("change the room's settings: %w, the room is %v", room.ErrPhase, h.phase)
	}
	for _, m := range h.members {
		if int(m.seat) >= s.Seats {
			return fmt.Errorf("change the room to %d seats: %s has seat %v", s.Seats, m.nickname, m.seat)
		}
	}
	now = h.clock.At(now)
	h.change(func() {
		for _, m := range h.at(h.me) {
			if s.Core != h.settings.Core { // else this machine may have another build of it
				m.build.core = s.Core
			}
			m.build.bios = s.BIOS
		}
		h.settings = s
	})
	h.flush(now)
	return nil
}

// OpenSeat lets anybody play a console of the kept game, or only its own player; whoever sits
// there stays. Only in the lobby.
func (h *Host) OpenSeat(now time.Time, seat ds.Seat, open bool) error {
	i := slices.IndexFunc(h.settings.Continues.Seats, func(k room.KeptSeat) bool { return k.Seat == seat })
	if h.phase != room.PhaseLobby || i < 0 {
		return fmt.Errorf("give seat %v to somebody else: no kept game waits for its player", seat)
	}
	now = h.clock.At(now)
	seats := slices.Clone(h.settings.Continues.Seats)
	seats[i].Open = open
	h.change(func() { h.settings.Continues.Seats = seats })
	h.flush(now)
	return nil
}
