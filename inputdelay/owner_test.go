package inputdelay

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// play pushes one sample per letter, 'a' holding button 0, 'b' button 1 and so
// on, and returns what applies at each frame as the drawings of [Queue] do.
func play(t *testing.T, q *Queue, samples string) string {
	t.Helper()
	for f, letter := range samples {
		if _, _, err := q.Push(int64(f), key(int(letter-'a'))); err != nil {
			t.Fatalf("push local frame %d: %v", f, err)
		}
	}
	var applied []string
	for f := int64(0); f <= q.Newest(); f++ {
		in, ok := q.At(f)
		if !ok {
			t.Fatalf("frame %d is missing, Newest() is %d", f, q.Newest())
		}
		var letters []string
		for i := range 12 {
			if in.Keys&(1<<i) != 0 {
				letters = append(letters, string(rune('a'+i)))
			}
		}
		if len(letters) == 0 {
			letters = []string{"-"}
		}
		applied = append(applied, strings.Join(letters, "|"))
	}
	return strings.Join(applied, " ")
}

// The drawings in the documentation of Queue, and what they leave open.
func TestDelayDrawings(t *testing.T) {
	type set struct {
		at    int64
		delay int
	}
	tests := []struct {
		name    string
		delay   int
		changes []set
		samples string
		want    string
	}{
		{"rests", 2, nil, "abcde", "- - a b c d e"},
		{"none", 0, nil, "abc", "a b c"},
		{"grows", 2, []set{{3, 4}}, "abcde", "- - a b c c c d e"},
		{"grows at the start", 0, []set{{0, 3}}, "ab", "- - - a b"},
		{"shrinks", 4, []set{{3, 2}}, "abcdefg", "- - - - a b c d|e|f g"},
		{"shrinks at the start", 3, []set{{0, 0}}, "abcde", "- - - a|b|c|d e"},
		{"shrinks to none", 2, []set{{1, 0}}, "abcde", "- - a b|c|d e"},
		{"shrinks, and grows before the gap is over", 4, []set{{1, 0}, {3, 5}}, "abcdef", "- - - - a a a a b|c|d e f"},
		{"grows, and shrinks before its first sample", 1, []set{{2, 3}, {3, 1}}, "abcdef", "- a b b b c d|e|f"},
		{"grows twice", 0, []set{{1, 1}, {2, 3}}, "abcd", "a a b b b c d"},
		{"set twice for one frame", 0, []set{{1, 9}, {1, 2}}, "ab", "a a a b"},
		{"set out of order", 0, []set{{3, 2}, {1, 1}}, "abcd", "a a b c c d"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := newQueue(t, 0, tt.delay)
			for _, c := range tt.changes {
				must.Succeed(t, q.SetDelay(c.at, c.delay))
			}
			if got := play(t, q, tt.samples); got != tt.want {
				t.Errorf("applied %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPushRefusesGaps(t *testing.T) {
	q := newQueue(t, 5, 2)
	for _, f := range []int64{0, 4, 6, -1, math.MaxInt64, math.MinInt64} {
		if _, _, err := q.Push(f, key(1)); err == nil {
			t.Errorf("Push(%d) was taken, the first local frame is 5", f)
		}
	}
	if from, to, err := q.Push(5, key(1)); from != 7 || to != 8 || err != nil {
		t.Errorf("Push(5) = %d, %d, %v, want 7, 8", from, to, err)
	}
	if _, _, err := q.Push(5, key(2)); err == nil {
		t.Error("local frame 5 was sampled twice")
	}
}

func TestPushIntoAFullLine(t *testing.T) {
	q := newQueue(t, 0, 2)
	f := int64(0)
	for ; f < Window-2; f++ {
		if _, _, err := q.Push(f, key(int(f))); err != nil {
			t.Fatal(err)
		}
	}
	q.SetDelay(f, 3)
	if _, _, err := q.Push(f, key(1)); !errors.Is(err, ErrFull) {
		t.Fatalf("Push(%d) = %v, want ErrFull", f, err)
	}
	q.Forget(1)
	if _, _, err := q.Push(f, key(1)); !errors.Is(err, ErrFull) {
		t.Fatalf("Push(%d) = %v, want ErrFull: two frames are needed", f, err)
	}
	q.Forget(2)
	from, to, err := q.Push(f, key(1))
	if from != Window || to != Window+2 || err != nil {
		t.Fatalf("Push(%d) = %d, %d, %v, want %d, %d", f, from, to, err, Window, Window+2)
	}
}

func TestPushAtTheEndOfTime(t *testing.T) {
	q := newQueue(t, ds.MaxFrame, 0)
	if _, _, err := q.Push(ds.MaxFrame, key(1)); err != nil {
		t.Errorf("Push of the last frame: %v", err)
	}
	if _, _, err := q.Push(ds.MaxFrame+1, key(1)); err == nil {
		t.Error("a frame past the last was pushed")
	}
}

func TestSetDelayRefuses(t *testing.T) {
	q := newQueue(t, 0, 2)
	q.Push(0, key(1))
	for _, tt := range []struct {
		at    int64
		delay int
	}{{0, 3}, {-1, 3}, {math.MinInt64, 3}, {math.MaxInt64, 3}, {1, -1}, {1, ds.MaxDelay + 1}} {
		if err := q.SetDelay(tt.at, tt.delay); err == nil {
			t.Errorf("SetDelay(%d, %d) was taken", tt.at, tt.delay)
		}
	}
	for i := range maxChanges {
		must.Succeed(t, q.SetDelay(int64(10+i), i%ds.MaxDelay))
	}
	if err := q.SetDelay(1000, 1); err == nil {
		t.Error("more changes wait than the limit")
	}
	if q.Delay() != 2 {
		t.Errorf("Delay() = %d before any change is due, want 2", q.Delay())
	}
}

// A queue that is only put into hears of every change too, for hours.
func TestSetDelayOnAMirror(t *testing.T) {
	q := newQueue(t, 0, 2)
	for f := int64(2); f < 10*maxChanges; f++ {
		if err := q.SetDelay(f, int(f%30)); err != nil {
			t.Fatalf("change number %d: %v", f, err)
		}
		q.Put(f, key(1))
		q.Forget(f)
	}
}

func TestDelayIsThatOfTheNextSample(t *testing.T) {
	q := newQueue(t, 0, 3)
	q.SetDelay(2, 7)
	for f, want := range []int{3, 3, 7, 7} {
		if q.Delay() != want {
			t.Errorf("Delay() = %d before local frame %d, want %d", q.Delay(), f, want)
		}
		q.Push(int64(f), Input{})
	}
}

func TestMergedStylus(t *testing.T) {
	touch := func(x uint8) Input { return Input{Keys: Touch, X: x, Y: x} }
	tests := []struct{ first, second, want Input }{
		{touch(1), key(0), Input{Keys: Touch | KeyA, X: 1, Y: 1}}, // a tap that is over
		{touch(1), touch(2), touch(2)},
		{key(0), touch(2), Input{Keys: Touch | KeyA, X: 2, Y: 2}},
		{Input{Keys: Lid}, Input{Keys: Mic}, Input{Keys: Lid | Mic}},
	}
	for _, tt := range tests {
		q := newQueue(t, 0, 1)
		q.SetDelay(0, 0)
		q.Push(0, tt.first)
		q.Push(1, tt.second)
		if in, ok := q.At(1); !ok || in != tt.want {
			t.Errorf("%v and %v merge to %v, %v, want %v", tt.first, tt.second, in, ok, tt.want)
		}
	}
}

// TestRandomDelays changes the delay at random and checks each frame against
// the definition: it is filled by the first sample f with f+delay(f) >= frame,
// with that sample and all since the one applied before if it falls on the
// frame exactly, and repeats the frame before otherwise.
func TestRandomDelays(t *testing.T) {
	const frames = 2000
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 7))
		first := int64(rng.IntN(3)) * 1000
		start := rng.IntN(ds.MaxDelay + 1)
		q := newQueue(t, first, start)
		delays, samples := make([]int64, frames), make([]Input, frames)
		var applied []Input // by frame, as the pushes handed them out
		for range start {
			applied = append(applied, Input{})
		}
		delay := start
		for i := range samples {
			f := first + int64(i)
			if rng.IntN(20) == 0 {
				delay = rng.IntN(ds.MaxDelay + 1)
				must.Succeed(t, q.SetDelay(f, delay))
			}
			delays[i] = int64(delay)
			samples[i] = Input{Keys: key(rng.IntN(12)).Keys | Touch, X: uint8(i), Y: uint8(i / 256)}
			from, to, err := q.Push(f, samples[i])
			if err != nil || from != first+int64(len(applied)) {
				t.Fatalf("seed %d: push %d = %d, %d, %v, want the range from %d", seed, f, from, to, err, first+int64(len(applied)))
			}
			for g := from; g < to; g++ {
				in, ok := q.At(g)
				if !ok {
					t.Fatalf("seed %d: frame %d is missing", seed, g)
				}
				applied = append(applied, in)
			}
			if q.Newest() != to-1 {
				t.Fatalf("seed %d: Newest() = %d, want %d", seed, q.Newest(), to-1)
			}
			for g := max(first, to-100); g < to; g++ {
				if in, _ := q.At(g); in != applied[g-first] {
					t.Fatalf("seed %d: frame %d changed from %v to %v", seed, g, applied[g-first], in)
				}
			}
			q.Forget(to - 100)
		}
		used := 0 // samples that were applied
		for n := start; n < len(applied); n++ {
			f := 0
			for int64(f)+delays[f] < int64(n) {
				f++
			}
			want := Input{}
			switch {
			case int64(f)+delays[f] == int64(n):
				for ; used <= f; used++ {
					want = merge(want, samples[used])
				}
			case n > 0:
				want = applied[n-1]
			}
			if applied[n] != want {
				t.Fatalf("seed %d: frame %d is %v, want %v", seed, n, applied[n], want)
			}
		}
	}
}
