package udp

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
)

// lastPeer makes PeerIDs unique in the process, whatever links it opens.
var lastPeer atomic.Uint64

// Link is a Link over UDP.
type Link struct {
	cfg     Config
	conn    *net.UDPConn
	rooms   atomic.Pointer[[]*room] // whose secrets let in; the first is ours
	jar     *seal.Cookies
	began   time.Time
	events  chan link.Event
	life    context.Context // ends when Close is called
	end     context.CancelFunc
	freed   chan struct{} // closed when Close is done
	stuns   sync.Map      // of chan netip.AddrPort, by stunID: answers that are waited for
	packets sync.Pool     // of *packet
	door    door
	greeter *seal.Greeter // of our key: of those with an invitation to an earlier room
	relays  *relays
	members members
	abroad
	own       ownAddresses
	addresses atomic.Pointer[[]netip.AddrPort] // where this machine may be reached, as SetAddresses was told

	mu     sync.RWMutex // guards what follows
	closed bool
	byPeer map[link.PeerID]*session
	byWire map[uint64]*session
	dials  map[uint64]*dial // by nonce
	held   int              // sessions that are not done, also those that are over

	readers
	sessions sync.WaitGroup // run of each session
	dialing  sync.WaitGroup // Dials and their probes; Add under mu while not closed
}

// readers are the goroutines that read the socket and the tunnels.
type readers struct {
	routing sync.Mutex     // held while one routes a datagram
	reading sync.WaitGroup // the reader of the socket
}

// abroad tells whether the network lets UDP out.
type abroad struct {
	unanswered atomic.Bool // servers elsewhere were asked and say nothing
	elsewhere  atomic.Bool // something came from elsewhere
}

var _ link.Link = (*Link)(nil)

// Events implements Link.
func (l *Link) Events() <-chan link.Event { return l.events }

// Addr implements Link. With the default Bind the address is 0.0.0.0.
func (l *Link) Addr() string {
	at := l.conn.LocalAddr().(*net.UDPAddr).AddrPort()
	if at.Addr().IsUnspecified() {
		at = netip.AddrPortFrom(netip.IPv4Unspecified(), at.Port())
	}
	return at.String()
}

// Port is the UDP port that this link listens on.
func (l *Link) Port() int { return l.conn.LocalAddr().(*net.UDPAddr).Port }

// SetRoom implements Link.
func (l *Link) SetRoom(secret seal.Secret, neighbours bool) {
	rooms := []*room{newRoom(secret, false)}
	if neighbours && secret != (seal.Secret{}) {
		rooms = append(rooms, newRoom(seal.Secret{}, true))
	}
	l.rooms.Store(&rooms)
}

// room is the room of our dials.
func (l *Link) room() *room { return (*l.rooms.Load())[0] }

// Key implements Link.
func (l *Link) Key() seal.Public { return l.cfg.Key.Public() }

// Send implements Link.
func (l *Link) Send(p link.PeerID, ch link.Channel, data []byte) error {
	if err := link.CheckMessage(ch, data); err != nil {
		return err
	}
	s, err := l.session(p)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if err := s.conn.Send(ch, data, now); err != nil {
		return err
	}
	s.turn(now)
	return nil
}

// Disconnect implements Link.
func (l *Link) Disconnect(p link.PeerID, why string) {
	if s, err := l.session(p); err == nil {
		s.leave(why, false)
	}
}

func (l *Link) session(p link.PeerID) (*session, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return nil, link.ErrClosed
	}
	if s := l.byPeer[p]; s != nil {
		return s, nil
	}
	return nil, link.ErrUnknownPeer
}

// byNumber is the session with a number on the wire, nil for none.
func (l *Link) byNumber(wire uint64) *session {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.byWire[wire]
}

// Stats implements Link.
func (l *Link) Stats(p link.PeerID) (link.Stats, bool) {
	s, err := l.session(p)
	if err != nil {
		return link.Stats{}, false
	}
	s.mu.Lock()
	st, told := s.conn.Stats(time.Now()), s.told
	s.mu.Unlock()
	if told {
		return link.Stats{}, false
	}
	st.Sent, st.Received = s.sentBytes.Load(), s.receivedBytes.Load()
	st.Route = s.route.Load().told(l)
	return st, true
}

// Close implements Link.
func (l *Link) Close() error {
	l.mu.Lock()
	first := !l.closed
	l.closed = true
	l.mu.Unlock()
	l.end()
	l.dialing.Wait()
	l.sessions.Wait()
	if first {
		for _, d := range l.relays.client.Withdraw() {
			_ = l.writeOut(d.Bytes, d.To)
		}
	}
	l.relays.end()
	l.relays.jobs.Wait()
	if first {
		_ = l.conn.Close()
		l.reading.Wait()
		close(l.events)
		close(l.freed)
	}
	<-l.freed
	return nil
}

func (l *Link) isClosing() bool { return l.life.Err() != nil }

// start starts a job that Close waits for by a group, unless the link is closed.
func (l *Link) start(group *sync.WaitGroup, job func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		group.Go(job)
	}
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// forget makes s unknown: no sends, no datagrams any more.
func (l *Link) forget(s *session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byPeer, s.id)
	delete(l.byWire, s.wire)
	l.members.remove(s)
}

// release gives the room of a session free.
func (l *Link) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held--
}

// random is an unpredictable number, for nonces and sessions. The system's source
// does not fail on any system Go 1.24 or later runs on.
func random() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return binary.BigEndian.Uint64(b[:])
}
