package udp

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
)

const (
	measured     = 3                      // answers of which the soonest counts
	measureWait  = 700 * time.Millisecond // for one: who is farther is no use
	measureAgain = 100 * time.Millisecond // while no relay knows us yet
)

// Measure returns the time in which a machine of the room answers, the least of a few tries, and where that answer came from; 0 if
// it does not before ctx ends. Where it came through a relay, from is not valid. It does not connect.
func (l *Link) Measure(ctx context.Context, addr string) (best time.Duration, from netip.Addr) {
	_, addrs, invited, err := link.SplitTarget(addr)
	if err != nil {
		return 0, from
	}
	targets, err := l.resolve(ctx, addrs, invited)
	if err != nil {
		return 0, from
	}
	for n := 0; n < measured && ctx.Err() == nil && l.life.Err() == nil; {
		took, at, ok := l.measureOnce(ctx, targets)
		if !ok {
			pause(ctx, measureAgain)
			continue
		}
		if n++; best == 0 || took < best {
			best, from = took, at
		}
	}
	return best, from
}

// measureOnce knocks once, with a number that nobody can answer who does not get the knock.
func (l *Link) measureOnce(ctx context.Context, targets []netip.AddrPort) (took time.Duration, from netip.Addr, ok bool) {
	d, err := l.newDial()
	if err != nil {
		return 0, from, false
	}
	defer l.endDial(d)
	for _, t := range targets {
		d.to = append(d.to, greeted{addr: t})
	}
	began := time.Now()
	if l.sayTo(d) != nil {
		return 0, from, false
	}
	ctx, cancel := context.WithTimeout(ctx, measureWait)
	defer cancel()
	for {
		select {
		case a := <-d.answers:
			asked := slices.Contains(targets, a.from)
			if asked && a.nonce == d.nonce && a.kind == kindChallenge {
				if !relay.IsRelayed(a.from) {
					from = a.from.Addr()
				}
				return time.Since(began), from, true
			}
		case <-ctx.Done():
			return 0, from, false
		}
	}
}
