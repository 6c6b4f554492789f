package relay

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/seal"
)

// forge has the relay receive a datagram that somebody has sent with a machine's address.
func (w *world) forge(m message, as netip.AddrPort) {
	w.server.Receive(m.append(nil), as, w.now)
}

// forgeries are questions as one would ask them who does not see what a machine and its relay say to each other.
func forgeries(room Locator) []message {
	return []message{
		{kind: kindPut, mailbox: Mailbox(someCode), entries: []Entry{{KindCode, someCode, nil}}},
		{kind: kindPut, mailbox: Mailbox(room), entries: []Entry{{KindRoom, room, nil}}},
		{kind: kindPublish, mailbox: Mailbox{66}, body: []byte("in the place of the code")},
		{kind: kindAsk, mailbox: Mailbox{66}},
		{kind: kindBrowse, mailbox: Mailbox{66}},
		{kind: kindSeek, mailbox: Mailbox{66}, entries: []Entry{{KindFriend, Locator{66}, nil}}},
	}
}

// published reports whether a relay has code and open room of a machine.
func (w *world) published(room Locator) bool {
	return w.server.index.find(KindCode, someCode) != nil && w.server.index.find(KindRoom, room) != nil
}

// TestForgedQuestionsDoNothing: whoever sends with a holder's address takes neither what it publishes nor its rate.
func TestForgedQuestionsDoNothing(t *testing.T) {
	w := newWorld(t, Limits{})
	host, room := w.join(hostBox, hostAddr), newSigner(1)
	w.join(kidBox, kidAddr)
	host.Publish(someCode, []byte("an invitation"))
	room.publish(host, aListing())
	w.pass(time.Second)
	for range 500 {
		for _, m := range forgeries(room.at()) {
			w.forge(m, hostAddr)
			m.token = token{6, 6, 6}
			w.forge(m, hostAddr)
		}
		if got, _ := w.send(hostAddr, kidBox.At(1), "an input"); got != "an input" || !w.published(room.at()) {
			t.Fatalf("the friend gets %q; code and room are published: %v", got, w.published(room.at()))
		}
	}
	if f := w.server.Figures(); f.Forged != 500*2*int64(len(forgeries(room.at()))) || f.Refused != 0 {
		t.Errorf("%+v", f)
	}
}

// TestForgedAnswersStopNothing: no word with a relay's address makes a machine take it for one that refuses it, ends, or
// knows nothing of what is asked.
func TestForgedAnswersStopNothing(t *testing.T) {
	w := newWorld(t, Limits{})
	host, kid := w.join(hostBox, hostAddr), w.join(kidBox, kidAddr)
	w.pass(time.Second)
	host.Publish(someCode, []byte("an invitation"))
	w.pass(time.Second)
	forged := func(c *Client, box Mailbox) {
		for _, m := range []message{
			{kind: kindRefused, mailbox: box, why: whyTaken},
			{kind: kindLeaving, mailbox: box},
			{kind: kindProve, mailbox: box, cookie: proof{6}},
			{kind: kindHeld, mailbox: box, life: Lease, seen: kidAddr},
			{kind: kindUnknown, mailbox: box},
			{kind: kindNobody, mailbox: Mailbox(someCode)},
			{kind: kindFound, body: []byte("evil.example:21206")},
			{kind: kindRefused, mailbox: Mailbox(someCode), why: whyCode},
		} {
			c.Unwrap(m.append(nil), relayAddr, w.clock())
			m.token = token{6}
			c.Unwrap(m.append(nil), relayAddr, w.clock())
		}
	}
	asked := kid.Ask(someCode)
	for i := range 60 {
		forged(host, hostBox)
		forged(kid, kidBox)
		if got, _ := w.send(kidAddr, hostBox.At(1), "an input"); got != "an input" {
			t.Fatalf("input %d does not arrive", i)
		}
		w.pass(200 * time.Millisecond)
	}
	if st := host.Status()[0]; !st.Held || !st.Public || st.Refused != "" || st.Seen != hostAddr {
		t.Errorf("the host believes %+v", st)
	}
	if got := heard(asked); len(got) != 1 || string(got[0].Invitation) != "an invitation" {
		t.Errorf("the friend is told %+v", got)
	}
	if got := host.Learned(); len(got) != 0 {
		t.Errorf("the host learns of %q", got)
	}
}

// TestOlderProgramsAreServed: who knows no tokens is served without them, also where one of the two is updated or goes back to
// an older version meanwhile; what forgers took away there is there again within seconds.
func TestOlderProgramsAreServed(t *testing.T) {
	w := newWorld(t, Limits{})
	w.older = true
	host, room := w.join(hostBox, hostAddr), newSigner(1)
	w.join(kidBox, kidAddr)
	host.Publish(someCode, []byte("an invitation"))
	room.publish(host, aListing())
	served := func(why string) {
		t.Helper()
		if got, _ := w.send(kidAddr, hostBox.At(1), "hello"); got != "hello" || !w.published(room.at()) || !host.Status()[0].Public {
			t.Errorf("%s: the host gets %q, and publishes %v, %+v", why, got, w.published(room.at()), host.Status())
		}
	}
	w.pass(time.Second)
	served("older ones")
	for _, m := range forgeries(room.at()) {
		w.forge(m, hostAddr)
	}
	if w.published(room.at()) {
		t.Fatal("an older program's word needs a token")
	}
	w.pass(tellAgain + time.Second)
	served("after forgeries")
	host.Unwrap(message{kind: kindRefused, mailbox: hostBox, why: whyTaken}.append(nil), relayAddr, w.clock())
	served("a refusal that nobody asked for")
	w.older = false
	w.pass(2 * claimAgain)
	if !host.relays[0].shows {
		t.Error("a relay that was updated is taken for an older one")
	}
	served("updated")
	w.older, w.server = true, NewServer(Limits{})
	w.pass(2 * claimAgain)
	served("an older relay in its place")
}

// TestWhatIsPublishedIsSaidAgain: what a relay has lost is there again, and saying so costs little.
func TestWhatIsPublishedIsSaidAgain(t *testing.T) {
	w := newWorld(t, Limits{})
	host, room := w.join(hostBox, hostAddr), newSigner(1)
	host.Publish(someCode, []byte("an invitation"))
	room.publish(host, aListing())
	for i := range MaxFriends {
		host.Put(KindFriend, Locator{5, byte(i)}, func(string, Owner) []byte { return numbered(1, "a word") })
	}
	w.pass(5 * time.Second)
	w.server.index.withdraw(w.server.boxes[hostBox])
	w.pass(tellAgain + time.Second)
	if f := w.server.Figures(); !w.published(room.at()) || f.Friends != MaxFriends {
		t.Errorf("after it was lost: %+v", f)
	}
	said := 0
	const long = 5 * time.Minute
	for end := w.now + long; w.now < end; w.now += 50 * time.Millisecond {
		list, _ := host.Due(w.clock())
		for _, d := range list {
			if d.Bytes[0] == kindPut || d.Bytes[0] == kindPublish {
				said++
			}
			w.relay(d, hostAddr)
		}
	}
	if most := (MaxFriends + 2) * int(long/tellAgain+1); said == 0 || said > most {
		t.Errorf("%d things are said again in %v, more than %d", said, long, most)
	}
	if f := w.server.Figures(); f.Refused != 0 {
		t.Errorf("%+v", f)
	}
}

// TestTokensAreOfTheSecondVersion: all that may have one reads as written, is no longer than its question, and is nothing with an
// empty one.
func TestTokensAreOfTheSecondVersion(t *testing.T) {
	for _, m := range samples() {
		plain := m.append(nil)
		m.token = token{1, 2, 3}
		b := m.append(nil)
		got, err := decode(b)
		switch {
		case m.kind == kindClaim:
			if len(b) != claimSize || got.token != m.token {
				t.Errorf("a claim is read as %+v, %v", got, err)
			}
			continue
		case isPlain(m.kind):
			if !bytes.Equal(b, plain) {
				t.Errorf("%#x has a token", m.kind)
			}
			b[1] = tokenVersion
		case err != nil || got.token != m.token || len(b) != len(plain)+len(token{}):
			t.Errorf("%#x is read as %+v, %v", m.kind, got, err)
			continue
		default:
			clear(b[HeaderSize : HeaderSize+len(token{})])
		}
		if _, err := decode(b); err == nil {
			t.Errorf("%#x of the second version is read without a token", m.kind)
		}
	}
}

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
