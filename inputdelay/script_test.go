package inputdelay

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func parse(t *testing.T, text string) *Script {
	t.Helper()
	s, err := ParseScript(strings.NewReader(text))
	must.Succeed(t, err)
	return s
}

func TestParseScript(t *testing.T) {
	s := parse(t, `
# a comment, and a blank line

10            A+UP
60-64         touch 20,100
65-70         Touch 255,191	# trailing
300           start
600-720 lid
800-815  b    touch 1,1 mic
805           X
810-811
`)
	tests := []struct {
		frame int64
		want  string
	}{
		{-1, ""},
		{9, ""},
		{10, "A+UP"},
		{11, ""},
		{60, "touch 20,100"},
		{64, "touch 20,100"},
		{65, "touch 255,191"},
		{70, "touch 255,191"},
		{71, ""},
		{300, "START"},
		{660, "lid"},
		{804, "B touch 1,1 mic"},
		{805, "X"},
		{806, "B touch 1,1 mic"},
		{810, ""},
		{811, ""},
		{812, "B touch 1,1 mic"},
		{816, ""},
		{math.MaxInt64, ""},
		{math.MinInt64, ""},
	}
	for _, tt := range tests {
		if got := s.At(tt.frame).String(); got != tt.want {
			t.Errorf("At(%d) = %q, want %q", tt.frame, got, tt.want)
		}
	}
}

func TestParseScriptEnds(t *testing.T) {
	for _, text := range []string{"3 A", "3 A\n", "3 A\r\n", "3 A\r", "\r\n3 A # x\r\n"} {
		if s := parse(t, text); s.At(3) != key(0) || s.At(2) != (Input{}) || s.At(4) != (Input{}) {
			t.Errorf("%q gives %v, %v, %v at frames 2 to 4", text, s.At(2), s.At(3), s.At(4))
		}
	}
	if s := new(Script); s.At(0) != (Input{}) {
		t.Error("the zero script presses something")
	}
}

func TestParseScriptRefuses(t *testing.T) {
	tests := []struct{ text, want string }{
		{"x A", `line 1: "x" is not a frame`},
		{"\n\n-3 A", `line 3: "-3" is not a frame`},
		{"3- A", `"" is not a number`},
		{"3-2 A", "write 2-3"},
		{"+3 A", "not a number"},
		{"99999999999999999999 A", "frames go up to"},
		{"1099511627777 A", "frames go up to 1099511627776"},
		{"0 A+C", `"C" is not a button; allowed are A B SELECT`},
		{"0 A+", `"" is not a button`},
		{"0 A+B+A", "A stands twice"},
		{"0 A B A", "A stands twice"},
		{"0 lid lid", "lid stands twice"},
		{"0 touch 1,1 touch 2,2", "touch 2,2 stands twice"},
		{"0 touch", "write touch X,Y"},
		{"0 touch 5", "X from 0 to 255 and Y from 0 to 191"},
		{"0 touch 256,0", "not on the bottom screen"},
		{"0 touch 0,192", "not on the bottom screen"},
		{"0 touch -1,0", "not on the bottom screen"},
		{"0 touch 1,2,3", "not on the bottom screen"},
		{"0 " + strings.Repeat(" ", MaxScriptLine), "line 1: longer than 4096 bytes"},
		{"0 A\n" + strings.Repeat("#", 3*MaxScriptLine), "line 2: longer than 4096 bytes"},
		{strings.Repeat("\n", MaxScriptLines) + "0", "more than 1048576 lines"},
	}
	for _, tt := range tests {
		_, err := ParseScript(strings.NewReader(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40q: error %v, want one with %q", tt.text, err, tt.want)
		}
	}
	parse(t, "0 A "+strings.Repeat(" ", MaxScriptLine-4)+"\r\n1 B") // the longest line
	broken := errors.New("disk on fire")
	if _, err := ParseScript(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a failing reader gives %v", err)
	}
}

// Overlapping lines, compared with the definition: the last one that names the
// frame.
func TestParseScriptOverlaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 200 {
		var text strings.Builder
		want := make([]Input, 120)
		for range rng.IntN(40) {
			from := rng.IntN(100)
			to := from + rng.IntN(20)
			in := []Input{{}, key(0), key(1), {Keys: Touch, X: 3, Y: 4}}[rng.IntN(4)]
			fmt.Fprintf(&text, "%d-%d %s\n", from, to, in)
			for f := from; f <= to; f++ {
				want[f] = in
			}
		}
		s := parse(t, text.String())
		for f, in := range want {
			if got := s.At(int64(f)); got != in {
				t.Fatalf("frame %d is %q, want %q, of\n%s", f, got, in, text.String())
			}
		}
	}
}

// A million lines that all cover each other must not take a million times as
// long as one.
func TestParseScriptWorstCase(t *testing.T) {
	var text bytes.Buffer
	const lines = 200_000
	for i := range lines {
		fmt.Fprintf(&text, "%d-%d %s\n", i, 2*lines-i, key(i))
	}
	s, err := ParseScript(&text)
	must.Succeed(t, err)
	if got := s.At(lines); got != key(lines-1) {
		t.Errorf("At(%d) = %v, want the last line's %v", lines, got, key(lines-1))
	}
	if got := s.At(2*lines - 7); got != key(7) {
		t.Errorf("At(%d) = %v, want %v", 2*lines-7, got, key(7))
	}
}

func TestWriteTo(t *testing.T) {
	var b bytes.Buffer
	s := parse(t, "5-7 A\n8 A\n9 A+B touch 1,2 lid mic\n20")
	n, err := s.WriteTo(&b)
	if want := "5-8 A\n9 A+B touch 1,2 lid mic\n"; b.String() != want || n != int64(len(want)) || err != nil {
		t.Errorf("WriteTo wrote %q, %d, %v, want %q", b.String(), n, err, want)
	}
	full := errors.New("disk full")
	if n, err := s.WriteTo(&limited{left: 6, err: full}); n != 6 || !errors.Is(err, full) {
		t.Errorf("WriteTo on a full disk = %d, %v", n, err)
	}
}

// limited is a writer that takes only so many bytes.
type limited struct {
	left int
	err  error
}

func (w *limited) Write(b []byte) (int, error) {
	if len(b) > w.left {
		return 0, w.err
	}
	w.left -= len(b)
	return len(b), nil
}

func FuzzParseScript(f *testing.F) {
	f.Add("10-20 A+UP touch 1,2 lid mic # x\n15 B\n12\n")
	f.Add("1099511627776 y\r\n0-1099511627776 x")
	f.Add("5-3 A\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseScript(strings.NewReader(text))
		if err != nil {
			return
		}
		var written bytes.Buffer
		if _, err := s.WriteTo(&written); err != nil {
			t.Fatal(err)
		}
		again, err := ParseScript(&written)
		must.Succeed(t, err)
		for _, sp := range append(s.spans, again.spans...) {
			for _, f := range []int64{sp.from - 1, sp.from, sp.to - 1, sp.to} {
				if a, b := s.At(f), again.At(f); a != b {
					t.Fatalf("frame %d is %q, written and read again %q", f, a, b)
				}
			}
		}
	})
}

func TestRandomScriptIsFixed(t *testing.T) {
	var b bytes.Buffer
	if _, err := RandomScript(42, 60).WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	const want = `0-2 A+LEFT+UP touch 125,110
3 A+LEFT+UP
4-7 LEFT+UP
8-9 LEFT+UP+L
10-24 LEFT+UP
25 START+LEFT+UP+L
26-34 LEFT+UP
35-38 A+LEFT+UP
39-49 LEFT+UP
50-53 A+LEFT+UP
54-55 LEFT+UP
56 START+LEFT+UP
57-58 LEFT+UP
59 LEFT+UP+Y
`
	if b.String() != want {
		t.Errorf("seed 42 gives\n%s\nwant\n%s", b.String(), want)
	}
}

func TestRandomScriptPlaysLikeAPlayer(t *testing.T) {
	const frames = 20_000
	s := RandomScript(7, frames)
	var seen Keys
	var presses, strokes, neutral int
	before := Input{}
	for f := range int64(frames) {
		in := s.At(f)
		if in != in.Normal() {
			t.Fatalf("frame %d is %#v, not normal", f, in)
		}
		seen |= in.Keys
		if in == (Input{}) {
			neutral++
		}
		if in.Keys&^before.Keys&(KeyA|KeyB|KeyX|KeyY) != 0 {
			presses++
		}
		if in.Keys&before.Keys&Touch != 0 && (in.X != before.X || in.Y != before.Y) {
			strokes++
		}
		if in.Keys&(KeyUp|KeyDown) == KeyUp|KeyDown || in.Keys&(KeyLeft|KeyRight) == KeyLeft|KeyRight {
			t.Fatalf("frame %d holds opposite directions: %v", f, in)
		}
		before = in
	}
	if want := allKeys &^ (Lid | Mic); seen != want {
		t.Errorf("keys %v were used, want all but lid and mic", Input{Keys: seen})
	}
	if presses < frames/100 || strokes < frames/100 || neutral < frames/100 {
		t.Errorf("%d presses, %d frames of strokes, %d of nothing in %d frames", presses, strokes, neutral, frames)
	}
}

func TestRandomScriptLength(t *testing.T) {
	long, short, other := RandomScript(3, 2000), RandomScript(3, 1000), RandomScript(4, 1000)
	same := true
	for f := range int64(2000) {
		want := long.At(f)
		if f >= 1000 {
			want = Input{}
		}
		if got := short.At(f); got != want {
			t.Fatalf("frame %d of the shorter script is %v, want %v", f, got, want)
		}
		same = same && short.At(f) == other.At(f)
	}
	if same {
		t.Error("seeds 3 and 4 give the same script")
	}
	for _, n := range []int64{0, -1} {
		if s := RandomScript(1, n); len(s.spans) != 0 {
			t.Errorf("a script of %d frames presses something", n)
		}
	}
}
