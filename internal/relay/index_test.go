package relay

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"testing"
	"time"
)

// numbered is a body of a kind with numbers.
func numbered(n uint64, text string) []byte {
	return append(binary.BigEndian.AppendUint64(nil, n), text...)
}

// TestRelaysOfAServiceKnowTheSameCodes: what one publishes is heard by the other, is found
// there, and is gone when it is gone here or its relay falls silent.
func TestRelaysOfAServiceKnowTheSameCodes(t *testing.T) {
	w := newWorld(t, Limits{})
	host := w.join(hostBox, hostAddr)
	host.Publish(someCode, []byte("an invitation"))
	w.pass(time.Second)
	other, now := NewServer(Limits{}), time.Duration(0)
	tell := func(list []Entry) {
		for _, e := range list {
			got, err := DecodeEntry(e.Append(nil))
			if err != nil || !other.Hear(7, got, now) {
				t.Fatalf("%+v is not heard: %v", e, err)
			}
		}
	}
	known := func() bool { return string(other.index.find(KindCode, someCode)) == "an invitation" }
	if tell(w.server.Changes()); !known() {
		t.Fatal("the other relay does not know the code")
	}
	if list := w.server.Changes(); list != nil {
		t.Errorf("without a change it tells %+v", list)
	}
	for range 4 {
		now += HeardLease / 2
		tell(w.server.Own(10))
	}
	if other.expireAll(now); !known() || other.Figures().Codes != 1 || other.Figures().Heard != 1 {
		t.Errorf("announced again and again: %+v", other.Figures())
	}
	delete(w.clients, hostAddr)
	w.pass(2 * Lease)
	w.server.expire(w.now)
	if tell(w.server.Changes()); known() {
		t.Error("a code is known of a room that is gone")
	}
	tell([]Entry{{KindCode, someCode, []byte("an invitation")}})
	now += HeardLease
	if other.expireAll(now); known() || other.Figures().Heard != 0 || other.index.bytes != 0 {
		t.Error("a code is known of a relay that fell silent")
	}
}

// expireAll is expire as the server does it before each datagram.
func (s *Server) expireAll(now time.Duration) { s.expire(now) }

// TestWhoseEntryCounts: own ones before those heard, newer ones before older ones, and only
// the relay that told of one takes it back.
func TestWhoseEntryCounts(t *testing.T) {
	s := NewServer(Limits{})
	hear := func(from Origin, body []byte) { s.Hear(from, Entry{KindRoom, someCode, body}, 0) }
	is := func(why string, body []byte) {
		t.Helper()
		if got := s.index.find(KindRoom, someCode); !bytes.Equal(got, body) {
			t.Errorf("%s: %q, not %q", why, got, body)
		}
	}
	hear(1, numbered(5, "a"))
	hear(2, numbered(4, "older"))
	is("an older one", numbered(5, "a"))
	hear(2, numbered(5, "as old"))
	is("one as old", numbered(5, "a"))
	hear(2, nil)
	is("taken back by another relay", numbered(5, "a"))
	hear(2, numbered(6, "b"))
	is("a newer one", numbered(6, "b"))
	hear(1, nil)
	is("taken back by the relay of before", numbered(6, "b"))
	h, thief := &holder{}, &holder{}
	if !s.index.put(h, Entry{KindRoom, someCode, numbered(3, "own")}) {
		t.Error("an own one is refused")
	}
	hear(2, numbered(9, "heard"))
	is("our own", numbered(3, "own"))
	if s.index.put(thief, Entry{KindRoom, someCode, numbered(99, "mine")}) {
		t.Error("another holder takes its place")
	}
	s.index.put(h, Entry{KindRoom, someCode, numbered(2, "late")})
	is("one that came late", numbered(3, "own"))
	s.index.withdraw(h)
	is("withdrawn", nil)
	if s.index.bytes != 0 || s.index.heard.Len() != 0 || s.index.own.Len() != 0 || s.index.counts != newIndex().counts {
		t.Errorf("something is left: %+v", s.index)
	}
}

// TestOtherRelaysCannotFillTheIndex: neither by number nor by size.
func TestOtherRelaysCannotFillTheIndex(t *testing.T) {
	s := NewServer(Limits{Heard: 100})
	for i := range 1000 {
		s.Hear(1, Entry{KindFriend, Locator{byte(i >> 8), byte(i)}, numbered(1, "x")}, 0)
	}
	if f := s.Figures(); f.Heard != 100 || f.Unheard != 900 {
		t.Errorf("small ones: %+v", f)
	}
	s.expire(HeardLease)
	for i := range 1000 {
		s.Hear(1, Entry{KindRoom, Locator{byte(i >> 8), byte(i)}, make([]byte, MaxListing)}, HeardLease)
	}
	if s.index.bytes > 100*heardBytes {
		t.Errorf("%d bytes are kept", s.index.bytes)
	}
	if s.Hear(1, Entry{9, someCode, []byte("x")}, 0) || s.Hear(1, Entry{KindRoom, someCode, []byte("x")}, 0) {
		t.Error("something that is no entry is heard")
	}
}

// TestAllEntriesComeRound: those that are announced again are others each time.
func TestAllEntriesComeRound(t *testing.T) {
	s, h := NewServer(Limits{}), &holder{}
	for i := range 10 {
		s.index.put(h, Entry{KindFriend, Locator{byte(i)}, numbered(1, "")})
	}
	seen := map[Locator]int{}
	for range 5 {
		for _, e := range s.Own(3) {
			seen[e.Key]++
		}
	}
	for key, n := range seen {
		if n != 2 {
			t.Errorf("%x is announced %d times", key, n)
		}
	}
	if len(seen) != 10 || len(s.Own(1)) != 10 {
		t.Errorf("%d are announced", len(seen))
	}
}

func FuzzEntry(f *testing.F) {
	f.Add(Entry{KindCode, someCode, []byte("an invitation")}.Append(nil))
	f.Add(Entry{KindRoom, someCode, numbered(1, "x")}.Append(nil))
	f.Add(Entry{KindFriend, someCode, nil}.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) { looksAtEntry(t, b) })
}

func looksAtEntry(t *testing.T, b []byte) (well bool) {
	e, err := DecodeEntry(b)
	if err != nil {
		return false
	}
	if again := e.Append(nil); !bytes.Equal(again, b) || len(b) > MaxEntry {
		t.Errorf("%x is read as %+v, which is %x", b, e, again)
	}
	return true
}

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
