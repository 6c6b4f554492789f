package relay

import (
	"bytes"
	"net/netip"
	"testing"
	"time"
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
