package relay

import (
	"bytes"
	"net/netip"
	"reflect"
	"testing"
	"time"
)

func samples() []message {
	box := Mailbox{1, 2, 3}
	return []message{
		{kind: kindClaim, mailbox: box, owner: Owner{4}, cookie: proof{5}},
		{kind: kindProve, mailbox: box, cookie: proof{6}},
		{kind: kindHeld, mailbox: box, life: Lease, seen: netip.MustParseAddrPort("192.0.2.7:5000")},
		{kind: kindHeld, mailbox: box, life: time.Second, seen: netip.MustParseAddrPort("[2001:db8::7]:5000")},
		{kind: kindRefused, mailbox: box, why: whyFull},
		{kind: kindPost, mailbox: box, body: []byte("sealed")},
		{kind: kindBrought, mailbox: box, body: []byte("sealed")},
		{kind: kindNobody, mailbox: box},
		{kind: kindUnknown, mailbox: box},
		{kind: kindPublish, mailbox: box, body: []byte("an invitation")},
		{kind: kindPublic, mailbox: box},
		{kind: kindAsk, mailbox: box},
		{kind: kindFound, mailbox: box, body: []byte("an invitation")},
		{kind: kindLeaving, mailbox: box},
		{kind: kindPut, mailbox: box, entries: []Entry{{KindRoom, Locator(box), numbered(1, "a room")}}},
		{kind: kindPut, mailbox: box, entries: []Entry{{KindFriend, Locator(box), nil}}},
		{kind: kindKept, mailbox: box, entries: []Entry{{KindFriend, Locator(box), numbered(1, "")}}},
		{kind: kindBrowse, mailbox: box, page: page{epoch: 1, next: 2, whole: 3}},
		{kind: kindPage, mailbox: box, page: page{epoch: 1, next: 2, whole: 3, more: true, rooms: []Entry{{KindRoom, someCode, numbered(1, "a room")}, {KindRoom, someCode, nil}}}},
		{kind: kindSeek, mailbox: box, entries: []Entry{{KindFriend, someCode, nil}, {KindFriend, Locator{1}, nil}}},
		{kind: kindSought, mailbox: box, entries: []Entry{{KindFriend, someCode, numbered(1, "a word")}}},
		{kind: kindSought, mailbox: box},
	}
}

func TestMessagesReadAsWritten(t *testing.T) {
	for _, m := range samples() {
		got, err := decode(m.append(nil))
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%+v: %+v, %v", m, got, err)
		}
	}
}

// TestQuestionsAreLong: one that is shorter could be answered with more bytes than it has.
func TestQuestionsAreLong(t *testing.T) {
	for _, m := range samples() {
		b := m.append(nil)
		if _, ok := padded[m.kind]; !ok {
			continue
		}
		for n := range b {
			if _, err := decode(b[:n]); err == nil {
				t.Errorf("%#x of %d bytes is read, not of %d", m.kind, n, len(b))
			}
		}
		if _, err := decode(append(b, 0)); err == nil {
			t.Errorf("%#x with a byte too many is read", m.kind)
		}
	}
}

func TestMailboxHasAnAddress(t *testing.T) {
	box := Mailbox{0xFF, 1, 2, 11: 9}
	at := box.At(3)
	if got, n := MailboxOf(at); got != box || n != 3 || !IsRelayed(at) {
		t.Errorf("%v is mailbox %x of relay %d", at, got, n)
	}
	for _, other := range []string{"192.168.1.2:80", "[::1]:80", "[2001:db8::1]:80", "[::ffff:1.2.3.4]:80", "[fe80::1]:80"} {
		if IsRelayed(netip.MustParseAddrPort(other)) {
			t.Errorf("%s is taken for a mailbox", other)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, m := range samples() {
		f.Add(m.append(nil))
		m.token = token{1}
		f.Add(m.append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) { looksAtDatagram(t, b) })
}

func looksAtDatagram(t *testing.T, b []byte) (well bool) {
	m, err := decode(b)
	if err != nil {
		return false
	}
	again := m.append(nil)
	if m.kind == kindClaim { // what follows its fields is not read
		again = append(again[:HeaderSize+32], b[HeaderSize+32:]...)
	}
	if m.kind == kindAsk {
		again = append(again[:HeaderSize], b[HeaderSize:]...)
	}
	if m.kind == kindBrowse || m.kind == kindSeek || m.kind == kindPage { // zeros; flags that are none
		if len(again) != len(b) {
			t.Errorf("%x is read as %+v, of %d bytes", b, m, len(again))
		}
		return true
	}
	if !bytes.Equal(again, b) {
		t.Errorf("%x is read as %+v, which is %x", b, m, again)
	}
	return true
}

// A mailbox is found again in its text. A text from a stranger that a list of addresses would
// be cut up into is no mailbox: its parts may be names, which would be looked up.
func TestPlaces(t *testing.T) {
	name, box, ok := FindPlace(Place("relay.example:21206", hostBox))
	if !ok || name != "relay.example:21206" || box != hostBox {
		t.Errorf("found %q, %v, %v", name, box, ok)
	}
	for _, name := range []string{"", "a,evil.example:53,", "key@a:1"} {
		if _, _, ok := FindPlace(Place(name, hostBox)); ok {
			t.Errorf("a relay is called %q", name)
		}
	}
}
