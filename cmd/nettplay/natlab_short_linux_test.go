package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestTwoHomesMeet is a short form of the lab, for each run of the tests: through a router that
// opens for the friend, and by an answer that is sent back, over a path that carries 1,280 bytes.
func TestTwoHomesMeet(t *testing.T) {
	for i, kinds := range [][2]string{{"symmetric", "UPnP"}, {"port-restricted", "port-restricted"}} {
		t.Run(kinds[0]+", "+kinds[1], func(t *testing.T) {
			t.Parallel()
			a, b := kindOf(kinds[0]), kindOf(kinds[1])
			a.narrow, b.narrow = i == 1, i == 1
			if err := labCan(a.upnp || b.upnp); err != nil {
				t.Skipf("SKIPPED: here can be no lab of routers: %v", err)
			}
			exe, err := exec.LookPath("nettplay") // this test binary, as for the scripts
			must.Succeed(t, err)
			if o := newPairLab(t, filepath.Dir(exe), a, b, false).meet(a, b, false, true); o.Path != "direct" {
				t.Errorf("%+v", o)
			}
		})
	}
}

// A network that has IPv6 alone, and only addresses of its own, is as good as another: its game host says by
// which to join, and an invitation has it.
func TestNetworkOfIPv6Alone(t *testing.T) {
	if err := labCan(false); err != nil {
		t.Skipf("SKIPPED: here can be no lab of routers: %v", err)
	}
	exe, err := exec.LookPath("nettplay")
	must.Succeed(t, err)
	for _, invited := range []bool{false, true} {
		t.Run(fmt.Sprintf("invited %v", invited), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, filepath.Dir(exe), "a", "b")
			a, b := l.machine("a"), l.machine("b")
			l.cable(a, "", b, "")
			l.in(a, "ip", "addr", "add", "fd12::1/64", "dev", b, "nodad")
			l.in(b, "ip", "addr", "add", "fd12::2/64", "dev", a, "nodad")
			paths, err := romstest.WriteFiles(l.dir, romstest.ROM{Name: "save.nds", Data: romstest.Save})
			must.Succeed(t, err)
			game := []string{"--headless", "--frames", "60", "--report"}
			hostOver, hostSays := l.start(a, "host", append(append([]string{exe, "host", "--players", "2"}, game...), l.report("host"), paths[0])...)
			way := regexp.MustCompile(`nettplay join (fd12::1)\s`)
			if invited {
				way = regexp.MustCompile(`(nettplay://join/\w+)\s`)
			}
			var to []string
			for deadline := time.Now().Add(time.Minute); to == nil; time.Sleep(50 * time.Millisecond) {
				if to = way.FindStringSubmatch(hostSays()); to == nil && time.Now().After(deadline) {
					t.Fatalf("it does not say how to join:\n%s", hostSays())
				}
			}
			friendOver, friendSays := l.start(b, "friend", append(append([]string{exe, "join", "--rom", paths[0]}, game...), l.report("friend"), to[1])...)
			if err := errors.Join(friendOver(), hostOver()); err != nil {
				t.Fatalf("%v\n%s\nthe game host:\n%s", err, friendSays(), hostSays())
			}
			if diff := cmp.Diff(seats(t, l.report("host")), seats(t, l.report("friend"))); diff != "" {
				t.Errorf("the consoles differ:\n%s", diff)
			}
		})
	}
}

// Two friends behind one router join somebody outside at once, and what one of them does wrong costs the other
// nothing.
func TestTwoFriendsBehindOneRouter(t *testing.T) {
	if err := labCan(false); err != nil {
		t.Skipf("SKIPPED: here can be no lab of routers: %v", err)
	}
	t.Parallel()
	exe, err := exec.LookPath("nettplay")
	must.Succeed(t, err)
	l := newSharedLab(t, filepath.Dir(exe), sharedKinds[0], false)
	paths, err := romstest.WriteFiles(l.dir, romstest.ROM{Name: "save.nds", Data: romstest.Save})
	must.Succeed(t, err)
	hostOver, hostSays := l.start(l.core, "host", exe, "host", "--headless", "--players", "3", "--password", "right", "--frames", "60", "--report", l.report("host"), paths[0])
	invitation := ""
	join := func(home, name, password string) (func() error, func() string) {
		return l.start(l.machine(home), name, exe, "join", "--headless", "--rom", paths[0], "--password", password, "--frames", "60", "--report", l.report(name), invitation)
	}
	for deadline := time.Now().Add(time.Minute); invitation == ""; time.Sleep(50 * time.Millisecond) {
		invitation = regexp.MustCompile(`nettplay://join/\w+\s`).FindString(hostSays())
		if time.Now().After(deadline) {
			t.Fatalf("nobody is invited:\n%s", hostSays())
		}
	}
	var wrong []func() error
	for i := range 4 {
		over, _ := join("a", fmt.Sprintf("wrong%d", i), "wrong")
		wrong = append(wrong, over)
	}
	one, oneSays := join("b", "one", "right")
	for _, over := range wrong {
		if over() == nil {
			t.Error("a wrong password lets somebody in")
		}
	}
	other, otherSays := join("a", "other", "right")
	if err := errors.Join(one(), other()); err != nil {
		t.Fatalf("%v\n%s\n%s\nthe game host:\n%s", err, oneSays(), otherSays(), hostSays())
	}
	if err := hostOver(); err != nil {
		t.Fatalf("%v\n%s", err, hostSays())
	}
	if diff := cmp.Diff(seats(t, l.report("one")), seats(t, l.report("other"))); diff != "" {
		t.Errorf("the consoles differ:\n%s", diff)
	}
}

// A lab that was killed leaves nothing to the next run of the tests, which has other names.
func TestKilledLabsAreRemoved(t *testing.T) {
	if err := labCan(false); err != nil {
		t.Skipf("SKIPPED: here can be no lab of routers: %v", err)
	}
	gone := exec.Command("true")
	must.Succeed(t, gone.Run())
	name := fmt.Sprintf("np%d-1ra", gone.Process.Pid)
	if out, err := exec.Command("ip", "netns", "add", name).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	left := exec.Command("ip", "netns", "exec", name, "sleep", "600")
	must.Succeed(t, left.Start())
	for list := ""; !strings.Contains(list, strconv.Itoa(left.Process.Pid)); { // it has entered
		b, _ := exec.Command("ip", "netns", "pids", name).Output()
		list = string(b)
	}
	mine := newLab(t, "", "a")
	sweepLabs()
	_ = left.Wait() // it was killed
	list, _ := exec.Command("ip", "netns", "list").Output()
	if strings.Contains(string(list), name) || !strings.Contains(string(list), mine.machine("a")) {
		t.Errorf("there are %s", list)
	}
}

// labCan says what keeps this computer from having labs.
func labCan(upnp bool) error {
	if os.Geteuid() != 0 {
		return errors.New("this is not root")
	}
	programs := []string{"ip", "nft", "sysctl"}
	if upnp {
		programs = append(programs, "miniupnpd")
	}
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			return err
		}
	}
	name := labPrefix()
	defer func() { _ = exec.Command("ip", "netns", "del", name).Run() }()
	for _, c := range [][]string{
		{"netns", "add", name},
		{"netns", "exec", name, "sysctl", "-qw", "net.ipv4.ip_forward=1"},
		{"netns", "exec", name, "nft", "add table inet filter; add chain inet filter post { type nat hook postrouting priority 100; }"},
	} {
		if out, err := exec.Command("ip", c...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %q: %w: %s", c, err, out)
		}
	}
	return nil
}
