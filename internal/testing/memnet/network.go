// Package memnet is a network inside the process, with links that keep the promises of
// package link.
package memnet

import (
	"crypto/sha256"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/conn"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/agenda"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// Impairment says how bad a line is; see package impair.
type Impairment = impair.Impairment

// Network is a network inside the process: the links of its machines, which have
// names instead of addresses, and bad lines between them. It keeps the promises
// of Link by the code of the real link, package conn, but without
// sockets: time is that of package time, so in a testing/synctest bubble an hour
// of play takes a second.
//
// The fate of a datagram depends on the seed, the two names, its class (what it goes for)
// and its number in that class only, so in a bubble the same
// program sees the same losses and delays in each run. (With a Bandwidth channels
// queue for one line, and what goroutines send at the very same instant may swap.)
//
// All its methods may be called from any goroutine. In a bubble it must be made
// and all its links closed inside.
type Network struct {
	seed uint64

	mu      sync.Mutex // guards everything, also of links and ends
	silence time.Duration
	connect time.Duration
	imp     Impairment
	lines   map[lineKey]Impairment
	dark    []darkness
	links   map[string]*Link
	made    map[lineKey]uint64 // connections so far
	last    link.PeerID

	datagram []byte // that is being sent

	agenda  *agenda.Agenda
	inTurns bool
	numbers map[string]int // of links, by name
}

// lineKey is the line from one machine to another.
type lineKey struct{ from, to string }

// darkness is a blackout of the lines of some machines, or of all.
type darkness struct {
	until time.Time
	names []string
}

// New makes a network where all lines are imp. The seed gives the chances.
func New(seed uint64, imp Impairment) *Network {
	return &Network{
		seed: seed, imp: imp, silence: link.DefaultSilence, connect: link.DefaultConnect,
		lines: map[lineKey]Impairment{}, links: map[string]*Link{}, made: map[lineKey]uint64{},
		agenda: agenda.New(nil), numbers: map[string]int{},
	}
}

// SetTimeouts changes the time until a silent peer is given up and the time a
// Dial may take. They are 10 s and 5 s otherwise.
func (m *Network) SetTimeouts(silence, connect time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.silence, m.connect = silence, connect
	for _, l := range m.links {
		for _, e := range l.ends {
			e.conn.SetSilence(silence)
		}
	}
}

// SetTurns has all that happens on the network happen in turns of an agenda, which others
// share, and each event of a link handed on in a turn of its own. The classes are below 0.
// It is to be called before anything else.
func (m *Network) SetTurns(a *agenda.Agenda) { m.agenda, m.inTurns = a, true }

// Set makes all lines imp, for what is sent from now on.
func (m *Network) Set(imp Impairment) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.imp = imp
	clear(m.lines)
}

// SetLine makes the line from one machine to another imp; the way back stays.
func (m *Network) SetLine(from, to string, imp Impairment) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lines[lineKey{from, to}] = imp
}

// Blackout loses all that is sent from now on for d to or from the named
// machines, or everything when none is named. Datagrams on their way still arrive.
func (m *Network) Blackout(d time.Duration, names ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dark = append(m.dark, darkness{time.Now().Add(d), names})
}

func (m *Network) impairment(k lineKey) Impairment {
	if imp, ok := m.lines[k]; ok {
		return imp
	}
	return m.imp
}

func (m *Network) isDark(k lineKey, now time.Time) bool {
	m.dark = slices.DeleteFunc(m.dark, func(d darkness) bool { return !now.Before(d.until) })
	return slices.ContainsFunc(m.dark, func(d darkness) bool {
		return len(d.names) == 0 || slices.Contains(d.names, k.from) || slices.Contains(d.names, k.to)
	})
}

// dice makes the dice of one connection, direction and class of datagrams.
func (m *Network) dice(k lineKey, nth uint64, class int) *impair.Dice {
	h := fnv.New64a()
	_, _ = h.Write([]byte(k.from + "\x00" + k.to))
	return impair.NewDice(m.seed, h.Sum64()+nth*uint64(classes)+uint64(class))
}

// at has do called at a time, with mu held as now. It is something that e's machine set going.
// Of all that comes of it, the ends of Dial, Close and the pump wake somebody.
func (e *end) at(t time.Time, do func(now time.Time)) *agenda.Entry {
	m := e.net
	return m.agenda.Quiet(t, e.home.class, func(now time.Time) {
		m.mu.Lock()
		defer m.mu.Unlock()
		do(now)
	})
}

// Greetings have dice of their own beyond the classes of datagrams.
const (
	classGreeting = int(conn.Classes)
	classes       = classGreeting + 1
)

// keyOf stands for the key of a machine's installation.
func keyOf(name string) seal.Public { return sha256.Sum256([]byte(name)) }

// checkEmpty ends a link that is closing when its last end is over.
func (l *Link) checkEmpty() {
	if l.empty != nil && len(l.ends) == 0 && l.shut(l.empty) {
		l.unplug()
	}
}

// shut closes a channel, and tells whether it was open.
func (l *Link) shut(c chan struct{}) bool {
	select {
	case <-c:
		return false
	default:
		close(c)
		l.net.agenda.Stir()
		return true
	}
}

// unplug takes the link off the network.
func (l *Link) unplug() {
	if l.net.links[l.name] == l {
		delete(l.net.links, l.name)
	}
	l.shut(l.stop)
}
