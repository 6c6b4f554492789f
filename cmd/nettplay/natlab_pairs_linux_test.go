package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// The internet of the lab has a relay and a STUN server at one address. Each of two homes is a
// machine behind a router of some kind; "double" has another router behind that.
const (
	inside     = "45.80.9.1"
	relayAt    = inside + ":21205"
	stunAt     = inside + ":3478"
	pairFrames = "300"
	pairWait   = 90 * time.Second
	punchTime  = 22 * time.Second // in which an answer that was pasted takes effect, and some more
)

// A kind of router. nat is what it does besides letting answers in; X stands for the home's
// machine, W for the network outside.
type routerKind struct {
	name   string
	nat    string
	udp    bool // it lets UDP out
	double bool
	six    bool // with IPv6 and a firewall
	upnp   bool
	frank  bool // it says no to those outside, as OpenWrt does, and not nothing
	narrow bool // it passes no datagram of more than 1,232 bytes, no fragment, and no word of that
}

const masquerade = "chain post { type nat hook postrouting priority 100; oifname W meta nfproto ipv4 masquerade; }"

var routerKinds = []routerKind{
	{name: "full cone", udp: true, nat: masquerade + `
	chain pre { type nat hook prerouting priority -100; iifname W fib daddr type local udp dport 1024-65535 dnat ip to X; }`},
	{name: "address-restricted", udp: true, nat: masquerade + `
	set known { type ipv4_addr; flags dynamic,timeout; timeout 2m; }
	chain out { type filter hook forward priority 10; oifname W meta nfproto ipv4 meta l4proto udp update @known { ip daddr }; }
	chain pre { type nat hook prerouting priority -100; iifname W ip saddr @known udp dport 1024-65535 dnat ip to X; }`},
	{name: "port-restricted", udp: true, frank: true, nat: masquerade},
	{name: "symmetric", udp: true, nat: "chain post { type nat hook postrouting priority 100; oifname W meta nfproto ipv4 masquerade fully-random; }"},
	{name: "double", udp: true, double: true, nat: masquerade},
	{name: "IPv6 firewall", udp: true, six: true, nat: "chain post { type nat hook postrouting priority 100; oifname W meta nfproto ipv4 masquerade fully-random; }"},
	{name: "UPnP", udp: true, upnp: true, nat: "chain post { type nat hook postrouting priority 100; jump postrouting_miniupnpd; oifname W meta nfproto ipv4 masquerade fully-random; }\n" +
		"chain postrouting_miniupnpd { }\nchain pre { type nat hook prerouting priority -100; jump prerouting_miniupnpd; }\nchain prerouting_miniupnpd { }"},
	{name: "UDP blocked", nat: masquerade + `
	chain block { type filter hook forward priority -10; meta l4proto udp drop; }`},
}

func kindOf(name string) routerKind {
	return routerKinds[slices.IndexFunc(routerKinds, func(k routerKind) bool { return k.name == name })]
}

// meets reports whether two such homes can meet without a relay, with an answer sent back.
func meets(a, b routerKind) bool {
	changes := func(k routerKind) bool { return k.name == "symmetric" || k.six } // another port for each address
	strict := func(k routerKind) bool { return changes(k) || k.double || k.name == "port-restricted" }
	switch {
	case !a.udp || !b.udp:
		return false
	case a.six && b.six, a.upnp, b.upnp:
		return true
	}
	return !(changes(a) && strict(b) || changes(b) && strict(a))
}

// pairLab is the internet with two homes.
type pairLab struct {
	*natLab
	core   string                         // the machine that is the internet
	frames string                         // to play; "" for pairFrames
	relays []string                       // beside the one at relayAt
	amid   func(host, friend *labProgram) // what happens once they are in the lobby; may be nil
}

func newPairLab(t *testing.T, programs string, a, b routerKind, relay bool) *pairLab {
	l := newInternet(t, programs, relay, "a", "ra", "oa", "b", "rb", "ob")
	l.home("a", 1, a)
	l.home("b", 2, b)
	l.write("host.toml", fmt.Sprintf("[net]\nstun = [%q]\nforward = %v\n", stunAt, a.upnp)) // without, it need not be waited for
	return l
}

// newInternet is the internet with servers, and machines that are not connected to it yet.
func newInternet(t *testing.T, programs string, relay bool, machines ...string) *pairLab {
	l := &pairLab{natLab: newLab(t, programs, append(machines, "c")...)}
	l.core = l.machine("c")
	for _, name := range []string{"host.toml", "friend.toml"} {
		l.write(name, fmt.Sprintf("[net]\nstun = [%q]\n", stunAt))
	}
	l.in(l.core, "ip", "addr", "add", inside+"/32", "dev", "lo")
	for _, f := range []string{"net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1"} {
		l.in(l.core, "sysctl", "-qw", f)
	}
	if relay {
		l.relay(programs, relayAt)
	}
	l.start(l.core, "stun", os.Args[0], "-test.run", "^TestServeSTUN$")
	return l
}

// relay starts a relay.
func (l *pairLab) relay(programs, at string) {
	l.start(l.core, "relay", filepath.Join(programs, "nettplay-relay"), "--listen", at)
}

// home builds a machine and its routers.
func (l *pairLab) home(x string, n int, k routerKind) {
	host, router, outer := l.machine(x), l.machine("r"+x), l.machine("r"+x)
	wan := l.core
	if k.double {
		outer, wan = l.machine("o"+x), l.machine("o"+x)
		l.cable(router, "100.64.0.2", outer, "100.64.0.1")
		l.in(router, "ip", "route", "add", "default", "via", "100.64.0.1")
		l.firewall(outer, l.core, "100.64.0.2", k)
	}
	const lan = "192.168.1." // in both homes, as it often is
	own, public := fmt.Sprint(lan, n+1), fmt.Sprintf("45.80.%d.", n)
	l.cable(host, own, router, lan+"1")
	l.in(host, "ip", "route", "add", "default", "via", lan+"1")
	l.cable(outer, public+"2", l.core, public+"1")
	l.in(outer, "ip", "route", "add", "default", "via", public+"1")
	l.firewall(router, wan, own, k)
	if k.six {
		l.six(host, router, n)
	}
	if k.upnp {
		l.write("upnp-"+x+".conf", fmt.Sprintf("ext_ifname=%s\nlistening_ip=%s\nenable_natpmp=yes\nenable_upnp=yes\nmin_lifetime=120\nuuid=73a9cb68-a00f-4d2f-8412-75dc989f0c6\nallow 1024-65535 %s0/24 1024-65535\n", l.core, host, lan))
		l.start(router, "upnp-"+x, "miniupnpd", "-d", "-f", filepath.Join(l.dir, "upnp-"+x+".conf"), "-P", filepath.Join(l.dir, "upnp-"+x+".pid"))
	}
}

func (l *pairLab) six(host, router string, n int) {
	lan, public := fmt.Sprintf("2001:db8:%d:1::", n), fmt.Sprintf("2001:db8:%d:2::", n)
	for _, c := range [][]string{
		{host, "ip", "addr", "add", lan + "2/64", "dev", router, "nodad"},
		{router, "ip", "addr", "add", lan + "1/64", "dev", host, "nodad"},
		{router, "ip", "addr", "add", public + "2/64", "dev", l.core, "nodad"},
		{l.core, "ip", "addr", "add", public + "1/64", "dev", router, "nodad"},
		{host, "ip", "route", "add", "default", "via", lan + "1"},
		{router, "ip", "route", "add", "default", "via", public + "1"},
		{l.core, "ip", "route", "add", lan + "/64", "via", public + "2"},
		{router, "sysctl", "-qw", "net.ipv6.conf.all.forwarding=1"},
	} {
		l.in(c[0], c[1:]...)
	}
}

// firewall has a router let answers in and nothing else, besides what its kind does.
func (l *pairLab) firewall(router, wan, home string, k routerKind) {
	l.in(router, "sysctl", "-qw", "net.ipv4.ip_forward=1")
	rules := strings.NewReplacer("W", `"`+wan+`"`, "X", home).Replace(k.nat)
	refuse := "drop"
	if k.frank {
		refuse = "reject"
	}
	l.write(router+".nft", fmt.Sprintf(`table inet filter {
	%s
	chain input { type filter hook input priority 0; iifname != "%[2]s" accept; ct state established,related accept; icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept; %[3]s; }
	chain forward { type filter hook forward priority 0; ct state established,related accept; ct status dnat accept; jump miniupnpd; iifname "%[2]s" drop; }
	chain miniupnpd { }
}
`, rules, wan, refuse))
	l.in(router, "nft", "-f", filepath.Join(l.dir, router+".nft"))
	if k.narrow {
		l.narrow(router)
	}
}

// narrow makes a router one of a path of 1,280 bytes, as VPNs and some PPPoE are, that drops what is larger
// without a word. TCP is told.
func (l *pairLab) narrow(router string) {
	l.write(router+"-narrow.nft", `table inet narrow {
	chain fragments { type filter hook prerouting priority -450; ip frag-off & 0x3fff != 0 drop; exthdr frag exists drop; }
	chain forward { type filter hook forward priority -20; udp length > 1240 counter drop; tcp flags syn tcp option maxseg size set 1220; }
	chain output { type filter hook output priority 0; icmp type destination-unreachable icmp code frag-needed drop; icmpv6 type packet-too-big drop; }
}
`)
	l.in(router, "nft", "-f", filepath.Join(l.dir, router+"-narrow.nft"))
}

// report is the file of a program's report.
func (l *natLab) report(name string) string { return filepath.Join(l.dir, name+".json") }

// outcome is what came of a pair.
type outcome struct {
	Host, Friend string
	Relay        bool
	Path         string // "" when they did not meet
	Seconds      float64
	Told         float64 // seconds until the friend was told that nothing gets through; 0: never
	Says         string  // what the friend is told
}

// meet has two real programs meet and play. Those that cannot are not waited for as long.
func (l *pairLab) meet(a, b routerKind, relay, can bool) (o outcome) {
	o = outcome{Host: a.name, Friend: b.name, Relay: relay}
	paths, err := romstest.WriteFiles(l.dir, romstest.ROM{Name: "save.nds", Data: romstest.Save})
	must.Succeed(l.t, err)
	for _, name := range []string{"host", "friend"} {
		l.saved(name, paths[0])
	}
	frames := cmp.Or(l.frames, pairFrames)
	settings := func(name string) string { return filepath.Join(l.dir, name+".toml") }
	args := []string{l.exe, "host", "--config", settings("host"), "--headless", "--players", "2", "--frames", frames, "--report", l.report("host")}
	if relay {
		args = append(args, "--relay", relayAt)
	}
	for _, r := range l.relays {
		args = append(args, "--relay", r)
	}
	host := l.program(l.machine("a"), "host", append(args, paths[0])...)
	invitation := l.invitation(host, a, relay)
	began := time.Now()
	friend := l.program(l.machine("b"), "friend", l.exe, "join", "--config", settings("friend"), "--headless", "--rom", paths[0], "--frames", frames, "--report", l.report("friend"), invitation)
	met, told := l.lobby(host, friend, relay, can)
	if !told.IsZero() {
		o.Told = told.Sub(began).Seconds()
	}
	if !met {
		o.Says = lastLines(friend.says())
		return o
	}
	o.Seconds = time.Since(began).Seconds()
	if l.amid != nil {
		l.amid(host, friend)
	}
	if err := errors.Join(friend.over(), host.over()); err != nil {
		l.t.Errorf("%s, %s: %v\nthe friend:\n%s\nthe game host:\n%s", a.name, b.name, err, friend.says(), host.says())
		return o
	}
	if diff := gocmp.Diff(seats(l.t, l.report("host")), seats(l.t, l.report("friend"))); diff != "" {
		l.t.Errorf("%s, %s: the consoles differ:\n%s", a.name, b.name, diff)
	}
	for x, k := range map[string]routerKind{"a": a, "b": b} {
		if k.upnp && strings.Contains(l.in(l.machine("r"+x), "nft", "list", "chain", "inet", "filter", "prerouting_miniupnpd"), "dnat") {
			l.t.Errorf("%s, %s: the router %s is left open", a.name, b.name, x)
		}
	}
	o.Path, o.Says = pathOf(l.t, l.report("friend"))
	if path, says := pathOf(l.t, l.report("host")); path == "WebSocket" {
		o.Path, o.Says = path, says
	}
	return o
}

// invitation waits for the best invitation that a game host tells.
func (l *pairLab) invitation(host *labProgram, k routerKind, relay bool) string {
	pattern := regexp.MustCompile(`nettplay://join/\w+`)
	wants := func(text string) bool {
		list := pattern.FindAllString(text, -1)
		text = strings.Join(strings.Fields(text), " ")
		switch {
		case k.udp && (len(list) == 0 || list[0] == list[len(list)-1]):
			return false // the STUN server has not answered
		case relay:
			return strings.Contains(text, "the relay "+relayAt+" brings them in") || strings.Contains(text, "your router lets them in")
		case k.upnp:
			return strings.Contains(text, "your router lets them in")
		}
		return strings.Contains(text, "may not get through") || strings.Contains(text, "friends elsewhere cannot join")
	}
	for deadline := time.Now().Add(pairWait); !wants(host.says()); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			l.t.Fatalf("no invitation:\n%s", host.says())
		}
	}
	list := pattern.FindAllString(host.says(), -1)
	return list[len(list)-1]
}

// lobby waits until the friend is in the lobby. Without a relay, the friend's answers are
// pasted on the other side. told is when the friend was told that nothing gets through.
func (l *pairLab) lobby(host, friend *labProgram, relay, can bool) (met bool, told time.Time) {
	answers := regexp.MustCompile(`nettplay://answer/\w+`)
	pasted := 0
	for deadline := time.Now().Add(pairWait); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		text := friend.says()
		if strings.Contains(text, "2 of 2 seats taken") {
			return true, told
		}
		if told.IsZero() && (friend.ended() || strings.Contains(text, "a router is in the way")) {
			told = time.Now()
			if !can {
				deadline = told.Add(punchTime)
			}
		}
		if friend.ended() {
			return false, told
		}
		if found := answers.FindAllString(text, -1); !relay && len(found) > pasted {
			fmt.Fprintln(host.typed, found[len(found)-1])
			pasted = len(found)
		}
	}
	return false, told
}

// TestLabPairsOfRouters has every kind of home meet every other one, with a relay and without. With
// a relay all meet, by WebSocket where a router lets no UDP out; without one all do that theory
// lets meet; and the same where no path carries more than 1,280 bytes.
func TestLabPairsOfRouters(t *testing.T) {
	programs := labPrograms(t)
	var pairs, narrow, shared []*outcome
	try := func(t *testing.T, name string, relay, can bool, meet func(*testing.T) outcome) *outcome {
		o := new(outcome)
		t.Run(fmt.Sprintf("%s, relay %v", name, relay), func(t *testing.T) {
			t.Parallel()
			*o = meet(t)
			t.Logf("%+v", *o)
			if met := o.Path != ""; met != can {
				t.Errorf("met %v, want %v: %s", met, can, o.Says)
			}
			if o.Path == "" && o.Told == 0 {
				t.Errorf("the friend is not told that nothing gets through: %s", o.Says)
			}
		})
		return o
	}
	t.Run("all", func(t *testing.T) {
		for _, k := range sharedKinds {
			for _, relay := range []bool{true, false} {
				can := k.meets() || relay
				shared = append(shared, try(t, k.name, relay, can, func(t *testing.T) outcome {
					return newSharedLab(t, programs, k, relay).meet(k.routerKind, k.routerKind, relay, can)
				}))
			}
		}
		for i, a := range routerKinds {
			for _, b := range routerKinds[i:] {
				for _, relay := range []bool{true, false} {
					can := relay || meets(a, b)
					for _, list := range []*[]*outcome{&pairs, &narrow} {
						name := a.name + ", " + b.name
						a, b := a, b
						if list == &narrow {
							name += ", 1,280 bytes"
							a.narrow, b.narrow = true, true
						}
						*list = append(*list, try(t, name, relay, can, func(t *testing.T) outcome {
							return newPairLab(t, programs, a, b, relay).meet(a, b, relay, can)
						}))
					}
				}
			}
		}
	})
	if !slices.ContainsFunc(slices.Concat(pairs, narrow, shared), func(o *outcome) bool { return o.Host == "" }) { // all were run
		writePairs(t, pairs, narrow, shared)
	}
}
