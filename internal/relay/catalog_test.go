package relay

import (
	"net/netip"
	"strings"
	"testing"
	"time"
)

// FuzzCatalog has a relay that a machine browses, seeks friends by and publishes at answer anything, some of it in the
// right place: what the machine keeps is bounded and whole.
func FuzzCatalog(f *testing.F) {
	for _, m := range samples() {
		f.Add(m.append(nil), true)
		f.Add(m.append(nil), false)
	}
	f.Fuzz(func(t *testing.T, b []byte, asked bool) { looksAtCatalog(t, b, asked) })
}

func looksAtCatalog(t *testing.T, b []byte, asked bool) (well bool) {
	c := NewClient(Mailbox{1, 2, 3}, func(string) Owner { return Owner{} })
	n, _ := c.Use("relay.example:1")
	c.Resolved(n, []netip.AddrPort{relayAddr})
	now := time.Unix(1, 0)
	c.Unwrap(message{kind: kindHeld, mailbox: Mailbox{1, 2, 3}, life: Lease, seen: hostAddr}.append(nil), relayAddr, now)
	c.Browse(true)
	c.Seek([]Locator{someCode, {1}, {2}, {3}})
	c.Put(KindFriend, someCode, func(string, Owner) []byte { return numbered(1, "a word") })
	a := c.relays[0]
	for i := range 3 {
		c.Due(now)
		in := append([]byte(nil), b...)
		if asked && len(in) >= HeaderSize && in[0] == kindPage {
			copy(in[2:], a.index.tag[:])
		}
		if asked && len(in) >= HeaderSize && in[0] == kindFound {
			copy(in[2:], make([]byte, len(Locator{})))
		}
		c.Unwrap(in, relayAddr, now)
		now = now.Add(time.Duration(i) * seekEvery)
	}
	c.Learned()
	if len(a.index.rooms) > 3*browseSize/14 || len(a.index.words) > 4 || len(a.index.puts) > 1 || len(c.relays) > UsedTogether || len(a.family.names) > MaxSiblings {
		t.Fatalf("%d rooms, %d words, %d puts, %d relays", len(a.index.rooms), len(a.index.words), len(a.index.puts), len(c.relays))
	}
	for _, k := range c.Catalogs() {
		for _, e := range append(k.Rooms, k.Words...) {
			if e.Body == nil || e.check() != nil {
				t.Fatalf("%+v is known", e)
			}
		}
	}
	return len(a.index.rooms)+len(a.index.words)+len(a.family.names) > 0
}

// FuzzSiblings: what a relay tells of others is names of relays, a few, and none of its own.
func FuzzSiblings(f *testing.F) {
	f.Add(someSiblings)
	f.Add(",,relay.example:1,x:0,y:99999, z:1")
	f.Fuzz(func(t *testing.T, text string) { looksAtSiblings(t, []byte(text)) })
}

const someSiblings = "one.example:1,two.example:2,[2001:db8::1]:3"

func looksAtSiblings(t *testing.T, b []byte) (well bool) {
	a := &account{name: "relay.example:1"}
	a.heardSiblings(message{kind: kindFound, body: b})
	for _, name := range a.family.names {
		if named, err := Named(name); err != nil || named != name || len(name) > MaxName || name == a.name || strings.ContainsAny(name, ", \n") {
			t.Fatalf("%q is taken for a relay", name)
		}
	}
	if len(a.family.names) > MaxSiblings {
		t.Fatalf("%d are kept", len(a.family.names))
	}
	return len(a.family.names) > 0
}

// FuzzPlace: the text of a mailbox is read as it is written.
func FuzzPlace(f *testing.F) {
	f.Add(Place("relay.example:21206", hostBox))
	f.Add("relay=[2001:db8::1]:3/0102030405060708090a0b0c")
	f.Fuzz(func(t *testing.T, text string) { looksAtPlace(t, []byte(text)) })
}

func looksAtPlace(t *testing.T, b []byte) (well bool) {
	text := string(b)
	relay, box, ok := FindPlace(text)
	if !ok {
		return false
	}
	if again, same, ok := FindPlace(Place(relay, box)); !ok || again != relay || same != box || strings.ContainsAny(relay, ",@") {
		t.Fatalf("%q is read as %q, %x", text, relay, box)
	}
	if named, err := Named(relay); err == nil && IsName(named) {
		if again, err := Named(named); err != nil || again != named {
			t.Fatalf("%q is named %q, and that %q", relay, named, again)
		}
	}
	return true
}
