package udp

import (
	"net/netip"
	"sync"

	"github.com/nettplay/nettplay/internal/ds"
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
		if body, ok := r.greeter.Check(b); ok && (!r.local || ds.IsLocal(from.Addr())) {
			return r, body
		}
	}
	return nil, nil
}

// agreed returns what both sides of a handshake must agree on.
func agreed(nonce uint64) []byte {
	return greeting{kind: kindKnock, version: wireVersion, nonce: nonce}.append(nil)[:greetHeader]
}

// sealing is a session's handshake and what comes of it.
type sealing struct {
	room *room

	mu        sync.Mutex // guards what follows
	shake     *seal.Handshake
	accept    []byte          // of the accepting side: its message, repeated to a dialer that repeats itself
	finish    []byte          // of the dialing side: the last message, nil once it has arrived
	transport *seal.Transport // nil before the end of the handshake
	key       seal.Public
}

// answer begins the handshake of the accepting side, with the dialer's first message.
func (s *sealing) answer(key seal.Private, r *room, g greeting) bool {
	shake, err := seal.Answer(key, r.secret, agreed(g.nonce))
	if err != nil {
		return false
	}
	if _, err := shake.Read(g.noise); err != nil {
		return false
	}
	s.room, s.shake = r, shake
	s.accept, err = shake.Write(nil, nil)
	return err == nil
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

// finished takes the dialer's last message.
func (s *sealing) finished(noise []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.transport != nil || s.shake == nil {
		return s.transport != nil
	}
	if _, err := s.shake.Read(noise); err != nil {
		return false
	}
	s.transport, s.key, s.shake = s.shake.Transport(), s.shake.Peer(), nil
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
	if kind(body[0]).counted() {
		s.counters.received.Add(1)
	}
	s.counters.receivedBytes.Add(int64(p.n))
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
