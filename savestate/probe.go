package savestate

import (
	"slices"
	"time"
)

// probing is the state by which an Exchange measures the connection's queue; see gauge.go. Probes go
// outside of the reliable channel. Lost ones do no harm.
type probing struct {
	carried time.Duration // when Probes was last called
	used    bool          // it ever was
	sent    time.Duration // when the last probe went
	flying  []uint32      // the clocks of probes not echoed, oldest first
	echoes  [][]byte
}

const (
	// maxFlying is more probes than go in the longest round trip.
	maxFlying = 256
	// maxEchoes bounds what a peer that sends too many probes can have us keep.
	maxEchoes = 32
)

func (x *Exchange) takeProbe(now time.Duration, p *probe) error {
	if x.used && len(x.echoes) < maxEchoes {
		x.echoes = append(x.echoes, encode(kindEcho, &echo{p.clock, micros(now)}))
	}
	return nil
}

func (x *Exchange) takeEcho(now time.Duration, e *echo) error {
	// Others may be doubled, or of an exchange that was there before this one.
	i := slices.Index(x.flying, e.echo)
	if sent, ok := x.clock.past(e.echo); i >= 0 && ok {
		x.flying = slices.Delete(x.flying, i, i+1)
		x.pacer.echoed(now, sent, x.remote.read(e.clock))
	}
	return nil
}

// Probes returns messages to send now on an unreliable channel that waits for
// nothing: at most [MaxProbe] bytes each, one or two hundred a second while parts
// are being sent, else none. They may be lost, doubled and reordered. Without
// them parts are sent slowly.
func (x *Exchange) Probes(now time.Time) [][]byte {
	at := x.clock.read(now)
	x.carried, x.used = at, true
	out := x.echoes
	x.echoes = nil
	if x.busy() && at >= x.sent+x.pacer.probeEvery() {
		x.sent = at
		if len(x.flying) >= maxFlying {
			x.flying = slices.Delete(x.flying, 0, maxFlying/2)
		}
		x.flying = append(x.flying, micros(at))
		out = append(out, encode(kindProbe, &probe{micros(at)}))
	}
	return out
}

// wakeProbe returns the time at which the next probe is due, if somebody carries them.
func (x *Exchange) wakeProbe(now time.Duration) (time.Duration, bool) {
	if !x.used || now-x.carried > time.Second || !x.busy() {
		return 0, false
	}
	return x.sent + x.pacer.probeEvery(), true
}
