package relay

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/seal"
)

// A claim from a forged address leaves nothing behind, and no cookie of another address,
// mailbox or time helps.
func TestNothingIsKeptForForgedAddresses(t *testing.T) {
	s := NewServer(Limits{})
	claim := message{kind: kindClaim, mailbox: hostBox, owner: Owner{1}}
	for i := range 1000 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 9)
		if out, _ := s.Receive(claim.append(nil), from, 0); out[0] != kindProve {
			t.Fatalf("answer %x", out)
		}
	}
	out, _ := s.Receive(claim.append(nil), kidAddr, 0)
	m, _ := decode(out)
	claim.cookie = m.cookie
	other := claim
	other.mailbox = kidBox
	for name, try := range map[string]struct {
		m    message
		from netip.AddrPort
		at   time.Duration
	}{
		"address": {claim, hostAddr, 0},
		"mailbox": {other, kidAddr, 0},
		"time":    {claim, kidAddr, seal.CookieLife + time.Second},
	} {
		if out, _ := s.Receive(try.m.append(nil), try.from, try.at); out[0] != kindProve {
			t.Errorf("the cookie of another %s is good", name)
		}
	}
	if f := s.Figures(); f.Mailboxes != 0 {
		t.Errorf("%d mailboxes are held", f.Mailboxes)
	}
}

func TestRelayIsBounded(t *testing.T) {
	w := newWorld(t, Limits{Mailboxes: 4, PerHost: 2, Rate: 1000})
	for i := range 3 { // the third of one host
		w.join(Mailbox{10, byte(i)}, netip.AddrPortFrom(hostAddr.Addr(), uint16(100+i)))
	}
	for i := range 4 { // the others, each elsewhere
		w.join(Mailbox{20, byte(i)}, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, 0, byte(i)}), 9))
	}
	w.pass(5 * time.Second)
	held := 0
	for _, c := range w.clients {
		if c.Status()[0].Held {
			held++
		}
	}
	if f := w.server.Figures(); f.Mailboxes != 4 || held != 4 {
		t.Errorf("%d mailboxes, %d machines hold one", f.Mailboxes, held)
	}
}

func TestRelayCarriesNoMoreThanItsRate(t *testing.T) {
	w := newWorld(t, Limits{Rate: 10_000})
	w.join(hostBox, hostAddr)
	w.join(kidBox, kidAddr)
	w.pass(time.Second)
	before := w.server.Figures()
	for range 1000 {
		w.send(kidAddr, hostBox.At(1), string(make([]byte, 1000-HeaderSize)))
		w.now += time.Millisecond
	}
	if f := w.server.Figures(); f.Bytes-before.Bytes > 21_000 || f.Carried-before.Carried < 15 || f.Refused < 900 {
		t.Errorf("in a second: %+v", f)
	}
}

// TestAnAddressHasARateToo: many mailboxes of one address get no more than it, and another
// address is not touched.
func TestAnAddressHasARateToo(t *testing.T) {
	w := newWorld(t, Limits{HostRate: 10_000, Rate: 8_000})
	w.join(hostBox, hostAddr)
	one, two := netip.MustParseAddrPort("[2001:db8::1]:1"), netip.MustParseAddrPort("[2001:db8::2]:1")
	other := netip.MustParseAddrPort("[2001:db8:0:1::1]:1")
	for i, at := range []netip.AddrPort{one, two, other} {
		w.join(Mailbox{5, byte(i)}, at)
	}
	w.pass(time.Second)
	sent := map[netip.AddrPort]int{}
	for range 100 {
		for _, at := range []netip.AddrPort{one, two, other} {
			if got, _ := w.send(at, hostBox.At(1), strings.Repeat("x", 200-HeaderSize)); got != "" {
				sent[at] += 200
			}
		}
	}
	if both := sent[one] + sent[two]; both > 10_000 || both < 9_000 || sent[other] < 7_500 {
		t.Errorf("they sent %v", sent)
	}
}

// TestWideNetworks: whoever has many IPv6 networks of 64 bits within one of 48 cannot take all
// mailboxes with them, and others still come in.
func TestWideNetworks(t *testing.T) {
	limits := Limits{PerHost: 2}
	w := newWorld(t, limits)
	at := func(wide, n int) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, 0, byte(wide), 0, byte(n)}), 5000)
	}
	for n := range 4 * WideShare {
		w.join(Mailbox{9, byte(n)}, at(1, n))
	}
	w.pass(5 * time.Second)
	if f := w.server.Figures(); f.Mailboxes != WideShare*limits.PerHost || f.Full == 0 {
		t.Errorf("one network of 48 bits holds %d mailboxes, %d were refused", f.Mailboxes, f.Full)
	}
	w.join(Mailbox{8}, at(2, 0))
	w.pass(5 * time.Second)
	if !w.clients[at(2, 0)].Status()[0].Held {
		t.Error("another one does not come in")
	}
	clear(w.clients)
	w.pass(2 * Lease)
	w.server.expire(w.now)
	if len(w.server.crowd) != 0 {
		t.Errorf("networks are not forgotten: %v", w.server.crowd)
	}
}

// TestStrangersGetFewAnswers: who holds no mailbox is told so, but a flood is not answered whole.
func TestStrangersGetFewAnswers(t *testing.T) {
	s, post := NewServer(Limits{}), message{kind: kindPost, mailbox: kidBox, body: []byte("hello")}
	answers := func(now time.Duration) (n int) {
		for i := range 3 * unknownRate {
			from := netip.AddrPortFrom(kidAddr.Addr(), uint16(i))
			if out, to := s.Receive(post.append(nil), from, now); out != nil {
				if n++; out[0] != kindUnknown || to != from {
					t.Fatalf("answer %x to %v", out, to)
				}
			}
		}
		return n
	}
	for _, at := range []time.Duration{time.Second, 3 * time.Second} {
		if n := answers(at); n != unknownRate {
			t.Errorf("%d of %d strangers are answered at %v", n, 3*unknownRate, at)
		}
	}
}
