package membership

import (
	"net/netip"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/nettplay/nettplay/internal/ds"
)

// Guard keeps strangers from trying passwords, from coming and going without end and from
// holding up games. It knows them by address, without the port, and remembers the last so many.
type Guard struct {
	tries   byAddress[*rate.Limiter]
	joins   byAddress[*rate.Limiter]
	strikes byAddress[strike]
}

const maxRemembered = 256 // addresses

// byAddress is something for each of the last so many addresses.
type byAddress[T any] struct{ list []of[T] }

type of[T any] struct {
	addr string
	what T
}

func (b *byAddress[T]) find(addr string) int {
	addr = origin(addr)
	return slices.IndexFunc(b.list, func(o of[T]) bool { return o.addr == addr })
}

// at returns the entry of an address, which begins as first.
func (b *byAddress[T]) at(addr string, first func() T) *T {
	if i := b.find(addr); i >= 0 {
		return &b.list[i].what
	}
	if len(b.list) >= maxRemembered {
		b.list = slices.Delete(b.list, 0, 1)
	}
	b.list = append(b.list, of[T]{origin(addr), first()})
	return &b.list[len(b.list)-1].what
}

// origin is whom an address stands for; see [ds.Origin].
func origin(addr string) string {
	a, err := netip.ParseAddr(addr)
	if err != nil {
		return addr
	}
	return ds.Origin(a).String()
}

func (b *byAddress[T]) forget(addr string) {
	if i := b.find(addr); i >= 0 {
		b.list = slices.Delete(b.list, i, i+1)
	}
}

// MayTry reports whether it is an address' turn to try a password, and counts the try.
func (g *Guard) MayTry(now time.Time, addr string) bool {
	return (*g.tries.at(addr, func() *rate.Limiter { return rate.NewLimiter(1, 5) })).AllowN(now, 1)
}

// Forgive is for who knew the password.
func (g *Guard) Forgive(addr string) { g.tries.forget(addr) }

// MayJoin reports whether somebody else may come into the room from an address, and counts
// it: the largest room at once, then a few a minute.
func (g *Guard) MayJoin(now time.Time, addr string) bool {
	return (*g.joins.at(addr, func() *rate.Limiter { return rate.NewLimiter(0.1, 40) })).AllowN(now, 1)
}

// strike is the time that an address has to wait out.
type strike struct {
	by    [32]byte // key of the installation that did it last
	at    time.Time
	until time.Time
	wait  time.Duration // that was
}

const (
	firstStrike = time.Minute // doubled each time
	lastStrike  = 32 * time.Minute
)

// Strike notes that an installation at an address has held up the others, and returns how long
// nobody else from there may do again what did. It is longer each time that is soon after.
func (g *Guard) Strike(now time.Time, addr string, by [32]byte) time.Duration {
	s := g.strikes.at(addr, func() strike { return strike{} })
	if now.Sub(s.until) > lastStrike {
		s.wait = firstStrike / 2
	}
	s.wait = min(2*s.wait, lastStrike)
	s.by, s.at, s.until = by, now, now.Add(s.wait)
	return s.wait
}

// Struck returns the rest of that time for an installation that is in the room since some time. Another one that
// was there before does not pay for what its neighbour behind the same router, or relay, has done; whoever comes
// after that may be the same under another name.
func (g *Guard) Struck(now time.Time, addr string, key [32]byte, since time.Time) time.Duration {
	i := g.strikes.find(addr)
	if i < 0 {
		return 0
	}
	s := g.strikes.list[i].what
	if key != s.by && key != [32]byte{} && since.Before(s.at) {
		return 0
	}
	return max(0, s.until.Sub(now))
}
