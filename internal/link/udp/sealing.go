package udp

import (
	"bytes"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
)

// room is a secret with which machines may come in.
type room struct {
	secret  seal.Secret
	greeter *seal.Greeter
	local   bool // only from this network
}

func newRoom(s seal.Secret, local bool) *room { return &room{s, seal.NewGreeter(s), local} }

// tagged is a greeting as it is sent.
func (r *room) tagged(g greeting) []byte {
	return r.greeter.Append(g.append(make([]byte, 0, openSize+seal.TagSize)))
}

// roomOf is the room whose secret a greeting's sender knows, nil for a stranger, and the
// greeting without its tag.
func (l *Link) roomOf(b []byte, from netip.AddrPort) (*room, []byte) {
	for _, r := range *l.rooms.Load() {
		if body, ok := r.greeter.Check(b); ok && (!r.local || ds.IsLocal(from.Addr()) || l.own.has(from.Addr(), time.Now())) {
			return r, body
		}
	}
	return nil, nil
}

// ownAddresses are those of this machine, which may be public ones: another program on it is a neighbour. They
// are looked up at most once a second.
type ownAddresses struct {
	mu   sync.Mutex
	till time.Time
	list []net.Addr
}

func (o *ownAddresses) has(a netip.Addr, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now.After(o.till) {
		o.list, _ = net.InterfaceAddrs() // without, nobody is
		o.till = now.Add(time.Second)
	}
	return slices.ContainsFunc(o.list, func(at net.Addr) bool {
		p, err := netip.ParsePrefix(at.String())
		return err == nil && p.Addr().Unmap() == a.Unmap().WithZone("")
	})
}

// agreed returns what both sides of a handshake must agree on.
func agreed(nonce uint64) []byte {
	return greeting{kind: kindKnock, version: wireVersion, nonce: nonce}.append(nil)[:greetHeader]
}

// sealing is a session's handshake and what comes of it.
type sealing struct {
	room *room

	// ---- run's own, on the accepting side

	shake    *seal.Handshake
	failures int // of the last message

	mu        sync.Mutex      // guards what follows
	early     []early         // came before the end of the handshake
	finishing bool            // among them, or in work, is the last message
	accept    []byte          // of the accepting side: its message, repeated to a dialer that repeats itself
	finish    []byte          // of the dialing side: the last message, nil once it has arrived
	transport *seal.Transport // nil before the end of the handshake
	key       seal.Public
}

// early is a datagram that came before the end of the handshake.
type early struct {
	noise  []byte  // of the dialer's last message
	packet *packet // sealed with what that will bring; nil for the message
	from   netip.AddrPort
}

const (
	earlyMost    = 8 // datagrams that wait for the end of a handshake
	failuresMost = 8 // last messages that are none, until a stranger is given up: a dialer repeats the right one
)

// answer begins the handshake of the accepting side, with the dialer's first message.
func (s *sealing) answer(key seal.Private, nonce uint64, first []byte) error {
	shake, err := seal.Answer(key, s.room.secret, agreed(nonce))
	if err != nil {
		return err
	}
	if _, err := shake.Read(first); err != nil {
		return err
	}
	accept, err := shake.Write(nil, nil)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shake, s.accept = shake, accept
	return nil
}

// dialled is the handshake of a dialer that was accepted.
func (s *sealing) dialled(r *room, shake *seal.Handshake) (err error) {
	s.room, s.key = r, shake.Peer()
	s.finish, err = shake.Write(nil, nil)
	s.transport = shake.Transport()
	return err
}

// seal makes a datagram of the body that stands in b behind headRoom free bytes. It is not ok before
// the end of the handshake: the peer could not read it.
func (s *session) seal(k kind, b []byte) (sealed []byte, ok bool) {
	s.sealing.mu.Lock()
	defer s.sealing.mu.Unlock()
	if s.sealing.transport == nil {
		return nil, false
	}
	b[headRoom-1] = byte(k)
	b, err := s.sealing.transport.Seal(sessionPrefix(b[:0], s.wire), b[headRoom-1:])
	return b, err == nil
}

// opener is the transport; only the reader opens with it.
func (s *sealing) opener() *seal.Transport {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.transport
}

// peer is the other machine's key.
func (s *sealing) peer() seal.Public {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.key
}

// finish takes the dialer's last message, which may be forged. Strangers make the reader of the socket
// compute nothing: run's goroutine does.
func (s *session) finish(noise []byte, from netip.AddrPort, now time.Time) {
	sealing := &s.sealing
	sealing.mu.Lock()
	again := sealing.transport != nil
	if !again && len(sealing.early) < earlyMost {
		sealing.finishing = true
		sealing.early = append(sealing.early, early{noise: bytes.Clone(noise), from: from})
	}
	sealing.mu.Unlock()
	if again {
		s.received.Add(1)
		s.hear(now)
	}
	s.poke()
}

// waits keeps a sealed packet that has overtaken the work on the dialer's last message.
func (s *session) waits(p *packet, from netip.AddrPort) bool {
	s.sealing.mu.Lock()
	defer s.sealing.mu.Unlock()
	if s.sealing.transport != nil || !s.sealing.finishing || len(s.sealing.early) == earlyMost || s.address() != from {
		return false
	}
	s.sealing.early = append(s.sealing.early, early{packet: p, from: from})
	return true
}

// shakeHands acts on what came before the end of the handshake.
func (s *session) shakeHands(now time.Time) {
	s.sealing.mu.Lock()
	list := s.sealing.early
	s.sealing.early = nil
	s.sealing.mu.Unlock()
	for _, e := range list {
		if e.packet != nil {
			s.link.receiveAgain(e.packet, e.from, now)
		} else if !s.proves(e.noise, now) {
			return
		}
	}
}

// proves takes a last message, and tells whether the session goes on after it.
func (s *session) proves(noise []byte, now time.Time) bool {
	sealing := &s.sealing
	if sealing.shake == nil {
		return true // it came twice
	}
	_, err := sealing.shake.Read(noise)
	sealing.mu.Lock()
	sealing.finishing = false
	if err == nil {
		sealing.transport, sealing.key = sealing.shake.Transport(), sealing.shake.Peer()
		sealing.shake = nil
	}
	sealing.mu.Unlock()
	if err == nil {
		s.received.Add(1)
		s.hear(now)
		s.mu.Lock()
		s.conn.Hear(now)
		s.mu.Unlock()
		return true
	}
	if sealing.failures++; sealing.failures == failuresMost {
		s.mu.Lock()
		s.quit(link.Reason{By: link.ByLocal, Text: "it did not show that it belongs here"}, false, now)
		s.mu.Unlock()
		return false
	}
	return true
}

// open opens a packet of the session.
func (s *session) open(p *packet, from netip.AddrPort) bool {
	t := s.sealing.opener()
	if t == nil {
		return false
	}
	body, newest, err := t.Open(p.bytes(), sessionHeader)
	if err != nil || len(body) == 0 {
		return false
	}
	p.from, p.newest = from, newest
	s.received.Add(1)
	s.receivedBytes.Add(int64(p.n))
	p.n = headRoom - 1 + len(body)
	return true
}

// moved remembers where somebody is now who belongs here.
func (l *Link) moved(s *session, to netip.AddrPort) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.vouched {
		l.door.remember(to)
	}
}
