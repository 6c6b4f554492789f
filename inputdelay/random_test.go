package inputdelay

import (
	"bytes"
	"testing"
)

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
