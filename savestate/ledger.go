package savestate

import "time"

// A ledger knows what was sent and how the line's queue stood, over the last
// moments. From both follows what the line carries: what was sent in a while went
// through in that while and the time by which the queue grew. Unlike arrivals,
// which come in bursts when the channel beneath repeats lost datagrams, that
// stays exact on a line with losses. The zero value is ready.
type ledger struct {
	entries []entry // rising in time
}

type entry struct {
	at    time.Duration
	queue time.Duration // as the samples of that moment said
	sent  int64         // bytes, in all
}

// ledgerSpan is how long entries are kept: more than twice the longest control
// loop.
const ledgerSpan = 6 * time.Second

func (l *ledger) add(e entry) {
	l.entries = append(l.entries, e)
	for l.entries[0].at < e.at-ledgerSpan {
		l.entries = l.entries[1:]
	}
}

func (l *ledger) restart() { l.entries = l.entries[:0] }

// sentBy is the number of bytes sent up to a time, false when that is not known.
func (l *ledger) sentBy(at time.Duration) (float64, bool) {
	for i := len(l.entries) - 1; i > 0; i-- {
		a, b := l.entries[i-1], l.entries[i]
		if a.at > at {
			continue
		}
		if b.at < at || b.at == a.at {
			return 0, false
		}
		part := float64(at-a.at) / float64(b.at-a.at)
		return float64(a.sent) + part*float64(b.sent-a.sent), true
	}
	return 0, false
}

// carried is what the line carried over about the last span, in bytes a second.
// The samples of a moment tell the queue as what was sent lag before found it.
func (l *ledger) carried(span, lag time.Duration) (float64, bool) {
	if len(l.entries) == 0 {
		return 0, false
	}
	now := l.entries[len(l.entries)-1]
	i := len(l.entries) - 1
	for i > 0 && l.entries[i].at > now.at-span {
		i--
	}
	then := l.entries[i]
	before, ok1 := l.sentBy(then.at - lag)
	after, ok2 := l.sentBy(now.at - lag)
	took := now.at - then.at
	through := took + now.queue - then.queue
	if !ok1 || !ok2 || took < span/2 || through < took/4 {
		return 0, false
	}
	return (after - before) / through.Seconds(), true
}
