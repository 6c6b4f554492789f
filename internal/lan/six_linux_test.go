package lan

import (
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// On a network that has IPv6 alone, rooms are listed with an address by which all of its machines can join. The
// test runs within a network of its own, which it starts itself again in.
func TestBeaconsOverIPv6(t *testing.T) {
	const inside = "NETTPLAY_TEST_SIX"
	if os.Getenv(inside) == "" {
		c := exec.Command(os.Args[0], "-test.run=^TestBeaconsOverIPv6$", "-test.v")
		c.Env = append(os.Environ(), inside+"=1")
		c.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		}
		switch out, err := c.CombinedOutput(); {
		case strings.Contains(string(out), "--- FAIL"):
			t.Fatalf("%s", out)
		case err != nil || !strings.Contains(string(out), "--- PASS"):
			t.Skipf("SKIPPED: here can be no network for a test: %v: %s", err, out)
		}
		return
	}
	for _, line := range []string{
		"link add cable0 type veth peer name cable1",
		"addr add fd12::7/64 dev cable0 nodad",
		"link set cable0 up", "link set cable1 up",
	} {
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Skipf("ip %s: %v: %s", line, err, out)
		}
	}
	changed := make(chan struct{}, 1)
	b, err := Browse(BrowseConfig{Changed: func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}})
	must.Succeed(t, err)
	defer b.Close()
	a, err := Announce(AnnounceConfig{}, sample())
	must.Succeed(t, err)
	defer a.Close()
	for want := netip.MustParseAddrPort("[fd12::7]:21204"); ; <-changed {
		if list := b.Rooms(); len(list) > 0 {
			if list[0].Addr != want {
				t.Errorf("the list is %+v", list)
			}
			return
		}
	}
}
