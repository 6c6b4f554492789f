package link

import (
	"fmt"
	"net/netip"
	"time"
)

// greet answers what comes from outside of a session.
func (l *ENet) greet(b []byte, from netip.AddrPort, now time.Time) {
	g, err := decodeGreeting(b)
	if err != nil || l.isClosing() {
		return
	}
	at := now.Sub(l.began)
	switch {
	case g.kind != kindKnock && g.kind != kindOpen:
		l.answered(g, from)
	case !l.door.mayAsk(from, at):
	case g.version != wireVersion:
		l.refuse(g, from, refuseVersion, len(b))
	case g.kind == kindKnock:
		l.answer(greeting{kind: kindChallenge, nonce: g.nonce, cookie: l.jar.mint(from, g.nonce, at)}, from)
	case l.jar.check(g.cookie, from, g.nonce, at):
		l.accept(g.nonce, from, now, len(b))
	}
}

func (l *ENet) answer(g greeting, to netip.AddrPort) {
	g.version = wireVersion
	_, _ = l.conn.WriteToUDPAddrPort(g.append(make([]byte, 0, openSize)), to)
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
func (l *ENet) accept(nonce uint64, from netip.AddrPort, now time.Time, room int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dials[nonce] != nil {
		l.refuse(greeting{nonce: nonce}, from, refuseSelf, room)
		return
	}
	old, vouched, strangers := l.census(from, now)
	if old != nil && old.nonce == nonce {
		l.answer(greeting{kind: kindAccept, nonce: nonce, session: old.wire}, from)
		return
	}
	ok, known := l.door.mayEnter(from, now.Sub(l.began))
	if !ok {
		return
	}
	if !known && vouched >= l.cfg.MaxPeers || l.held >= 2*l.cfg.MaxPeers+strangersMost {
		l.refuse(greeting{nonce: nonce}, from, refuseFull, room)
		return
	}
	var evict *session
	if !known {
		if ok, evict = place(strangers, from.Addr()); !ok {
			return
		}
	}
	s := l.add(random(), nonce, from, false, old)
	if s == nil {
		return
	}
	s.vouched = known
	if old != nil {
		old.replaced()
	}
	if evict != nil {
		evict.giveWay()
	}
	l.answer(greeting{kind: kindAccept, nonce: nonce, session: s.wire}, from)
}

// absent is how long a peer says nothing before its place may be taken, although
// its session lives on. It may itself be the one that knocks, from another address.
const absent = 6 * pingEvery

// census looks through the sessions, of which there are few: the one that from has
// dialled, how many others of those that are not strangers are heard of, and the strangers.
// The caller holds mu.
func (l *ENet) census(from netip.AddrPort, now time.Time) (old *session, vouched int, strangers []*session) {
	for _, s := range l.byPeer {
		switch {
		case s.old:
		case !s.dialer && s.addr == from:
			old = s
		case !s.dialer && !s.vouched:
			strangers = append(strangers, s)
		case now.Sub(s.in.lastHeard()) < absent:
			vouched++
		}
	}
	return old, vouched, strangers
}

// Vouch implements Link.
func (l *ENet) Vouch(p PeerID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.byPeer[p]; s != nil && !s.vouched {
		s.vouched = true
		l.door.remember(s.addr)
	}
}

// stranger answers a datagram of a session that is not known, so that the other
// side need not wait until we seem silent.
func (l *ENet) stranger(k kind, session uint64, from netip.AddrPort, now time.Time) {
	if k == kindGone || k == kindByeBye || k == kindLost || !l.door.mayAsk(from, now.Sub(l.began)) {
		return
	}
	_, _ = l.conn.WriteToUDPAddrPort(sessionPrefix(make([]byte, 0, sessionHeader), kindGone, session), from)
}
