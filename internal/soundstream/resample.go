package soundstream

import (
	"math"
	"sync"
)

// The resampler's filter: so many samples on each side, and so many places
// between two samples at which it is tabulated.
const (
	half   = 8
	taps   = 2 * half
	phases = 256
)

// kernel is the filter: for each place the weights of the samples around it,
// a sine over x in a Kaiser window, whose sum is one.
var kernel = sync.OnceValue(makeKernel)

func makeKernel() *[phases + 1][taps]float32 {
	const beta, cutoff = 7.0, 0.92
	k := new([phases + 1][taps]float32)
	for p := range k {
		sum := 0.0
		var weights [taps]float64
		for i := range weights {
			x := float64(i-half+1) - float64(p)/phases
			weights[i] = sinc(x*cutoff) * kaiser(x/half, beta)
			sum += weights[i]
		}
		for i, w := range weights {
			k[p][i] = float32(w / sum)
		}
	}
	return k
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// kaiser is the window at x, -1 to 1, by the Bessel function's series.
func kaiser(x, beta float64) float64 {
	if x <= -1 || x >= 1 {
		return 0
	}
	return bessel(beta*math.Sqrt(1-x*x)) / bessel(beta)
}

func bessel(x float64) float64 {
	sum, term := 1.0, 1.0
	for n := 1.0; n < 30; n++ {
		term *= x * x / (4 * n * n)
		sum += term
	}
	return sum
}

// A resampler makes stereo samples of one rate out of those of another, of
// which the ratio may change with every call without a jump.
type resampler struct {
	history []float32 // interleaved: what may still be needed
	at      float64   // of the next sample to be made, in samples of history
}

// push makes samples of in, step apart, and appends them to out, not rounded.
//
//go:norace
func (r *resampler) push(out []float32, in []int16, step float64) []float32 {
	if len(r.history) == 0 {
		r.history, r.at = make([]float32, 2*taps, 8192), half
	}
	for _, v := range in {
		r.history = append(r.history, float32(v))
	}
	n, k := len(r.history)/2, kernel()
	for ; int(r.at)+half < n; r.at += step {
		left, right := r.sample(k, r.at)
		out = append(out, left, right)
	}
	if drop := min(int(r.at)-half, n-taps); drop > 0 {
		r.history = append(r.history[:0], r.history[2*drop:]...)
		r.at -= float64(drop)
	}
	return out
}

// sample is the sound between two samples of history.
//
//go:norace
func (r *resampler) sample(k *[phases + 1][taps]float32, at float64) (left, right float32) {
	whole := int(at)
	place := (at - float64(whole)) * phases
	p := int(place)
	t := float32(place - float64(p))
	a, b := &k[p], &k[p+1]
	from := (*[2 * taps]float32)(r.history[2*(whole-half+1):])
	for i := range taps {
		w := a[i] + t*(b[i]-a[i])
		left += w * from[2*i]
		right += w * from[2*i+1]
	}
	return left, right
}
