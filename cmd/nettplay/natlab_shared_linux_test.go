package main

import (
	"fmt"
	"testing"
)

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
