package savestate

import (
	"slices"
	"time"
)

// pulsing is what an Exchange does to know how long the line's queue is: see
// pacer.go. Pulses go outside of the reliable channel; lost ones do no harm.
type pulsing struct {
	carried time.Duration // when Pulses was last called
	used    bool          // it ever was
	sent    time.Duration // when the last pulse went
	flying  []uint32      // the clocks of pulses not echoed, oldest first
	echoes  [][]byte
}

const (
	// maxFlying is more pulses than go in the longest round trip.
	maxFlying = 256
	// maxEchoes bounds what a peer that sends too many pulses can have us keep.
	maxEchoes = 32
	// overtaken is how long before one that was echoed a pulse was sent that has
	// surely been lost.
	overtaken = 500 * time.Millisecond
)

func (x *Exchange) receivePulse(now time.Duration, r *reader) error {
	clock := r.u32("clock")
	if err := r.end(); err != nil {
		return err
	}
	if x.used && len(x.echoes) < maxEchoes {
		x.echoes = append(x.echoes, echoMessage(clock, micros(now)))
	}
	return nil
}

func (x *Exchange) receiveEcho(now time.Duration, r *reader) error {
	echo, clock := r.u32("echo"), r.u32("clock")
	if err := r.end(); err != nil {
		return err
	}
	// Others may be doubled, or of an exchange that was there before this one.
	i := slices.Index(x.flying, echo)
	if sent, ok := x.clock.past(echo); i >= 0 && ok {
		x.flying = slices.Delete(x.flying, i, i+1)
		x.pacer.echoed(now, sent, x.remote.read(clock), x.lostBefore(echo))
	}
	return nil
}

// lostBefore forgets the pulses that were lost, by one that was not.
func (p *pulsing) lostBefore(echo uint32) (lost int) {
	for lost < len(p.flying) && int32(echo-p.flying[lost]) > int32(overtaken.Microseconds()) {
		lost++
	}
	p.flying = slices.Delete(p.flying, 0, lost)
	return lost
}

// Pulses returns messages to send now on an unreliable channel that waits for
// nothing: at most [MaxPulse] bytes each, one or two hundred a second while parts
// are being sent, else none. They may be lost, doubled and reordered. Without
// them the line is not known as well: on one with losses parts then come much
// slower.
func (x *Exchange) Pulses(now time.Time) [][]byte {
	at := x.clock.read(now)
	x.carried, x.used = at, true
	out := x.echoes
	x.echoes = nil
	if x.busy() && at >= x.sent+x.pacer.pulseEvery() {
		x.sent = at
		if len(x.flying) >= maxFlying {
			x.flying = slices.Delete(x.flying, 0, maxFlying/2)
		}
		x.flying = append(x.flying, micros(at))
		out = append(out, pulseMessage(micros(at)))
	}
	return out
}

// wakePulse is when the next pulse is due, if somebody carries them.
func (x *Exchange) wakePulse(now time.Duration) (time.Duration, bool) {
	if !x.used || now-x.carried > time.Second || !x.busy() {
		return 0, false
	}
	return x.sent + x.pacer.pulseEvery(), true
}
