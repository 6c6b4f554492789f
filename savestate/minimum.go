package savestate

import "time"

// A minimum keeps the smallest of the values seen in a sliding window of time.
// The zero value is ready.
type minimum struct {
	// Values in rising order, the newest last: one that is older and not
	// smaller than another can never be the smallest again.
	kept []observation
}

type observation struct{ at, value time.Duration }

// add takes a value seen at a time; times do not go back.
func (m *minimum) add(at, value time.Duration) {
	n := len(m.kept)
	for n > 0 && m.kept[n-1].value >= value {
		n--
	}
	m.kept = append(m.kept[:n], observation{at, value})
}

// since returns the smallest value seen at or after from, and false when there
// is none. Older ones are forgotten: from must not go back.
func (m *minimum) since(from time.Duration) (time.Duration, bool) {
	old := 0
	for old < len(m.kept) && m.kept[old].at < from {
		old++
	}
	m.kept = m.kept[old:]
	if len(m.kept) == 0 {
		return 0, false
	}
	return m.kept[0].value, true
}
