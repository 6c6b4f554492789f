package udp

import (
	"errors"
	"net"
	"net/netip"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// unread reports whether datagrams have come that the reader has not got to.
func (l *Link) unread() (some bool) {
	raw, err := l.conn.SyscallConn()
	if err != nil {
		return false
	}
	_ = raw.Control(func(fd uintptr) {
		_, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		some = err == nil
	})
	return some
}

// open sends a datagram that is meant for one's own router alone.
func (l *Link) open(b []byte, to netip.AddrPort) {
	level, kind := unix.IPPROTO_IP, unix.IP_TTL
	if to.Addr().Is6() {
		level, kind = unix.IPPROTO_IPV6, unix.IPV6_HOPLIMIT
	}
	oob := make([]byte, unix.CmsgSpace(4))
	h := (*unix.Cmsghdr)(unsafe.Pointer(&oob[0]))
	h.Level, h.Type = int32(level), int32(kind)
	h.SetLen(unix.CmsgLen(4))
	oob[unix.CmsgLen(0)] = lowTTL // an int32 in the machine's order; the rest is zero
	_, _, _ = l.conn.WriteMsgUDPAddrPort(b, oob, to)
}

// socket is one of the system's, none of Go's, on the loopback.
type socket int

const noSocket socket = -1

// openSocket opens one that is connected with a port, and tells its own. It never waits.
func openSocket(port int) (_ socket, own uint16, err error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return noSocket, 0, err
	}
	loopback := [4]byte{127, 0, 0, 1}
	err = errors.Join(unix.Bind(fd, &unix.SockaddrInet4{Addr: loopback}), unix.Connect(fd, &unix.SockaddrInet4{Port: port, Addr: loopback}))
	if err != nil {
		return socket(fd), 0, err
	}
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 1<<20) // or less
	at, err := unix.Getsockname(fd)
	if err != nil {
		return socket(fd), 0, err
	}
	return socket(fd), uint16(at.(*unix.SockaddrInet4).Port), nil
}

func (s socket) write(b []byte) { _, _ = unix.Write(int(s), b) }

func (s socket) read(b []byte) int {
	n, err := unix.Read(int(s), b)
	if err != nil {
		return 0
	}
	return n
}

func (s socket) close() {
	if s != noSocket {
		_ = unix.Close(int(s))
	}
}

// hearErrors: a connected socket is told when nobody is there.
func hearErrors(*net.UDPConn) {}
