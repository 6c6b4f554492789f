package savestate

import "time"

// A meter measures how fast bytes arrive at the other end, by its clock. The
// zero value is ready.
type meter struct {
	total    int64
	arrivals []arrival // rising in time, of the last window
	best     []rated   // the highest rates of the last seconds, falling; as in minimum
}

type arrival struct {
	at    time.Duration
	total int64
}

type rated struct {
	at   time.Duration
	rate float64
}

const (
	bestWindow = 2 * time.Second
	// maxMeasures bounds both lists, whatever the other end's clock does: more
	// than what arrives in a window on the fastest line.
	maxMeasures = 4096
)

// add takes n bytes that arrived at a time, and forgets what is older than
// window.
func (m *meter) add(at time.Duration, n int, window time.Duration) {
	m.total += int64(n)
	m.arrivals = append(m.arrivals, arrival{at, m.total})
	for len(m.arrivals) > 2 && m.arrivals[1].at <= at-window || len(m.arrivals) > maxMeasures {
		m.arrivals = m.arrivals[1:]
	}
	if r, ok := m.rate(window / 2); ok {
		m.remember(at, r)
	}
}

func (m *meter) remember(at time.Duration, rate float64) {
	n := len(m.best)
	for n > 0 && m.best[n-1].rate <= rate {
		n--
	}
	m.best = append(m.best[:n], rated{at, rate})
	for m.best[0].at < at-bestWindow || len(m.best) > maxMeasures {
		m.best = m.best[1:]
	}
}

// rate is the arrival rate in bytes a second over the last span or somewhat
// more, and false when nothing so old is known.
func (m *meter) rate(span time.Duration) (float64, bool) {
	if len(m.arrivals) == 0 {
		return 0, false
	}
	last := m.arrivals[len(m.arrivals)-1]
	for i := len(m.arrivals) - 2; i >= 0; i-- {
		first := m.arrivals[i]
		if took := last.at - first.at; took >= span && took > 0 {
			return float64(last.total-first.total) / took.Seconds(), true
		}
	}
	return 0, false
}

// highest is the highest rate of the last seconds, 0 when none was measured.
func (m *meter) highest() float64 {
	if len(m.best) == 0 {
		return 0
	}
	return m.best[0].rate
}

// restart forgets the arrivals of the window: there was a pause, which says
// nothing about the line.
func (m *meter) restart() { m.arrivals = m.arrivals[:0] }
