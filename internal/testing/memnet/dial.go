package memnet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// attempt is a Dial: it knocks at all addresses at once, and the first to answer is taken.
type attempt struct {
	ends    []*end
	settled bool
	done    chan struct{} // closed when one end is open, or none can be any more
}

// opened is the end that has come about, nil for none.
func (a *attempt) opened() *end {
	if i := slices.IndexFunc(a.ends, func(e *end) bool { return e.opened }); i >= 0 {
		return a.ends[i]
	}
	return nil
}

// failure returns the reason why there is none; why is the cause that ended the waiting, if that was not answers.
func (a *attempt) failure(target string, why *link.DialError) error {
	if a.settled {
		why = nil
	}
	for _, e := range a.ends {
		if e.failure != nil && (why == nil || why.Why == link.NoAnswer && e.failure.Why == link.Rejected) {
			why = e.failure
		}
	}
	if why == nil {
		return &link.DialError{Addr: link.Shown(target), Why: link.Rejected}
	}
	return why
}

// Dial implements Link; addresses are names.
func (l *Link) Dial(ctx context.Context, target string) (link.PeerID, error) {
	_, addrs, _, err := link.SplitTarget(target)
	addrs = slices.DeleteFunc(addrs, func(addr string) bool { _, _, through := link.FindThrough(addr); return through })
	if err != nil || len(addrs) == 0 {
		return 0, &link.DialError{Addr: target, Why: link.Unresolved, Err: err}
	}
	a, wait, err := l.knock(target, addrs)
	if err != nil {
		return 0, err
	}
	late := time.NewTimer(wait)
	defer late.Stop()
	var why *link.DialError
	select {
	case <-a.done:
	case <-late.C:
		why = &link.DialError{Addr: link.Shown(target), Why: link.NoAnswer, Err: fmt.Errorf("within %v", wait)}
	case <-ctx.Done():
		why = &link.DialError{Addr: link.Shown(target), Why: link.Aborted, Err: ctx.Err()}
	}
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	if e := a.opened(); e != nil {
		return e.id, nil
	}
	if l.closed {
		return 0, &link.DialError{Addr: link.Shown(target), Why: link.Aborted, Err: link.ErrClosed}
	}
	err = a.failure(target, why)
	a.drop(nil)
	return 0, err
}

// knock begins an attempt, and says how long it may take.
func (l *Link) knock(target string, addrs []string) (*attempt, time.Duration, error) {
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	if l.closed {
		return nil, 0, &link.DialError{Addr: link.Shown(target), Why: link.Aborted, Err: link.ErrClosed}
	}
	a := &attempt{done: make(chan struct{})}
	for _, addr := range addrs {
		e := l.net.newEnd(l, lineKey{l.name, addr}, true)
		e.attempt = a
		a.ends = append(a.ends, e)
	}
	for _, e := range a.ends {
		e.knock(time.Now())
	}
	return a, l.net.connect, nil
}

const greetEvery = 200 * time.Millisecond // between repetitions of a greeting

// knock asks the named machine for a connection, until there is an answer.
func (e *end) knock(now time.Time) {
	if !e.opening() {
		return
	}
	e.transmit(classGreeting, greetSize, now, func(now time.Time) {
		switch there := e.net.links[e.line.to]; {
		case there == nil || there.closed:
			e.back(now, func() { e.refused(link.Refused, nil) })
		case there == e.home:
			e.back(now, func() { e.refused(link.Rejected, errors.New("the address is this program's own")) })
		default:
			e.accepted(there, now)
		}
	})
	e.at(now.Add(greetEvery), e.knock)
}

// back brings an answer to a knock that has no end at the other side.
func (e *end) back(now time.Time, do func()) {
	e.at(now.Add(e.net.impairment(lineKey{e.line.to, e.line.from}).Delay), func(time.Time) {
		if e.opening() {
			do()
		}
	})
}

// accepted is called when a knock has come to a machine.
func (e *end) accepted(there *Link, now time.Time) {
	if e.gone {
		return
	}
	if e.other == nil {
		for _, old := range slices.Clone(there.ends) {
			if !old.dialer && old.line.to == e.line.from {
				old.left(link.Reason{By: link.ByLoss, Text: "connected again from the same address"}, now)
			}
		}
		e.other = e.net.newEnd(there, lineKey{e.line.to, e.line.from}, false)
		e.other.other = e
	}
	o := e.other
	if o.gone {
		return
	}
	o.open(now)
	o.transmit(classGreeting, greetSize, now, e.open)
}
