package host

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/nettplay/nettplay/emucore"
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

// hidden are characters that could change how the text around them is shown, or
// that show nothing: controls (and so every terminal escape), marks that
// reorder text, fillers, tags, and what is no character. The list is fixed, so
// that every build of the program agrees on it.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0000, Hi: 0x001f, Stride: 1},
		{Lo: 0x007f, Hi: 0x009f, Stride: 1},
		{Lo: 0x00ad, Hi: 0x00ad, Stride: 1},
		{Lo: 0x034f, Hi: 0x034f, Stride: 1},
		{Lo: 0x061c, Hi: 0x061c, Stride: 1},
		{Lo: 0x115f, Hi: 0x1160, Stride: 1},
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
		{Lo: 0x180b, Hi: 0x180f, Stride: 1},
		{Lo: 0x200b, Hi: 0x200f, Stride: 1},
		{Lo: 0x2028, Hi: 0x202e, Stride: 1},
		{Lo: 0x2060, Hi: 0x206f, Stride: 1},
		{Lo: 0x2800, Hi: 0x2800, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xd800, Hi: 0xdfff, Stride: 1},
		{Lo: 0xfdd0, Hi: 0xfdef, Stride: 1},
		{Lo: 0xfe00, Hi: 0xfe0f, Stride: 1},
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1},
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
		{Lo: 0xfff0, Hi: 0xffff, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1bca0, Hi: 0x1bca3, Stride: 1},
		{Lo: 0x1d173, Hi: 0x1d17a, Stride: 1},
		{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1},
	},
	LatinOffset: 3,
}

// isHidden tells whether a character must not be shown.
func isHidden(r rune) bool {
	return r == utf8.RuneError || r&0xfffe == 0xfffe || unicode.Is(hidden, r)
}

// maxMarks is how many combining marks may stand on one character.
const maxMarks = 3

// clean makes a text from anyone fit to be shown on one line: valid, without
// hidden characters, every run of white space one space, none at the ends, few
// combining marks on a character, and at most limit bytes. Cleaning a clean text
// changes nothing.
func clean(s string, limit int) string {
	var b strings.Builder
	marks, space := maxMarks, false // no mark may stand first
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || r == 0x2028 || r == 0x2029:
			space, marks = b.Len() > 0, maxMarks
			continue
		case isHidden(r):
			continue
		case unicode.In(r, unicode.Mn, unicode.Me):
			if marks++; marks > maxMarks {
				continue
			}
		default:
			marks = 0
		}
		need := utf8.RuneLen(r)
		if space {
			need++
		}
		if b.Len()+need > limit {
			break
		}
		if space {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}

// cleanNickname is a player's name as the room shows it.
func cleanNickname(s string) string {
	name := firstRunes(clean(s, maxName), maxNickname)
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
func checkFirmware(f emucore.Firmware) error {
	if !utf8.ValidString(f.Nickname) || strings.ContainsFunc(f.Nickname, isHidden) {
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
