package pairs

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"
)

var (
	byRelay = netip.MustParseAddrPort("[100::1]:1")
	other   = netip.MustParseAddrPort("[100::1]:2") // another relay
	direct  = netip.MustParseAddrPort("192.0.2.1:1000")
	lan     = netip.MustParseAddrPort("10.0.0.1:1000")
)

// duo is two machines and the candidate pairs between them, in virtual time. A pair has one address
// for both: that of the other end. Each machine sends the other something every 16 ms.
type duo struct {
	t        *testing.T
	now      time.Time
	dialer   *Set
	follower *Set
	delay    map[netip.AddrPort]time.Duration // each way; none: cut
	loss     float64
	deafTo   netip.AddrPort // the follower does not hear this pair
	rand     *rand.Rand
	queue    []datagram
	numbers  [2]int
	newest   [2]int
	heard    [2]time.Time // when a machine got something that is no check
	lowTTL   int
	by       map[netip.AddrPort]int // datagrams that were sent
}

type datagram struct {
	at     time.Time
	to     int // 0 the dialer, 1 the follower
	via    netip.AddrPort
	number int
	check  uint32
	answer bool
}

func isRelay(a netip.AddrPort) bool { return a.Addr() == byRelay.Addr() }

func newDuo(t *testing.T, first netip.AddrPort, others ...netip.AddrPort) *duo {
	p := &duo{
		t: t, now: time.Unix(100, 0), rand: rand.New(rand.NewPCG(1, 2)),
		dialer: New(first, true, isRelay), follower: New(first, false, isRelay),
		by:    map[netip.AddrPort]int{},
		delay: map[netip.AddrPort]time.Duration{byRelay: 30 * time.Millisecond, direct: 10 * time.Millisecond, lan: time.Millisecond},
	}
	for _, a := range others {
		p.dialer.Offer(a)
		p.follower.Offer(a)
	}
	return p
}

func (p *duo) send(d datagram) {
	delay, ok := p.delay[d.via]
	from := 1 - d.to
	p.numbers[from]++
	p.by[d.via]++
	d.number, d.at = p.numbers[from], p.now.Add(delay)
	if ok && p.rand.Float64() >= p.loss && !(d.to == 1 && d.via == p.deafTo) {
		p.queue = append(p.queue, d)
	}
}

// pass plays for a while, a millisecond at a time.
func (p *duo) pass(d time.Duration) {
	sets := []*Set{p.dialer, p.follower}
	for end := p.now.Add(d); p.now.Before(end); p.now = p.now.Add(time.Millisecond) {
		for me, s := range sets {
			if p.now.UnixMilli()%16 == 0 {
				p.send(datagram{to: 1 - me, via: s.Current()})
			}
			list, _ := s.Due(p.now)
			s.Decide(p.now)
			for _, check := range list {
				if check.LowTTL {
					p.lowTTL++
					continue // it dies at the own router
				}
				p.send(datagram{to: 1 - me, via: check.To, check: check.Seq})
			}
		}
		for i := 0; i < len(p.queue); i++ {
			if d := p.queue[i]; !d.at.After(p.now) {
				p.queue = slices.Delete(p.queue, i, i+1)
				p.arrive(sets[d.to], d)
				i--
			}
		}
	}
}

func (p *duo) arrive(s *Set, d datagram) {
	newest := d.number > p.newest[d.to]
	p.newest[d.to] = max(p.newest[d.to], d.number)
	check := d.check != 0
	s.Heard(d.via, newest, check, p.now)
	switch {
	case d.answer:
		s.Answered(d.check, p.now)
	case check:
		p.send(datagram{to: 1 - d.to, via: d.via, check: d.check, answer: true})
	default:
		p.heard[d.to] = p.now
	}
}

// both checks that both machines speak by a pair.
func (p *duo) both(want netip.AddrPort, when string) {
	p.t.Helper()
	if a, b := p.dialer.Current(), p.follower.Current(); a != want || b != want {
		p.t.Errorf("%s: they speak by %v and %v, not %v", when, a, b, want)
	}
}

func TestDirectPathTakesOverFromTheRelay(t *testing.T) {
	p := newDuo(t, byRelay, direct)
	p.pass(time.Second)
	p.both(direct, "after a second")
	if p.lowTTL != 2 {
		t.Errorf("%d lowTTL, not one each", p.lowTTL)
	}
	p.pass(time.Minute)
	p.both(direct, "after a minute")
	if n := p.dialer.changed + p.follower.changed; n != 2 {
		t.Errorf("pairs changed %d times", n)
	}
}

func TestRelayTakesOverFromACutPath(t *testing.T) {
	p := newDuo(t, byRelay, direct)
	p.pass(10 * time.Second)
	p.both(direct, "before the cut")
	delete(p.delay, direct)
	for _, s := range []*Set{p.dialer, p.follower} {
		if s.Silent(p.now) {
			t.Error("silent before the cut")
		}
	}
	p.pass(430 * time.Millisecond)
	if !p.dialer.Silent(p.now) || !p.follower.Silent(p.now) {
		t.Errorf("not silent after the cut: %v, %v", p.dialer.Silent(p.now), p.follower.Silent(p.now))
	}
	p.pass(570 * time.Millisecond)
	p.both(byRelay, "a second after the cut")
	if gap := p.now.Sub(p.heard[0]); gap > 50*time.Millisecond {
		t.Errorf("nothing was heard for %v", gap)
	}
	p.delay[direct] = 10 * time.Millisecond
	p.pass(20 * time.Second)
	p.both(direct, "after it came back")
}

// A relay that is about to end is left for a slower one, before it has ended. It has nothing to carry then, unless the
// other one fails.
func TestRelayThatEndsIsLeftBefore(t *testing.T) {
	p := newDuo(t, byRelay, other)
	p.delay[other] = 80 * time.Millisecond
	leaving := false
	p.dialer.Avoid(func(a netip.AddrPort) bool { return leaving && a == byRelay })
	p.pass(10 * time.Second)
	p.both(byRelay, "before")
	leaving = true
	p.pass(time.Second)
	p.both(other, "a second later")
	p.pass(time.Second) // what was under way
	clear(p.by)
	if p.pass(10 * time.Second); p.by[byRelay] > 0 {
		t.Errorf("it carries %d datagrams still", p.by[byRelay])
	}
	was := p.delay[other]
	delete(p.delay, other)
	p.pass(3 * time.Second)
	p.both(byRelay, "when the other one has failed")
	p.delay[other] = was
	p.pass(5 * time.Second)
	p.both(other, "when it is back")
	delete(p.delay, byRelay)
	p.pass(5 * time.Second)
	p.both(other, "when it has ended")
	if gap := p.now.Sub(p.heard[0]); gap > 100*time.Millisecond {
		t.Errorf("nothing was heard for %v", gap)
	}
}

func TestPathThatCarriesOneWayOnlyIsLeft(t *testing.T) {
	p := newDuo(t, byRelay, direct)
	p.pass(10 * time.Second)
	p.deafTo = direct
	p.pass(1500 * time.Millisecond)
	p.both(byRelay, "after the follower became deaf to it")
}

func TestDirectPathOutlivesTheRelay(t *testing.T) {
	p := newDuo(t, byRelay, direct)
	p.pass(5 * time.Second)
	delete(p.delay, byRelay)
	p.pass(10 * time.Minute)
	p.both(direct, "long after the relay's end")
}

func TestFirstDirectPathAfterTheRelayDied(t *testing.T) {
	p := newDuo(t, byRelay, direct)
	delete(p.delay, direct)
	p.pass(time.Minute)
	p.both(byRelay, "with no direct pair")
	delete(p.delay, byRelay)
	p.pass(3 * time.Second)
	p.delay[direct] = 10 * time.Millisecond
	p.pass(1500 * time.Millisecond)
	p.both(direct, "after a direct pair came")
}

func TestShortestDirectPathIsTaken(t *testing.T) {
	p := newDuo(t, direct, lan, byRelay)
	p.pass(10 * time.Second)
	p.both(lan, "in one network")
}

// The first datagrams on a new pair may wait for routers that look for their neighbours.
func TestSlowBeginningIsForgotten(t *testing.T) {
	p := newDuo(t, byRelay, direct)
	p.delay[direct] = 800 * time.Millisecond
	p.pass(2 * time.Second)
	p.delay[direct] = 10 * time.Millisecond
	p.pass(2 * time.Second)
	p.both(direct, "soon after the pair became fast")
}

// A line that loses much is no line that is cut.
func TestLossIsNoCut(t *testing.T) {
	p := newDuo(t, byRelay, direct)
	p.loss = 0.2
	p.pass(10 * time.Minute)
	if n := p.dialer.changed; n > 3 {
		t.Errorf("pairs changed %d times in ten minutes", n)
	}
	p.both(direct, "with a fifth of all lost")
}

// A pair that comes and goes is trusted less and less.
func TestFickleCostsLittle(t *testing.T) {
	p := newDuo(t, byRelay, direct)
	for range 60 {
		p.delay[direct] = 10 * time.Millisecond
		p.pass(3 * time.Second)
		delete(p.delay, direct)
		p.pass(2 * time.Second)
	}
	if n := p.dialer.changed; n > 16 {
		t.Errorf("pairs changed %d times in five minutes", n)
	}
}

// The peer's router gives it another address amid play, and there is no other pair.
func TestNewAddressIsFollowed(t *testing.T) {
	for _, decides := range []bool{true, false} {
		s := New(direct, decides, isRelay)
		now := time.Unix(100, 0)
		if s.Heard(lan, false, false, now) && s.Current() != direct {
			t.Error("an overtaken datagram moved the pair")
		}
		other := netip.MustParseAddrPort("192.0.2.1:2000")
		if !s.Heard(other, true, false, now) || s.Current() != other {
			t.Errorf("decides %v: the new address is not taken", decides)
		}
		probed := netip.MustParseAddrPort("192.0.2.1:3000")
		if s.Heard(probed, true, true, now) || s.Current() != other {
			t.Errorf("decides %v: a check moved the pair", decides)
		}
	}
}

func TestOnePathIsNotProbed(t *testing.T) {
	s := New(lan, true, isRelay)
	if list, next := s.Due(time.Unix(100, 0)); len(list) > 0 || !next.IsZero() {
		t.Error("it is")
	}
}

// However many addresses a peer offers or sends from, little is kept and sent.
func TestPathsAreBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, decides := range []bool{true, false} {
		s := New(direct, decides, isRelay)
		now, checks := time.Unix(100, 0), 0
		for range 60_000 {
			now = now.Add(time.Millisecond)
			at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(r.IntN(256)), byte(r.IntN(256))}), 9)
			switch r.IntN(4) {
			case 0:
				s.Offer(at)
			case 1:
				s.Heard(at, r.IntN(2) == 0, r.IntN(2) == 0, now)
			case 2:
				s.Answered(r.Uint32N(100), now)
			}
			list, _ := s.Due(now)
			s.Decide(now)
			checks += len(list)
			if len(s.list) > Max || s.find(s.Current()) == nil {
				t.Fatalf("%d pairs, and %v is current", len(s.list), s.Current())
			}
		}
		t.Log("checks in a minute:", checks)
	}
}
