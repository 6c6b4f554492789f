package room

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// Kept is a room's knowledge of a kept moment of an earlier game, from which its next game goes on:
// whose consoles there are. Players sit where they sat. The consoles themselves come from the game
// host.
type Kept struct {
	Name   string     // as the one who kept it calls it; may be ""
	Frames int64      // that were played until then
	Seats  []KeptSeat // by rising seat; none: the next game begins anew
}

// KeptSeat is one console of a kept moment.
type KeptSeat struct {
	Seat     ds.Seat
	Nickname string
	Firmware ds.Firmware
	ROM      ROMID
	SRAM     [32]byte // SHA-256 of the cartridge's backup memory; zero for none
	// Open lets anybody play this console while its own player is not here.
	Open bool
}

// Any reports whether a game goes on from it.
func (k Kept) Any() bool { return len(k.Seats) > 0 }

// Of finds the console of a player among those that are free: their own, or else the first
// one that anybody may play.
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

// Opened lets anybody play the consoles of some players, by their nicknames.
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

// Same reports whether two are the same moment, whoever may play its consoles.
func (k Kept) Same(o Kept) bool {
	return k.Name == o.Name && k.Frames == o.Frames && slices.EqualFunc(k.Seats, o.Seats, func(a, b KeptSeat) bool {
		a.Open, b.Open = false, false
		return a == b
	})
}

// Players are the nicknames of all, by seat.
func (k Kept) Players() []string {
	var list []string
	for _, s := range k.Seats {
		list = append(list, s.Nickname)
	}
	return list
}

// cleaned returns it with its texts clean.
func (k Kept) cleaned() Kept {
	k.Name, k.Seats = wire.Clean(k.Name, MaxName), slices.Clone(k.Seats)
	for i := range k.Seats {
		s := &k.Seats[i]
		s.Nickname, s.ROM.Title = CleanNickname(s.Nickname), wire.Clean(s.ROM.Title, MaxName)
	}
	return k
}

// check tells what is wrong with a moment that is to go on in a room with so many seats.
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
