package relay

import (
	"bytes"
	"net/netip"
	"testing"
	"time"
)

var someCode = Locator{7, 7}

// heard is what relays have answered to a question so far.
func heard(answers <-chan Answer) (list []Answer) {
	for {
		select {
		case a := <-answers:
			list = append(list, a)
		default:
			return list
		}
	}
}

// TestACodeIsFoundWhileItsRoomIsThere: as long as its host is there, also after the relay was
// started anew, and no longer.
func TestACodeIsFoundWhileItsRoomIsThere(t *testing.T) {
	w := newWorld(t, Limits{})
	host, friend := w.join(hostBox, hostAddr), w.join(kidBox, kidAddr)
	host.Publish(someCode, []byte("an invitation"))
	w.pass(time.Second)
	asked := friend.Ask(someCode)
	w.pass(time.Second)
	if got := heard(asked); len(got) != 1 || string(got[0].Invitation) != "an invitation" || !host.Status()[0].Public {
		t.Fatalf("the friend is told %+v; the host %+v", got, host.Status())
	}
	host.Publish(someCode, bytes.Repeat([]byte{1}, MaxInvitation))
	w.server = NewServer(Limits{})
	w.pass(2 * claimAgain)
	asked = friend.Ask(someCode)
	w.pass(time.Second)
	if got := heard(asked); len(got) != 1 || len(got[0].Invitation) != MaxInvitation {
		t.Fatalf("after the relay was started anew: %+v", got)
	}
	delete(w.clients, hostAddr)
	w.pass(2 * Lease)
	asked = friend.Ask(someCode)
	w.pass(time.Second)
	if got := heard(asked); len(got) != 1 || got[0].Invitation != nil || w.server.Figures().Codes != 0 {
		t.Errorf("after the host has gone: %+v, %+v", got, w.server.Figures())
	}
}

// TestStrangersLearnNothingOfCodes: who has not shown that they get the answers is told the
// same whether there is a room or not, and holders cannot try many codes.
func TestStrangersLearnNothingOfCodes(t *testing.T) {
	w := newWorld(t, Limits{})
	host := w.join(hostBox, hostAddr)
	host.Publish(someCode, []byte("an invitation"))
	w.pass(time.Second)
	ask := func(l Locator) []byte {
		out, _ := w.server.Receive(message{kind: kindAsk, mailbox: Mailbox(l), token: w.token(kidAddr)}.append(nil), kidAddr, w.now)
		return out
	}
	there, not := ask(someCode), ask(Locator{1})
	if len(there) != HeaderSize || len(not) != HeaderSize || there[0] != not[0] || there[0] != kindUnknown {
		t.Errorf("a stranger is told %x and %x", there, not)
	}
	w.join(kidBox, kidAddr)
	w.pass(time.Second)
	answered := 0
	for i := range 10_000 {
		if ask(Locator{byte(i >> 8), byte(i)}) != nil {
			answered++
		}
	}
	if most := (Limits{}).WithDefaults().Rate / askCost; answered == 0 || answered > most {
		t.Errorf("%d guesses at once were answered, more than %d", answered, most)
	}
}

// TestNobodyTakesACode: neither does another one's publishing replace an invitation, nor does
// a holder publish more than one.
func TestNobodyTakesACode(t *testing.T) {
	w := newWorld(t, Limits{})
	host, thief := w.join(hostBox, hostAddr), w.join(kidBox, kidAddr)
	host.Publish(someCode, []byte("an invitation"))
	w.pass(time.Second)
	thief.Publish(someCode, []byte("mine"))
	w.pass(time.Second)
	if st := thief.Status()[0]; st.Public || st.Refused == "" || !st.Held {
		t.Errorf("the thief is told %+v", st)
	}
	if got := w.server.index.find(KindCode, someCode); string(got) != "an invitation" {
		t.Errorf("the code gives %q", got)
	}
	for i := range 100 {
		thief.Publish(Locator{9, byte(i)}, []byte("mine"))
		w.pass(200 * time.Millisecond)
	}
	if f := w.server.Figures(); f.Codes != 2 {
		t.Errorf("two machines publish %d codes", f.Codes)
	}
}

// TestNextHostHasTheCode: a game host that goes withdraws its invitation, and the next one's, which waits, is
// found in its place within seconds.
func TestNextHostHasTheCode(t *testing.T) {
	w := newWorld(t, Limits{})
	first, next, friend := w.join(hostBox, hostAddr), w.join(Mailbox{9}, netip.MustParseAddrPort("198.51.100.9:9")), w.join(kidBox, kidAddr)
	first.Publish(someCode, []byte("the first"))
	w.pass(time.Second)
	next.Publish(someCode, []byte("the next"))
	w.pass(time.Second)
	if next.Status()[0].Public || len(next.Withdraw()) != 0 {
		t.Fatal("two machines publish the same code")
	}
	next.Publish(someCode, []byte("the next"))
	said := first.Withdraw()
	for _, d := range said {
		w.server.Receive(d.Bytes, hostAddr, w.now)
	}
	w.pass(codeAgain + time.Second)
	asked := friend.Ask(someCode)
	w.pass(time.Second)
	if got := heard(asked); len(said) != 1 || len(got) != 1 || string(got[0].Invitation) != "the next" {
		t.Errorf("%d datagrams; the friend is told %+v", len(said), got)
	}
}
