package conn

import (
	"math/rand/v2"
	"time"

	"github.com/nettplay/nettplay/internal/testing/virtual"
)

// lineModel is one direction of a line: a bottleneck with a queue, then a delay.
type lineModel struct {
	rate    float64       // bytes a second, headers included
	delay   time.Duration // one way, of the empty line
	jitter  time.Duration // more, spread evenly; datagrams may overtake each other
	loss    float64       // share of datagrams
	window  int           // bytes the reliable channel has on its way at most, 0 any number
	stalls  time.Duration // in each second in which the peer's program stands still
	changes func(now time.Duration) float64
}

const (
	datagramSize = 1245 // of a chunk of one unit
	headerSize   = 60   // UDP, IP and the channel's own
)

// line carries messages as the channels of package link do.
type line struct {
	*virtual.World
	model lineModel
	rand  *rand.Rand
	busy  time.Duration // until when the bottleneck is

	// the reliable, ordered channel
	waiting  []parcel
	transit  int // bytes
	sent     int // messages
	arrived  map[int]func()
	next     int // the first that has not arrived
	trip     time.Duration
	variance time.Duration
}

type parcel struct {
	number, size int
	arrive       func()
	sent         time.Duration
}

func newLine(w *virtual.World, m lineModel, seed uint64) *line {
	return &line{
		World: w, model: m, rand: rand.New(rand.NewPCG(seed, 1)), arrived: make(map[int]func()),
		trip: 2*m.delay + 5*time.Millisecond, variance: m.delay/4 + m.jitter/2 + time.Millisecond,
	}
}

// queued is how long something sent now would wait for the bottleneck.
func (l *line) queued() time.Duration { return max(0, l.busy-l.Now) }

// carry is when something of size bytes that is sent now arrives, or false.
func (l *line) carry(size int) (time.Duration, bool) {
	rate := l.model.rate
	if l.model.changes != nil {
		rate *= l.model.changes(l.Now)
	}
	size += headerSize * ((size + datagramSize - 1) / datagramSize)
	l.busy = max(l.busy, l.Now) + seconds(float64(size)/rate)
	arrival := l.busy + l.model.delay + time.Duration(l.rand.Float64()*float64(l.model.jitter))
	return arrival, l.rand.Float64() >= l.model.loss
}

// datagram carries a parcel that may be lost.
func (l *line) datagram(size int, arrive func()) {
	if t, ok := l.carry(size); ok {
		l.At(t, arrive)
	}
}

// reliable carries a parcel of the reliable channel.
func (l *line) reliable(size int, arrive func()) {
	l.waiting = append(l.waiting, parcel{number: l.sent, size: size, arrive: arrive})
	l.sent++
	l.pump()
}

func (l *line) pump() {
	for len(l.waiting) > 0 {
		m := l.waiting[0]
		if l.model.window > 0 && l.transit+m.size > l.model.window {
			return
		}
		l.waiting = l.waiting[1:]
		l.transit += m.size
		l.send(m)
	}
}

// send sends a parcel, and again when it is lost, after the time that ENet
// waits.
func (l *line) send(m parcel) {
	m.sent = l.Now
	t, ok := l.carry(m.size)
	if !ok {
		l.At(l.Now+l.trip+4*l.variance, func() { l.send(m) })
		return
	}
	l.At(t, func() {
		l.arrived[m.number] = m.arrive
		for do := l.arrived[l.next]; do != nil; do = l.arrived[l.next] {
			delete(l.arrived, l.next)
			l.next++
			do()
		}
		l.At(l.Now+l.model.delay, func() { l.confirmed(m) })
	})
}

func (l *line) confirmed(m parcel) {
	l.transit -= m.size
	d := l.Now - m.sent - l.trip
	l.trip += d / 8
	l.variance += (d.Abs() - l.variance) / 4
	l.pump()
}
