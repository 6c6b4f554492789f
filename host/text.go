package host

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Bytes of text, at most.
const (
	maxName     = 72  // nickname, room name, title, core name and version
	maxProgram  = 40  // version of the program
	maxSentence = 600 // something in words
	maxChat     = 600 // one line of chat
	maxReason   = 200 // why a line is closed, as package internal/link allows
	maxNickname = 24  // of a player, characters
)

// cleanNickname is a player's name as the room shows it.
func cleanNickname(s string) string {
	name := firstRunes(wire.Clean(s, maxName), maxNickname)
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

// checkFirmware tells what is wrong with a console's own settings. They are
// checked, not cleaned: every machine must build the console from the same.
func checkFirmware(f ds.Firmware) error {
	if !utf8.ValidString(f.Nickname) || strings.ContainsFunc(f.Nickname, wire.IsHidden) {
		return errors.New("console nickname: has characters that cannot be shown")
	}
	if n := len(utf16.Encode([]rune(f.Nickname))); n > 10 {
		return fmt.Errorf("console nickname: %d characters, at most 10", n)
	}
	switch days := [...]uint8{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}; {
	case f.Language > 5:
		return fmt.Errorf("console language: %d is not in 0..5", f.Language)
	case f.Colour > 15:
		return fmt.Errorf("console colour: %d is not in 0..15", f.Colour)
	case f.BirthMonth == 0 && f.BirthDay == 0: // the core's own
		return nil
	case f.BirthMonth < 1 || f.BirthMonth > 12:
		return fmt.Errorf("birthday: month %d is not in 1..12", f.BirthMonth)
	case f.BirthDay < 1 || f.BirthDay > days[f.BirthMonth-1]:
		return fmt.Errorf("birthday: day %d is not in 1..%d", f.BirthDay, days[f.BirthMonth-1])
	}
	return nil
}

// joinWords puts a space between the words that are not empty.
func joinWords(words ...string) string {
	var list []string
	for _, w := range words {
		if w != "" {
			list = append(list, w)
		}
	}
	return strings.Join(list, " ")
}

// listWords writes "Ann", "Ann and Bob", "Ann, Bob and Carol".
func listWords(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// megabytes writes a number of bytes for people.
func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
