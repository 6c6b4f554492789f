package udp

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/portmap"
	"github.com/nettplay/nettplay/internal/testing/must"
)

const (
	inNetwork = "NETTPLAY_TEST_IN_NETWORK"
	lasting   = "2001:db8:5::2"
	gateway   = "2001:db8:5::9"
)

// A machine has an IPv6 address for a day beside the one that it keeps. What others are told, what the router is asked to let in, and
// what our datagrams come from is the one that it keeps.
func TestLastingAddress(t *testing.T) {
	if os.Getenv(inNetwork) == "" {
		inOwnNetwork(t)
		return
	}
	const friend, pcp = 7000, 5351
	to := netip.AddrPortFrom(netip.MustParseAddr(gateway), friend)
	from := cable(t)
	other, err := net.ListenUDP("udp", nil)
	must.Succeed(t, err)
	defer other.Close()
	_, err = other.WriteToUDPAddrPort([]byte("hello"), to)
	must.Succeed(t, err)
	if a := from(friend); a == lasting {
		t.Fatalf("other programs send from %v as well: this network proves nothing", a)
	}

	l := listenENet(t, Config{Bind: "::"})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { _, _ = l.Outside(ctx, to.String()) }()
	if a := from(friend); a != lasting {
		t.Errorf("a link sends from %v, not from %s", a, lasting)
	}
	if told := link.Local(); len(told) == 0 || told[0].String() != lasting {
		t.Errorf("others are told %v, not %s first", told, lasting)
	}
	go portmap.Keep(ctx, l.conn.LocalAddr().(*net.UDPAddr).Port, nil, func(portmap.Mapping, error) {})
	if a := from(pcp); a != lasting {
		t.Errorf("the router is asked by %v to let in what is for it, not by %s", a, lasting)
	}
}

// inOwnNetwork runs a test in a process with a network of its own.
func inOwnNetwork(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skipf("SKIPPED: %v (iproute2)", err)
	}
	self, err := os.Executable()
	must.Succeed(t, err)
	c := exec.CommandContext(t.Context(), self, "-test.v", "-test.run=^"+t.Name()+"$")
	c.Env = append(os.Environ(), inNetwork+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Getuid() != 0 {
		c.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		c.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		c.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := c.CombinedOutput()
	switch {
	case err != nil && c.ProcessState == nil:
		t.Skipf("SKIPPED: no network of its own here: %v", err)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("%s", out)
	case !strings.Contains(string(out), "--- PASS"):
		t.Fatalf("nothing ran:\n%s", out)
	}
}

// cable gives this process, in a network of its own, two addresses and a way to a router at the other end of a cable. It returns what
// waits there for a datagram to a port, and tells where that came from.
func cable(t *testing.T) (from func(port uint16) string) {
	t.Helper()
	must.Succeed(t, os.WriteFile("/proc/sys/net/ipv6/conf/default/use_tempaddr", []byte("2"), 0)) // as desktops have it
	for _, line := range []string{
		"link set lo up",
		"link add eth0 type veth peer name far",
		"link set far up",
		"link set eth0 up",
		"addr add " + lasting + "/64 dev eth0 nodad mngtmpaddr",
		"neigh add " + gateway + " lladdr 02:00:00:00:00:09 dev eth0",
		"route add default via " + gateway + " dev eth0",
	} {
		if out, err := exec.Command("ip", strings.Fields("-6 "+line)...).CombinedOutput(); err != nil {
			t.Skipf("SKIPPED: ip %s: %v: %s", line, err, out)
		}
	}
	for list := ""; !strings.Contains(list, "temporary") || strings.Contains(list, "tentative"); time.Sleep(10 * time.Millisecond) {
		out, err := exec.CommandContext(t.Context(), "ip", "-6", "addr", "show", "dev", "eth0", "scope", "global").Output()
		must.Succeed(t, err)
		list = string(out)
	}
	far, err := net.InterfaceByName("far")
	must.Succeed(t, err)
	const protocol = unix.ETH_P_IPV6<<8&0xff00 | unix.ETH_P_IPV6>>8 // in the network's order
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM, protocol)
	must.Succeed(t, err)
	t.Cleanup(func() { _ = unix.Close(fd) })
	must.Succeed(t, unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: protocol, Ifindex: far.Index}))
	must.Succeed(t, unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 60}))
	return func(port uint16) string {
		t.Helper()
		for b := make([]byte, 2000); ; {
			n, err := unix.Read(fd, b)
			must.Succeed(t, err)
			const head, udp = 40, 17
			if n > head+4 && b[6] == udp && binary.BigEndian.Uint16(b[head+2:]) == port {
				return netip.AddrFrom16([16]byte(b[8:])).String()
			}
		}
	}
}
