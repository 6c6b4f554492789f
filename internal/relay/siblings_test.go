package relay

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

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
