package config

import (
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Player describes the user: the firmware settings of their console.
type Player struct {
	Nickname string   // 1 to 10 UTF-16 units, printable
	Language string   // one of Languages
	Colour   string   // one of Colours
	Birthday Birthday // month and day
	MAC      string   // "00:09:bf:xx:xx:xx" in small letters; "" until KeepMAC makes one
}

// MaxNickname is the limit of a nickname, in UTF-16 units: the firmware has room for ten (GBATEK, "DS
// Firmware User Settings").
const MaxNickname = 10

// MACPrefix begins every DS address that nettplay makes: one of Nintendo's.
const MACPrefix = "00:09:bf:"

// NumberedNickname is a nickname for a further local player: "Ann 2". It is no longer
// than a nickname can be.
func NumberedNickname(name string, n int) string {
	number := " " + strconv.Itoa(n)
	letters := []rune(name)
	for len(letters) > 0 && len(utf16.Encode(letters))+len(number) > MaxNickname {
		letters = letters[:len(letters)-1]
	}
	return strings.TrimRightFunc(string(letters), unicode.IsSpace) + number
}

// Languages returns the languages of a console, in the order of the firmware's
// numbers: 0 is Japanese.
func Languages() []string { return []string{"ja", "en", "fr", "de", "it", "es"} }

// Colours returns the favourite colours of a console, in the order of the
// firmware's numbers.
func Colours() []string {
	return []string{
		"grey", "brown", "red", "pink", "orange", "yellow", "lime", "green",
		"dark-green", "turquoise", "light-blue", "blue", "dark-blue", "dark-purple", "purple", "magenta",
	}
}

// LanguageNumber returns the firmware's number of the player's language.
func (p Player) LanguageNumber() uint8 { return place(Languages(), p.Language) }

// ColourNumber returns the firmware's number of the player's colour.
func (p Player) ColourNumber() uint8 { return place(Colours(), p.Colour) }

// place is where a name stands in a short list, 0 if it is not there.
func place(names []string, name string) uint8 {
	return uint8(max(slices.Index(names, name), 0))
}

// Address returns the player's MAC address as bytes. ok is false when there is
// none yet, see [KeepMAC].
func (p Player) Address() (mac [6]byte, ok bool) {
	hw, err := net.ParseMAC(p.MAC)
	if err != nil || len(hw) != len(mac) {
		return mac, false
	}
	return [6]byte(hw), true
}

// NewMAC makes an address for a console out of three random bytes.
func NewMAC(random io.Reader) (string, error) {
	var b [3]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("make a MAC address: %w", err)
	}
	return fmt.Sprintf("%s%02x:%02x:%02x", MACPrefix, b[0], b[1], b[2]), nil
}

// randomMAC is NewMAC from the system's randomness, which never fails.
func randomMAC() (string, error) { return NewMAC(rand.Reader) }

func (p *Player) fields() []field {
	return []field{
		setting("nickname", &p.Nickname, "Player", "Your nickname, which the other players see.",
			"1 to 10 letters, without spaces at the ends", whyNickname),
		choice("language", &p.Language, "en", Languages(), "The language your games speak, if they can."),
		choice("colour", &p.Colour, "light-blue", Colours(), "Your favourite colour.").shown("Some games show it."),
		setting("birthday", &p.Birthday, Birthday{Month: 1, Day: 1}, "Your birthday, as month-day. Some games celebrate it.",
			`"01-01" to "12-31"`, whyBirthday).shown("Some games celebrate it."),
		setting("mac", &p.MAC, "", "The address of your console's radio. nettplay makes one up when it first needs it. It must stay the same: some games refuse their saves after it has changed.",
			`"" or "00:09:bf:" and three more hexadecimal numbers of two small digits, like "00:09:bf:12:34:56"`, whyMAC),
	}
}

func whyNickname(name string) string {
	if why := printable(1, MaxNickname)(name); why != "" {
		return why
	}
	if n := len(utf16.Encode([]rune(name))); n > MaxNickname {
		return fmt.Sprintf("takes the room of %d letters in the console", n)
	}
	if strings.TrimFunc(name, unicode.IsSpace) != name {
		return fmt.Sprintf("%q begins or ends with a space", name)
	}
	return ""
}

func whyMAC(mac string) string {
	hw, err := net.ParseMAC(mac)
	if mac == "" || err == nil && hw.String() == mac && len(hw) == 6 && strings.HasPrefix(mac, MACPrefix) {
		return ""
	}
	return fmt.Sprintf("%q is not an address of a console", mac)
}

// Birthday is a day of the year.
type Birthday struct {
	Month uint8 // 1 to 12
	Day   uint8 // 1 to 31
}

// daysOf are the days of each month, in a leap year.
var daysOf = [...]uint8{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// String returns the birthday as the file has it, "12-31".
func (b Birthday) String() string { return fmt.Sprintf("%02d-%02d", b.Month, b.Day) }

// MarshalText writes what UnmarshalText reads.
func (b Birthday) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads "month-day".
func (b *Birthday) UnmarshalText(text []byte) error {
	m, d, _ := strings.Cut(string(text), "-")
	month, errM := strconv.ParseUint(m, 10, 8)
	day, errD := strconv.ParseUint(d, 10, 8)
	if errM != nil || errD != nil {
		return fmt.Errorf("%q is not a month and a day", text)
	}
	*b = Birthday{uint8(month), uint8(day)}
	return nil
}

func whyBirthday(b Birthday) string {
	if b.Month < 1 || b.Month > 12 || b.Day < 1 || b.Day > daysOf[b.Month-1] {
		return fmt.Sprintf("there is no day %s", b)
	}
	return ""
}
