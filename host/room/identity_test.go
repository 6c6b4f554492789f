package room

import (
	"strings"
	"testing"
)

func TestFreeNickname(t *testing.T) {
	long := strings.Repeat("x", 30)
	for _, tt := range []struct {
		wish  string
		taken []string
		want  string
	}{
		{"Bob", nil, "Bob"},
		{"Bob", []string{"Ann", "bOb"}, "Bob 2"},
		{"Bob", []string{"Bob", "Bob 2", "Bob 3"}, "Bob 4"},
		{"\x00 ", nil, "Player"},
		{"", []string{"Player"}, "Player 2"},
		{long, nil, long[:24]},
		{long, []string{long[:24]}, long[:22] + " 2"},
		{strings.Repeat("あ", 24), []string{strings.Repeat("あ", 24)}, strings.Repeat("あ", 22) + " 2"},
	} {
		if got := FreeNickname(tt.wish, tt.taken); got != tt.want {
			t.Errorf("%q beside %q became %q, want %q", tt.wish, tt.taken, got, tt.want)
		}
	}
}

func TestFreeMAC(t *testing.T) {
	mac := func(last ...byte) [6]byte { return [6]byte{0, 9, 0xbf, last[0], last[1], last[2]} }
	random := [3]byte{7, 8, 9}
	for _, tt := range []struct {
		wish  [6]byte
		taken [][6]byte
		want  [6]byte
	}{
		{mac(1, 2, 3), nil, mac(1, 2, 3)},
		{mac(1, 2, 3), [][6]byte{mac(1, 2, 3), mac(1, 2, 4)}, mac(1, 2, 5)},
		{mac(1, 2, 0xff), [][6]byte{mac(1, 2, 0xff)}, mac(1, 3, 0)},
		{mac(0xff, 0xff, 0xff), [][6]byte{mac(0xff, 0xff, 0xff)}, mac(0, 0, 0)},
		{[6]byte{}, nil, mac(7, 8, 9)},
		{[6]byte{}, [][6]byte{mac(7, 8, 9)}, mac(7, 8, 10)},
		{[6]byte{1, 9, 0xbf, 1, 1, 1}, nil, mac(7, 8, 9)},
		{[6]byte{2, 9, 0xbf, 1, 1, 1}, nil, mac(7, 8, 9)},
		{[6]byte{0, 0x23, 0x31, 1, 1, 1}, nil, [6]byte{0, 0x23, 0x31, 1, 1, 1}},
	} {
		if got := FreeMAC(tt.wish, random, tt.taken); got != tt.want {
			t.Errorf("%x beside %x became %x, want %x", tt.wish, tt.taken, got, tt.want)
		}
	}
}
