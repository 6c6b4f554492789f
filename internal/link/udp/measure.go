package udp

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

const (
	measured     = 3                      // answers of which the soonest counts
	measureWait  = 700 * time.Millisecond // for one: who is farther is no use
	measureAgain = 100 * time.Millisecond // while no relay knows us yet
)

// Measure returns the time in which a machine of the room answers, the least of a few tries; 0 if it does not before ctx
// ends. It does not connect.
func (l *Link) Measure(ctx context.Context, addr string) (best time.Duration) {
	_, addrs, invited, err := link.SplitTarget(addr)
	if err != nil {
		return 0
	}
	targets, err := l.resolve(ctx, addrs, invited)
	if err != nil {
		return 0
	}
	for n := 0; n < measured && ctx.Err() == nil && l.life.Err() == nil; {
		took, ok := l.measureOnce(ctx, targets)
		if !ok {
			pause(ctx, measureAgain)
			continue
		}
		if n++; best == 0 || took < best {
			best = took
		}
	}
	return best
}

// measureOnce knocks once, with a number that nobody can answer who does not get the knock.
func (l *Link) measureOnce(ctx context.Context, targets []netip.AddrPort) (took time.Duration, ok bool) {
	d, err := l.newDial()
	if err != nil {
		return 0, false
	}
	defer l.endDial(d)
	for _, t := range targets {
		d.to = append(d.to, greeted{addr: t})
	}
	began := time.Now()
	if l.sayTo(d) != nil {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(ctx, measureWait)
	defer cancel()
	for {
		select {
		case a := <-d.answers:
			asked := slices.Contains(targets, a.from)
			if asked && a.nonce == d.nonce && a.kind == kindChallenge {
				return time.Since(began), true
			}
		case <-ctx.Done():
			return 0, false
		}
	}
}
