package config

import (
	"strings"
	"testing"
)

func TestFirmwareNumbers(t *testing.T) {
	p := Defaults().Player
	if p.LanguageNumber() != 1 || p.ColourNumber() != 10 {
		t.Errorf("en and light-blue are numbers %d and %d, want 1 and 10", p.LanguageNumber(), p.ColourNumber())
	}
	if len(Languages()) != 6 || len(Colours()) != 16 {
		t.Errorf("%d languages and %d colours, the firmware has 6 and 16", len(Languages()), len(Colours()))
	}
	p.Language, p.Colour = "?", "?"
	if p.LanguageNumber() != 0 || p.ColourNumber() != 0 {
		t.Error("unknown names are not number 0")
	}
}

func TestMAC(t *testing.T) {
	mac, err := NewMAC(strings.NewReader("\x00\xab\x7f"))
	if err != nil || mac != "00:09:bf:00:ab:7f" || whyMAC(mac) != "" {
		t.Errorf("NewMAC = %q, %v", mac, err)
	}
	if _, err := NewMAC(strings.NewReader("\x00\xab")); err == nil {
		t.Error("an address was made of two random bytes")
	}
	p := Player{MAC: mac}
	if b, ok := p.Address(); !ok || b != [6]byte{0, 9, 0xbf, 0, 0xab, 0x7f} {
		t.Errorf("Address() = %x, %v", b, ok)
	}
	for _, bad := range []string{"", "x", "00:09:bf:00:ab:7f:00:00"} {
		p.MAC = bad
		if b, ok := p.Address(); ok || b != [6]byte{} {
			t.Errorf("Address() of %q = %x, %v", bad, b, ok)
		}
	}
}

func TestButtonsAll(t *testing.T) {
	b := Defaults().Keys
	seen := map[string][]string{}
	for _, x := range b.All() {
		seen[x.Name] = x.Names
	}
	if len(seen) != 14 || seen["select"][0] != "Right Shift" || seen["up"][0] != "Up" || len(seen["lid"]) != 0 {
		t.Errorf("All() = %v", seen)
	}
}

// Some of SDL's own names, as it gives them for SDL_SCANCODE_* and in controller
// mappings; and none twice.
func TestNames(t *testing.T) {
	for _, names := range [][]string{KeyNames(), PadNames()} {
		if why := each(len(names), func(s string) string {
			if s == "" || strings.TrimSpace(s) != s {
				return "has a space at an end"
			}
			return ""
		})(names); why != "" {
			t.Errorf("%v: %s", names, why)
		}
	}
	if n := len(KeyNames()); n != 26+10+24+4+5+6+4+4+6+12+1+7+10+6 {
		t.Errorf("%d keys", n)
	}
	if n := len(PadNames()); n != 21+2+8 {
		t.Errorf("%d controller names, want 21 buttons, 2 triggers and 8 half axes", n)
	}
}

func TestRTC(t *testing.T) {
	tests := []struct {
		text, back string
		seconds    int64
	}{
		{"2009-10-24 18:30:00", "2009-10-24 18:30:00", 1256409000},
		{"2009-10-24T18:30:05", "2009-10-24 18:30:05", 1256409005},
		{"2009-10-24 18:30", "2009-10-24 18:30:00", 1256409000},
		{"2009-10-24", "2009-10-24 00:00:00", 1256342400},
		{"2000-01-01", "2000-01-01 00:00:00", 946684800},
		{"2099-12-31 23:59:59", "2099-12-31 23:59:59", 4102444799},
	}
	for _, tt := range tests {
		r, err := ParseRTC(tt.text)
		if err != nil || r.Now || r.Seconds != tt.seconds || r.String() != tt.back {
			t.Errorf("ParseRTC(%q) = %+v, %v, written %q", tt.text, r, err, r)
		}
	}
	now, err := ParseRTC("now")
	if err != nil || !now.Now || now.String() != "now" {
		t.Errorf("ParseRTC(now) = %+v, %v", now, err)
	}
	for _, bad := range []string{"", "Now", "2009-02-30", "1999-12-31", "2100-01-01", "18:30", "2009-10-24 18:30:00 +02:00"} {
		if _, err := ParseRTC(bad); err == nil || !strings.Contains(err.Error(), "allowed: "+rtcAllowed) {
			t.Errorf("ParseRTC(%q): error %v", bad, err)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	names := []string{"delay", "rtc", "hash_every", "[room]", "Left Shift"}
	for word, want := range map[string]string{
		"dealy": "delay", "DELAY": "delay", "hashevery": "hash_every", "rct": "rtc", "rt": "rtc", "hsot": "",
		"room": "[room]", "xyz": "", "": "", "leftshift": "Left Shift", strings.Repeat("x", 99): "",
	} {
		got := DidYouMean(word, names)
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("DidYouMean(%q) = %q, want %q", word, got, want)
		}
	}
}
