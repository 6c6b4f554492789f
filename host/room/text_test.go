package room

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/ds"
)

func TestCheckFirmware(t *testing.T) {
	good := ds.Firmware{Nickname: "DS", MAC: [6]byte{0, 9, 0xbf, 1, 2, 1}, Language: 1, BirthMonth: 2, BirthDay: 29}
	change := func(do func(*ds.Firmware)) ds.Firmware {
		f := good
		do(&f)
		return f
	}
	for _, f := range []ds.Firmware{
		good,
		{},
		change(func(f *ds.Firmware) {
			f.Nickname = "テン文字まで書けます!"[:len("テン文字まで書けます")]
		}),
		change(func(f *ds.Firmware) { f.BirthMonth, f.BirthDay = 12, 31 }),
	} {
		if err := CheckFirmware(f); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
	for want, f := range map[string]ds.Firmware{
		"nickname: 11":         change(func(f *ds.Firmware) { f.Nickname = "12345678901" }),
		"nickname: 12":         change(func(f *ds.Firmware) { f.Nickname = strings.Repeat("😀", 6) }),
		"cannot be shown":      change(func(f *ds.Firmware) { f.Nickname = "a\u202e" }),
		"language 6":           change(func(f *ds.Firmware) { f.Language = 6 }),
		"colour 16":            change(func(f *ds.Firmware) { f.Colour = 16 }),
		"in month 0":           change(func(f *ds.Firmware) { f.BirthMonth = 0 }),
		"no day 30 in month 2": change(func(f *ds.Firmware) { f.BirthDay = 30 }),
	} {
		if err := CheckFirmware(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func FuzzCleanNickname(f *testing.F) {
	f.Add("\x1b[31mB\u0301\u202eob \t\n x")
	f.Add("a\u0301\u200b\u0301\u0301\u0301\u0301 b")
	f.Fuzz(func(t *testing.T, s string) {
		if name := CleanNickname(s); name == "" || utf8.RuneCountInString(name) > maxNickname || len(name) > MaxName || CleanNickname(name) != name {
			t.Fatalf("the nickname %q became %q", s, name)
		}
	})
}
