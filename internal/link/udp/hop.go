package udp

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"syscall"

	"github.com/codecat/go-enet"
)

// hop is the way between ENet and the network: an ENet host on a loopback port
// and two UDP sockets connected to it, one that stands for the main carrier's far
// end and one for the bulk carriers'. Loopback hands a datagram over within the
// system call that sends it, so the one goroutine that owns a hop writes, lets
// ENet work, and reads what ENet sent, without waiting and without a wake-up.
//
// Other programs on this machine can reach the ENet host's port. ENet ignores
// what does not come from the address of a peer, and own says whether a new
// peer is ours.
type hop struct {
	host enet.Host
	main side
	bulk side
}

// side is one of the two sockets.
type side struct {
	conn *net.UDPConn
	raw  syscall.RawConn
	addr enet.Address
	port uint16

	buf  []byte // read fills buf[headRoom:]
	n    int
	read func(fd uintptr) bool
}

// enetPeers bounds the carriers of a session in all states: the main one, its
// successor, the lanes in both directions, and some that are timing out.
const enetPeers = 32

// initialize is called once for the process; ENet wants it, and on Unix it does
// nothing that could fail or would have to be undone.
var initialize = sync.OnceFunc(enet.Initialize)

func newHop() (*hop, error) {
	initialize()
	port, host, err := newHost()
	if err != nil {
		return nil, err
	}
	h := &hop{host: host}
	if err := errors.Join(h.main.open(port), h.bulk.open(port)); err != nil {
		h.close()
		return nil, fmt.Errorf("open loopback sockets: %w", err)
	}
	return h, nil
}

// newHost makes an ENet host on a free loopback port. ENet cannot tell which port
// it was given, so it is told one that was free just now.
func newHost() (port int, host enet.Host, err error) {
	for range 16 {
		if port, err = freePort(firstHop, beyondHop); err != nil {
			return 0, nil, fmt.Errorf("find a free loopback port: %w", err)
		}
		host, err = enet.NewHost(enet.NewAddress("127.0.0.1", uint16(port)), enetPeers, enetChannels, 0, 0)
		if err == nil {
			return port, host, nil
		}
	}
	return 0, nil, fmt.Errorf("start enet on loopback: %w", err)
}

// Ports below those that systems give to programs that ask for any: from 32768 on, or higher. Those of
// carriers are above the room's usual one. Callers get others: a session that begins meanwhile, in
// whichever program, would take them from under their noses.
const (
	firstFree, beyondFree = 10000, 20000
	firstHop, beyondHop   = 22000, 32768
)

// FreePort is a UDP port of the loopback that nobody uses now, for a caller that has to name one.
// It is none that the system, or a session, might take before it is used.
func FreePort() (port int, err error) { return freePort(firstFree, beyondFree) }

func freePort(first, beyond int) (port int, err error) {
	for range 100 {
		port = first + rand.IntN(beyond-first)
		if err = bindable(port); err == nil {
			return port, nil
		}
	}
	return 0, err
}

// bindable tells whether a port of the loopback is free.
func bindable(port int) error {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return err
	}
	return c.Close()
}

func (s *side) open(port int) (err error) {
	loopback := net.IPv4(127, 0, 0, 1)
	s.conn, err = net.DialUDP("udp4", &net.UDPAddr{IP: loopback}, &net.UDPAddr{IP: loopback, Port: port})
	if err != nil {
		return err
	}
	// As much as the system grants: ENet may send all its windows in one go.
	_ = s.conn.SetReadBuffer(4 << 20)
	if s.raw, err = s.conn.SyscallConn(); err != nil {
		return err
	}
	s.port = uint16(s.conn.LocalAddr().(*net.UDPAddr).Port)
	s.addr = enet.NewAddress("127.0.0.1", s.port)
	s.buf = make([]byte, headRoom+4096)
	s.read = func(fd uintptr) bool {
		s.n, _ = syscall.Read(int(fd), s.buf[headRoom:])
		return true // do not wait for more
	}
	return nil
}

// feed gives ENet a datagram as if it came from the far side. When ENet's socket
// is full it is lost, like any datagram.
func (s *side) feed(b []byte) { _, _ = s.conn.Write(b) }

// drain reads one datagram of ENet's and returns it behind headRoom free
// bytes; nil when there is none. It is valid until the next call.
func (s *side) drain() []byte {
	s.n = 0
	if err := s.raw.Read(s.read); err != nil || s.n <= 0 {
		return nil
	}
	return s.buf[:headRoom+s.n]
}

// own reports whether p is a connection through this side.
func (s *side) own(p enet.Peer) bool { return p.GetAddress().GetPort() == s.port }

// close frees the host with all it holds, and the sockets.
func (h *hop) close() {
	h.host.Destroy()
	for _, s := range []*side{&h.main, &h.bulk} {
		if s.conn != nil {
			_ = s.conn.Close()
		}
	}
}
