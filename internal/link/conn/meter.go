package conn

import (
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

const (
	PingEvery  = 250 * time.Millisecond
	pingFirst  = 50 * time.Millisecond // between the first ones, to have figures soon
	pingHurry  = 8                     // that many
	meterSpan  = 40                    // pings that figures look back on: ten seconds
	echoExpiry = 10 * time.Second      // an older ping's pong tells nothing
)

// Meter measures a line with numbered pings. It is pure: times come in.
type Meter struct {
	seq  uint32 // of the next ping
	sent [meterSpan]sentPing

	rtt, jitter time.Duration
	last        time.Duration
	out, in     lossMeter
}

type sentPing struct {
	seq   uint32
	at    time.Time
	count uint32 // datagrams sent to the peer, this one included
}

// Ping notes that a ping is sent, as the count'th datagram, and gives its number.
func (m *Meter) Ping(now time.Time, count uint32) uint32 {
	seq := m.seq
	m.seq++
	m.sent[seq%meterSpan] = sentPing{seq, now, count}
	return seq
}

// Interval is the time between the last ping and the next.
func (m *Meter) Interval() time.Duration {
	if m.seq < pingHurry {
		return pingFirst
	}
	return PingEvery
}

// SentAt is when the ping was sent that is answered by seq, zero when none waits for that.
func (m *Meter) SentAt(seq uint32) time.Time {
	if p := &m.sent[seq%meterSpan]; m.seq > 0 && p.seq == seq {
		return p.at
	}
	return time.Time{}
}

// Pong takes the answer to ping seq: the peer had received count datagrams, and held the
// answer back for a while. It reports whether this was news.
func (m *Meter) Pong(now time.Time, seq, count uint32, held time.Duration) bool {
	p := &m.sent[seq%meterSpan]
	if m.seq == 0 || p.seq != seq || p.at.IsZero() || now.Sub(p.at) > echoExpiry {
		return false
	}
	rtt := max(now.Sub(p.at)-held, time.Microsecond)
	if m.last == 0 {
		m.rtt, m.jitter = rtt, 0
	} else {
		m.rtt += (rtt - m.rtt) / 8
		m.jitter += ((rtt - m.last).Abs() - m.jitter) / 8
	}
	m.last = rtt
	m.out.add(p.count, count)
	p.at = time.Time{}
	return true
}

// Pinged takes a ping of the peer's: it had sent count datagrams, of which we
// received got.
func (m *Meter) Pinged(count, got uint32) { m.in.add(count, got) }

// RTT is the smoothed round trip, 0 while none is known.
func (m *Meter) RTT() time.Duration { return m.rtt }

// Stats are the figures that it knows.
func (m *Meter) Stats() link.Stats {
	return link.Stats{RTT: m.rtt, Jitter: m.jitter, Loss: m.out.share(), LossIn: m.in.share()}
}

// lossMeter turns pairs of counters into a share of losses over the last
// meterSpan pairs. Counters are modulo 2^32.
type lossMeter struct {
	pairs [meterSpan + 1][2]uint32 // sent, received
	n     int
}

func (l *lossMeter) add(sent, received uint32) {
	if l.n > 0 && int32(sent-l.newest()[0]) <= 0 {
		return // overtaken
	}
	l.pairs[l.n%len(l.pairs)] = [2]uint32{sent, received}
	l.n++
}

func (l *lossMeter) newest() [2]uint32 { return l.pairs[(l.n-1)%len(l.pairs)] }

// share is in 0..1. Datagrams duplicated on the way hide lost ones.
func (l *lossMeter) share() float64 {
	if l.n == 0 {
		return 0
	}
	var first [2]uint32 // the session began with 0 and 0
	if l.n > meterSpan {
		first = l.pairs[(l.n-1-meterSpan)%len(l.pairs)]
	}
	sent, received := l.newest()[0]-first[0], l.newest()[1]-first[1]
	if sent == 0 || received >= sent {
		return 0
	}
	return 1 - float64(received)/float64(sent)
}
