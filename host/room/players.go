package room

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// LocalPlayer is a further console on a machine, with its own seat: somebody else at
// the same screen, or the same player's second DS.
type LocalPlayer struct {
	Nickname string
	Firmware ds.Firmware
	ROM      *ROMID // nil: that of the player who came with the machine
}

// MaxLocalPlayers is the number of players that can be at one machine besides the first.
const MaxLocalPlayers = ds.MaxSeats - 1

// CheckLocalPlayers tells what cannot be a player.
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

// Addresses of a machine, at most: those that it tells, and with the one that the
// game host sees.
const (
	MaxOwnAddrs = 4
	maxAddrs    = MaxOwnAddrs + 1
	maxAddr     = 100 // bytes of one: a mailbox at a relay with a long name
)

// BoundAddrs is a list of addresses as it fits into messages.
func BoundAddrs(list []string) []string {
	var out []string
	for _, a := range list {
		if a = wire.Clean(a, MaxName); a != "" && !slices.Contains(out, a) && len(out) < MaxOwnAddrs {
			out = append(out, a)
		}
	}
	return out
}

// MaxSpectators is the limit of spectators of a room.
const MaxSpectators = 16

// MaxSpectateDelay is the longest that spectators can be behind, seconds: ten minutes.
const MaxSpectateDelay = 600

// Spectator is someone who watches.
type Spectator struct {
	Number   int // 0 to 15; the lowest that was free
	Nickname string
	Program  string // version of the spectator's nettplay
}

// CheckSpectators tells what is wrong with those who are said to watch.
func CheckSpectators(list []Spectator) error {
	for i, s := range list {
		if i > 0 && s.Number <= list[i-1].Number {
			return errors.New("the spectators are out of order")
		}
	}
	return nil
}

// MaxBanned is the limit of those whom a room keeps out. The first one may come again when it is exceeded.
const MaxBanned = 64

// Banned is somebody who is banned from a room, whoever is its game host. An installation is
// kept out, by its key: addresses are shared by all behind a router, and change.
type Banned struct {
	Key      [32]byte
	Nickname string // when they were banned
}

// BannedField is a list of them for a codec.
func BannedField(c *wire.Coder, list *[]Banned) {
	wire.List(c, "banned", list, MaxBanned, func(c *wire.Coder, b *Banned) {
		c.Fixed("key", b.Key[:])
		c.Text("nickname", &b.Nickname, MaxName)
	})
}

// MachineSet is a set of machines.
type MachineSet uint16

// Has reports whether a machine is one of them.
func (v MachineSet) Has(machine int) bool {
	return machine >= 0 && machine < ds.MaxMachines && v&(1<<machine) != 0
}

// With returns the set with a machine.
func (v MachineSet) With(machine int) MachineSet { return v | 1<<machine }

// Without returns the set without a machine.
func (v MachineSet) Without(machine int) MachineSet { return v &^ (1 << machine) }

// Count is the number of machines in the set.
func (v MachineSet) Count() int { return bits.OnesCount16(uint16(v)) }
