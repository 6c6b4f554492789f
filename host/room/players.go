package room

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// LocalPlayer is a further console on a machine, with its own seat: another player at
// the same screen, or the same player's second DS.
type LocalPlayer struct {
	Nickname string
	Firmware ds.Firmware
	ROM      *ROMID // nil: the first player's
}

// MaxLocalPlayers is the maximum number of players on one machine besides the first.
const MaxLocalPlayers = ds.MaxSeats - 1

// CheckLocalPlayers returns a cleaned copy of list, or an error if it cannot be valid players.
func CheckLocalPlayers(list []LocalPlayer) ([]LocalPlayer, error) {
	if len(list) > MaxLocalPlayers {
		return nil, fmt.Errorf("%d further players on one machine, at most %d", len(list), MaxLocalPlayers)
	}
	checked := slices.Clone(list)
	for i, p := range checked {
		rom, err := CheckOwnROM(p.ROM)
		if err = errors.Join(err, CheckFirmware(p.Firmware)); err != nil {
			return nil, fmt.Errorf("further player %d: %w", i+1, err)
		}
		checked[i].Nickname, checked[i].ROM = CleanNickname(p.Nickname), rom
	}
	return checked, nil
}

// Limits on the addresses of a machine: those it reports itself, and with the one that the
// game host sees.
const (
	MaxOwnAddrs = 4
	maxAddrs    = MaxOwnAddrs + 1
	maxAddr     = 100 // bytes of one address: a mailbox at a relay with a long name
)

// BoundAddrs returns list cleaned, without duplicates, and cut to MaxOwnAddrs.
func BoundAddrs(list []string) []string {
	var out []string
	for _, a := range list {
		if a = wire.Clean(a, MaxName); a != "" && !slices.Contains(out, a) && len(out) < MaxOwnAddrs {
			out = append(out, a)
		}
	}
	return out
}

// MaxSpectators is the maximum number of spectators in a room.
const MaxSpectators = 16

// MaxSpectateDelay is the maximum delay of spectators, in seconds.
const MaxSpectateDelay = 600

// Spectator is someone who watches.
type Spectator struct {
	Number   int // 0 to 15; the lowest that was free
	Nickname string
	Program  string // version of the spectator's nettplay
}

// CheckSpectators returns an error unless the spectators are sorted by number without duplicates.
func CheckSpectators(list []Spectator) error {
	for i, s := range list {
		if i > 0 && s.Number <= list[i-1].Number {
			return errors.New("the spectators are out of order")
		}
	}
	return nil
}

// MaxBanned is the maximum number of bans in a room. A further one lifts the oldest.
const MaxBanned = 64

// Banned is a ban from a room, which holds under any of its game hosts. It applies to an
// installation's key, because addresses change and are shared by everyone behind a router.
type Banned struct {
	Key      [32]byte
	Nickname string // when they were banned
}

// BannedField is the wire field of a list of bans.
func BannedField(c *wire.Coder, list *[]Banned) {
	wire.List(c, "banned", list, MaxBanned, func(c *wire.Coder, b *Banned) {
		c.Fixed("key", b.Key[:])
		c.Text("nickname", &b.Nickname, MaxName)
	})
}

// MachineSet is a set of machines.
type MachineSet uint16

// Has reports whether the set contains a machine.
func (v MachineSet) Has(machine int) bool {
	return machine >= 0 && machine < ds.MaxMachines && v&(1<<machine) != 0
}

// With returns the set with a machine.
func (v MachineSet) With(machine int) MachineSet { return v | 1<<machine }

// Without returns the set without a machine.
func (v MachineSet) Without(machine int) MachineSet { return v &^ (1 << machine) }

// Count is the number of machines in the set.
func (v MachineSet) Count() int { return bits.OnesCount16(uint16(v)) }
