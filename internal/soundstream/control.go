package soundstream

import "time"

// maxDelta is the greatest share by which sound is played faster or slower than right.
const maxDelta = 0.005

// Gains of the controller, for errors in shares of the target. It corrects most
// of a wrong queue within some seconds, and what remains, the difference of
// the clocks, within a minute.
const (
	gain     = 0.004
	integral = 0.00001 // each frame
	smooth   = 0.05    // how fast the queue's average follows: the card takes it in pieces
	far      = 0.3     // more of an error says no more of the clocks: there was a stop
)

// A control decides how fast sound is played, from how much is queued: a
// proportional and integral controller. The zero value is a start.
type control struct {
	average float64 // of the queue, in shares of the target; 0 at the start
	sum     float64 // of what is steadily wrong
}

// next takes how much is queued, in shares of the target, and returns by how much
// more sound than usual is to be made, -maxDelta to maxDelta.
func (c *control) next(queued float64) float64 {
	if c.average == 0 {
		c.average = queued
	}
	c.average += smooth * (queued - c.average)
	wrong := 1 - c.average
	c.sum = clamp(c.sum+integral*clamp(wrong, far), maxDelta)
	return clamp(gain*wrong+c.sum, maxDelta)
}

// cut notes that so much of the queue was taken away, in shares of the target.
func (c *control) cut(share float64) { c.average -= share }

// forget begins anew after a gap, but for what is known of the clocks.
func (c *control) forget() { c.average = 0 }

func clamp(v, limit float64) float64 { return min(max(v, -limit), limit) }

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
