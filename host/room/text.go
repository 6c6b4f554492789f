package room

import (
	"errors"
	"strings"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Bytes of text, at most.
const (
	MaxName     = 72  // nickname, room name, title, core name and version
	MaxProgram  = 40  // version of the program
	MaxSentence = 600 // something in words
	MaxChat     = 600 // one line of chat
	MaxReason   = 200 // why a connection is closed, as package internal/link allows
	maxNickname = 24  // of a player, characters
)

// Reason is a reason in two parts, for all to read. Where they are too long the first is cut.
func Reason(why, then string) string { return wire.Clean(why, MaxReason-len(then)) + then }

// CleanNickname is a player's name as the room shows it.
func CleanNickname(s string) string {
	name := firstRunes(wire.Clean(s, MaxName), maxNickname)
	if name == "" {
		return "Player"
	}
	return name
}

// firstRunes cuts a text after n characters.
func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return strings.TrimRight(s[:i], " ")
		}
	}
	return s
}

// CheckFirmware tells why a room does not take a console's own settings: no core could
// take them, or the nickname cannot be shown. They are checked, not cleaned, because every
// machine must build the console from the same. An address that no console can have is no
// error: the room gives the console another one, see freeMAC.
func CheckFirmware(f ds.Firmware) error {
	if strings.ContainsFunc(f.Nickname, wire.IsHidden) {
		return errors.New("firmware nickname: it has characters that cannot be shown")
	}
	f.MAC = [6]byte{}
	return f.Check()
}

// JoinWords puts a space between the words that are not empty.
func JoinWords(words ...string) string {
	var list []string
	for _, w := range words {
		if w != "" {
			list = append(list, w)
		}
	}
	return strings.Join(list, " ")
}

// Brackets puts a text in brackets, unless it is empty.
func Brackets(why string) string {
	if why == "" {
		return ""
	}
	return "(" + why + ")"
}
