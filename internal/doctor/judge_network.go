package doctor

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/portmap"
	"github.com/nettplay/nettplay/internal/relay"
)

// Network is all that is known of the way to others.
type Network struct {
	Err     error            // why nothing could be tried; nil: it could
	Own     []netip.AddrPort // addresses of this machine itself
	Servers []Server         // that were asked how they see this machine
	Relays  []relay.Status   // of the settings
	Asked   bool             // the router was asked to let friends in
	Mapping portmap.Mapping  // what it answered
	Refused error
	Helps   bool // friends are to meet at this computer
	HelpAt  int  // UDP port of that
	Helping bool // they can now: a relay answers there
}

// Server is a STUN server.
type Server struct {
	Name string
	Seen netip.AddrPort // this machine, from there
	RTT  time.Duration
	Err  error // no answer
}

func judgeNetwork(n Network) []Finding {
	if n.Err != nil {
		return []Finding{{Subject: "network", Group: TheNetwork, Mark: Bad, Words: "This computer cannot send anything.", Advice: "Is it on a network? Is net.bind in the settings an address of it?", Detail: n.Err.Error()}}
	}
	list := []Finding{judgeNAT(n), judgeMapping(n), judgeIPv6(n), judgeHelp(n)}
	for _, s := range n.Servers {
		f := Finding{Subject: "server", Group: TheNetwork, Words: fmt.Sprintf("%s answers in %d ms.", s.Name, s.RTT.Round(time.Millisecond).Milliseconds())}
		if s.Err != nil {
			f.Mark, f.Words, f.Detail = Fair, s.Name+" does not answer.", s.Err.Error()
			if dns, ok := errors.AsType[*net.DNSError](s.Err); ok && dns.IsNotFound {
				f.Words, f.Advice = fmt.Sprintf("There is no server called %s.", s.Name), "Is the name right (net.stun)?"
			}
		}
		list = append(list, f)
	}
	for _, r := range n.Relays {
		list = append(list, judgeRelay(r))
	}
	return list
}

func judgeRelay(r relay.Status) Finding {
	switch {
	case r.Held && r.Tunnel:
		return Finding{Subject: "relay", Group: TheNetwork, Mark: Fair, Words: fmt.Sprintf("%s answers in %d ms, by WebSocket only: this network blocks UDP.", r.Relay, r.RTT.Round(time.Millisecond).Milliseconds()), Advice: "You can play through it. Each lost packet holds up the others, so choose a higher delay, or use another connection."}
	case r.Held:
		return Finding{Subject: "relay", Group: TheNetwork, Words: fmt.Sprintf("%s answers in %d ms.", r.Relay, r.RTT.Round(time.Millisecond).Milliseconds())}
	case r.Refused != "":
		return Finding{Subject: "relay", Group: TheNetwork, Mark: Fair, Words: fmt.Sprintf("%s does not help: %s.", r.Relay, r.Refused), Advice: "The setting net.relays has them."}
	}
	if r.Nowhere {
		return Finding{Subject: "relay", Group: TheNetwork, Mark: Fair, Words: fmt.Sprintf("There is no relay %s: no server has that name.", r.Relay), Advice: "Is the name right (net.relays)?"}
	}
	return Finding{Subject: "relay", Group: TheNetwork, Mark: Fair, Words: r.Relay + " does not answer.", Advice: "Is its address right (net.relays), and does it run?"}
}

// judgeNAT says how strict the router is. One that gives this machine the same port for two
// servers lets friends in who send at the same time.
func judgeNAT(n Network) Finding {
	f := Finding{Subject: "router", Group: TheNetwork}
	var seen []netip.AddrPort
	for _, s := range n.Servers {
		if s.Err == nil && s.Seen.Addr().Is4() {
			seen = append(seen, s.Seen)
		}
	}
	answers := slices.ContainsFunc(n.Servers, func(s Server) bool { return s.Err == nil })
	switch {
	case len(n.Servers) == 0:
		f.Mark, f.Words, f.Advice = Fair, "No server was asked how others see this computer.", "The setting net.stun has the servers for that."
	case !answers:
		f.Mark, f.Words = Bad, "No server answers: this computer is not on the internet, or something blocks UDP."
		f.Advice = "On your own network you can play. For the internet, allow UDP in the firewall, or use another connection."
	case len(seen) == 0:
		f.Words = "Others see this computer over IPv6 only."
	case slices.Contains(n.Own, seen[0]):
		f.Words = "This computer is on the internet itself."
	case len(seen) == 1:
		f.Mark, f.Words, f.Advice = Fair, fmt.Sprintf("Others see this computer at %v; two answers are needed to tell how strict the router is.", seen[0]), "Try again."
	case slices.ContainsFunc(seen, func(a netip.AddrPort) bool { return a != seen[0] }):
		f.Mark, f.Words = Fair, "The router is strict: it gives this computer another port for each friend."
		f.Advice = "Let a friend with another router host, or see what the router's settings allow (port, below)."
	default:
		f.Words = "The router uses one port for all friends: most get through."
	}
	return f
}

func judgeMapping(n Network) Finding {
	f := Finding{Subject: "port", Group: TheNetwork}
	const advice = "To host, switch on UPnP or NAT-PMP in the router; the friend's answer helps where that is not possible."
	switch {
	case !n.Asked:
		f.Mark, f.Words, f.Advice = Fair, "nettplay does not ask the router to let friends in.", "The setting net.forward turns that on."
	case n.Mapping.Behind() || errors.Is(n.Refused, portmap.ErrBehind):
		f.Mark, f.Words = Fair, "The router is behind another router."
		if n.Mapping.By != "" {
			f.Words = fmt.Sprintf("The router (%s) is behind another router.", n.Mapping.By)
		}
		f.Advice = "To host, let that one pass everything on to yours (\"bridge mode\"), or let a friend host."
	case n.Refused != nil:
		f.Mark, f.Words, f.Advice, f.Detail = Fair, "The router does not open ports on request.", advice, n.Refused.Error()
	default:
		f.Words = fmt.Sprintf("The router lets friends in (%s).", n.Mapping.By)
	}
	return f
}

// judgeHelp says whether friends whose routers keep them apart meet at this computer, or could.
func judgeHelp(n Network) Finding {
	f := Finding{Subject: "helping", Group: TheNetwork}
	reached := n.Refused == nil && n.Mapping.By != "" && !n.Mapping.Behind() ||
		slices.ContainsFunc(n.Servers, func(s Server) bool { return s.Err == nil && slices.Contains(n.Own, s.Seen) })
	switch {
	case !n.Helps && reached:
		f.Words = "Friends whose routers keep them apart could meet at this computer (“Help my friends meet”, in the settings: net.help_friends)."
	case !n.Helps:
		f.Words = "Friends whose routers keep them apart cannot meet at this computer, it seems: nobody gets in from the internet."
	case !n.Helping:
		f.Words = "Friends meet at this computer while nettplay is open: no relay runs now."
	case !reached:
		f.Mark, f.Words = Fair, fmt.Sprintf("The relay for your friends runs, at UDP port %d, but nobody is known to get in from the internet.", n.HelpAt)
		f.Advice = fmt.Sprintf("Switch on UPnP in the router, or forward UDP port %d to this computer there. Or let another friend help.", n.HelpAt)
	default:
		f.Words = fmt.Sprintf("The relay for your friends runs, at UDP port %d, and the internet reaches this computer.", n.HelpAt)
	}
	return f
}

func judgeIPv6(n Network) Finding {
	for _, a := range n.Own {
		if ip := a.Addr(); ip.Is6() && ip.IsGlobalUnicast() && !ds.IsLocal(ip) {
			return Finding{Subject: "IPv6", Group: TheNetwork, Words: "This computer has an IPv6 address: friends who have one too need no other way."}
		}
	}
	return Finding{Subject: "IPv6", Group: TheNetwork, Mark: Fair, Words: "This computer has no IPv6 address.", Advice: "Many providers give one: see the router's settings. Most friends get through without."}
}

// The line to a friend spoils play from here on.
const (
	slowDelay = 15   // frames: a quarter of a second
	leakyLine = 0.10 // share of the datagrams
)

func judgeLine(s link.Stats, err error) Finding {
	f := Finding{Subject: "connection", Group: Friends}
	if err != nil {
		f.Mark, f.Words, f.Advice = Bad, phrase.Sentence(err.Error()), link.Hint(err)
		if dial, ok := errors.AsType[*link.DialError](err); ok {
			f.Words, f.Detail = fmt.Sprintf("Could not connect to %s: %v.", dial.Addr, dial.Why), err.Error()
		}
		return f
	}
	loss := max(s.Loss, s.LossIn)
	delay := room.SuggestDelay(s.RTT, s.Jitter)
	f.Words = fmt.Sprintf("The ping to your friend is %d ms ±%d, and %.1f%% of the packets are lost. An input delay of %d suits that.",
		s.RTT.Round(time.Millisecond).Milliseconds(), s.Jitter.Round(time.Millisecond).Milliseconds(), 100*loss, delay)
	switch {
	case loss > leakyLine:
		f.Mark, f.Advice = Bad, "Too much is lost: use a cable instead of a wireless network, or another connection."
	case delay >= slowDelay:
		f.Mark, f.Advice = Bad, fmt.Sprintf("Each press takes effect %d ms later: too late for most games.", ds.FrameTime(int64(delay)).Milliseconds())
	case loss > leakyLine/3:
		f.Mark, f.Advice = Fair, "A cable instead of a wireless network would help."
	}
	return f
}
