package pairs

import (
	"net/netip"
	"slices"
	"time"
)

// Max is the limit of known pairs to one machine.
const Max = 16

const (
	checkCurrent = 100 * time.Millisecond // where there is another pair to take
	checkAlone   = time.Second            // where there is none yet
	checkStandby = 2 * time.Second
	checkHurry   = 100 * time.Millisecond // of all others while the current pair does not answer

	suspectAfter = 200 * time.Millisecond // without an answer, and two round trips
	deadAfter    = 400 * time.Millisecond // the same, where nothing at all is heard by it
	deafAfter    = 900 * time.Millisecond // the same, where the peer is heard and does not hear us
	quiet        = 300 * time.Millisecond // nothing is heard
	asleep       = 500 * time.Millisecond // between calls: our own process did not run
	forgotten    = 10 * time.Second       // without a word a router may have closed again

	relayCost  = 50 * time.Millisecond // by how much a relay must be faster to be preferred
	avoidCost  = time.Minute           // the same of one that is to be left
	steady     = 3                     // answers in a row before a pair is taken
	mostSteady = 48                    // the same for one that has failed often
	sentKept   = 256                   // checks whose answers are waited for
)

// Set is the pairs to one machine.
type Set struct {
	decides bool
	current *pair
	list    []*pair
	seq     uint32
	sent    [sentKept]sent
	changed int
	last    time.Time // when Due was called
	relayed func(netip.AddrPort) bool
	avoid   func(netip.AddrPort) bool
}

type pair struct {
	addr     netip.AddrPort
	relayed  bool
	asked    time.Time        // of the last check
	tried    int              // checks since the last answer
	waiting  time.Time        // when the first of those was sent
	answered time.Time        // zero: never
	row      int              // answers in a row
	failed   int              // times that it died as the current pair
	heard    time.Time        // when anything came by it
	trips    [4]time.Duration // the last round trips
	rtt      time.Duration    // the shortest of them: the first may have waited for a router
}

// sent is a check on its way.
type sent struct {
	seq uint32
	on  *pair
	at  time.Time
}

// Check is one to be sent.
type Check struct {
	To     netip.AddrPort
	Seq    uint32
	LowTTL bool // it should not get farther than the own router
}

// New makes the set of a machine that speaks by one address now. With decides, it is the one
// that dialled. relayed tells which addresses are those of relays.
func New(at netip.AddrPort, decides bool, relayed func(netip.AddrPort) bool) *Set {
	s := &Set{decides: decides, relayed: relayed}
	s.current = s.add(at)
	return s
}

// Avoid has pairs left, while there are others, for whose addresses avoid is true.
func (s *Set) Avoid(avoid func(netip.AddrPort) bool) { s.avoid = avoid }

// Current is the address to send to.
func (s *Set) Current() netip.AddrPort { return s.current.addr }

// Relayed reports whether that is by a relay.
func (s *Set) Relayed() bool { return s.current.relayed }

// Offer adds addresses that the machine may have, and tells whether one is new. Those beyond Max
// are not tried.
func (s *Set) Offer(addrs ...netip.AddrPort) (fresh bool) {
	for _, a := range addrs {
		fresh = s.find(a) == nil && s.add(a) != nil || fresh
	}
	return fresh
}

func (s *Set) find(at netip.AddrPort) *pair {
	i := slices.IndexFunc(s.list, func(p *pair) bool { return p.addr == at })
	if i < 0 {
		return nil
	}
	return s.list[i]
}

// add returns the pair by an address, nil if there are too many.
func (s *Set) add(at netip.AddrPort) *pair {
	if p := s.find(at); p != nil {
		return p
	}
	p := &pair{addr: at, relayed: s.relayed(at)}
	if len(s.list) == Max {
		i := slices.IndexFunc(s.list, func(p *pair) bool { return p != s.current && p.answered.IsZero() && p.heard.IsZero() })
		if i < 0 {
			return nil
		}
		s.list = slices.Delete(s.list, i, i+1)
	}
	s.list = append(s.list, p)
	return p
}

// Heard notes an authentic datagram. newest tells whether none that was sent later has come
// before, and check whether it was one, which says nothing about where the machine wants to
// be spoken to. It returns true when Current changed.
func (s *Set) Heard(from netip.AddrPort, newest, check bool, now time.Time) (moved bool) {
	p := s.current
	if p.addr != from {
		known := s.find(from) != nil
		p = s.add(from)
		follow := !s.decides || !known && !s.current.relayed && !s.relayed(from)
		if newest && !check && follow {
			if p == nil { // too many pairs: the one that was left is worth nothing
				p = s.current
				*p = pair{addr: from, relayed: s.relayed(from)}
			}
			moved = s.choose(p)
		}
	}
	if p != nil {
		p.heard = now
	}
	return moved
}

// choose makes a pair the current one.
func (s *Set) choose(p *pair) bool {
	s.current = p
	s.changed++
	return true
}

// Due returns the checks to send now, and when to ask again; not before something is heard or offered
// if that is zero.
func (s *Set) Due(now time.Time) (list []Check, next time.Time) {
	if len(s.list) < 2 {
		return nil, time.Time{}
	}
	s.excuse(now)
	for _, p := range s.list {
		every, ok := s.interval(p, now)
		if !ok {
			continue
		}
		if !now.Before(p.asked.Add(every)) {
			list = append(list, s.check(p, now))
			every, _ = s.interval(p, now)
		}
		if at := p.asked.Add(every); next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return list, next
}

// excuse does not hold against a pair what came of our own sleep.
func (s *Set) excuse(now time.Time) {
	if now.Sub(s.last) > asleep {
		for _, p := range s.list {
			p.waiting = now
		}
	}
	s.last = now
}

func (s *Set) check(p *pair, now time.Time) Check {
	s.seq++
	s.sent[s.seq%sentKept] = sent{s.seq, p, now}
	lowTTL := !p.relayed && p.asked.IsZero() && p.heard.IsZero()
	p.asked = now
	if p.tried == 0 {
		p.waiting = now
	}
	if p.tried++; p.tried > 2 {
		p.row = 0
	}
	return Check{p.addr, s.seq, lowTTL}
}

// interval returns the time from the last check of a pair to the next one.
func (s *Set) interval(p *pair, now time.Time) (every time.Duration, ok bool) {
	switch {
	case !s.decides:
		return backOff(p.tried), p != s.current && !p.relayed && now.Sub(p.heard) > forgotten
	case p == s.current && s.choice():
		return checkCurrent, true
	case p == s.current:
		return checkAlone, true
	case s.avoided(p) && !s.suspect(now):
		return 0, false // a relay ends as soon as nothing is carried any more
	case p.answered.IsZero() && s.suspect(now):
		return min(backOff(p.tried), checkAlone), true
	case p.answered.IsZero():
		return backOff(p.tried), true
	case s.suspect(now):
		return checkHurry, true
	case p.failed > 0 && p.tried < 10:
		return 5 * checkHurry, true
	case p.row < s.needs(p):
		return 2 * checkHurry, true
	}
	return max(checkStandby, backOff(p.tried)), true
}

// backOff is the interval for a pair that nobody has answered on yet.
func backOff(tried int) time.Duration {
	switch {
	case tried < 8:
		return 150 * time.Millisecond
	case tried < 16:
		return time.Second
	case tried < 24:
		return 5 * time.Second
	}
	return 30 * time.Second
}

// choice reports whether there is another pair that has ever answered.
func (s *Set) choice() bool {
	return slices.ContainsFunc(s.list, func(p *pair) bool { return p != s.current && !p.answered.IsZero() })
}

// unanswered returns the time for which the current pair has not answered, beyond what it usually takes.
func (s *Set) unanswered(now time.Time) time.Duration {
	if s.current.tried == 0 {
		return 0
	}
	return now.Sub(s.current.waiting) - 2*s.current.rtt
}

func (s *Set) suspect(now time.Time) bool { return s.unanswered(now) > suspectAfter }

// Silent reports whether the current pair brings nothing, where there is another one: perhaps all
// that this machine's router knew is gone.
func (s *Set) Silent(now time.Time) bool {
	if s.decides {
		return s.choice() && s.suspect(now)
	}
	return now.Sub(s.current.heard) > deadAfter &&
		slices.ContainsFunc(s.list, func(p *pair) bool { return p != s.current && !p.heard.IsZero() })
}

// dead reports whether the current pair carries nothing any more, in one direction or both.
func (s *Set) dead(now time.Time) bool {
	most := deafAfter
	if now.Sub(s.current.heard) > quiet {
		most = deadAfter
	}
	return s.unanswered(now) > most
}

// Answered takes the answer to a check. It returns true when Current changed.
func (s *Set) Answered(seq uint32, now time.Time) (moved bool) {
	was := &s.sent[seq%sentKept]
	if was.seq != seq || was.on == nil {
		return false
	}
	p, rtt := was.on, max(now.Sub(was.at), time.Microsecond)
	was.on = nil
	copy(p.trips[1:], p.trips[:])
	p.trips[0] = rtt
	p.rtt = rtt
	for _, t := range p.trips {
		if t > 0 {
			p.rtt = min(p.rtt, t)
		}
	}
	p.answered, p.tried = now, 0
	p.row++
	return s.Decide(now)
}

// Decide chooses anew, as time passes. It returns true when Current changed.
func (s *Set) Decide(now time.Time) (moved bool) {
	if !s.decides || len(s.list) < 2 {
		return false
	}
	if s.dead(now) {
		lost := s.current
		if best := s.best(func(p *pair) bool { return p.answered.After(lost.waiting) }); best != nil {
			lost.failed, lost.row = lost.failed+1, 0
			return s.choose(best)
		}
		return false
	}
	best := s.best(func(p *pair) bool { return p.row >= s.needs(p) && p.tried <= 1 })
	if best != nil && s.better(best, s.current) {
		return s.choose(best)
	}
	return false
}

// needs returns the number of answers in a row that a pair must give before it is taken.
func (s *Set) needs(p *pair) int { return min(steady<<min(p.failed, 8), mostSteady) }

// best is the pair with the lowest cost among the others that are good.
func (s *Set) best(good func(*pair) bool) (best *pair) {
	for _, p := range s.list {
		if p != s.current && good(p) && (best == nil || s.cost(p) < s.cost(best)) {
			best = p
		}
	}
	return best
}

func (s *Set) cost(p *pair) time.Duration {
	switch {
	case s.avoided(p):
		return p.rtt + avoidCost
	case p.relayed:
		return p.rtt + relayCost
	}
	return p.rtt
}

// avoided reports whether a pair is by a relay that is to be left.
func (s *Set) avoided(p *pair) bool { return p.relayed && s.avoid != nil && s.avoid(p.addr) }

// better reports whether a pair is so much better that it pays to change.
func (s *Set) better(p, than *pair) bool {
	if than.answered.IsZero() && p.relayed == than.relayed {
		return false // nothing is known about it yet
	}
	if than.answered.IsZero() {
		return !p.relayed
	}
	was := s.cost(than)
	return s.cost(p) < was-was/8-2*time.Millisecond
}

// Direct tells whether another than a relayed pair was tried, and whether any of them has
// ever carried a datagram here.
func (s *Set) Direct() (tried, heard bool) {
	for _, p := range s.list {
		if !p.relayed {
			tried = tried || p.tried > 0 || p == s.current
			heard = heard || !p.heard.IsZero()
		}
	}
	return tried, heard
}
