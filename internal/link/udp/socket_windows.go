package udp

// #include <winsock2.h>
// #include <ws2tcpip.h>
import "C"

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// unread reports whether datagrams have come that the reader has not got to.
func (l *Link) unread() (some bool) {
	raw, err := l.conn.SyscallConn()
	if err != nil {
		return false
	}
	_ = raw.Control(func(fd uintptr) {
		var waiting C.u_long
		some = C.ioctlsocket(C.SOCKET(fd), fionread, &waiting) == 0 && waiting > 0
	})
	return some
}

// Orders to a socket, of winsock2.h, whose numbers are too large for C's long as Go sees it.
var (
	fionbio  = C.long(int32(-0x7ffb9982)) // 0x8004667e
	fionread = C.long(0x4004667f)
)

// openings is held while a socket has the TTL of a datagram for our own router.
var openings sync.Mutex

// open sends a datagram that is meant for one's own router alone. Windows takes no such reach with a single datagram, so the
// socket has it for a moment: what a session sends meanwhile is lost, as any datagram may be.
func (l *Link) open(b []byte, to netip.AddrPort) {
	raw, err := l.conn.SyscallConn()
	if err != nil {
		return
	}
	openings.Lock()
	defer openings.Unlock()
	level, option := windows.IPPROTO_IP, windows.IP_TTL
	if local, ok := l.conn.LocalAddr().(*net.UDPAddr); ok && local.IP.To4() == nil {
		if level, option = windows.IPPROTO_IPV6, windows.IPV6_UNICAST_HOPS; to.Addr().Unmap().Is4() {
			level, option = windows.IPPROTO_IP, windows.IP_TTL // of IPv4 through a socket for both
		}
	}
	_ = raw.Control(func(fd uintptr) {
		h := windows.Handle(fd)
		before, err := windows.GetsockoptInt(h, level, option)
		if err != nil || windows.SetsockoptInt(h, level, option, lowTTL) != nil {
			return
		}
		defer func() { _ = windows.SetsockoptInt(h, level, option, before) }()
		_ = l.sendNow(h, b, to)
	})
}

// sendNow sends without Go's poller, which waits for nothing here either.
func (l *Link) sendNow(h windows.Handle, b []byte, to netip.AddrPort) error {
	var done uint32
	buf := windows.WSABuf{Len: uint32(len(b)), Buf: unsafe.SliceData(b)}
	var sa windows.Sockaddr = &windows.SockaddrInet6{Addr: to.Addr().As16(), Port: int(to.Port())}
	if local, ok := l.conn.LocalAddr().(*net.UDPAddr); ok && local.IP.To4() != nil {
		if !to.Addr().Unmap().Is4() {
			return errors.New("no way from IPv4 to IPv6")
		}
		sa = &windows.SockaddrInet4{Addr: to.Addr().Unmap().As4(), Port: int(to.Port())}
	}
	return windows.WSASendto(h, &buf, 1, &done, 0, sa, nil, nil)
}

// socket is one of the system's, none of Go's, on the loopback.
type socket C.SOCKET

const noSocket = ^socket(0)

// openSocket opens one that is connected with a port, and tells its own. It never waits.
func openSocket(port int) (_ socket, own uint16, err error) {
	h, err := windows.WSASocket(windows.AF_INET, windows.SOCK_DGRAM, windows.IPPROTO_UDP, nil, 0, windows.WSA_FLAG_NO_HANDLE_INHERIT)
	if err != nil {
		return noSocket, 0, err
	}
	s := socket(h)
	loopback := [4]byte{127, 0, 0, 1}
	err = errors.Join(windows.Bind(h, &windows.SockaddrInet4{Addr: loopback}), windows.Connect(h, &windows.SockaddrInet4{Port: port, Addr: loopback}))
	if err != nil {
		return s, 0, err
	}
	_ = windows.SetsockoptInt(h, windows.SOL_SOCKET, windows.SO_RCVBUF, 1<<20) // or less
	notWaiting := C.u_long(1)
	if C.ioctlsocket(C.SOCKET(s), fionbio, &notWaiting) != 0 {
		return s, 0, errors.New("a socket that does not wait: " + windows.GetLastError().Error())
	}
	at, err := windows.Getsockname(h)
	if err != nil {
		return s, 0, err
	}
	return s, uint16(at.(*windows.SockaddrInet4).Port), nil
}

func (s socket) write(b []byte) {
	C.send(C.SOCKET(s), (*C.char)(unsafe.Pointer(unsafe.SliceData(b))), C.int(len(b)), 0)
}

func (s socket) read(b []byte) int {
	n := C.recv(C.SOCKET(s), (*C.char)(unsafe.Pointer(unsafe.SliceData(b))), C.int(len(b)), 0)
	return max(int(n), 0)
}

func (s socket) close() {
	if s != noSocket {
		C.closesocket(C.SOCKET(s))
	}
}

// hearErrors lets a connected socket be told when nobody is there, which Go has switched off.
func hearErrors(c *net.UDPConn) {
	raw, err := c.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		on, n := uint32(1), uint32(0)
		const connReset = windows.IOC_IN | windows.IOC_VENDOR | 12 // SIO_UDP_CONNRESET
		_ = windows.WSAIoctl(windows.Handle(fd), connReset, (*byte)(unsafe.Pointer(&on)), 4, nil, 0, &n, nil, 0)
	})
}
