package udp

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/sockets"
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

	// Whether the network lets UDP out.
	unanswered atomic.Bool // servers elsewhere were asked and say nothing
	elsewhere  atomic.Bool // something came from elsewhere

	own       ownAddresses
	addresses atomic.Pointer[[]netip.AddrPort] // where this machine may be reached, as SetAddresses was told

	mu     sync.RWMutex // guards what follows
	closed bool
	byPeer map[link.PeerID]*session
	byWire map[uint64]*session
	dials  map[uint64]*dial // by nonce
	held   int              // sessions that are not done, also those that are over

	// The goroutines that read the socket and the tunnels, and the others.
	routing sync.Mutex     // held while one routes a datagram
	reading sync.WaitGroup // the reader of the socket

	sessions sync.WaitGroup // run of each session
	dialing  sync.WaitGroup // Dials and their probes; Add under mu while not closed
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

// Config are the settings of a link. The zero value is good.
type Config struct {
	Port   int          // UDP port to listen on, 0 for any
	Bind   string       // address to listen on, "" for all of IPv4 and IPv6
	Key    seal.Private // this installation's; one of its own for the zero value
	Room   seal.Secret  // of the room: only machines that know it come in
	Relays []string     // that the player's settings name; they are used when somebody does
	// Here is where this machine itself speaks to a relay at an address, which may be its own; nil: there. It must not wait.
	Here           func(netip.AddrPort) netip.AddrPort
	Neighbours     bool          // let machines of this network in without the secret
	MaxPeers       int           // peers at once, 1..256, 0 for 64; not counting strangers (door.go) and those just fallen silent
	Silence        time.Duration // until a silent peer is given up, 0 for 10 s, at least 1 s
	ConnectTimeout time.Duration // of Dial until the other side has accepted it, and of those who dial us until something is heard of them, 0 for 5 s
}

const defaultPeers = 64

func (c Config) withDefaults() (Config, error) {
	c.MaxPeers = cmp.Or(c.MaxPeers, defaultPeers)
	c.Silence = cmp.Or(c.Silence, link.DefaultSilence)
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, link.DefaultConnect)
	switch {
	case c.Port < 0 || c.Port > 65535:
		return c, fmt.Errorf("port %d is not in 0..65535", c.Port)
	case c.MaxPeers < 1 || c.MaxPeers > 256:
		return c, fmt.Errorf("%d peers is not in 1..256", c.MaxPeers)
	case c.Silence < time.Second:
		return c, fmt.Errorf("silence of %v is under a second", c.Silence)
	case c.ConnectTimeout < 0:
		return c, fmt.Errorf("connect time-out of %v is negative", c.ConnectTimeout)
	}
	return c, nil
}

// Listen opens a UDP socket and accepts connections on it. The error wraps
// ErrPortInUse when another program has the port.
func Listen(cfg Config) (*Link, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if cfg.Key.Public().IsZero() {
		if cfg.Key, err = seal.NewKey(); err != nil {
			return nil, fmt.Errorf("listen: %w", err)
		}
	}
	conn, err := bind(cfg)
	if err != nil {
		return nil, err
	}
	// As much as the system grants: a burst must survive until we are scheduled.
	_, _ = conn.SetReadBuffer(4<<20), conn.SetWriteBuffer(1<<20)
	relay.InOnePiece(conn)
	sockets.Lasting(conn)
	l := &Link{
		cfg: cfg, conn: conn, jar: seal.NewCookies(), began: time.Now(),
		events: make(chan link.Event, link.EventRoom), freed: make(chan struct{}),
		packets: sync.Pool{New: func() any { return new(packet) }},
		greeter: cfg.Key.Public().Greeter(),
		door:    newDoor(), relays: newRelays(cfg.Key),
		byPeer: map[link.PeerID]*session{}, byWire: map[uint64]*session{}, dials: map[uint64]*dial{},
	}
	l.SetRoom(cfg.Room, cfg.Neighbours)
	l.relays.client.Own(cfg.Relays...)
	l.life, l.end = context.WithCancel(context.Background())
	l.reading.Go(l.read)
	return l, nil
}
