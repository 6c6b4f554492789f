package helping

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/portmap"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// Reach says whether friends get through to the relay.
type Reach uint8

// The answers.
const (
	Asking  Reach = iota // it is not known yet
	Open                 // they do
	SixOnly              // those do who have IPv6
	Closed               // as far as is known, nobody does
)

// outside is how others see this computer.
type outside struct {
	addr netip.Addr // of IPv4; not valid: nobody said it
	deaf bool       // servers were asked, and nothing comes in at all
}

// known is all that is known of the way to the relay, and of its use.
type known struct {
	on     bool
	port   int
	asks   bool   // the router is asked
	stun   bool   // servers are
	failed string // why it does not run; "": it does

	own     []netip.Addr // of this machine
	asked   bool         // the router has answered, one way or another
	mapped  portmap.Mapping
	refused error // why there is none
	pinhole portmap.Mapping
	looked  bool // servers have said how they see this computer, or not
	outside outside
	passes  bool // the router passes the port on, though it did not say so

	meet         relay.Meetings
	bytes        int64
	came4, came6 bool // somebody far has come in
}

// carrier are addresses that many machines share behind a provider's NAT, and those of some VPNs.
var carrier = netip.MustParsePrefix("100.64.0.0/10")

// far reports whether a machine at an address shows, by being there, that friends get through: it is neither of this
// network nor this machine itself, by way of its router.
func (k *known) far() func(netip.Addr) bool {
	own, out := k.own, []netip.Addr{k.outside.addr, k.mapped.Outside.Addr()}
	return func(a netip.Addr) bool {
		if ds.IsLocal(a) || !a.IsGlobalUnicast() || carrier.Contains(a) || slices.Contains(out, a) {
			return false
		}
		return !slices.ContainsFunc(own, func(o netip.Addr) bool { return ds.Origin(o) == ds.Origin(a) })
	}
}

// ours reports whether an address leads to this relay.
func (k *known) ours(at netip.AddrPort) bool {
	if at == k.mapped.Outside || at == k.pinhole.Outside {
		return at.IsValid()
	}
	return int(at.Port()) == k.port && (at.Addr().IsLoopback() || at.Addr() == k.outside.addr || slices.Contains(k.own, at.Addr()))
}

// behind reports whether the router is behind another one. Its own word goes before ours: some providers' addresses look like
// anybody's.
func (k *known) behind() bool {
	return errors.Is(k.refused, portmap.ErrBehind) || k.mapped.Behind() ||
		k.mapped.Outside.IsValid() && k.outside.addr.IsValid() && k.outside.addr != k.mapped.Outside.Addr()
}

// public reports whether the computer has the address itself by which others see it.
func (k *known) public() bool {
	return k.outside.addr.IsValid() && slices.Contains(k.own, k.outside.addr)
}

// untold reports whether only a test can tell that the router passes the port on, and where.
func (k *known) untold() (at string, unsure bool) {
	if !k.outside.addr.IsValid() || k.public() || k.asks && !k.asked || k.mapped.Outside.IsValid() {
		return "", false
	}
	return k.outsideAt(), true
}

func (k *known) outsideAt() string {
	if !k.outside.addr.IsValid() {
		return ""
	}
	return netip.AddrPortFrom(k.outside.addr, uint16(k.port)).String()
}

// state judges what is known.
func (k *known) state() State {
	if !k.on {
		return State{}
	}
	s := State{On: true, Meet: k.meet.Machines, Rooms: k.meet.Rooms, Bytes: k.bytes, Failed: k.failed != ""}
	if s.Failed {
		s.Reach, s.Words = Closed, k.failed
		return s
	}
	s.At = k.outsideAt()
	if k.mapped.Outside.IsValid() && !k.behind() {
		s.At = k.mapped.Outside.String()
	}
	six := ""
	if i := slices.IndexFunc(k.own, func(a netip.Addr) bool { return a.Is6() && !ds.IsLocal(a) }); i >= 0 {
		six = netip.AddrPortFrom(k.own[i], uint16(k.port)).String()
	}
	if k.pinhole.Outside.IsValid() {
		s.AtSix = k.pinhole.Outside.String()
	} else if k.came6 {
		s.AtSix = six
	}
	s.At = cmp.Or(s.At, six)
	s.Reach, s.Words = k.judge()
	switch {
	case s.Reach == Open:
	case s.AtSix != "":
		s.Reach, s.At = SixOnly, s.AtSix
		s.Words = "Friends who have IPv6 get through, others do not."
		if k.asks && !k.asked {
			s.Words = "Friends who have IPv6 get through. Asking your router to let the others in …"
		}
	}
	return s
}

// judge says whether friends get through over IPv4, or wherever servers see this computer.
func (k *known) judge() (Reach, string) {
	switch {
	case k.came4:
		return Open, "Friends get through: some have come in."
	case k.mapped.Outside.IsValid() && !k.behind():
		return Open, fmt.Sprintf("Friends get through: your router lets them in (%s).", k.mapped.By)
	case k.public():
		return Open, fmt.Sprintf("Friends get through: this computer is on the internet itself. If they do not, let UDP port %d in at its firewall.", k.port)
	case k.passes:
		return Open, fmt.Sprintf("Friends get through: your router passes UDP port %d on to this computer.", k.port)
	case k.asks && !k.asked:
		return Asking, "Asking your router to let friends in …"
	case k.stun && !k.looked:
		return Asking, "Asking how others see this computer …"
	case k.outside.deaf:
		return Closed, "Friends do not get through: this network seems to let no UDP in or out. Let another friend help, or try another network."
	case k.behind():
		return Closed, "Friends do not get through: your router is behind another router, often the provider's. Let another friend help, or run a relay on a rented machine (docs/relay.md)."
	case !k.asks:
		return Closed, fmt.Sprintf("Friends get through only if your router passes UDP port %d on to this computer. Set that up in the router, or let nettplay ask it: Forward the port, in the settings under Network (net.forward).", k.port)
	}
	return Closed, fmt.Sprintf("Friends do not get through: your router did not open UDP port %[1]d by itself. Switch on UPnP in the router, or forward UDP port %[1]d to this computer there. Or let another friend help.", k.port)
}

// probeOutside asks servers how they see this computer over IPv4, where routers are in the way.
func probeOutside(ctx context.Context, bind string, servers []string) (o outside) {
	if len(servers) == 0 {
		return o
	}
	l, err := udp.Listen(udp.Config{Bind: cmp.Or(bind, "0.0.0.0")})
	if err != nil {
		return o
	}
	defer l.Close()
	if at, err := l.Outside(ctx, servers...); err == nil && at.Addr().Is4() {
		return outside{addr: at.Addr()}
	}
	return outside{deaf: l.Deaf()}
}

// testTime is the time that an own datagram has to come back in through the router.
const testTime = 2 * time.Second

// test reports whether what this computer sends to an address of its router comes back to the relay. Many routers do not let
// it, though they let friends in.
func test(ctx context.Context, bind, at string) (passes bool) {
	l, err := udp.Listen(udp.Config{Bind: bind})
	if err != nil {
		return false
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	l.SetMailbox(seal.NewSecret().Mailbox(l.Key()), []string{at})
	for ctx.Err() == nil {
		if s := l.Relays().Status(); len(s) > 0 && s[0].RTT > 0 {
			return true
		}
		pause(ctx, testTime/20)
	}
	return false
}
