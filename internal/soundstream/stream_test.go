package soundstream

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// card is a sound card in a simulation: it takes pieces of 512 samples, by a clock
// that may be wrong.
type card struct {
	queued float64
	rate   float64
	owed   float64
	dry    int
}

func (c *card) play(seconds float64) {
	c.owed += c.rate * seconds
	for ; c.owed >= 512; c.owed -= 512 {
		if c.queued < 512 {
			c.dry++
		}
		c.queued = max(0, c.queued-512)
	}
}

// TestNoDriftInAnHour runs the controller for an hour with a card whose clock is wrong
// and frames that jitter: the queue never runs dry and stays about the target.
func TestNoDriftInAnHour(t *testing.T) {
	for _, wrong := range []float64{-0.003, -0.0001, 0, 0.0001, 0.003} {
		random := rand.New(rand.NewPCG(1, 7))
		c := card{rate: 48_000 * (1 + wrong), queued: 2400}
		var control control
		target := 48_000 * 0.05
		lowest, highest, sum, count := math.Inf(1), 0.0, 0.0, 0.0
		const frames = 215_374 // an hour
		now := 0.0
		for f := range frames {
			at := float64(f)/ds.FrameRate + random.Float64()*0.012
			c.play(at - now)
			now = at
			if f > 60*60 {
				lowest, highest = min(lowest, c.queued), max(highest, c.queued)
				sum, count = sum+c.queued, count+1
			}
			delta := control.next(c.queued / target)
			if math.Abs(delta) > maxDelta {
				t.Fatalf("%v faster", delta)
			}
			c.queued += 48_000 / ds.FrameRate * (1 + delta)
		}
		if mean := sum / count / target; c.dry > 0 || mean < 0.95 || mean > 1.05 || highest > 2*target || lowest < 0.3*target {
			t.Errorf("a card %v off: dry %d times, queue %.0f to %.0f, mean %.2f of the target", wrong, c.dry, lowest, highest, mean)
		}
	}
}

// tone makes the frames of a sine at a console's rate.
type tone struct{ rate, at, volume float64 }

func (s *tone) frame(n int) []int16 {
	audio := make([]int16, 2*n)
	for i := range n {
		v := int16(s.volume * math.Sin(2*math.Pi*440*s.at))
		audio[2*i], audio[2*i+1] = v, v
		s.at += 1 / s.rate
	}
	return audio
}

// steepest is the largest step between neighbours of one channel.
func steepest(pcm []int16) (most int) {
	for i := 2; i < len(pcm); i++ {
		d := int(pcm[i]) - int(pcm[i-2])
		most = max(most, d, -d)
	}
	return most
}

// TestNoClicks plays a tone through all that may happen: jitter, volume, mute, a
// console that waits, one that hurries. No step is larger than a 440 Hz tone and
// a fade of 5 ms make it.
func TestNoClicks(t *testing.T) {
	const loud = 20_000
	const limit = 1249 // of the tone 1163, of the fade 84
	for _, rate := range []float64{32_768, 44_100, 48_000} {
		perFrame := rate / ds.FrameRate
		s, source := NewStream(50*time.Millisecond), tone{rate: perFrame * ds.FrameRate, volume: loud}
		random := rand.New(rand.NewPCG(3, 9))
		var all []int16
		c := card{rate: 48_000}
		put := func(pcm []int16) { all = append(all, pcm...); c.queued += float64(len(pcm) / 2) }
		made := 0.0
		for f := range 60 * 30 {
			n := int((float64(f)+1)*perFrame) - int(made)
			made += float64(n)
			switch f {
			case 300:
				s.SetVolume(0.5)
			case 400:
				s.SetVolume(0)
			case 500:
				s.SetVolume(1)
			}
			if f%600 == 599 { // the console waits
				for range 100 {
					put(s.Idle(int(c.queued)))
					c.play(0.005)
				}
				if c.queued != 0 || !s.Quiet() {
					t.Errorf("after a gap %v wait, quiet: %v", c.queued, s.Quiet())
				}
			}
			put(s.Frame(int64(f), source.frame(n), int(c.queued)))
			if f > 1200 && f < 1300 { // the console hurries
				continue
			}
			c.play((1 + (random.Float64()-0.5)*0.5) / ds.FrameRate)
			put(s.Idle(int(c.queued)))
		}
		if got := steepest(all); got > limit {
			t.Errorf("at %v Hz a step of %d, a tone has %d", rate, got, limit)
		}
		if loudest := loudest(all); loudest < loud*95/100 || loudest > loud*102/100 {
			t.Errorf("at %v Hz as loud as %d", rate, loudest)
		}
	}
}

func loudest(pcm []int16) (most int) {
	for _, v := range pcm {
		most = max(most, int(v), -int(v))
	}
	return most
}

// A tone stays that tone, and nothing else comes with it.
func TestToneIsClean(t *testing.T) {
	var r resampler
	source := tone{rate: 32_768, volume: 20_000}
	var out []float32
	for range 60 {
		out = r.push(out, source.frame(546), 32_768.0/48_000)
	}
	// The rest after the best fit of 440 Hz.
	from := out[2*1000 : 2*25_000]
	var a, b, power float64
	for i := 0; i < len(from); i += 2 {
		x := 2 * math.Pi * 440 * float64(i/2) / 48_000
		v := float64(from[i])
		a, b, power = a+v*math.Sin(x), b+v*math.Cos(x), power+v*v
	}
	n := float64(len(from) / 2)
	rest := math.Abs(power - 2*(a*a+b*b)/n)
	if db := 10 * math.Log10(rest/power); db > -55 {
		t.Errorf("%.0f dB of something else", db)
	}
}

func TestVolumeAndMute(t *testing.T) {
	s, source := NewStream(50*time.Millisecond), tone{rate: 44_100, volume: 10_000}
	last := func() []int16 {
		var pcm []int16
		for range 4 {
			pcm = s.Frame(0, source.frame(737), 2400)
		}
		return pcm
	}
	for _, c := range []struct {
		volume float64
		want   int
	}{{1, 10_000}, {0.5, 2500}, {0, 0}, {7, 10_000}, {-1, 0}} {
		s.SetVolume(c.volume)
		if got := loudest(last()); got < c.want*98/100 || got > c.want*102/100 {
			t.Errorf("volume %v: %d, want %d", c.volume, got, c.want)
		}
	}
}

// Consoles that make no sound, odd sounds or very much of it harm nobody.
func TestStrangeSounds(t *testing.T) {
	s := NewStream(50 * time.Millisecond)
	for range 100 {
		if pcm := s.Frame(0, nil, 0); len(pcm) != 0 {
			t.Fatal("sound out of nothing")
		}
	}
	s.Frame(0, []int16{1, 2, 3}, 0)
	if pcm := s.Frame(0, make([]int16, 10_000_000), 0); len(pcm) > 20*2*MaxFrame {
		t.Errorf("%d samples", len(pcm)/2)
	}
	s.Frame(0, make([]int16, 1000), 1<<40)
	s.Frame(0, make([]int16, 1000), -5)
}

// An hour of whole sound, not only of its amount.
func TestAnHourOfSound(t *testing.T) {
	if os.Getenv("NETTPLAY_LONG") == "" {
		t.Skip("NETTPLAY_LONG is not set")
	}
	s, source := NewStream(50*time.Millisecond), tone{rate: 32_768, volume: 20_000}
	random := rand.New(rand.NewPCG(5, 5))
	c, before := card{rate: 48_010}, []int16{0, 0}
	const limit = 1260
	for f := range 215_374 {
		pcm := s.Frame(int64(f), source.frame(547+f&1), int(c.queued))
		if got := steepest(append(before, pcm...)); got > limit {
			t.Fatalf("frame %d: a step of %d", f, got)
		}
		if n := len(pcm); n > 0 {
			before = append(before[:0], pcm[n-2:]...)
		}
		c.queued += float64(len(pcm) / 2)
		c.play((1 + (random.Float64()-0.5)*0.6) / ds.FrameRate)
		if c.dry > 0 || c.queued > 6000 {
			t.Fatalf("frame %d: %v queued, dry %d times", f, c.queued, c.dry)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	s, source := NewStream(50*time.Millisecond), tone{rate: 32_768, volume: 20_000}
	audio := source.frame(547)
	for b.Loop() {
		s.Frame(0, audio, 2400)
	}
}
