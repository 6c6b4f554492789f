package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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

// TestLabNarrowPathsOfThree: all paths carry 1,280 bytes. Two of three players lose the way between them amid play, and
// go on through the third.
func TestLabNarrowPathsOfThree(t *testing.T) {
	programs := labPrograms(t)
	l := newInternet(t, programs, true, "a", "ra", "b", "rb", "d", "rd")
	cone := kindOf("full cone")
	cone.narrow = true
	for i, x := range []string{"a", "b", "d"} {
		l.home(x, i+1, cone)
	}
	l.write("host.toml", fmt.Sprintf("[net]\nstun = [%q]\nforward = false\n", stunAt))
	l.frames = "900"
	l.count()
	l.write("cut.nft", `table inet cut {
	chain pass { type filter hook forward priority 0; ip saddr 45.80.3.0/24 ip daddr 45.80.1.0/24 drop; ip saddr 45.80.1.0/24 ip daddr 45.80.3.0/24 drop; }
}
`)
	host, friends := l.three()
	l.untilPlayed("direct", host, friends[0], friends[1])
	l.in(l.core, "nft", "-f", l.dir+"/cut.nft")
	l.kill("--listen", relayAt)
	for i, p := range append(friends, host) {
		if err := p.over(); err != nil {
			t.Fatalf("program %d: %v\n%s", i+1, err, p.says())
		}
	}
	if _, words := pathOf(t, l.report("friend2")); !strings.Contains(words, "through ") || strings.Contains(words, "the relay") {
		t.Errorf("they do not play through the third player: %s", words)
	}
	for _, x := range []string{"friend1", "friend2"} {
		if diff := cmp.Diff(seats(t, l.report("host")), seats(t, l.report(x))); diff != "" {
			t.Errorf("the consoles differ:\n%s", diff)
		}
	}
}

// TestLabNextHostIsMet: the game host's program is killed amid play. The two others, each behind a
// router that lets nobody in, meet by the way that they have kept, and play to the end.
func TestLabNextHostIsMet(t *testing.T) {
	programs := labPrograms(t)
	for _, x := range []struct{ clients, path string }{{"port-restricted", "direct"}, {"symmetric", "relay"}} {
		t.Run(x.clients, func(t *testing.T) {
			t.Parallel()
			l := newInternet(t, programs, true, "a", "ra", "b", "rb", "d", "rd")
			l.home("a", 1, kindOf("full cone"))
			l.home("b", 2, kindOf(x.clients))
			l.home("d", 3, kindOf(x.clients))
			l.write("host.toml", fmt.Sprintf("[net]\nstun = [%q]\nforward = false\n", stunAt))
			l.frames = "900"
			l.count()
			host, friends := l.three()
			l.untilPlayed("direct", host, friends[0], friends[1])
			l.kill("host", "--headless")
			for i, p := range friends {
				if err := p.over(); err != nil {
					t.Fatalf("friend %d: %v\n%s", i+1, err, p.says())
				}
			}
			_ = host.over()
			one, two := l.consoles("friend1"), l.consoles("friend2")
			if diff := cmp.Diff(one, two); diff != "" || len(one) != 3 {
				t.Errorf("the consoles differ:\n%s", diff)
			}
			way, words := pathOf(t, l.report("friend1"))
			if other, _ := pathOf(t, l.report("friend2")); way != x.path && other != x.path {
				t.Errorf("they play on by the path %q, want %q: %s", way, x.path, words)
			}
			t.Logf("%s: %s; play stood still: %s, and %s", x.clients, way, l.stalls("friend1"), l.stalls("friend2"))
		})
	}
}

// three has a game host and two friends meet.
func (l *pairLab) three() (host *labProgram, friends []*labProgram) {
	paths, err := romstest.WriteFiles(l.dir, romstest.ROM{Name: "save.nds", Data: romstest.Save})
	must.Succeed(l.t, err)
	host = l.program(l.machine("a"), "host", l.exe, "host", "--config", l.dir+"/host.toml", "--headless", "--players", "3",
		"--frames", l.frames, "--relay", relayAt, "--report", l.report("host"), paths[0])
	invitation := l.invitation(host, kindOf("full cone"), true)
	for i, x := range []string{"b", "d"} {
		name := fmt.Sprint("friend", i+1)
		p := l.program(l.machine(x), name, l.exe, "join", "--config", l.dir+"/friend.toml", "--headless", "--rom", paths[0],
			"--frames", l.frames, "--report", l.report(name), invitation)
		friends = append(friends, p)
		for deadline := time.Now().Add(pairWait); !strings.Contains(host.says(), fmt.Sprintf("%d of 3 seats taken", i+2)); time.Sleep(20 * time.Millisecond) {
			if p.ended() || time.Now().After(deadline) {
				l.t.Fatalf("%s does not come in:\n%s", name, p.says())
			}
		}
	}
	return host, friends
}

// consoles are all seats of a report.
func (l *pairLab) consoles(name string) (list []any) {
	b := must.Read(l.t, l.report(name))
	var r struct{ Seats []any }
	must.Succeed(l.t, json.Unmarshal(b, &r))
	return r.Seats
}

// TestServeSTUN is a STUN server for the lab, which starts this test in a process.
func TestServeSTUN(t *testing.T) {
	if !slices.Contains(os.Args, "^TestServeSTUN$") {
		t.Skip("it serves until it is killed")
	}
	conn, err := net.ListenPacket("udp4", stunAt)
	if err != nil {
		t.Skip(err)
	}
	b := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(b)
		if err != nil {
			return
		}
		if n < 20 {
			continue
		}
		at := from.(*net.UDPAddr).AddrPort()
		ip := at.Addr().Unmap().As4()
		out := append([]byte{1, 1, 0, 12}, b[4:20]...)
		out = binary.BigEndian.AppendUint16(append(out, 0, 0x20, 0, 8, 0, 1), at.Port()^0x2112)
		for i, mask := range []byte{0x21, 0x12, 0xA4, 0x42} {
			out = append(out, ip[i]^mask)
		}
		_, _ = conn.WriteTo(out, from)
	}
}
