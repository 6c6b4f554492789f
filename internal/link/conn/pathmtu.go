package conn

import "time"

const (
	sizeTries = 3                      // a size that as many probes in a row do not prove is too large
	sizeGrain = 8                      // bytes: the search is no finer
	sizeProve = 400 * time.Millisecond // between two proofs while large datagrams are sent
	sizeCheck = 5 * time.Second        // between two probes, where what is sent is proof by itself, nearly
	sizeRaise = 30 * time.Second       // until larger ones are tried again; each further time twice that
	sizeStays = 10 * time.Minute       // and at most this
	sizeDark  = time.Second            // between probes while nothing at all gets through
	sizeSlack = 75 * time.Millisecond  // beyond a round trip, before a probe is lost
)

// pathMTU finds out how large a datagram the current path carries, as RFC 8899 does: by probes of the size in
// question, which the other machine answers. It believes in no message of a router's, and sends nothing larger
// than what was proven, or than base, which nearly all networks carry. What was proven is proven anew while large
// datagrams are sent, so that a path that carries less all of a sudden is noticed within two seconds.
//
// A probe that is lost says something only if a small datagram that was sent after it has arrived. Reset
// makes it ready.
type pathMTU struct {
	least, base, top int

	size int // at most so much is sent
	low  int // so much gets through
	high int // so much does not

	probe sizeTrial
	seq   uint32

	alive  time.Time // when the newest small datagram was sent of which it is known that it arrived
	proven time.Time // when size was last proven, nearly
	check  time.Time // when a probe has proven it
	used   time.Time // when more than least was last sent
	raise  time.Time // when a search that is over begins anew
	wait   time.Duration
}

// sizeTrial is a size that is being tried.
type sizeTrial struct {
	size  int    // 0: none
	first uint32 // number of the first probe
	lost  int
	asked time.Time // of the last one
}

// Reset is for a new path. It carries least bytes for sure, base most likely, and top perhaps.
func (s *pathMTU) Reset(least, base, top int) {
	*s = pathMTU{least: least, base: base, top: top, size: base, low: least, high: top + 1, seq: s.seq, wait: sizeRaise}
}

// Size is the most bytes that should be sent in a datagram now.
func (s *pathMTU) Size() int { return s.size }

// Probing reports whether a probe's answer is waited for.
func (s *pathMTU) Probing() bool { return s.probe.size > 0 }

// Sent notes that a datagram was sent.
func (s *pathMTU) Sent(bytes int, now time.Time) {
	if bytes > s.least {
		s.used = now
	}
}

// Alive notes that a small datagram has arrived that was sent at a time.
func (s *pathMTU) Alive(sent time.Time) {
	if sent.After(s.alive) {
		s.alive = sent
	}
}

// Due returns a probe to be sent now, of so many bytes; 0 for none. It is to be asked every 50 ms or so. A small datagram
// should follow, to tell soon what comes of it.
func (s *pathMTU) Due(rtt time.Duration, now time.Time) (number uint32, bytes int) {
	p := &s.probe
	switch since := now.Sub(p.asked); {
	case p.size == 0:
	case since >= rtt+rtt/4+sizeSlack && !s.alive.Before(p.asked):
		if p.lost++; p.lost == sizeTries {
			s.failed(now)
		}
	case since < sizeDark+rtt:
		return 0, 0
	}
	if p.size == 0 {
		if *p = (sizeTrial{size: s.next(now), first: s.seq + 1}); p.size == 0 {
			return 0, 0
		}
	}
	s.seq++
	p.asked = now
	return s.seq, p.size
}

// next is the size to be tried, 0 for none.
func (s *pathMTU) next(now time.Time) int {
	if s.over() && s.low < s.top && !now.Before(s.raise) {
		s.high = s.top + 1
	}
	switch {
	case s.size == s.low && s.low > s.least && s.proves(now):
		return s.size
	case s.over():
		return 0
	case s.high > s.top: // most paths carry all of it
		return s.top
	case s.low < s.base && s.base < s.high:
		return s.base
	}
	return (s.low + s.high) / 2
}

// proves reports whether the size is to be proven anew.
func (s *pathMTU) proves(now time.Time) bool {
	return s.used.After(s.proven) && now.Sub(s.proven) >= sizeProve || s.used.After(s.check) && now.Sub(s.check) >= sizeCheck
}

// over reports whether the search is.
func (s *pathMTU) over() bool { return s.low == s.top || s.high <= s.top && s.high-s.low <= sizeGrain }

// Carried notes that a datagram has arrived that was about as large as is allowed, and was sent at a time.
func (s *pathMTU) Carried(sent time.Time) {
	if sent.After(s.proven) {
		s.proven = sent
	}
}

// Answered takes the answer to a probe.
func (s *pathMTU) Answered(number uint32, now time.Time) {
	p := &s.probe
	if p.size == 0 || int32(number-p.first) < 0 || int32(s.seq-number) < 0 {
		return
	}
	s.low = max(s.low, p.size)
	s.size, s.proven, s.check = s.low, now, now
	s.ended(now)
}

// failed is called when the size that is being tried does not get through. Where it did, all is open again: three
// probes are lost by chance, too, now and then.
func (s *pathMTU) failed(now time.Time) {
	size := s.probe.size
	s.high = size
	if s.size >= size {
		s.low, s.size, s.wait = s.least, s.least, sizeRaise
		if size > s.base {
			s.size, s.high = s.base, s.top+1
		}
	}
	s.ended(now)
}

func (s *pathMTU) ended(now time.Time) {
	s.probe = sizeTrial{}
	if s.over() && !now.Before(s.raise) {
		s.raise = now.Add(s.wait)
		s.wait = min(2*s.wait, sizeStays)
	}
}
