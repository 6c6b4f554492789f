package ds

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxNickname is the longest nickname that a DS firmware holds, in UTF-16 units.
const MaxNickname = 10

// Firmware is the part of a DS' firmware that describes its owner. A core may not
// support all of it; see emucore.Profile.
type Firmware struct {
	Nickname   string  // at most [MaxNickname] UTF-16 units
	MAC        [6]byte // wireless address
	Language   uint8   // 0 Japanese, 1 English, 2 French, 3 German, 4 Italian, 5 Spanish
	Colour     uint8   // 0 to 15
	BirthMonth uint8   // 1 to 12
	BirthDay   uint8   // 1 to 31
}

// Check tells what no core could take. An empty nickname, and a zero birthday or MAC,
// stand for the core's own.
func (f Firmware) Check() error {
	if err := checkNickname(f.Nickname); err != nil {
		return err
	}
	switch {
	case f.Language > 5:
		return fmt.Errorf("firmware language %d: not in 0 to 5", f.Language)
	case f.Colour > 15:
		return fmt.Errorf("firmware colour %d: not in 0 to 15", f.Colour)
	case f.MAC[0]&3 != 0:
		// melonDS DS clears these two bits, and the console would not have the
		// address that the room was told.
		return fmt.Errorf("firmware MAC % x: the two low bits of the first byte must be zero", f.MAC)
	}
	return checkBirthday(int(f.BirthMonth), int(f.BirthDay))
}

// checkNickname checks length and contents.
func checkNickname(s string) error {
	if !utf8.ValidString(s) {
		return errors.New("firmware nickname: not valid UTF-8")
	}
	if n := len(utf16.Encode([]rune(s))); n > MaxNickname {
		return fmt.Errorf("firmware nickname: %d characters, at most %d fit", n, MaxNickname)
	}
	if i := strings.IndexFunc(s, unicode.IsControl); i >= 0 {
		return fmt.Errorf("firmware nickname: control character at byte %d", i)
	}
	return nil
}

// checkBirthday accepts a day of any year, and 0, 0.
func checkBirthday(month, day int) error {
	if month == 0 && day == 0 {
		return nil
	}
	const leapYear = 2000
	t := time.Date(leapYear, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if int(t.Month()) != month || t.Day() != day {
		return fmt.Errorf("firmware birthday: no day %d in month %d", day, month)
	}
	return nil
}
