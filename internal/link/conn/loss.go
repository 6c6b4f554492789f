package conn

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// What was lost is found out as in RFC 9002: by acknowledgements of what was sent after it, and, where none comes, by a
// probe after a time. Two things differ. On lines that jitter datagrams overtake each other all the time: the time
// threshold grows with the scatter of round trips, and both with each datagram that comes although it was taken for
// lost. And a loss does not slow us down: the pacer goes by the queue, for on many home lines losses are the radio's.

const (
	packetThreshold = 3 // as in RFC 9002, 6.1.1
	mostThreshold   = 4096
	mostSlack       = 200 * time.Millisecond
	granularity     = time.Millisecond
	firstRTT        = 250 * time.Millisecond // while none is known
	maxHeld         = 25 * time.Millisecond  // by which an acknowledgement waits at most
	mostBackOff     = 2                      // a probe waits up to four times as long: pings tell when a line is back
	lateTrips       = 4                      // round trips after which a lost datagram is forgotten
)

// loss is what is on its way, and how long that takes.
type loss struct {
	flying    []record // and such as were lost a while ago; numbers rise
	largest   uint64   // number that is known to have come, of those in flying
	known     bool
	threshold uint64 // datagrams by which one may be overtaken
	srtt      time.Duration
	rttvar    time.Duration
	slack     time.Duration // by which datagrams came even later, that were taken for lost
	latest    time.Duration
	eliciting time.Time // when something that is acknowledged was last sent
	probes    int       // in a row that time alone has called for
}

// record is a datagram that is to be acknowledged.
type record struct {
	number uint64
	at     time.Time
	state  state
	full   bool // as long as the path allows
	limits [streams]bool
	n      int // of pieces
	pieces [2]piece
}

type state uint8

const (
	flying state = iota
	lost
	done
)

// piece is a part of a stream.
type piece struct {
	channel link.Channel
	span
}

func newLoss() loss { return loss{threshold: packetThreshold} }

func (l *loss) sent(r record) {
	l.flying = append(l.flying, r)
	l.eliciting = r.at
}

// measure takes a round trip.
func (l *loss) measure(rtt time.Duration) {
	rtt = max(rtt, time.Microsecond)
	l.latest = rtt
	l.slack -= l.slack / 512
	if l.srtt == 0 {
		l.srtt, l.rttvar = rtt, rtt/2
		return
	}
	l.rttvar += ((l.srtt - rtt).Abs() - l.rttvar) / 4
	l.srtt += (rtt - l.srtt) / 8
}

// patience is the time after which a datagram is lost of which a later one has come.
func (l *loss) patience() time.Duration {
	rtt := max(l.srtt, l.latest)
	if rtt == 0 {
		rtt = firstRTT
	}
	return max(rtt+rtt/8, l.srtt+4*l.rttvar, granularity) + l.slack
}

// probeAfter is the time after which something goes again although nothing was heard.
func (l *loss) probeAfter() time.Duration {
	after := 2 * firstRTT
	if l.srtt > 0 {
		after = l.srtt + max(4*l.rttvar, 10*granularity) + maxHeld
	}
	return after << min(l.probes, mostBackOff)
}

// acked acts on spans of numbers that have come, which fall. held is how long the answer waited.
func (c *Conn) acked(spans []span, held time.Duration, now time.Time) {
	l := &c.loss
	newest := -1
	for _, s := range spans {
		i, _ := slices.BinarySearchFunc(l.flying, s.from, func(r record, n uint64) int {
			if r.number < n {
				return -1
			}
			return 1
		})
		for ; i < len(l.flying) && l.flying[i].number < s.to; i++ {
			if l.flying[i].state == done {
				continue
			}
			c.arrived(&l.flying[i], now)
			newest = max(newest, i)
		}
	}
	if newest < 0 {
		return
	}
	l.probes = 0
	if r := &l.flying[newest]; !l.known || r.number > l.largest {
		l.largest, l.known = r.number, true
		if rtt := now.Sub(r.at); rtt > held {
			l.measure(rtt - held)
		}
	}
	c.findLost(now)
}

// arrived acts on one datagram that has come.
func (c *Conn) arrived(r *record, now time.Time) {
	late := r.state == lost
	if l := &c.loss; late && l.largest > r.number {
		l.threshold = min(max(l.threshold, l.largest-r.number+1), mostThreshold)
		l.slack = min(l.slack+max(0, now.Sub(r.at)-l.patience()), mostSlack)
	}
	for _, p := range r.pieces[:r.n] {
		c.out[p.channel].arrived(p.span, late)
		if p.channel == link.Bulk && !late {
			c.pacer.acked(int64(p.to - p.from))
		}
	}
	if r.full {
		c.path.Carried(r.at)
	} else {
		c.path.Alive(r.at)
	}
	r.state = done
}

// missed acts on one datagram that is lost.
func (c *Conn) missed(r *record) {
	r.state = lost
	for _, p := range r.pieces[:r.n] {
		c.out[p.channel].missed(p.span)
		c.repaired++
		if p.channel == link.Bulk {
			c.pacer.dropped(int64(p.to - p.from))
		}
	}
	for ch, told := range r.limits {
		c.sending.limit[ch] = c.sending.limit[ch] || told
	}
}

// findLost looks for what is lost by now.
func (c *Conn) findLost(now time.Time) {
	l := &c.loss
	patience := l.patience()
	for i := range l.flying {
		r := &l.flying[i]
		if !l.known || r.number >= l.largest {
			break
		}
		if r.state == flying && (l.largest-r.number >= l.threshold || now.Sub(r.at) >= patience) {
			c.missed(r)
		}
	}
	keep := max(lateTrips*l.srtt, 4*patience)
	n := 0
	for n < len(l.flying) && (l.flying[n].state == done || l.flying[n].state == lost && now.Sub(l.flying[n].at) > keep) {
		n++
	}
	if l.flying = l.flying[n:]; len(l.flying) == 0 {
		l.flying = nil
	}
}

// first is the first datagram on its way, nil for none.
func (l *loss) first() *record {
	for i := range l.flying {
		if l.flying[i].state == flying {
			return &l.flying[i]
		}
	}
	return nil
}

// deadline is the time at which something is lost, or a probe goes.
func (l *loss) deadline() (at time.Time) {
	r := l.first()
	if r == nil {
		return at
	}
	at = l.eliciting.Add(l.probeAfter())
	if l.known && r.number < l.largest {
		at = sooner(at, r.at.Add(l.patience()))
	}
	return at
}

// timeOut acts on the time at which something is lost, or a probe goes: the first datagram on its way goes again.
func (c *Conn) timeOut(now time.Time) {
	l := &c.loss
	if at := l.deadline(); at.IsZero() || now.Before(at) {
		return
	}
	c.findLost(now)
	r := l.first()
	if r == nil || now.Before(l.eliciting.Add(l.probeAfter())) {
		return
	}
	l.probes++
	l.eliciting = now
	if r.n == 0 && r.limits == [streams]bool{} { // a ping: the next one comes by itself
		r.state = lost
		return
	}
	c.missed(r)
}

// sooner is the earlier of two times, of which zero ones do not count.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
