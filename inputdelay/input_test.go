package inputdelay

import "testing"

func TestNormal(t *testing.T) {
	tests := []struct{ in, want Input }{
		{Input{}, Input{}},
		{Input{Keys: KeyA | Touch, X: 255, Y: 191}, Input{Keys: KeyA | Touch, X: 255, Y: 191}},
		{Input{Keys: 0xffff, X: 3, Y: 255}, Input{Keys: 0x7fff, X: 3, Y: 191}},
		{Input{Keys: 0x8000}, Input{}},
		{Input{Keys: KeyB, X: 9, Y: 9}, Input{Keys: KeyB}},
		{Input{Y: 255}, Input{}},
	}
	for _, tt := range tests {
		if got := tt.in.Normal(); got != tt.want {
			t.Errorf("%+v.Normal() = %+v, want %+v", tt.in, got, tt.want)
		}
	}
}

func TestInputString(t *testing.T) {
	tests := []struct {
		in   Input
		want string
	}{
		{Input{}, ""},
		{Input{Keys: KeyA | KeyB | Touch | Lid, X: 10, Y: 20}, "A+B touch 10,20 lid"},
		{Input{Keys: Mic}, "mic"},
		{Input{Keys: Touch}, "touch 0,0"},
		{Input{Keys: 0x0fff}, "A+B+SELECT+START+RIGHT+LEFT+UP+DOWN+R+L+X+Y"},
	}
	for _, tt := range tests {
		if got := tt.in.String(); got != tt.want {
			t.Errorf("%#v.String() = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// The bits are on the wire and in recordings: they must never move.
func TestKeyBits(t *testing.T) {
	order := []Keys{KeyA, KeyB, KeySelect, KeyStart, KeyRight, KeyLeft, KeyUp, KeyDown, KeyR, KeyL, KeyX, KeyY, Touch, Lid, Mic}
	for bit, k := range order {
		if k != 1<<bit {
			t.Errorf("key number %d is bit value %#x, want %#x", bit, k, 1<<bit)
		}
	}
	if allKeys != 0x7fff {
		t.Errorf("allKeys = %#x, want bits 0 to 14", allKeys)
	}
}
