package udp

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/conn"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/seal"
)

// greet acts on what comes from outside of a session, and says whether the packet was kept.
// Strangers hear nothing.
func (l *Link) greet(p *packet, from netip.AddrPort, now time.Time) bool {
	if l.isClosing() || !l.awaits(p.bytes(), from) && !l.door.mayAsk(from, now.Sub(l.began)) {
		return false
	}
	r, b := l.roomOf(p.bytes(), from)
	if r == nil {
		l.olderSays(p.bytes(), from)
		l.outdated(p.bytes(), from)
		return false
	}
	g, err := decodeGreeting(b)
	if err != nil {
		return false
	}
	ask := asking{r, from, now, p.n}
	switch {
	case g.kind == kindChallenge || g.kind == kindAccept || g.kind == kindRefuse:
		l.answered(g, from)
	case g.kind == kindGone && g.nonce == 0:
		l.punched(g, from)
	case g.version != wireVersion:
		l.refuse(g, ask, refuseVersion)
	case g.kind == kindKnock:
		l.answer(greeting{kind: kindChallenge, nonce: g.nonce, cookie: l.mint(from, g.nonce, now)}, ask)
	case g.kind == kindOpen && l.jar.Check(g.cookie[:], from, nonceBytes(g.nonce), now.Sub(l.began)):
		l.accept(g, ask)
	default:
		return l.aboutSession(g, p, ask)
	}
	return false
}

// awaits reports whether a greeting may be an answer that somebody here waits for: it has a dial's number, which only
// those know who were dialled, or comes from where a session's peer is. All others are counted at the door: they cost an HMAC
// for each room.
func (l *Link) awaits(b []byte, from netip.AddrPort) bool {
	if len(b) < greetHeader {
		return false
	}
	nonce := binary.BigEndian.Uint64(b[2:])
	switch kind(b[0]) {
	case kindChallenge, kindAccept, kindRefuse:
		l.mu.RLock()
		defer l.mu.RUnlock()
		return l.dials[nonce] != nil
	case kindGone:
		s := l.byNumber(nonce)
		return s != nil && s.address() == from
	}
	return false
}

// mint makes the cookie for a dial's nonce.
func (l *Link) mint(from netip.AddrPort, nonce uint64, now time.Time) (c [cookieSize]byte) {
	l.jar.Mint(c[:], from, nonceBytes(nonce), now.Sub(l.began))
	return c
}

func nonceBytes(nonce uint64) []byte { return binary.BigEndian.AppendUint64(nil, nonce) }

// olderSays takes the one greeting that needs no tag: the refusal of a program from before
// there were tags, which dials of ours would wait for in vain. It helps no stranger, who
// cannot know a dial's nonce.
func (l *Link) olderSays(b []byte, from netip.AddrPort) {
	if g, err := decodeGreeting(b); err == nil && g.kind == kindRefuse && g.version == 1 {
		l.answered(g, from)
	}
}

// asking is where a greeting came from, and how long it was.
type asking struct {
	room *room
	from netip.AddrPort
	now  time.Time
	size int
}

// opened is what a dialer opened a session with.
type opened struct {
	asking
	noise []byte // the handshake's first message
}

// aboutSession acts on a greeting that names a session.
func (l *Link) aboutSession(g greeting, p *packet, ask asking) bool {
	s := l.byNumber(g.nonce)
	switch {
	case g.kind == kindFinish && s != nil && s.address() == ask.from:
		s.finish(g.noise, ask.from, ask.now)
	case g.kind == kindAsk && s == nil:
		l.answer(greeting{kind: kindGone, nonce: g.nonce}, ask)
	case g.kind == kindGone && s != nil && s.address() == ask.from:
		p.n, p.buf[headRoom-1] = headRoom, byte(kindGone)
		p.from, p.newest = ask.from, false
		s.deliver(p, ask.now)
	}
	return false
}

func (l *Link) answer(g greeting, ask asking) {
	g.version = wireVersion
	_ = l.write(ask.room.tagged(g), ask.from)
}

// refuse says no, in fewer bytes than it was asked with.
func (l *Link) refuse(g greeting, ask asking, code refusal) {
	room := ask.size - seal.TagSize - greetHeader - 1
	if room < 0 {
		return
	}
	no := greeting{kind: kindRefuse, nonce: g.nonce, code: code}
	if code == refuseVersion {
		no.words = phrase.Cut(fmt.Sprintf("here is %d, there %d", wireVersion, g.version), min(link.MaxReason, room))
	}
	l.answer(no, ask)
}

// accept begins a session with a dialer that has shown a good cookie, or repeats the answer
// if that has begun already.
func (l *Link) accept(g greeting, ask asking) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dials[g.nonce] != nil {
		l.refuse(g, ask, refuseSelf)
		return
	}
	old, vouched, strangers := l.countSessions(ask.from, ask.now)
	if old != nil && old.nonce == g.nonce {
		l.sayAccepted(old, ask)
		return
	}
	ok, known := l.door.mayEnter(ask.from, ask.now.Sub(l.began))
	if !ok || l.closed {
		return
	}
	if !known && vouched >= l.cfg.MaxPeers || l.held >= 2*l.cfg.MaxPeers+strangersMost {
		l.refuse(g, ask, refuseFull)
		return
	}
	var evict *session
	if !known {
		if ok, evict = place(strangers, ask.from.Addr()); !ok {
			return
		}
	}
	s := newSession(l, random(), g.nonce, ask.from, false)
	s.sealing.room, s.opened = ask.room, opened{ask, bytes.Clone(g.noise)}
	s.vouched = known
	if old != nil {
		s.prev = old.done
	}
	l.add(s)
	if old != nil {
		old.replace()
	}
	if evict != nil {
		evict.giveWay()
	}
}

// sayAccepted repeats the answer to who has opened a session, or says it at first. There is none yet while the session works
// on it.
func (l *Link) sayAccepted(s *session, ask asking) {
	s.sealing.mu.Lock()
	accept := s.sealing.accept
	s.sealing.mu.Unlock()
	if accept != nil {
		l.answer(greeting{kind: kindAccept, nonce: s.nonce, session: s.wire, noise: accept}, ask)
	}
}

// absent is the silence after which a peer's place may be taken, although its session lives on. It may
// itself be the one that knocks, from another address.
const absent = 6 * conn.PingEvery

// countSessions looks through the sessions, of which there are few: the one that from has
// dialled, how many others of those that are not strangers are heard of, and the strangers.
// The caller holds mu.
func (l *Link) countSessions(from netip.AddrPort, now time.Time) (old *session, vouched int, strangers []*session) {
	for _, s := range l.byPeer {
		switch {
		case s.old:
		case !s.dialer && s.address() == from:
			old = s
		case !s.dialer && !s.vouched:
			strangers = append(strangers, s)
		case now.Sub(s.lastHeard()) < absent:
			vouched++
		}
	}
	return old, vouched, strangers
}

// Vouch implements Link.
func (l *Link) Vouch(p link.PeerID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.byPeer[p]; s != nil && !s.vouched {
		s.vouched = true
		l.door.remember(s.address())
	}
}
