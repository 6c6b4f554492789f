package relay

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// sixMachines are a game host and five players, all of whom are relayed.
func sixMachines(w *world) (list []netip.AddrPort) {
	for i := range 6 {
		at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 3, 0, byte(i)}), 1)
		w.join(Mailbox{6, byte(i)}, at)
		list = append(list, at)
	}
	w.pass(time.Second)
	return list
}

// TestARoomOfSixIsCarried: with the inputs of all, each in a datagram of its own, beside a state on its way to a
// late joiner, the bounds that hold without a setting drop nothing.
func TestARoomOfSixIsCarried(t *testing.T) {
	w := newWorld(t, Limits{})
	six := sixMachines(w)
	const stateBytes, chunk = 1 << 20, 1200 // of a state a second
	state := string(make([]byte, chunk))
	for range 60 * 3 {
		for i := 1; i < 6; i++ {
			w.send(six[i], Mailbox{6, 0}.At(1), string(make([]byte, 100)))
			for range 6 {
				w.send(six[0], Mailbox{6, byte(i)}.At(1), string(make([]byte, 100)))
			}
		}
		for range stateBytes / chunk / 60 {
			w.send(six[0], Mailbox{6, 5}.At(1), state)
		}
		w.now += time.Second / 60
	}
	if f := w.server.Figures(); f.Refused+f.Crowded > 0 {
		t.Errorf("%d and %d are dropped of %d", f.Refused, f.Crowded, f.Carried)
	}
}

// TestAPairHasARate: in bytes and in datagrams; what one machine sends to others is not held up by it, nor is what
// comes back.
func TestAPairHasARate(t *testing.T) {
	for name, x := range map[string]struct {
		limits Limits
		size   int
		most   int
	}{
		"bytes":     {Limits{PairRate: 20_000}, 1000 - HeaderSize, 20},
		"datagrams": {Limits{PairDatagrams: 50}, 10, 50},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, x.limits)
			six := sixMachines(w)
			came := func(from int, to byte) (n int) {
				for range 200 {
					if got, _ := w.send(six[from], Mailbox{6, to}.At(1), string(make([]byte, x.size))); got != "" {
						n++
					}
				}
				return n
			}
			if n := came(1, 0); n != x.most {
				t.Errorf("%d of 200 come at once, not %d", n, x.most)
			}
			if f := w.server.Figures(); f.Crowded != int64(200-x.most) || f.Refused != 0 {
				t.Errorf("%+v", f)
			}
			if there, back := came(1, 2), came(0, 1); there != x.most || back != x.most {
				t.Errorf("%d come elsewhere and %d back, not %d", there, back, x.most)
			}
			if w.now += time.Second; came(1, 0) != x.most {
				t.Error("a second later it has no other rate")
			}
		})
	}
}

// TestSmallDatagramsCostTheirRate: whoever sends empty ones sends no more of them than of middling ones.
func TestSmallDatagramsCostTheirRate(t *testing.T) {
	w := newWorld(t, Limits{Rate: 100 * leastCost})
	w.join(kidBox, kidAddr)
	w.pass(10 * time.Second)
	answered := 0
	for range 1000 {
		if out, _ := w.server.Receive(message{kind: kindPost, mailbox: hostBox, body: []byte{1}}.append(nil), kidAddr, w.now); out != nil {
			answered++
		}
	}
	if answered > 100 || answered < 90 {
		t.Errorf("%d are answered", answered)
	}
}

// TestPairsAreBounded: a machine that sends to ever more others has no more pairs than a room has machines, until some
// of them are silent.
func TestPairsAreBounded(t *testing.T) {
	w := newWorld(t, Limits{PerHost: 200})
	w.join(kidBox, kidAddr)
	for i := range 2 * maxPeers {
		w.join(Mailbox{7, byte(i)}, netip.AddrPortFrom(hostAddr.Addr(), uint16(100+i)))
	}
	w.pass(time.Second)
	carried := func() (n int) {
		for i := range 2 * maxPeers {
			if got, _ := w.send(kidAddr, Mailbox{7, byte(i)}.At(1), "hello"); got != "" {
				n++
			}
		}
		return n
	}
	if n := carried(); n != maxPeers || len(w.server.boxes[kidBox].peers) != maxPeers {
		t.Errorf("%d others are sent to at once, %d are kept", n, len(w.server.boxes[kidBox].peers))
	}
	if w.now += time.Second; carried() != maxPeers || len(w.server.boxes[kidBox].peers) != maxPeers {
		t.Errorf("afterwards %d are kept", len(w.server.boxes[kidBox].peers))
	}
}

// TestSiblingsAreLearned: whoever holds a mailbox is told the other relays of its service, and
// uses two of them.
func TestSiblingsAreLearned(t *testing.T) {
	w := newWorld(t, Limits{})
	c := w.join(hostBox, hostAddr)
	w.pass(2 * time.Second)
	if got := c.Learned(); got != nil {
		t.Fatalf("a relay that stands alone tells %q", got)
	}
	w.server.SetSiblings([]string{"two.example:1", "no name", "three.example:2", "four.example:3"})
	w.pass(siblingsAgain + time.Second)
	if got := c.Learned(); !slices.Equal(got, []string{"two.example:1", "three.example:2"}) || c.Learned() != nil {
		t.Fatalf("it learns %q", got)
	}
	for n, ip := range map[int]string{2: "203.0.113.2:1", 3: "203.0.113.3:2"} {
		c.Resolved(n, []netip.AddrPort{netip.MustParseAddrPort(ip)})
		c.relays[n-1].held = true
	}
	if got := c.Together(1); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("with relay 1 go %v", got)
	}
	if got := c.Together(2); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("with relay 2 go %v", got)
	}
	c.Move(kidBox, c.owner)
	w.pass(siblingsAgain + time.Second)
	if got := c.Learned(); got != nil || len(c.relays) != 3 {
		t.Errorf("in another room it learns %q, and uses %d", got, len(c.relays))
	}
}

// TestSiblingsOfALiar: a relay on the internet cannot have machines speak to those of their own
// networks, to other relays' addresses under a name of its own, or to many.
func TestSiblingsOfALiar(t *testing.T) {
	w := newWorld(t, Limits{})
	c := w.join(hostBox, hostAddr)
	w.pass(time.Second)
	a := c.relays[0]
	for _, text := range []string{strings.Repeat(",", MaxInvitation), strings.Repeat("a", 99) + ":1", "a b:1", "x", "\x00:1", "relay.example:21205"} {
		if a.heardSiblings(message{kind: kindFound, body: []byte(text)}); len(a.family.names) > 0 {
			t.Errorf("%q tells %q", text, a.family.names)
		}
	}
	a.heardSiblings(message{kind: kindFound, body: []byte("a:1,b:1,c:1,d:1,e:1,f:1,g:1,h:1,i:1")})
	if got := c.Learned(); len(a.family.names) != MaxSiblings || len(got) != UsedTogether-1 {
		t.Errorf("%d siblings are kept, %q used", len(a.family.names), got)
	}
	c.Resolved(2, []netip.AddrPort{netip.MustParseAddrPort("192.168.1.1:53"), netip.MustParseAddrPort("[::1]:53"), relayAddr})
	if got := c.relays[1].addrs; len(got) > 0 {
		t.Errorf("it is spoken to at %v", got)
	}
	if c.relays[1].addr, c.relays[1].held = relayAddr, false; len(c.Together(1)) > 0 {
		t.Error("a relay that does not answer is offered")
	}
}

// TestNobodyPublishesAsSiblings: the relay's own word cannot be taken by a holder.
func TestNobodyPublishesAsSiblings(t *testing.T) {
	w := newWorld(t, Limits{})
	c := w.join(hostBox, hostAddr)
	c.Publish(Locator{}, []byte("evil.example:1"))
	w.join(kidBox, kidAddr)
	w.pass(2 * siblingsAgain)
	if got := w.clients[kidAddr].Learned(); got != nil {
		t.Errorf("others learn %q", got)
	}
}

// TestTunnelWhereUDPIsBlocked: a machine whose datagrams do not arrive asks for a tunnel, is
// reached through it, and leaves it when UDP gets through again.
func TestTunnelWhereUDPIsBlocked(t *testing.T) {
	w := newWorld(t, Limits{})
	w.join(hostBox, hostAddr)
	kid := w.join(kidBox, kidAddr)
	w.blocked = kidAddr
	w.pass(time.Second)
	if got := kid.Blocked(); len(got) != 1 || got[0] != 1 || len(kid.Blocked()) != 0 {
		t.Fatalf("tunnels are wanted to %v", got)
	}
	kid.NoTunnel(1)
	if len(kid.Blocked()) != 1 || !kid.Tunnel(1) {
		t.Fatal("after one that failed, none is wanted")
	}
	w.pass(time.Second)
	if st := kid.Status()[0]; !st.Held || !st.Tunnel || st.Seen.IsValid() {
		t.Fatalf("with a tunnel: %+v", st)
	}
	if got, _ := w.send(kidAddr, hostBox.At(1), "hello"); got != "hello" {
		t.Errorf("the host gets %q", got)
	}
	if got, at := w.send(hostAddr, kidBox.At(1), "welcome"); got != "welcome" || at != hostBox.At(1) {
		t.Errorf("the friend gets %q from %v", got, at)
	}
	w.pass(2 * claimAgain)
	if !kid.Status()[0].Tunnel {
		t.Fatal("the tunnel is left while UDP is blocked")
	}
	w.blocked = relayAddr
	w.pass(2 * claimAgain)
	if st := kid.Status()[0]; !st.Held || st.Tunnel || st.Seen != kidAddr {
		t.Errorf("with UDP again: %+v", st)
	}
	if got, _ := w.send(hostAddr, kidBox.At(1), "still there"); got != "still there" {
		t.Errorf("after it the friend gets %q", got)
	}
}

// TestABrokenTunnelIsOpenedAgain: and datagrams that come by none are not the relay's.
func TestABrokenTunnelIsOpenedAgain(t *testing.T) {
	w := newWorld(t, Limits{})
	kid := w.join(kidBox, kidAddr)
	w.blocked = kidAddr
	w.pass(time.Second)
	_ = kid.Blocked()
	forged := message{kind: kindHeld, mailbox: kidBox, life: Lease, seen: kidAddr}.append(nil)
	if kid.Unwrap(forged, TunnelAt(1), w.clock()); kid.Status()[0].Held {
		t.Error("a tunnel that is not open has brought something")
	}
	kid.Tunnel(1)
	w.pass(time.Second)
	kid.NoTunnel(1)
	if kid.Status()[0].Held || IsTunnel(kid.relays[0].addr) {
		t.Error("a mailbox is held through a tunnel that is broken")
	}
	w.pass(2 * time.Second)
	if len(kid.Blocked()) != 1 {
		t.Error("no other one is wanted")
	}
}
