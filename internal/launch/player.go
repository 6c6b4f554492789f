package launch

import (
	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session"
)

// Input returns the input of one of this machine's consoles, 0 being the first. It is asked once for
// each local frame, in order, on the session's goroutine, and must not block.
type Input func(console int, frame int64) inputdelay.Input

// of is the input of one console.
func (in Input) of(console int) func(frame int64) inputdelay.Input {
	return func(frame int64) inputdelay.Input { return in(console, frame) }
}

// Firmware is the firmware of the player's own console.
func Firmware(p config.Player) ds.Firmware {
	mac, _ := p.Address()
	return ds.Firmware{
		Nickname: p.Nickname, MAC: mac, Language: p.LanguageNumber(), Colour: p.ColourNumber(),
		BirthMonth: p.Birthday.Month, BirthDay: p.Birthday.Day,
	}
}

// colourStep is the distance between the colours of two local players. It has no common
// factor with the number of colours, so all differ.
const colourStep = 5

// LocalPlayers are the players at this machine after the first, by their names. Their
// addresses and colours follow from the first player's, so that the same start gives the
// same game.
func LocalPlayers(p config.Player, names []string, input Input) []session.LocalPlayer {
	var list []session.LocalPlayer
	for i, name := range names {
		f := Firmware(p)
		f.Nickname = name
		f.MAC[5] += byte(i + 1)
		f.Colour = (f.Colour + uint8(colourStep*(i+1))) % uint8(len(config.Colours()))
		list = append(list, session.LocalPlayer{Firmware: f, Input: input.of(i + 1)})
	}
	return list
}

// RoomNames are the usual names of the local players after the first in a room: "Ann 2",
// "Ann 3".
func RoomNames(p config.Player, players int) (names []string) {
	for i := 2; i <= players; i++ {
		names = append(names, config.NumberedNickname(p.Nickname, i))
	}
	return names
}
