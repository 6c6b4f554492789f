package badline

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/impair"
)

// A client whose chances begin anew has the same ones again, and another client has others.
func TestReseed(t *testing.T) {
	r := &Relay{seed: 1, clients: map[netip.AddrPort]*client{}}
	one, two := &client{serial: 0}, &client{serial: 1}
	r.clients[netip.MustParseAddrPort("127.0.0.1:1")], r.clients[netip.MustParseAddrPort("127.0.0.1:2")] = one, two
	imp := impair.Impairment{Loss: 0.3, BurstShare: 0.3, Jitter: 5 * ms, Delay: 10 * ms}
	fates := func(c *client, start time.Time) (list []impair.Fate) {
		for i := range 300 {
			now := start.Add(time.Duration(i) * 5 * ms)
			f := c.line[ToTarget].Send(now, 100, imp, c.dice[ToTarget])
			for k := range f.At[:f.Copies] {
				f.At[k] = f.At[k].Add(time.Unix(0, 0).Sub(start))
			}
			list = append(list, f)
		}
		return list
	}
	r.Reseed(9)
	first, other := fates(one, time.Unix(100, 0)), fates(two, time.Unix(100, 0))
	r.Reseed(9)
	if again := fates(one, time.Unix(777, 0)); !slices.Equal(first, again) {
		t.Error("the same seed gives other chances")
	}
	if slices.Equal(first, other) {
		t.Error("two clients have the same chances")
	}
}
