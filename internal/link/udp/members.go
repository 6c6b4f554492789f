package udp

import (
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

const (
	firstBetween = 256 // number of the first peer relay, where relays have theirs
	maxBetween   = 64  // machines that ever were one
	offeredMost  = 3   // peer relays that are tried for one connection

	carryRate   = 512 << 10 // bytes a second that a peer relay carries for one machine; a second's worth at once
	carryGreets = 50        // greetings a second that one may bring; twice as many at once
)

// members are the machines of the room to which there is a session.
type members struct {
	mu      sync.Mutex
	keys    []seal.Public // each has its place for good
	present map[relay.Mailbox]*session
	changed atomic.Int64
}

// add notes the newest session with a machine.
func (m *members) add(key seal.Public, s *session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.present == nil {
		m.present = map[relay.Mailbox]*session{}
	}
	box := link.Number(key)
	if m.place(box) < 0 {
		if len(m.keys) == maxBetween {
			return
		}
		m.keys = append(m.keys, key)
	}
	m.present[box] = s
	m.changed.Add(1)
}

func (m *members) remove(s *session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.present, func(_ relay.Mailbox, other *session) bool { return other == s })
}

func (m *members) place(box relay.Mailbox) int {
	return slices.IndexFunc(m.keys, func(key seal.Public) bool { return link.Number(key) == box })
}

// session finds the one with a machine, nil for none.
func (m *members) session(box relay.Mailbox) *session {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.present[box]
}

// number returns the number that stands for a peer relay in an address, 0 for any other machine.
func (m *members) number(box relay.Mailbox) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := m.place(box); i >= 0 && m.present[box] != nil {
		return firstBetween + i
	}
	return 0
}

// key is the way back. It also finds one that is gone.
func (m *members) key(number int) (key seal.Public, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := number - firstBetween; i >= 0 && i < len(m.keys) {
		return m.keys[i], true
	}
	return key, false
}

// others are the numbers of the first peer relays to a machine.
func (m *members) others(but relay.Mailbox) (list []int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, key := range m.keys {
		if box := link.Number(key); box != but && m.present[box] != nil && len(list) < offeredMost {
			list = append(list, firstBetween+i)
		}
	}
	return list
}

// membership is a session's part in carrying.
type membership struct {
	in     atomic.Bool // Introduce was said
	seenAt atomic.Pointer[netip.AddrPort]

	// ---- the reader's own
	carried *rate.Limiter // bytes
	greeted *rate.Limiter // greetings that came through the peer

	// ---- run's own
	offered int64 // the members' count of changes when their pairs were offered
	toldAt  netip.AddrPort
	told    time.Time
}

func newMembership() membership {
	return membership{carried: rate.NewLimiter(carryRate, carryRate), greeted: rate.NewLimiter(carryGreets, 2*carryGreets)}
}

// isBetween reports whether an address is that of a machine behind a peer relay.
func isBetween(a netip.AddrPort) bool { return relay.IsRelayed(a) && a.Port() >= firstBetween }
