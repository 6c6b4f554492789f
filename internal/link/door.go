package link

import (
	"fmt"
	"net/netip"
	"time"
)

// Limits on strangers. A stranger that they turn away asks again: a dialer repeats itself
// for 5 s.
const (
	halfOpenMost    = 16 // accepted sessions that have no carrier yet
	halfOpenPerHost = 8  // of them from one IP address
)

// door limits what strangers cause. It belongs to the reader.
type door struct {
	knocks   bucket // answers to knocks: one HMAC and a datagram each
	opens    bucket // looks at cookies
	sessions bucket // new sessions
	gones    bucket // answers to datagrams of unknown sessions
	out      []byte
}

func newDoor() door {
	return door{
		knocks:   bucket{rate: 500, burst: 200},
		opens:    bucket{rate: 500, burst: 200},
		sessions: bucket{rate: 10, burst: 32},
		gones:    bucket{rate: 100, burst: 50},
	}
}

// greet answers what comes from outside of a session.
func (l *ENet) greet(b []byte, from netip.AddrPort, now time.Time) {
	g, err := decodeGreeting(b)
	if err != nil || l.isClosing() {
		return
	}
	at := now.Sub(l.began)
	switch g.kind {
	case kindKnock, kindOpen:
		if g.version != wireVersion {
			if l.door.knocks.take(at) {
				l.refuse(g, from, refuseVersion, len(b))
			}
			return
		}
		if g.kind == kindKnock {
			if l.door.knocks.take(at) {
				l.answer(greeting{kind: kindChallenge, nonce: g.nonce, cookie: l.jar.mint(from, g.nonce, at)}, from)
			}
			return
		}
		if l.door.opens.take(at) && l.jar.check(g.cookie, from, g.nonce, at) {
			l.accept(g.nonce, from, at, len(b))
		}
	default:
		l.answered(g, from)
	}
}

func (l *ENet) answer(g greeting, to netip.AddrPort) {
	g.version = wireVersion
	l.door.out = g.append(l.door.out[:0])
	_, _ = l.conn.WriteToUDPAddrPort(l.door.out, to)
}

// refuse says no, in fewer bytes than it was asked with.
func (l *ENet) refuse(g greeting, to netip.AddrPort, code refusal, room int) {
	if room < greetHeader+1 {
		return
	}
	no := greeting{kind: kindRefuse, nonce: g.nonce, code: code}
	if code == refuseVersion {
		no.words = cut(fmt.Sprintf("here is %d, there %d", wireVersion, g.version), min(MaxReason, room-greetHeader-1))
	}
	l.answer(no, to)
}

// accept begins a session with a dialer that has shown a good cookie, or repeats the answer
// if that has begun already.
func (l *ENet) accept(nonce uint64, from netip.AddrPort, at time.Duration, room int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dials[nonce] != nil {
		l.refuse(greeting{nonce: nonce}, from, refuseSelf, room)
		return
	}
	old, live, half, halfThere := l.census(from, l.began.Add(at))
	if old != nil && old.nonce == nonce {
		l.answer(greeting{kind: kindAccept, nonce: nonce, session: old.wire}, from)
		return
	}
	if live >= l.cfg.MaxPeers || l.held >= 2*l.cfg.MaxPeers {
		l.refuse(greeting{nonce: nonce}, from, refuseFull, room)
		return
	}
	if half >= halfOpenMost || halfThere >= halfOpenPerHost || !l.door.sessions.take(at) {
		return
	}
	s := l.add(random(), nonce, from, false, old)
	if s == nil {
		return
	}
	if old != nil {
		old.replaced()
	}
	l.answer(greeting{kind: kindAccept, nonce: nonce, session: s.wire}, from)
}

// absent is how long a peer says nothing before its place may be taken, although
// its session lives on. It may itself be the one that knocks, from another address.
const absent = 6 * pingEvery

// census looks through the sessions, of which there are few: the one that from has
// dialled, and how many others are heard of, half open, and half open from the same
// host.
func (l *ENet) census(from netip.AddrPort, now time.Time) (old *session, live, half, halfThere int) {
	for _, s := range l.byPeer {
		if !s.dialer && s.addr == from && !s.old {
			old = s
		} else if now.Sub(s.in.lastHeard()) < absent {
			live++
		}
		if s.isOpen() || s.dialer {
			continue
		}
		half++
		if s.addr.Addr() == from.Addr() {
			halfThere++
		}
	}
	return old, live, half, halfThere
}

// stranger answers a datagram of a session that is not known, so that the other
// side need not wait until we seem silent.
func (l *ENet) stranger(k kind, session uint64, from netip.AddrPort, now time.Time) {
	if k == kindGone || k == kindByeBye || k == kindLost || !l.door.gones.take(now.Sub(l.began)) {
		return
	}
	l.door.out = sessionPrefix(l.door.out[:0], kindGone, session)
	_, _ = l.conn.WriteToUDPAddrPort(l.door.out, from)
}
