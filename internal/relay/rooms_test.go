package relay

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/wire"
)

// roomSigner signs one room.
type roomSigner struct {
	key    ed25519.PrivateKey
	number uint64
}

func newSigner(n int) *roomSigner {
	return &roomSigner{key: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(n), byte(n >> 8)}, 16))}
}

func (r *roomSigner) at() Locator { return RoomKey(r.key.Public().(ed25519.PublicKey)) }

func (r *roomSigner) publish(c *Client, l Listing) {
	r.number++
	n := r.number
	c.Put(KindRoom, r.at(), func(_ string, o Owner) []byte { return l.Sign(r.key, o, n) })
}

func aListing() Listing {
	return Listing{Seats: 4, Free: 3, Room: "Ann's room", Host: "Ann", Game: "Kart", Core: "melonDS DS", Version: "1.1", Invitation: []byte("come in"), ROM: [32]byte{1}, CoreBuild: [32]byte{2}, Away: 12}
}

// names are the rooms that a client has been told of.
func names(t *testing.T, c *Client) (list []string) {
	t.Helper()
	for _, e := range c.Catalogs()[0].Rooms {
		l, err := ReadListing(e.Key, e.Body)
		if err != nil {
			t.Fatalf("the relay tells something else than a room: %v", err)
		}
		list = append(list, fmt.Sprintf("%s %d/%d", l.Room, l.Free, l.Seats))
	}
	return list
}

// TestOpenRoomsAreBrowsed: one who browses is told of a room, of what changes, and that it is
// gone; also after the relay was started anew.
func TestOpenRoomsAreBrowsed(t *testing.T) {
	w := newWorld(t, Limits{})
	host, guest, room := w.join(hostBox, hostAddr), w.join(kidBox, kidAddr), newSigner(1)
	room.publish(host, aListing())
	guest.Browse(true)
	is := func(why string, want ...string) {
		t.Helper()
		if got := names(t, guest); !reflect.DeepEqual(got, want) || !guest.Catalogs()[0].Told {
			t.Errorf("%s: %q, not %q", why, got, want)
		}
	}
	w.pass(time.Second)
	is("at first", "Ann's room 3/4")
	if !host.Catalogs()[0].Kept {
		t.Errorf("the host is told %+v", host.Catalogs())
	}
	l := aListing()
	l.Free = 1
	room.publish(host, l)
	w.pass(time.Second)
	is("a seat is taken", "Ann's room 1/4")
	w.server = NewServer(Limits{})
	w.pass(2 * claimAgain)
	is("the relay was started anew", "Ann's room 1/4")
	host.Drop(KindRoom, room.at())
	w.pass(time.Second)
	is("withdrawn")
	room.publish(host, l)
	w.pass(time.Second)
	is("listed again", "Ann's room 1/4")
	delete(w.clients, hostAddr)
	w.pass(2 * Lease)
	is("the host is gone")
	if f := w.server.Figures(); f.Rooms != 0 || w.server.index.own.Len() != 0 {
		t.Errorf("%+v", f)
	}
}

// TestManyRoomsAreToldInPages: all of them, in answers no longer than their questions, also to one
// who has slept while more rooms came and went than the relay remembers.
func TestManyRoomsAreToldInPages(t *testing.T) {
	w := newWorld(t, Limits{Rooms: 1})
	const all = 60
	for i := range all {
		c := w.join(Mailbox{3, byte(i)}, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, byte(i)}), 1))
		newSigner(i).publish(c, aListing())
	}
	guest := w.join(kidBox, kidAddr)
	guest.Browse(true)
	w.pass(10 * time.Second)
	if n := len(names(t, guest)); n != all {
		t.Fatalf("%d rooms of %d are known", n, all)
	}
	for i := range 3 * keptGone {
		key, _ := Locator{byte(i), byte(i >> 8), 7}, 0
		w.server.Hear(1, Entry{KindRoom, key, numbered(1, "x")}, w.now)
		w.server.Hear(1, Entry{KindRoom, key, nil}, w.now)
	}
	if n := len(w.server.index.rooms.log); n > 2*all+2*keptGone+1 {
		t.Errorf("%d changes are remembered", n)
	}
	w.pass(5 * time.Second)
	if n := len(names(t, guest)); n != all || !guest.Catalogs()[0].Told {
		t.Errorf("afterwards %d rooms of %d are known", n, all)
	}
}

// TestPrivateRoomsAreNotListed: a room whose host publishes its code and tells friends is in no answer to those who
// browse or ask for what they cannot know, nor what friends are told.
func TestPrivateRoomsAreNotListed(t *testing.T) {
	w := newWorld(t, Limits{})
	host, guest := w.join(hostBox, hostAddr), w.join(kidBox, kidAddr)
	host.Publish(someCode, []byte("an invitation"))
	host.Put(KindFriend, Locator{5}, func(string, Owner) []byte { return numbered(1, "playing") })
	guest.Browse(true)
	guest.Seek([]Locator{someCode, {}, {6}}) // a code's place is no friend's
	asked := guest.Ask(Locator{5})           // nor the other way round
	w.pass(2 * seekEvery)
	if f := w.server.Figures(); f.Codes != 1 || f.Friends != 1 {
		t.Fatalf("%+v", f)
	}
	k := guest.Catalogs()[0]
	if got := heard(asked); !k.Told || len(k.Rooms)+len(k.Words) > 0 || len(got) != 1 || got[0].Invitation != nil {
		t.Errorf("a stranger is told %+v and %+v", k, got)
	}
}

// TestChangesAreConflated: a room that changes twenty times a second is told of twice a second at most, and as it is
// in the end.
func TestChangesAreConflated(t *testing.T) {
	w := newWorld(t, Limits{})
	host, guest, room := w.join(hostBox, hostAddr), w.join(kidBox, kidAddr), newSigner(1)
	guest.Browse(true)
	l, told, last, seconds := aListing(), 0, "", 10
	for i := range 20 * seconds {
		l.Free = i % 3
		if i == 20*seconds-1 {
			l.Free = 4
		}
		room.publish(host, l)
		w.pass(50 * time.Millisecond)
		if now := fmt.Sprint(names(t, guest)); now != last {
			last = now
			told++
		}
	}
	if told > 2*seconds+1 || told < 3 {
		t.Errorf("in %d seconds %d changes are told", seconds, told)
	}
	if w.pass(time.Second); !reflect.DeepEqual(names(t, guest), []string{"Ann's room 4/4"}) {
		t.Errorf("in the end it is %q", names(t, guest))
	}
}

// TestNobodyTakesARoom: neither its key nor a copy of its listing is anybody else's to publish,
// and a holder or a network has so many rooms and no more.
func TestNobodyTakesARoom(t *testing.T) {
	w := newWorld(t, Limits{Rooms: 2})
	host, thief, room := w.join(hostBox, hostAddr), w.join(kidBox, kidAddr), newSigner(1)
	room.publish(host, aListing())
	w.pass(time.Second)
	body := bytes.Clone(w.server.index.find(KindRoom, room.at()))
	copied := func(string, Owner) []byte { return body }
	thief.Put(KindRoom, room.at(), copied)
	w.pass(time.Second)
	if thief.Catalogs()[0].Why != whyListed.String() {
		t.Errorf("while it is listed the thief is told %+v", thief.Catalogs())
	}
	host.Drop(KindRoom, room.at())
	w.pass(claimAgain + time.Second)
	if thief.Catalogs()[0].Why != whyListing.String() || w.server.Figures().Rooms != 0 {
		t.Errorf("afterwards the thief is told %+v", thief.Catalogs())
	}
	thief.Drop(KindRoom, room.at())
	for i := range 5 {
		newSigner(10+i).publish(thief, aListing())
		c := w.join(Mailbox{9, byte(i)}, netip.AddrPortFrom(kidAddr.Addr(), uint16(100+i)))
		newSigner(20+i).publish(c, aListing())
		w.pass(2 * time.Second)
	}
	if f := w.server.Figures(); f.Rooms > 2 {
		t.Errorf("one network has %d rooms", f.Rooms)
	}
	w.clients = map[netip.AddrPort]*Client{}
	w.now += Lease
	if w.server.expire(w.now); w.server.Figures().Rooms != 0 || len(w.server.hosts) != 0 {
		t.Errorf("afterwards: %+v", w.server.Figures())
	}
}

// TestStrangersDoNotBrowse: without a mailbox nobody is told of a room, and with one nobody may
// ask more often than its rate lets it.
func TestStrangersDoNotBrowse(t *testing.T) {
	w := newWorld(t, Limits{})
	room := newSigner(1)
	room.publish(w.join(hostBox, hostAddr), aListing())
	w.pass(time.Second)
	ask := func() []byte {
		out, _ := w.server.Receive(message{kind: kindBrowse, mailbox: kidBox, token: w.token(kidAddr)}.append(nil), kidAddr, w.now)
		return out
	}
	if out := ask(); len(out) != HeaderSize || out[0] != kindUnknown {
		t.Errorf("a stranger is told %x", out)
	}
	w.join(kidBox, kidAddr)
	w.pass(time.Second)
	answered := 0
	for range 10_000 {
		if ask() != nil {
			answered++
		}
	}
	if most := (Limits{}).WithDefaults().Rate / browseCost; answered == 0 || answered > most {
		t.Errorf("%d questions at once were answered, more than %d", answered, most)
	}
}

// TestListingsCannotKeepTheRelayBusy: strangers with many addresses have no more signatures
// checked than the relay can spare.
func TestListingsCannotKeepTheRelayBusy(t *testing.T) {
	w := newWorld(t, Limits{})
	list, checked := aListing(), 0
	for i := range 100 {
		addr := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 2, 0, byte(i)}), 1)
		w.join(Mailbox{8, byte(i)}, addr)
	}
	w.pass(time.Second)
	for addr := range w.clients {
		room := newSigner(int(addr.Addr().As4()[3]))
		for n := range 20 {
			m := message{kind: kindPut, mailbox: Mailbox(room.at()), token: w.token(addr), entries: []Entry{{KindRoom, room.at(), list.Sign(room.key, Owner{}, uint64(n))}}}
			if out, _ := w.server.Receive(m.append(nil), addr, w.now); out != nil {
				checked++
			}
		}
	}
	if checked == 0 || checked > mostChecks {
		t.Errorf("%d were checked at once", checked)
	}
}

// TestFriendsAreTold: what one lets another know is found under their key and nowhere else, a
// newer word takes its place, and one that is withdrawn is gone.
func TestFriendsAreTold(t *testing.T) {
	w := newWorld(t, Limits{})
	ann, bob := w.join(hostBox, hostAddr), w.join(kidBox, kidAddr)
	var keys []Locator
	for i := range MaxFriends + 3 {
		key := Locator{5, byte(i)}
		keys = append(keys, key)
		ann.Put(KindFriend, key, func(string, Owner) []byte { return numbered(1, "playing") })
	}
	bob.Seek(keys[:5])
	told := func() (n int) {
		for _, e := range bob.Catalogs()[0].Words {
			if !bytes.HasSuffix(e.Body, []byte("playing")) {
				t.Errorf("a word is %q", e.Body)
			}
			n++
		}
		return n
	}
	w.pass(2*seekEvery + time.Second)
	if n, f := told(), w.server.Figures(); n > 5 || n < 2 || f.Friends != MaxFriends || ann.Catalogs()[0].Kept {
		t.Errorf("%d words are told of %+v", n, f)
	}
	for _, key := range keys {
		ann.Drop(KindFriend, key)
	}
	w.pass(3 * seekEvery)
	if n, f := told(), w.server.Figures(); n != 0 || f.Friends != 0 {
		t.Errorf("%d words are told of %+v after all were withdrawn", n, f)
	}
}

func TestListingsReadAsWritten(t *testing.T) {
	room, l := newSigner(1), aListing()
	got, err := ReadListing(room.at(), l.Sign(room.key, Owner{1}, 1))
	if err != nil || !reflect.DeepEqual(got, l) {
		t.Fatalf("%+v, %v", got, err)
	}
	if got := wire.CleanPrinting("\ta\tb\u2028c\n", 64); got != "a b c" {
		t.Errorf("a text of three lines is %q", got)
	}
	l.Room, l.Host = "a\x1b[2J\u202eb\n"+strings.Repeat("é", 99), strings.Repeat("x", 300)
	l.Game, l.Core, l.Version, l.Invitation = strings.Repeat("g", 99), strings.Repeat("c", 99), strings.Repeat("v", 99), make([]byte, maxListed)
	body := l.Sign(room.key, Owner{1}, 1)
	got, err = ReadListing(room.at(), body)
	if err != nil || strings.ContainsAny(got.Room, "\x1b\u202e\n") || len(got.Room) > 64 || len(got.Host) != 40 || len(body) > MaxListing {
		t.Errorf("%+v of %d bytes, %v", got, len(body), err)
	}
	body[len(body)-1]++
	if _, err := ReadListing(room.at(), body); err == nil {
		t.Error("a forged listing is read")
	}
	if _, err := ReadListing(Locator{1}, l.Sign(room.key, Owner{1}, 1)); err == nil {
		t.Error("a listing is read under another key")
	}
}

func FuzzListing(f *testing.F) {
	f.Add(aListing().content())
	f.Fuzz(func(t *testing.T, b []byte) { looksAtListing(t, b) })
}

func looksAtListing(t *testing.T, b []byte) (well bool) {
	l, err := readContent(b)
	if err != nil {
		return false
	}
	if again, err := readContent(l.content()); err != nil || !reflect.DeepEqual(again, l) {
		t.Errorf("%+v is read as %+v, %v", l, again, err)
	}
	return true
}

// TestBlankNamesAreListed: letters that show nothing, of which some print, make no room without a name.
func TestBlankNamesAreListed(t *testing.T) {
	l := aListing()
	l.Room, l.Host = "Room", "Anne567"
	b := bytes.Replace(l.content(), []byte("\x04Room"), []byte("\x03\u3164"), 1)
	b = bytes.Replace(b, []byte("Anne567"), []byte("\u2800A\uffa0"), 1)
	got, err := readContent(b)
	if err != nil || got.Room != phrase.Nameless || got.Host != "A" {
		t.Errorf("names came as %q and %q, %v", got.Room, got.Host, err)
	}
}

// TestManyInputs is the fuzz targets of this package with ten million inputs each.
func TestManyInputs(t *testing.T) {
	var datagrams [][]byte
	for _, m := range samples() {
		datagrams = append(datagrams, m.append(nil))
		m.token = token{1}
		datagrams = append(datagrams, m.append(nil))
	}
	playing := aListing()
	playing.Playing, playing.Locked, playing.Free, playing.Invitation = true, true, 0, nil
	for _, x := range []struct {
		name  string
		seeds [][]byte
		look  func(*testing.T, []byte) bool
	}{
		{"listing", [][]byte{aListing().content(), playing.content()}, looksAtListing},
		{"datagram", datagrams, looksAtDatagram},
		{"unwrapped", datagrams, looksAtUnwrapped},
		{"server", datagrams, func(t *testing.T, b []byte) bool { return looksAtServer(t, b, uint64(len(b))) }},
		{"catalog", datagrams, func(t *testing.T, b []byte) bool { return looksAtCatalog(t, b, len(b)%4 > 0) }},
		{"siblings", [][]byte{[]byte(someSiblings)}, looksAtSiblings},
		{"place", [][]byte{[]byte(Place("relay.example:21206", hostBox)), []byte(Place("[2001:db8::1]:3", kidBox))}, looksAtPlace},
		{"entry", [][]byte{Entry{KindCode, someCode, []byte("an invitation")}.Append(nil), Entry{KindRoom, someCode, numbered(1, "x")}.Append(nil)}, looksAtEntry},
	} {
		t.Run(x.name, func(t *testing.T) { must.SurviveInputs(t, x.seeds, x.look) })
	}
}

// BenchmarkBrowse is one question of a machine that knows nothing yet, at a relay with 1000 rooms.
func BenchmarkBrowse(b *testing.B) {
	s := NewServer(Limits{})
	for i := range 1000 {
		r := newSigner(i)
		s.Hear(1, Entry{KindRoom, r.at(), aListing().Sign(r.key, Owner{}, 1)}, 0)
	}
	m := message{kind: kindBrowse}
	for b.Loop() {
		s.browse(m)
	}
}

// BenchmarkPut is one listing that a host publishes anew, with its signature checked.
func BenchmarkPut(b *testing.B) {
	s, r := NewServer(Limits{}), newSigner(1)
	h := &holder{addr: hostAddr, from: &network{limit: allow(1 << 30)}, limit: allow(1 << 30)}
	m := [2]message{}
	for i := range m {
		l := aListing()
		l.Free = i
		m[i] = message{kind: kindPut, mailbox: Mailbox(r.at()), entries: []Entry{{KindRoom, r.at(), l.Sign(r.key, Owner{}, 1)}}}
	}
	for i := 0; b.Loop(); i++ {
		if s.put(h, m[i%2]).kind != kindKept {
			b.Fatal("it is refused")
		}
	}
}
