package soundstream

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
