package soundstream

import "time"

// Late frames come all at once, and their sound is more than the card asks for from then
// on: at half a percent more speed, 50 ms of it would last ten seconds. So an excess that lasts
// is cut out, some milliseconds at a time.
const (
	// excessFrames is the number of frames for which there must have been too much: half a second.
	excessFrames = 30
	// excessNext is after how many frames the next piece may be cut out.
	excessNext = 6
	// excessLeast is the excess that is left to the controller.
	excessLeast = 10 * time.Millisecond
	// cutShortest and cutLongest bound the piece that is cut out at a time.
	cutShortest, cutLongest = 4 * time.Millisecond, 11 * time.Millisecond
)

// An excess watches for more in the queue than was asked for. The zero value is for the beginning of a
// sound.
type excess struct {
	frames int // since the sound began
	over   int // frames in a row with too much
}

// lasts takes how much is queued before a frame, and reports whether some of it is to be cut out: it has
// been more than most samples for long, or the sound has only begun, and late frames come all at once.
func (e *excess) lasts(queued, most int) bool {
	e.frames++
	e.over++
	if queued <= most {
		e.over = 0
	}
	return e.over >= excessFrames || e.over > 0 && e.frames <= excessFrames
}

// cut notes that something was cut out.
func (e *excess) cut() { e.over = excessFrames - excessNext }

// cutOut takes a piece out of interleaved stereo, where what follows it is most like its
// beginning, and fades from one into the other. A piece that is too short stays as it is.
func cutOut(out []float32) []float32 {
	over := int(samples(fade))
	shortest, longest := int(samples(cutShortest)), min(int(samples(cutLongest)), len(out)/2-over)
	if longest < shortest {
		return out
	}
	best, most := shortest, float32(0)
	for n := shortest; n <= longest; n++ {
		if like := alike(out[:2*over], out[2*n:]); n == shortest || like > most {
			best, most = n, like
		}
	}
	for i := range over {
		t := float32(i+1) / float32(over+1)
		for side := range 2 {
			out[2*(best+i)+side] = (1-t)*out[2*i+side] + t*out[2*(best+i)+side]
		}
	}
	return out[2*best:]
}

// alike returns the likeness of two sounds, greater the smaller their differences are.
func alike(a, b []float32) (like float32) {
	for i, v := range a {
		d := v - b[i]
		like -= d * d
	}
	return like
}
