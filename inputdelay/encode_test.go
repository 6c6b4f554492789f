package inputdelay

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// times is in, n times.
func times(in Input, n int) []Input { return slices.Repeat([]Input{in}, n) }

func TestEncodeGolden(t *testing.T) {
	touch := Input{Keys: KeyA | Touch, X: 10, Y: 191}
	tests := []struct {
		name string
		ins  []Input
		want string
	}{
		{"nothing", nil, "00"},
		{"one neutral", []Input{{}}, "01 0000"},
		{"one key", []Input{{Keys: KeyDown}}, "01 8000"},
		{"lid and mic", []Input{{Keys: Lid | Mic}}, "01 0060"},
		{"stylus", []Input{touch}, "01 0110 0abf"},
		{"two equal", times(Input{Keys: KeyB}, 2), "02 0280 01"},
		{"stylus rests", times(touch, 3), "03 0190 0abf 02"},
		{"still for 2 s", times(Input{}, 120), "78 0080 77"},
		{"the whole window", times(Input{}, 512), "8004 0080 ff03"},
		{"three runs", append(append(times(Input{}, 5), Input{Keys: KeyA}), Input{}), "07 0080 04 0100 0000"},
		{"not normal", []Input{{Keys: 0x8001, X: 7}}, "01 0100"},
	}
	for _, tt := range tests {
		want := strings.ReplaceAll(tt.want, " ", "")
		if got := hex.EncodeToString(AppendInputs(nil, tt.ins)); got != want {
			t.Errorf("%s: encoded as %s, want %s", tt.name, got, want)
		}
	}
}

func TestDecodeKeepsWhatFollows(t *testing.T) {
	b := AppendInputs([]byte("before"), times(Input{Keys: KeyX}, 9))
	if !bytes.HasPrefix(b, []byte("before")) {
		t.Fatalf("AppendInputs changed what was there: %q", b)
	}
	b = append(b, "after"...)
	ins, rest, err := AppendDecoded(nil, b[len("before"):], 9)
	if err != nil || string(rest) != "after" || !slices.Equal(ins, times(Input{Keys: KeyX}, 9)) {
		t.Fatalf("AppendDecoded = %v, %q, %v", ins, rest, err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	tests := []struct {
		name, hex string
		max       int
		want      string // in the error
	}{
		{"empty", "", 9, "input count is cut off"},
		{"count cut off", "80", 9, "input count is cut off"},
		{"count too large for 64 bits", "ffffffffffffffffffff01", 9, "larger than 64 bits"},
		{"count above the limit", "0a", 9, "at most 9"},
		{"giant count", "ffffffffffffffffff01", 1 << 30, "at most"},
		{"negative limit", "01 0000", -1, "at most"},
		{"count not shortest", "8100 0000", 9, "shortest form"},
		{"no keys", "01", 9, "keys are cut off"},
		{"half the keys", "01 00", 9, "keys are cut off"},
		{"no stylus", "01 0010", 9, "stylus position is cut off"},
		{"half the stylus", "01 0010 01", 9, "stylus position is cut off"},
		{"stylus below the screen", "01 0010 01c0", 9, "stylus y is 192"},
		{"no repeats", "02 0080", 9, "repeat count is cut off"},
		{"repeats of zero", "02 0080 00", 9, "repeat count is 0"},
		{"more repeats than inputs", "02 0080 02", 9, "repeat count is 2"},
		{"giant repeats", "02 0080 ffffffffffffffffff01", 9, "repeat count is"},
		{"repeats not shortest", "04 0080 8300", 9, "shortest form"},
		{"equal runs", "02 0100 0100", 9, "two runs"},
		{"second run missing", "02 0100", 9, "input 1: keys are cut off"},
	}
	for _, tt := range tests {
		b, err := hex.DecodeString(strings.ReplaceAll(tt.hex, " ", ""))
		must.Succeed(t, err)
		_, _, err = AppendDecoded(nil, b, tt.max)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

func TestAppendDecodedKeepsTheSliceOnError(t *testing.T) {
	have := []Input{{Keys: KeyL}}
	got, _, err := AppendDecoded(have, []byte{2, 1, 0, 9}, 9)
	if err == nil || !slices.Equal(got, have) {
		t.Errorf("AppendDecoded = %v, %v, want what was there and an error", got, err)
	}
	// A list that begins as the slice ends is not one run with it.
	got, _, err = AppendDecoded(have, AppendInputs(nil, have), 9)
	if err != nil || !slices.Equal(got, times(Input{Keys: KeyL}, 2)) {
		t.Errorf("AppendDecoded = %v, %v, want the input twice", got, err)
	}
}

// The figures that the cost of a game rests on.
func TestEncodedSizes(t *testing.T) {
	size := func(ins []Input) int { return len(AppendInputs(nil, ins)) }
	if n := size(times(Input{Keys: KeyA}, 120)); n > 4 {
		t.Errorf("a button held for 2 s takes %d bytes, want at most 4", n)
	}
	mash := make([]Input, 120)
	for i := range mash {
		mash[i].Keys = KeyA * Keys(i%2)
	}
	if n := size(mash); n > 2*120+1 {
		t.Errorf("a button mashed every frame for 2 s takes %d bytes, want at most 2 a frame", n)
	}
	script, total := RandomScript(1, 6000), 0
	for f := int64(0); f < 6000; f += 10 {
		window := make([]Input, 10) // what is on its way at 80 ms each way
		for i := range window {
			window[i] = script.At(f + int64(i))
		}
		total += size(window)
	}
	if mean := total / 600; mean > 20 {
		t.Errorf("10 frames of busy play take %d bytes on average, want at most 20", mean)
	}
}

func TestFitIsTheLongestPrefix(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		ins := randomInputs(rng, rng.IntN(300))
		budget := rng.IntN(400)
		n, size := Fit(ins, budget)
		if budget == 0 {
			if n != 0 || size != 0 {
				t.Fatalf("Fit(…, 0) = %d, %d", n, size)
			}
			continue
		}
		if got := len(AppendInputs(nil, ins[:n])); got != size || size > budget {
			t.Fatalf("Fit(%d inputs, %d) = %d, %d; they take %d", len(ins), budget, n, size, got)
		}
		if n < len(ins) && len(AppendInputs(nil, ins[:n+1])) <= budget {
			t.Fatalf("Fit(%d inputs, %d) = %d, but one more fits", len(ins), budget, n)
		}
	}
}

// randomInputs are inputs as bad for the encoding as they come, with runs.
func randomInputs(rng *rand.Rand, n int) []Input {
	ins := make([]Input, 0, n)
	for len(ins) < n {
		in := Input{Keys: Keys(rng.Uint32()), X: uint8(rng.Uint32()), Y: uint8(rng.Uint32())}.Normal()
		again := 1
		if rng.IntN(3) == 0 {
			again = 1 + rng.IntN(min(n-len(ins), 200))
		}
		ins = append(ins, times(in, again)...)
	}
	return ins
}

func FuzzDecodeInputs(f *testing.F) {
	f.Add(AppendInputs(nil, nil))
	f.Add(AppendInputs(nil, times(Input{}, 512)))
	f.Add(AppendInputs(nil, times(Input{Keys: KeyA | Touch, X: 1, Y: 2}, 2)))
	f.Add(AppendInputs(nil, randomInputs(rand.New(rand.NewPCG(3, 4)), 40)))
	f.Add([]byte{2, 1, 0, 1, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		ins, rest, err := AppendDecoded(nil, b, 600)
		if err != nil {
			return
		}
		if len(ins) > 600 {
			t.Fatalf("%d inputs, the limit is 600", len(ins))
		}
		for i, in := range ins {
			if in != in.Normal() {
				t.Fatalf("input %d is %#v, not normal", i, in)
			}
		}
		used := b[:len(b)-len(rest)]
		if again := AppendInputs(nil, ins); !bytes.Equal(again, used) {
			t.Fatalf("decoded % x, encoded again % x", used, again)
		}
		if n, size := Fit(ins, len(used)); n != len(ins) || size != len(used) {
			t.Fatalf("Fit says %d inputs in %d bytes, want %d in %d", n, size, len(ins), len(used))
		}
	})
}

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
