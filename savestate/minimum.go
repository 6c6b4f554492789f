package savestate

import "time"

// A minimum keeps the smallest of the values seen in a sliding window of time.
// The zero value is ready.
type minimum struct {
	// Values in rising order, the newest last: one that is older and not
	// smaller than another can never be the smallest again.
	kept []observation
}

// observation is a value, when it was seen, and when what it tells of was so.
type observation struct{ at, of, value time.Duration }

// add takes a value; the times at which they are seen do not go back.
func (m *minimum) add(o observation) {
	n := len(m.kept)
	for n > 0 && m.kept[n-1].value >= o.value {
		n--
	}
	m.kept = append(m.kept[:n], o)
}

// since returns the smallest value seen at or after from, and false when there
// is none. Older ones are forgotten: from must not go back.
func (m *minimum) since(from time.Duration) (observation, bool) {
	old := 0
	for old < len(m.kept) && m.kept[old].at < from {
		old++
	}
	m.kept = m.kept[old:]
	if len(m.kept) == 0 {
		return observation{}, false
	}
	return m.kept[0], true
}
