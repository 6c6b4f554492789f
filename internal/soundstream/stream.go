package soundstream

import (
	"math"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

const (
	// MaxFrame is the limit of one frame's sound, in samples: as many as some 150 frames of any core
	// have. It comes from a core.
	MaxFrame = 96_000
	// rateFrames is over how many frames the console's rate is measured.
	rateFrames = 1024
	// fullest is the multiple of the target that may be queued before frames are dropped.
	fullest = 3
)

// A Stream makes what a sound card plays out of what a console makes. It is not
// safe for concurrent use. Make one with NewStream.
type Stream struct {
	target float64 // samples in the queue

	control   control
	resampler resampler
	perFrame  float64 // samples a frame of the console, averaged
	frames    float64

	volume float32 // wanted, 0 to 1
	gain   float32 // of the last sample
	gap    bool    // there is no sound: it begins with a full queue
	gaps   int     // that there were, but for the one at the start
	excess excess
	lead   int // samples of silence before out
	out    []float32
	last   [2]float32 // of out
	pcm    []int16
	tape   tape
}

// NewStream makes a stream for a card that is to have about so much sound in its queue.
func NewStream(target time.Duration) *Stream {
	return &Stream{target: samples(target), volume: 1, gap: true}
}

// SetVolume makes it as loud as this, 0 to 1, from the next frame on.
func (s *Stream) SetVolume(volume float64) {
	v := float32(min(max(volume, 0), 1))
	s.volume = v * v // ears hear a quarter of the power as half
}

// Frame takes the sound of the console's next frame, interleaved stereo, while so many samples wait in
// the card's queue, and returns what to put behind them, valid until the next call. The console's rate
// need not be told: it follows from the DS' frames. What is made can be made again: see [Stream.Again].
func (s *Stream) Frame(frame int64, audio []int16, queued int) []int16 {
	audio = audio[:min(len(audio)&^1, 2*MaxFrame)]
	s.measure(len(audio) / 2)
	s.out = s.out[:0]
	if s.perFrame < 1 {
		return nil
	}
	if float64(queued) > fullest*s.target || s.gap && float64(queued) > s.target {
		return s.silence() // far too much: frames are skipped until it is played
	}
	if queued <= 0 && !s.gap {
		s.end() // it ran dry before anybody could let it fade
	}
	if s.gap { // silence first, so that the sound begins as far from the queue's end as it is to stay
		s.lead = max(int(s.target)-queued, 0)
		s.gap = false
		s.control.forget()
	}
	made := CardRate / (s.perFrame * ds.FrameRate) * (1 + s.control.next(float64(queued)/s.target))
	p := piece{frame: frame, before: resampler{slices.Clone(s.resampler.history), s.resampler.at}, step: 1 / made}
	s.out = s.resampler.push(s.out, audio, 1/made)
	whole := true
	if s.excess.lasts(queued, int(s.target+samples(excessLeast))) {
		before := len(s.out)
		s.out = cutOut(s.out)
		s.control.cut(float64(before-len(s.out)) / 2 / s.target)
		s.excess.cut()
		whole = false
	}
	pcm := s.finish(s.volume)
	if whole {
		p.from, p.to = s.tape.made-int64(len(s.out)/2), s.tape.made
		s.tape.piece(p)
	}
	return pcm
}

// Idle is to be called now and then, at least every 5 ms, while no frame comes, with
// the samples that still wait. When they are about to end the sound fades out.
func (s *Stream) Idle(queued int) []int16 {
	s.out = s.out[:0]
	if float64(queued) > 3*samples(fade) {
		return nil
	}
	return s.silence()
}

// Quiet reports whether nothing more comes from Idle.
func (s *Stream) Quiet() bool { return s.gap }

// Gaps counts the times that the sound has ended, since no frame came in time or far too many: a pause is one too.
func (s *Stream) Gaps() int { return s.gaps }

// silence fades out what was last heard, and begins a gap.
func (s *Stream) silence() []int16 {
	if s.gap {
		return nil
	}
	for range int(samples(fade)) + 1 {
		s.out = append(s.out, s.last[0], s.last[1])
	}
	out := s.finish(0)
	s.end()
	return out
}

// end begins a gap.
func (s *Stream) end() {
	s.gap, s.excess = true, excess{}
	s.gaps++
	s.last, s.gain = [2]float32{}, 0
	s.resampler = resampler{}
}

// measure averages how many samples the console makes in a frame.
func (s *Stream) measure(samples int) {
	if s.frames == 0 && samples == 0 {
		return
	}
	s.frames = min(s.frames+1, rateFrames)
	s.perFrame += (float64(samples) - s.perFrame) / s.frames
}

// finish brings the volume to what is wanted, without a jump, and rounds.
func (s *Stream) finish(volume float32) []int16 {
	s.pcm = append(s.pcm[:0], make([]int16, 2*s.lead)...)
	s.lead = 0
	step := float32(1 / samples(fade)) // of gain a sample, while it fades
	for i := 0; i < len(s.out); i += 2 {
		s.gain = min(max(volume, s.gain-step), s.gain+step)
		s.last = [2]float32{s.out[i], s.out[i+1]}
		s.pcm = append(s.pcm, Round(s.last[0]*s.gain), Round(s.last[1]*s.gain))
	}
	s.tape.keep(s.pcm)
	return s.pcm
}

const (
	// CardRate is the rate of a card in samples a second.
	CardRate = 48_000
	// CardBuffer is the number of samples that a card takes at once, 5 ms: the queue keeps sound ready.
	CardBuffer = 256
	// IdleEach is the time between two looks at the queue while no frame comes.
	IdleEach = 4 * time.Millisecond
	// fade is the time that sound fades out and in, so that nothing clicks.
	fade = 5 * time.Millisecond
)

// samples returns how much of the card's time some time is.
func samples(t time.Duration) float64 { return CardRate * t.Seconds() }

// Round returns a sample as a card takes it.
func Round(v float32) int16 {
	if v < 0 {
		return int16(max(v-0.5, math.MinInt16))
	}
	return int16(min(v+0.5, math.MaxInt16))
}
