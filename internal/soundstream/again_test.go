package soundstream

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// TestAgain plays a tone of which the console makes some frames wrong, as silence or another tone, and then again. What
// is heard has no click, and but for frames that were played already, and fades, it is the tone.
func TestAgain(t *testing.T) {
	const loud = 20_000
	const limit = 2400 // of the tones 1163 and 880 Hz' 2326, and a fade between them
	const rate = 32_768.0
	perFrame := rate / ds.FrameRate
	for _, wrong := range []float64{0, loud} {
		plain, s := NewStream(60*time.Millisecond), NewStream(60*time.Millisecond)
		source, other := tone{rate: rate, volume: loud}, tone{rate: rate / 2, volume: wrong}
		random := rand.New(rand.NewPCG(5, 6))
		var want, got []int16 // all that was put into the queue, and what it became
		queued, backs, frames, made := 0.0, 0, map[int64][]int16{}, 0.0
		var guessed []int64
		for f := range int64(60 * 20) {
			n := int((float64(f)+1)*perFrame) - int(made)
			made += float64(n)
			audio := source.frame(n)
			bad := other.frame(n)
			frames[f] = audio
			want = append(want, plain.Frame(f, audio, int(queued))...)
			if f > 120 && (len(guessed) > 0 || random.IntN(10) == 0) {
				guessed = append(guessed, f)
				audio = bad
			}
			pcm := s.Frame(f, audio, int(queued))
			got = append(got, pcm...)
			queued += float64(len(pcm) / 2)
			if len(guessed) > random.IntN(4) {
				for _, g := range guessed {
					if tail := s.Again(g, frames[g], int(queued)); tail != nil {
						if len(tail) != 2*int(queued) {
							t.Fatalf("%d samples for a queue of %d", len(tail)/2, int(queued))
						}
						got = append(got[:len(got)-len(tail)], tail...)
						backs++
					}
				}
				guessed = guessed[:0]
			}
			queued = max(queued-CardRate/ds.FrameRate, 0)
		}
		if len(got) != len(want) || backs < 100 {
			t.Errorf("%d samples, without guesses %d; %d frames were put right", len(got), len(want), backs)
		}
		if step := steepest(got); step > limit {
			t.Errorf("wrong by %v: a step of %d", wrong, step)
		}
		differ := 0
		for i := range min(len(got), len(want)) {
			if d := int(got[i]) - int(want[i]); d > 2000 || d < -2000 {
				differ++
			}
		}
		if share := float64(differ) / float64(len(want)); share > 0.2 {
			t.Errorf("wrong by %v: %.2f of the sound is wrong", wrong, share)
		}
		if s.Gaps() != 0 {
			t.Errorf("%d gaps", s.Gaps())
		}
	}
}

// What cannot be put right stays as it is.
func TestAgainTooLate(t *testing.T) {
	s, source := NewStream(20*time.Millisecond), tone{rate: 32_768, volume: 10_000}
	if s.Again(0, source.frame(547), 0) != nil {
		t.Error("a sound that never was is put right")
	}
	for f := range int64(100) {
		s.Frame(f, source.frame(547), 960)
	}
	for _, f := range []int64{-1, 3, 60, 90, 1000} {
		if s.Again(f, source.frame(547), 960) != nil {
			t.Errorf("frame %d is put right", f)
		}
	}
	if s.Again(99, nil, 960) != nil || s.Again(99, source.frame(547), 1<<30) != nil {
		t.Error("nothing is put in the place of a sound")
	}
	if s.Again(99, source.frame(547), 960) == nil {
		t.Error("the newest frame is not put right")
	}
}
