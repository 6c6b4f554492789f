package room

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// Kept describes the kept moment of an earlier game from which the room's next game goes on, and
// its consoles. Players get the seats they had. The consoles themselves come from the game
// host.
type Kept struct {
	Name   string     // given by the player who kept it; may be ""
	Frames int64      // frames played until then
	Seats  []KeptSeat // by rising seat; empty: the next game starts from the beginning
}

// KeptSeat is one console of a kept moment.
type KeptSeat struct {
	Seat     ds.Seat
	Nickname string
	Firmware ds.Firmware
	ROM      ROMID
	SRAM     [32]byte // SHA-256 of the cartridge's backup memory; zero for none
	// Open lets anyone play this console while its own player is absent.
	Open bool
}

// Any reports whether there is a kept moment.
func (k Kept) Any() bool { return len(k.Seats) > 0 }

// Of finds a free console for a player: their own, or else the first
// one that anyone may play.
func (k Kept) Of(nickname string, free func(ds.Seat) bool) (KeptSeat, bool) {
	for _, own := range []bool{true, false} {
		for _, s := range k.Seats {
			if (own && s.Nickname == nickname || !own && s.Open) && free(s.Seat) {
				return s, true
			}
		}
	}
	return KeptSeat{}, false
}

// Opened returns a copy of k in which anyone may play the consoles of the named players.
func (k Kept) Opened(nicknames ...string) (Kept, error) {
	k.Seats = slices.Clone(k.Seats)
	for _, name := range nicknames {
		i := slices.IndexFunc(k.Seats, func(s KeptSeat) bool { return s.Nickname == name })
		if i < 0 {
			return k, fmt.Errorf("%s has no console in the kept game of %s", name, phrase.List(k.Players()))
		}
		k.Seats[i].Open = true
	}
	return k, nil
}

// Same reports whether k and o are the same moment, ignoring Open.
func (k Kept) Same(o Kept) bool {
	return k.Name == o.Name && k.Frames == o.Frames && slices.EqualFunc(k.Seats, o.Seats, func(a, b KeptSeat) bool {
		a.Open, b.Open = false, false
		return a == b
	})
}

// Players returns the nicknames of all players, by seat.
func (k Kept) Players() []string {
	var list []string
	for _, s := range k.Seats {
		list = append(list, s.Nickname)
	}
	return list
}

// cleaned returns a copy with clean texts.
func (k Kept) cleaned() Kept {
	k.Name, k.Seats = wire.Clean(k.Name, MaxName), slices.Clone(k.Seats)
	for i := range k.Seats {
		s := &k.Seats[i]
		s.Nickname, s.ROM.Title = CleanNickname(s.Nickname), wire.Clean(s.ROM.Title, MaxName)
	}
	return k
}

// check returns an error if the moment cannot go on in a room with the given number of seats.
func (k Kept) check(seats int) error {
	names := map[string]bool{}
	for i, s := range k.Seats {
		switch {
		case i > 0 && s.Seat <= k.Seats[i-1].Seat:
			return fmt.Errorf("kept moment: seat %v after %v", s.Seat, k.Seats[i-1].Seat)
		case s.Seat < 0 || int(s.Seat) >= seats:
			return fmt.Errorf("kept moment: seat %v, the room has %d", s.Seat, seats)
		case names[s.Nickname]:
			return fmt.Errorf("kept moment: two players are called %s", s.Nickname)
		}
		names[s.Nickname] = true
		if err := CheckFirmware(s.Firmware); err != nil {
			return fmt.Errorf("kept moment: seat %v: %w", s.Seat, err)
		}
		if _, err := CheckROM(s.ROM); err != nil {
			return fmt.Errorf("kept moment: seat %v: %w", s.Seat, err)
		}
	}
	return nil
}
