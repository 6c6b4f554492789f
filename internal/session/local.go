package session

import (
	"slices"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
)

// others are our further consoles, as the room seats them: from seat 1 on.
func (c Config) others() []host.LocalPlayer {
	var list []host.LocalPlayer
	for _, o := range c.Others {
		p := host.LocalPlayer{Nickname: o.Firmware.Nickname, Firmware: o.Firmware}
		if o.ROM != nil {
			id := romID(o.ROM)
			p.ROM = &id
		}
		list = append(list, p)
	}
	return list
}

// other is our further console in a seat, nil for all other seats.
func (c Config) other(seat int) *Local {
	if seat >= 1 && seat <= len(c.Others) {
		return &c.Others[seat-1]
	}
	return nil
}

// backup is the backup memory of our cartridge in a seat.
func (c Config) backup(seat int) []byte {
	if other := c.other(seat); other != nil {
		return other.SRAM
	}
	return c.SRAM
}

// rom finds one of our own games by its hash.
func (c Config) rom(sum [32]byte) *emucore.ROM {
	if c.ROM != nil && c.ROM.SHA256 == sum {
		return c.ROM
	}
	i := slices.IndexFunc(c.Others, func(o Local) bool { return o.ROM != nil && o.ROM.SHA256 == sum })
	if i < 0 {
		return nil
	}
	return c.Others[i].ROM
}
