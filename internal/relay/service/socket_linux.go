package service

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/relay"
)

// atOnce is the greatest number of datagrams that one call of the system reads or writes.
const atOnce = 128

// socket is the UDP socket, outside Go's poller: that is woken by each datagram, also while
// nobody means to read yet. One goroutine reads, puts and flushes; any may send.
type socket struct {
	fd      int
	v4      bool // of IPv4 alone
	in, out batch
	waiting int // datagrams in out

	closing atomic.Bool
	mu      sync.RWMutex // held for reading by those who send
	closed  bool
}

// batch is what one call of the system reads or writes.
type batch struct {
	headers [atOnce]header
	parts   [atOnce]unix.Iovec
	addrs   [atOnce]unix.RawSockaddrInet6 // an IPv4 address takes less
}

// header is the system's struct mmsghdr.
type header struct {
	unix.Msghdr
	n uint32
}

// newSocket takes over conn, and closes it.
func newSocket(conn *net.UDPConn) (*socket, error) {
	defer conn.Close()
	prepare(conn)
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	k := &socket{v4: conn.LocalAddr().(*net.UDPAddr).IP.To4() != nil}
	var failed error
	if err := raw.Control(func(fd uintptr) { k.fd, failed = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) }); err != nil {
		return nil, err
	}
	if failed == nil {
		failed = unix.SetNonblock(k.fd, false)
	}
	if failed != nil {
		return nil, fmt.Errorf("the UDP socket: %w", failed)
	}
	for i := range atOnce {
		b := make([]byte, relay.MaxDatagram+1)
		k.in.parts[i].Base = &b[0]
		k.in.parts[i].SetLen(len(b))
		for _, list := range []*batch{&k.in, &k.out} {
			h := &list.headers[i]
			h.Iov = &list.parts[i]
			h.SetIovlen(1)
			h.Name = (*byte)(unsafe.Pointer(&list.addrs[i]))
		}
	}
	return k, nil
}

// call reads or writes what is in the list, and returns how many it did. Where it may wait the runtime is told, which
// wakes its monitor; a crowded relay never has to.
func (k *socket) call(number uintptr, list []header, flags int, mayWait bool) (int, error) {
	how := unix.RawSyscall6
	if mayWait {
		how = unix.Syscall6
	} else {
		flags |= unix.MSG_DONTWAIT
	}
	for {
		n, _, err := how(number, uintptr(k.fd), uintptr(unsafe.Pointer(&list[0])), uintptr(len(list)), uintptr(flags), 0, 0)
		if err == 0 {
			return int(n), nil
		}
		if err != unix.EINTR {
			return 0, err
		}
	}
}

// read waits for datagrams, and returns how many have come. It returns net.ErrClosed after interrupt.
func (k *socket) read() (int, error) {
	for i := range k.in.headers {
		k.in.headers[i].Namelen = unix.SizeofSockaddrInet6
	}
	n, err := k.call(unix.SYS_RECVMMSG, k.in.headers[:], 0, false)
	if err == unix.EAGAIN {
		n, err = k.call(unix.SYS_RECVMMSG, k.in.headers[:], unix.MSG_WAITFORONE, true)
	}
	if k.closing.Load() {
		return 0, net.ErrClosed
	}
	return n, err
}

// datagram is the one of that number that was read last.
func (k *socket) datagram(i int) ([]byte, netip.AddrPort) {
	return unsafe.Slice(k.in.parts[i].Base, relay.MaxDatagram+1)[:k.in.headers[i].n], addrPort(&k.in.addrs[i])
}

// addrPort reads an address that the system has written.
func addrPort(a *unix.RawSockaddrInet6) netip.AddrPort {
	if a.Family == unix.AF_INET {
		a := (*unix.RawSockaddrInet4)(unsafe.Pointer(a))
		return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), swapped(a.Port))
	}
	at := netip.AddrFrom16(a.Addr).Unmap()
	if a.Scope_id != 0 && at.Is6() {
		at = at.WithZone(strconv.Itoa(int(a.Scope_id)))
	}
	return netip.AddrPortFrom(at, swapped(a.Port))
}

// setAddr writes an address for the system, and returns its size. An address that this socket
// cannot send to is refused by the system.
func (k *socket) setAddr(a *unix.RawSockaddrInet6, to netip.AddrPort) uint32 {
	if k.v4 && to.Addr().Is4() {
		*(*unix.RawSockaddrInet4)(unsafe.Pointer(a)) = unix.RawSockaddrInet4{Family: unix.AF_INET, Port: swapped(to.Port()), Addr: to.Addr().As4()}
		return unix.SizeofSockaddrInet4
	}
	zone, _ := strconv.Atoi(to.Addr().Zone()) // a number, by addrPort
	*a = unix.RawSockaddrInet6{Family: unix.AF_INET6, Port: swapped(to.Port()), Addr: to.Addr().As16(), Scope_id: uint32(zone)}
	return unix.SizeofSockaddrInet6
}

// swapped is a port in the order of the network, or from it.
func swapped(port uint16) uint16 {
	b := (*[2]byte)(unsafe.Pointer(&port))
	return uint16(b[0])<<8 | uint16(b[1])
}

// put has a datagram written by the next flush, which needs its memory.
func (k *socket) put(b []byte, to netip.AddrPort) {
	i := k.waiting
	k.out.parts[i].Base = &b[0]
	k.out.parts[i].SetLen(len(b))
	k.out.headers[i].Namelen = k.setAddr(&k.out.addrs[i], to)
	k.waiting++
}

// flush writes what was put. A datagram that the system refuses is lost.
func (k *socket) flush() {
	for left := k.out.headers[:k.waiting]; len(left) > 0; {
		n, err := k.call(unix.SYS_SENDMMSG, left, 0, false)
		if err != nil {
			n = 1
		}
		left = left[n:]
	}
	k.waiting = 0
}

// send writes a datagram at once. Any goroutine may call it, also after close.
func (k *socket) send(b []byte, to netip.AddrPort) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.closed {
		return
	}
	if k.v4 && to.Addr().Is4() {
		_ = unix.Sendto(k.fd, b, 0, &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()})
		return
	}
	zone, _ := strconv.Atoi(to.Addr().Zone())
	_ = unix.Sendto(k.fd, b, 0, &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16(), ZoneId: uint32(zone)})
}

// interrupt ends read, now and from then on. Any goroutine may call it.
func (k *socket) interrupt() {
	k.mu.RLock()
	defer k.mu.RUnlock()
	k.closing.Store(true)
	if !k.closed {
		_ = unix.Shutdown(k.fd, unix.SHUT_RD) // "not connected", but it wakes who waits
	}
}

// close is for the goroutine that reads.
func (k *socket) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.closed {
		k.closed = true
		_ = unix.Close(k.fd)
	}
}
