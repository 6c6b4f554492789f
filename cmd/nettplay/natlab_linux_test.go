package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// natLabVariable lets the NAT lab run: "make natlab" sets it, as root.
const natLabVariable = "NETTPLAY_NATLAB"

// natLab is machines that the kernel plays.
type natLab struct {
	t       *testing.T
	dir     string
	exe     string
	prefix  string   // of its machines' names: no other lab on this computer has it
	names   []string // of the machines
	running []*exec.Cmd
	stdin   *os.File // of the next program
}

var labs atomic.Int64

// labPrefix is that of a new lab of this process. With two letters behind it, it is a name for
// a network card, too: of at most 15 letters.
func labPrefix() string { return fmt.Sprintf("np%d-%d", os.Getpid(), labs.Add(1)) }

var labNames = regexp.MustCompile(`^np(\d+)-\d+[a-z]*$`)

var sweepOnce = sync.OnceFunc(sweepLabs)

// sweepLabs removes what killed runs have left: the machines of processes that are gone, with
// all that runs on them.
func sweepLabs() {
	const ownFiles = "/etc/netns" // what machines have in the place of files in /etc
	var names []string
	list, _ := exec.Command("ip", "netns", "list").Output()
	for line := range strings.Lines(string(list)) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		names = append(names, name)
	}
	files, _ := os.ReadDir(ownFiles)
	for _, f := range files {
		names = append(names, f.Name())
	}
	for _, name := range names {
		owner := labNames.FindStringSubmatch(name)
		if owner == nil {
			continue
		}
		if _, err := os.Stat("/proc/" + owner[1]); err == nil {
			continue
		}
		pids, _ := exec.Command("ip", "netns", "pids", name).Output()
		for _, text := range strings.Fields(string(pids)) {
			if pid, err := strconv.Atoi(text); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		_ = exec.Command("ip", "netns", "del", name).Run()
		_ = os.RemoveAll(filepath.Join(ownFiles, name))
	}
	_ = os.Remove(ownFiles) // only where it is empty
}

// labPrograms builds our programs. It skips a test where no lab can be.
func labPrograms(t *testing.T) (dir string) {
	t.Helper()
	if os.Getenv(natLabVariable) == "" {
		t.Skipf("SKIPPED: needs root, network namespaces, nftables and miniupnpd; run make natlab")
	}
	dir = t.TempDir()
	if out, err := exec.Command("go", "build", "-o", dir, ".", "../nettplay-relay").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return dir
}

// newLab makes a lab of such machines.
func newLab(t *testing.T, programs string, machines ...string) *natLab {
	t.Helper()
	sweepOnce()
	l := &natLab{t: t, dir: t.TempDir(), exe: filepath.Join(programs, "nettplay"), prefix: labPrefix()}
	t.Cleanup(l.remove)
	for _, x := range machines {
		name := l.machine(x)
		l.names = append(l.names, name)
		l.run("ip", "netns", "add", name)
		l.in(name, "ip", "link", "set", "lo", "up")
	}
	return l
}

// machine is the name of a machine.
func (l *natLab) machine(x string) string { return l.prefix + x }

// remove ends all programs and removes all machines.
func (l *natLab) remove() {
	for _, c := range l.running {
		_ = c.Process.Kill()
	}
	l.running = nil
	for _, name := range l.names {
		_ = exec.Command("ip", "netns", "del", name).Run()
	}
}

// newNATLab is a home behind a router that forwards nothing by itself and gives each
// connection another port, and somebody on the internet.
func newNATLab(t *testing.T, programs string) *natLab {
	t.Helper()
	l := newLab(t, programs, "h", "r", "i")
	home, router, inet := l.machine("h"), l.machine("r"), l.machine("i")
	l.cable(home, "192.168.7.2", router, "192.168.7.1")
	l.cable(inet, "45.80.0.9", router, "45.80.0.1")
	l.in(home, "ip", "route", "add", "default", "via", "192.168.7.1")
	l.in(router, "sysctl", "-qw", "net.ipv4.ip_forward=1")
	l.write("nat.nft", strings.ReplaceAll(`table inet filter {
	chain forward { type filter hook forward priority 0; ct state established,related accept; jump miniupnpd; iifname "W" drop; }
	chain miniupnpd { }
	chain prerouting { type nat hook prerouting priority -100; jump prerouting_miniupnpd; }
	chain prerouting_miniupnpd { }
	chain postrouting { type nat hook postrouting priority 100; jump postrouting_miniupnpd; oifname "W" masquerade fully-random; }
	chain postrouting_miniupnpd { }
}
`, "W", inet))
	l.in(router, "nft", "-f", filepath.Join(l.dir, "nat.nft"))
	return l
}

// cable connects two machines. Each end has the other machine's name, and no address if that is "".
func (l *natLab) cable(a, addrA, b, addrB string) {
	l.run("ip", "link", "add", b, "netns", a, "type", "veth", "peer", "name", a, "netns", b)
	for _, end := range [][3]string{{a, b, addrA}, {b, a, addrB}} {
		if end[2] != "" {
			l.in(end[0], "ip", "addr", "add", end[2]+"/24", "dev", end[1])
		}
		l.in(end[0], "ip", "link", "set", end[1], "up")
	}
}

func (l *natLab) run(name string, args ...string) string {
	l.t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		l.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func (l *natLab) in(machine string, args ...string) string {
	l.t.Helper()
	return l.run("ip", append([]string{"netns", "exec", machine}, args...)...)
}

func (l *natLab) write(name, text string) {
	must.Succeed(l.t, os.WriteFile(filepath.Join(l.dir, name), []byte(text), 0o600))
}

// start starts a program on a machine; output is what it has said so far.
func (l *natLab) start(machine, name string, args ...string) (wait func() error, output func() string) {
	l.t.Helper()
	log := filepath.Join(l.dir, name+".log")
	f, err := os.Create(log)
	must.Succeed(l.t, err)
	c := exec.Command("ip", append([]string{"netns", "exec", machine}, args...)...)
	c.Stdin, c.Stdout, c.Stderr = nil, f, f
	if l.stdin != nil {
		c.Stdin = l.stdin
	}
	c.Env = append(os.Environ(), "XDG_DATA_HOME="+filepath.Join(l.dir, name), "XDG_CONFIG_HOME="+filepath.Join(l.dir, name))
	must.Succeed(l.t, c.Start())
	l.running = append(l.running, c)
	over := make(chan error, 1)
	go func() { over <- c.Wait(); f.Close() }()
	return func() error { return <-over }, func() string {
		b, _ := os.ReadFile(log)
		return string(b)
	}
}

// saved gives the player of a program a save that cannot be packed, so that a start has something to carry.
func (l *natLab) saved(name, game string) {
	l.t.Helper()
	noise := make([]byte, romstest.SaveSize)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	l.write(name+".sav", string(noise))
	c := exec.Command(l.exe, "saves", "import", game, filepath.Join(l.dir, name+".sav"))
	c.Env = append(os.Environ(), "XDG_DATA_HOME="+filepath.Join(l.dir, name), "XDG_CONFIG_HOME="+filepath.Join(l.dir, name))
	if out, err := c.CombinedOutput(); err != nil {
		l.t.Fatalf("import a save: %v\n%s", err, out)
	}
}

// sixOnly gives all machines IPv6, and takes IPv4 from all but the router. The router's
// firewall lets nobody in from there.
func (l *natLab) sixOnly() {
	home, router, inet := l.machine("h"), l.machine("r"), l.machine("i")
	l.in(router, "sysctl", "-qw", "net.ipv6.conf.all.forwarding=1")
	for _, a := range []struct{ machine, dev, addr, via string }{
		{home, router, "2001:db8:7::2", "2001:db8:7::1"},
		{router, home, "2001:db8:7::1", ""},
		{inet, router, "2001:db8:45::9", "2001:db8:45::1"},
		{router, inet, "2001:db8:45::1", ""},
	} {
		l.in(a.machine, "ip", "addr", "add", a.addr+"/64", "dev", a.dev, "nodad")
		if a.via != "" {
			l.in(a.machine, "ip", "route", "add", "default", "via", a.via)
		}
	}
	l.in(home, "ip", "addr", "del", "192.168.7.2/24", "dev", router)
	l.in(inet, "ip", "addr", "del", "45.80.0.9/24", "dev", router)
}

// TestLabFirstMeeting: a friend on the internet comes in by the invitation alone, through a router
// that a real miniupnpd opens, by each of its protocols; both machines' consoles are equal,
// and the router is as it was afterwards.
func TestLabFirstMeeting(t *testing.T) {
	programs := labPrograms(t)
	for _, x := range []struct {
		protocol string
		six      bool // over IPv6, and nothing over IPv4
	}{{"NAT-PMP", false}, {"UPnP", false}, {"PCP", true}, {"UPnP", true}} {
		protocol := x.protocol
		t.Run(fmt.Sprintf("%s, IPv6 %v", protocol, x.six), func(t *testing.T) {
			l := newNATLab(t, programs)
			friendly := "your router lets them in (" + protocol + ")."
			if x.six {
				l.sixOnly()
				friendly = "Friends who have IPv6 get through."
			}
			yes := map[bool]string{true: "yes", false: "no"}
			l.write("upnp.conf", fmt.Sprintf(`ext_ifname=%s
listening_ip=%s
enable_natpmp=%s
enable_upnp=%s
min_lifetime=120
uuid=73a9cb68-a00f-4d2f-8412-75dc989f0c6
allow 1024-65535 192.168.7.0/24 1024-65535
`, l.machine("i"), l.machine("h"), yes[protocol != "UPnP"], yes[protocol == "UPnP"]))
			_, routerSays := l.start(l.machine("r"), "miniupnpd", "miniupnpd", "-d", "-f", filepath.Join(l.dir, "upnp.conf"), "-P", filepath.Join(l.dir, "upnp.pid"))
			paths, err := romstest.WriteFiles(l.dir, romstest.ROM{Name: "save.nds", Data: romstest.Save})
			must.Succeed(t, err)
			hostOver, hostSays := l.start(l.machine("h"), "host", l.exe, "host", "--headless", "--players", "2", "--frames", "300", "--report", l.report("host"), paths[0])
			for deadline := time.Now().Add(time.Minute); !strings.Contains(strings.Join(strings.Fields(hostSays()), " "), friendly); time.Sleep(100 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("the router was not opened:\n%s", hostSays())
				}
			}
			invitations := regexp.MustCompile(`nettplay://join/\w+`).FindAllString(hostSays(), -1)
			friendOver, friendSays := l.start(l.machine("i"), "friend", l.exe, "join", "--headless", "--rom", paths[0], "--frames", "300", "--report", l.report("friend"), invitations[len(invitations)-1])
			if err := friendOver(); err != nil {
				t.Fatalf("the friend: %v\n%s\nthe game host:\n%s", err, friendSays(), hostSays())
			}
			if err := hostOver(); err != nil {
				t.Fatalf("the game host: %v\n%s", err, hostSays())
			}
			if diff := cmp.Diff(seats(t, l.report("host")), seats(t, l.report("friend"))); diff != "" {
				t.Errorf("the consoles differ:\n%s", diff)
			}
			if rules := l.in(l.machine("r"), "nft", "list", "ruleset"); strings.Contains(rules, "dnat") || strings.Contains(rules, "dport") {
				t.Errorf("the router still lets the port in:\n%s\n%s", rules, routerSays())
			}
		})
	}
}

// seats are the hashes of all consoles in a report.
func seats(t *testing.T, path string) (hashes []string) {
	t.Helper()
	b := must.Read(t, path)
	var r struct{ Seats []struct{ Hash string } }
	if err := json.NewDecoder(bytes.NewReader(b)).Decode(&r); err != nil || len(r.Seats) < 2 {
		t.Fatalf("%s: %v, %d seats", path, err, len(r.Seats))
	}
	for _, s := range r.Seats {
		if s.Hash == "" {
			t.Fatalf("%s: a console without a hash", path)
		}
		hashes = append(hashes, s.Hash)
	}
	return hashes
}

// labProgram is a program on a machine of the lab.
type labProgram struct {
	cmd   *exec.Cmd
	typed *os.File
	says  func() string
	done  chan struct{}
	err   error
}

// program starts a program that takes what is typed.
func (l *pairLab) program(machine, name string, args ...string) *labProgram {
	l.t.Helper()
	in, typed, err := os.Pipe()
	must.Succeed(l.t, err)
	p := &labProgram{typed: typed, done: make(chan struct{})}
	l.stdin = in
	wait, says := l.start(machine, name, args...)
	p.cmd = l.running[len(l.running)-1]
	l.stdin = nil
	in.Close()
	l.t.Cleanup(func() { typed.Close() })
	p.says = says
	go func() { p.err = wait(); close(p.done) }()
	return p
}

func (p *labProgram) over() error { <-p.done; return p.err }

func (p *labProgram) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " ")
}

// pathOf is the path that a game took, from a report.
func pathOf(t *testing.T, path string) (way, words string) {
	b := must.Read(t, path)
	var r struct{ Ways []string }
	must.Succeed(t, json.Unmarshal(b, &r))
	for _, w := range r.Ways {
		if strings.Contains(w, "by WebSocket") {
			return "WebSocket", w
		}
	}
	if len(r.Ways) > 0 {
		return "relay", r.Ways[0]
	}
	return "direct", ""
}

// sharedKind is a router behind which both friends are.
type sharedKind struct {
	routerKind
	apart bool // it lets the machines of its network not speak to each other, as guest networks do
}

const (
	sharedOutside = "45.80.1.2"

	// hairpin lets machines behind a router reach each other by the router's address outside.
	hairpin = `map ports { type inet_service : ipv4_addr; flags dynamic,timeout; timeout 2m; }
	chain out { type filter hook forward priority 10; oifname W meta nfproto ipv4 meta l4proto udp update @ports { udp sport : ip saddr }; }
	chain pre { type nat hook prerouting priority -100; iifname != W ip daddr ` + sharedOutside + ` dnat ip to udp dport map @ports; }
	chain post { type nat hook postrouting priority 100; oifname W meta nfproto ipv4 masquerade; ip saddr 192.168.1.0/24 ip daddr 192.168.1.0/24 snat ip to ` + sharedOutside + `; }`
)

var sharedKinds = []sharedKind{
	{routerKind: routerKind{name: "no hairpin", udp: true, nat: masquerade}},
	{routerKind: routerKind{name: "hairpin", udp: true, nat: hairpin}},
	{routerKind: routerKind{name: "keeps machines apart, hairpin", udp: true, nat: hairpin}, apart: true},
	{routerKind: routerKind{name: "keeps machines apart, no hairpin", udp: true, nat: masquerade}, apart: true},
}

// meets reports whether friends meet behind such a router without a relay.
func (k sharedKind) meets() bool { return !k.apart || k.nat == hairpin }

// newSharedLab is the internet with one home, in which both friends are.
func newSharedLab(t *testing.T, programs string, k sharedKind, relay bool) *pairLab {
	l := newInternet(t, programs, relay, "a", "b", "r")
	l.write("host.toml", fmt.Sprintf("[net]\nstun = [%q]\nforward = false\n", stunAt))
	router := l.machine("r")
	l.in(router, "ip", "link", "add", "lan", "type", "bridge")
	l.in(router, "sysctl", "-eqw", "net.bridge.bridge-nf-call-iptables=0") // it would send what comes by hairpin straight on
	l.in(router, "ip", "addr", "add", "192.168.1.1/24", "dev", "lan")
	l.in(router, "ip", "link", "set", "lan", "up")
	for i, x := range []string{"a", "b"} {
		home := l.machine(x)
		l.cable(home, fmt.Sprintf("192.168.1.%d", i+2), router, "")
		l.in(home, "ip", "route", "add", "default", "via", "192.168.1.1")
		l.in(router, "ip", "link", "set", home, "master", "lan")
		if k.apart {
			l.in(router, "ip", "link", "set", home, "type", "bridge_slave", "isolated", "on")
		}
	}
	l.cable(router, sharedOutside, l.core, "45.80.1.1")
	l.in(router, "ip", "route", "add", "default", "via", "45.80.1.1")
	l.firewall(router, l.core, "", k.routerKind)
	return l
}

const pairsIntro = `# Routers through which friends meet

Made by ` + "`make natlab`" + ` with two real programs that play %s frames to equal consoles, between network
namespaces with nftables and a real miniupnpd. Seconds are from the start of the friend's program, with the
invitation, to the lobby. Without a relay, the friend's program shows an answer once it has tried all addresses
for five seconds; it is pasted at the game host's at once. Each program asks its router to let friends in;
"UPnP" does. A dash: they do not meet, and the friend is told so after that time. "At 1,280" both routers drop each
datagram that makes a packet of IPv6 of more than 1,280 bytes, and all fragments, without a word, as many VPNs do.

`

// writePairs writes the tables for the documentation.
func writePairs(t *testing.T, pairs, narrow, shared []*outcome) {
	var b strings.Builder
	var seconds []float64
	fmt.Fprintf(&b, pairsIntro, pairFrames)
	cell := func(o *outcome) string {
		if o.Path == "" {
			return fmt.Sprintf("–, %.1f s", o.Told)
		}
		return fmt.Sprintf("%s, %.1f s", o.Path, o.Seconds)
	}
	rows := func(name func(o *outcome) string, tables ...[]*outcome) {
		for i := 0; i < len(tables[0]); i += 2 {
			fmt.Fprintf(&b, "| %s |", name(tables[0][i]))
			for _, table := range tables {
				with, without := table[i], table[i+1]
				fmt.Fprintf(&b, " %s | %s |", cell(with), cell(without))
				if with.Path != "" {
					seconds = append(seconds, with.Seconds)
				}
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("| game host's router | friend's router | with a relay | without | with a relay, at 1,280 | without, at 1,280 |\n|---|---|---|---|---|---|\n")
	rows(func(o *outcome) string { return o.Host + " | " + o.Friend }, pairs, narrow)
	b.WriteString("\nBoth behind one router:\n\n| router | with a relay | without |\n|---|---|---|\n")
	rows(func(o *outcome) string { return o.Host }, shared)
	slices.Sort(seconds)
	b.WriteString("\nTwo symmetric routers also meet by a third friend with UPnP ([Help my friends meet](hosting.md#help-my-friends-meet)), who plays with them or\ndoes not.\n")
	fmt.Fprintf(&b, "\nWith a relay the median is %.1f s and the longest %.1f s.\n", seconds[len(seconds)/2], seconds[len(seconds)-1])
	must.Succeed(t, os.WriteFile("../../docs/natlab.md", []byte(b.String()), 0o644))
}
