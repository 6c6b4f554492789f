package sound

import (
	"math"

	"github.com/nettplay/nettplay/internal/soundstream"
)

// The chime is two short tones, a fifth apart, that die away.
const (
	chimeTone = soundstream.CardRate / 8 // samples from one tone to the next
	chimeLong = soundstream.CardRate / 2 // samples in all
)

// chime makes the chime, so loud (0 to 1), as interleaved stereo.
func chime(volume float64) []int16 {
	pcm := make([]int16, 0, 2*chimeLong)
	for i := range chimeLong {
		v := bell(i, 659.26)
		if i >= chimeTone {
			v += bell(i-chimeTone, 987.77)
		}
		s := soundstream.Round(float32(v * volume * volume * 0.2 * math.MaxInt16))
		pcm = append(pcm, s, s)
	}
	return pcm
}

// bell is sample i of a tone that dies away.
func bell(i int, hertz float64) float64 {
	t := float64(i) / soundstream.CardRate
	rise := min(t/0.004, 1)
	return rise * math.Exp(-9*t) * math.Sin(2*math.Pi*hertz*t)
}

// mix adds what is left of the chime to what is played, and tells what is left then.
func mix(pcm, chime []int16) (left []int16) {
	n := min(len(pcm), len(chime))
	for i, v := range chime[:n] {
		pcm[i] = soundstream.Round(float32(pcm[i]) + float32(v))
	}
	return chime[n:]
}
