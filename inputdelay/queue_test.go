package inputdelay

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// newQueue is NewQueue for tests that do not expect an error.
func newQueue(t *testing.T, first int64, delay int) *Queue {
	t.Helper()
	q, err := NewQueue(first, delay)
	must.Succeed(t, err)
	return q
}

// key is an input that holds one button, number i.
func key(i int) Input { return Input{Keys: 1 << (i % 12)} }

func TestNewLine(t *testing.T) {
	q := newQueue(t, 100, 3)
	for f := int64(97); f < 106; f++ {
		in, ok := q.At(f)
		if want := f >= 100 && f < 103; ok != want || in != (Input{}) {
			t.Errorf("At(%d) = %v, %v, want neutral, %v", f, in, ok, want)
		}
	}
	if q.Newest() != 102 || newQueue(t, 0, 0).Newest() != -1 {
		t.Errorf("Newest() = %d and %d, want 102 and -1", q.Newest(), newQueue(t, 0, 0).Newest())
	}
	for _, tt := range []struct {
		first int64
		delay int
	}{{-1, 0}, {math.MinInt64, 0}, {ds.MaxFrame + 1, 0}, {math.MaxInt64, 0}, {0, -1}, {0, ds.MaxDelay + 1}} {
		if _, err := NewQueue(tt.first, tt.delay); err == nil {
			t.Errorf("NewQueue(%d, %d) made a queue", tt.first, tt.delay)
		}
	}
}

func TestPutIgnoresWhatIsThere(t *testing.T) {
	q := newQueue(t, 0, 2)
	for _, f := range []int64{2, 3, 2, 0, 1, -1, math.MinInt64} {
		if err := q.Put(f, key(int(f&7))); err != nil {
			t.Fatalf("Put(%d): %v", f, err)
		}
	}
	q.Put(3, key(9)) // another value for a frame that is there
	q.Put(4, Input{Keys: key(4).Keys | 0x8000, Y: 7})
	for f, want := range []Input{{}, {}, key(2), key(3), key(4)} {
		if in, ok := q.At(int64(f)); !ok || in != want {
			t.Errorf("At(%d) = %v, %v, want %v", f, in, ok, want)
		}
	}
	q.Forget(3)
	if err := q.Put(2, key(5)); err != nil {
		t.Errorf("Put of a forgotten frame: %v", err)
	}
	if in, ok := q.At(2); ok {
		t.Errorf("the forgotten frame 2 came back as %v", in)
	}
}

func TestPutShowsGaps(t *testing.T) {
	q := newQueue(t, 0, 1)
	for _, f := range []int64{4, 2} {
		must.Succeed(t, q.Put(f, key(int(f))))
	}
	if _, ok := q.At(3); ok || q.Newest() != 0 {
		t.Fatalf("frame 3 there: %v, Newest() = %d, want frames 1 and 3 missing", ok, q.Newest())
	}
	if in, ok := q.At(4); !ok || in != key(4) {
		t.Errorf("At(4) = %v, %v, want what lies past the gap", in, ok)
	}
	q.Put(1, key(1))
	if q.Newest() != 2 {
		t.Errorf("Newest() = %d after the first gap closed, want 2", q.Newest())
	}
	q.Put(3, key(3))
	if q.Newest() != 4 {
		t.Errorf("Newest() = %d after both gaps closed, want 4", q.Newest())
	}
}

func TestPutBeyondTheWindow(t *testing.T) {
	q := newQueue(t, 0, 0)
	for _, f := range []int64{Window, Window + 1, ds.MaxFrame, math.MaxInt64} {
		if err := q.Put(f, key(1)); !errors.Is(err, ErrFull) {
			t.Errorf("Put(%d) = %v, want ErrFull", f, err)
		}
	}
	for f := range int64(Window) {
		must.Succeed(t, q.Put(f, key(int(f))))
	}
	if in, ok := q.At(0); !ok || in != key(0) {
		t.Fatalf("At(0) = %v, %v after the window was filled", in, ok)
	}
	q.Forget(1)
	if err := q.Put(Window, key(7)); err != nil {
		t.Errorf("Put after one frame was forgotten: %v", err)
	}
	if in, ok := q.At(Window); !ok || in != key(7) || q.Newest() != Window {
		t.Errorf("At(%d) = %v, %v, Newest() = %d", Window, in, ok, q.Newest())
	}
	if _, ok := q.At(0); ok {
		t.Error("frame 0 is there although it was forgotten")
	}
}

func TestForgetStopsAtTheFirstGap(t *testing.T) {
	q := newQueue(t, 0, 2)
	q.Put(4, key(4))
	q.Forget(math.MaxInt64)
	if q.Oldest() != 2 || q.Newest() != 1 {
		t.Errorf("Oldest() = %d, Newest() = %d, want 2 and 1", q.Oldest(), q.Newest())
	}
	q.Forget(math.MinInt64)
	if in, ok := q.At(4); !ok || in != key(4) || q.Oldest() != 2 {
		t.Errorf("At(4) = %v, %v, Oldest() = %d", in, ok, q.Oldest())
	}
}

func TestAgrees(t *testing.T) {
	q := newQueue(t, 0, 1)
	q.Put(1, key(1))
	q.Put(3, key(3))
	tests := []struct {
		frame int64
		in    Input
		want  bool
	}{
		{0, Input{}, true},
		{0, key(1), false}, // the first delay frames are neutral for everybody
		{1, key(1), true},
		{1, Input{Keys: key(1).Keys | 0x8000, X: 9}, true}, // not normal, but means the same
		{1, key(2), false},
		{2, key(2), true}, // missing
		{3, key(2), false},
		{-1, key(2), true},
		{math.MinInt64, key(2), true},
		{math.MaxInt64, key(2), true},
	}
	for _, tt := range tests {
		if got := q.Agrees(tt.frame, tt.in); got != tt.want {
			t.Errorf("Agrees(%d, %v) = %v, want %v", tt.frame, tt.in, got, tt.want)
		}
	}
	q.Forget(2)
	if !q.Agrees(1, key(2)) {
		t.Error("a forgotten frame disagrees")
	}
}

func TestCut(t *testing.T) {
	q := newQueue(t, 0, 1)
	for f := int64(1); f < 5; f++ {
		q.Put(f, key(int(f)))
	}
	q.Put(8, key(8))
	must.Succeed(t, q.Cut(3, 7))
	want := []Input{{}, key(1), key(2), {}, {}, {}, {}}
	for f, in := range want {
		if got, ok := q.At(int64(f)); !ok || got != in {
			t.Errorf("At(%d) = %v, %v, want %v", f, got, ok, in)
		}
	}
	if q.Newest() != 6 {
		t.Errorf("Newest() = %d, want 6", q.Newest())
	}
	// The owner's inputs from before it heard of the cut are neither used nor a lie.
	if err := q.Put(5, key(5)); err != nil || !q.Agrees(5, key(5)) || !q.Agrees(3, key(3)) {
		t.Errorf("an input that comes after the cut: %v, agrees %v, %v", err, q.Agrees(5, key(5)), q.Agrees(3, key(3)))
	}
	if in, _ := q.At(5); in != (Input{}) {
		t.Errorf("At(5) = %v, want it to stay neutral", in)
	}
	q.Put(7, key(7))
	if in, _ := q.At(8); in != key(8) || q.Newest() != 8 {
		t.Errorf("At(8) = %v, Newest() = %d, want what was there after the cut", in, q.Newest())
	}
}

func TestCutRefuses(t *testing.T) {
	q := newQueue(t, 0, 4)
	q.Put(4, key(4))
	q.Put(5, Input{})
	q.Forget(6)
	for _, r := range [][2]int64{
		{4, 7}, // frame 4 was applied with a key
		{0, 7},
		{0, 2},
		{math.MinInt64, 7},
		{-1, -1},
		{8, 7},
		{math.MaxInt64, math.MaxInt64},
		{7, math.MaxInt64},
		{7, ds.MaxFrame + 1},
	} {
		if err := q.Cut(r[0], r[1]); err == nil {
			t.Errorf("Cut(%d, %d) was done", r[0], r[1])
		}
	}
	if q.Newest() != 5 {
		t.Errorf("Newest() = %d after refused cuts, want 5", q.Newest())
	}
	if err := q.Cut(6, Window+6); err != nil || q.Newest() != Window+5 {
		t.Errorf("Cut of the whole window: %v, Newest() = %d", err, q.Newest())
	}
}

// A seat may leave further ahead than a queue is long: its console plays on with nothing
// held until there.
func TestCutBeyondTheWindow(t *testing.T) {
	q := newQueue(t, 100, 4)
	const to = 100 + 3*Window
	must.Succeed(t, q.Cut(102, to))
	if err := q.Cut(103, to); err == nil {
		t.Error("a second cut beyond the window was done")
	}
	for f := int64(100); f < to; f++ {
		if in, ok := q.At(f); !ok || in != (Input{}) {
			t.Fatalf("At(%d) = %v, %v", f, in, ok)
		}
		q.Forget(f + 1)
	}
	if _, ok := q.At(to); ok || q.Newest() != to-1 {
		t.Errorf("frame %d is there: %v; Newest() = %d", to, ok, q.Newest())
	}
	if err := q.Put(to, key(1)); err != nil || q.Newest() != to {
		t.Errorf("after it: %v, Newest() = %d", err, q.Newest())
	}
}

// The neutral inputs of a cut may arrive, and be applied, before the decision.
func TestCutComesLate(t *testing.T) {
	q := newQueue(t, 0, 1)
	q.Put(1, key(1))
	for f := int64(2); f < 6; f++ {
		q.Put(f, Input{})
	}
	q.Forget(5)
	must.Succeed(t, q.Cut(2, 9))
	if _, ok := q.At(4); ok || q.Newest() != 8 || q.Oldest() != 5 {
		t.Errorf("frame 4 there: %v, Newest() = %d, Oldest() = %d, want false, 8, 5", ok, q.Newest(), q.Oldest())
	}
	for f := int64(9); f < 5+Window; f++ { // the frames that share a place with those before the window
		if in, ok := q.At(f); ok {
			t.Fatalf("frame %d became %v by the cut", f, in)
		}
	}
	if err := q.Cut(2, 4); err != nil || q.Newest() != 8 || q.Oldest() != 5 {
		t.Errorf("a cut that is long over: %v, Newest() = %d, Oldest() = %d", err, q.Newest(), q.Oldest())
	}
}

// A player who left, and whose seat plays on, is not repeated when the delay
// grows, and what was still held back is gone.
func TestCutForgetsThePlayer(t *testing.T) {
	q := newQueue(t, 0, 2)
	q.Push(0, key(1))
	q.SetDelay(1, 0)
	q.Push(1, key(2)) // held back: frames 0 to 2 are taken
	must.Succeed(t, q.Cut(3, 6))
	q.SetDelay(2, 6)
	from, to, err := q.Push(2, key(3))
	if err != nil || from != 6 || to != 9 {
		t.Fatalf("Push = %d, %d, %v, want 6, 9", from, to, err)
	}
	for f, want := range map[int64]Input{6: {}, 7: {}, 8: key(3)} {
		if in, _ := q.At(f); in != want {
			t.Errorf("At(%d) = %v, want %v", f, in, want)
		}
	}
}

// FuzzQueue does what anybody may call on a mirror's queue, near and far, and
// compares it with a map.
func FuzzQueue(f *testing.F) {
	f.Add([]byte{4, 0, 1, 0, 2, 0, 3, 1, 4, 2, 5, 9}, uint64(1))
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3 {
		b := make([]byte, 200)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		f.Add(b, rng.Uint64())
	}
	f.Fuzz(func(t *testing.T, ops []byte, seed uint64) {
		first := int64(seed % ds.MaxFrame)
		q := newQueue(t, first, int(seed%4))
		model := map[int64]Input{}
		base, next, used := first, first+int64(seed%4), first-1
		beyond := int64(0) // where the last cut beyond the window ends
		for g := base; g < next; g++ {
			model[g] = Input{}
		}
		for i := 0; i+1 < len(ops); i += 2 {
			frame := next + int64(int8(ops[i+1]))*int64(1+ops[i]>>4)
			in := key(int(ops[i+1]))
			switch ops[i] % 4 {
			case 0, 1:
				err := q.Put(frame, in)
				if beyond := frame >= base+Window; beyond != (err != nil) {
					t.Fatalf("Put(%d) with frames from %d kept: %v", frame, base, err)
				} else if _, ok := model[frame]; !beyond && frame >= base && !ok {
					model[frame] = in
				}
			case 2:
				q.Forget(frame)
				for ; base < min(frame, next); base++ {
					if model[base] != (Input{}) {
						used = base
					}
					delete(model, base)
				}
			case 3:
				to := frame + int64(ops[i]>>4)
				err := q.Cut(frame, to)
				if possible := frame > used && to <= ds.MaxFrame && (to <= base+Window || beyond <= base+Window); possible != (err == nil) {
					t.Fatalf("Cut(%d, %d) with frames from %d kept: %v", frame, to, base, err)
				} else if possible {
					beyond = max(beyond, to)
					for g := max(frame, base); g < to; g++ {
						model[g] = Input{}
					}
				}
			}
			for _, ok := model[next]; ok && next < base+Window; _, ok = model[next] {
				next++
			}
			if q.Newest() != next-1 || q.Oldest() != base {
				t.Fatalf("Newest() = %d, Oldest() = %d, want %d, %d", q.Newest(), q.Oldest(), next-1, base)
			}
		}
		for g := base - 3; g < base+Window+3; g++ {
			want, wantOK := model[g]
			if wantOK = wantOK && g < base+Window; !wantOK {
				want = Input{}
			}
			if in, ok := q.At(g); in != want || ok != wantOK {
				t.Fatalf("At(%d) = %v, %v, want %v, %v", g, in, ok, want, wantOK)
			}
		}
	})
}
