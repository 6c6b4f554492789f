package relay

import (
	"net/netip"
	"testing"
	"time"
)

// TestATotalIsKept: whatever machines send, a relay carries no more than its limit in all, and what is long leaves room for what
// is short: transfers wait, games go on.
func TestATotalIsKept(t *testing.T) {
	const total = 100_000
	w := newWorld(t, Limits{Total: total})
	six := sixMachines(w)
	seconds, short, sent := 10, 0, 0
	for range seconds * 60 {
		for i := 1; i < 6; i++ { // each of five sends a state to the game host, at ten times the limit in all
			for range 3 {
				w.send(six[i], Mailbox{6, 0}.At(1), string(make([]byte, 1200)))
			}
		}
		sent++
		if got, _ := w.send(six[0], Mailbox{6, 1}.At(1), string(make([]byte, 150))); got != "" {
			short++
		}
		w.now += time.Second / 60
	}
	f := w.server.Figures()
	if most := int64(total * (seconds + 1)); f.Bytes > most || f.Bytes < most*8/10 {
		t.Errorf("%d bytes are carried, at most %d may be", f.Bytes, most)
	}
	if short != sent {
		t.Errorf("%d short datagrams of %d are carried beside long ones", short, sent)
	}
	if w.server.Figures().Crowded == 0 {
		t.Error("nothing is counted that was dropped")
	}
}

// TestUnlistedRelaysListNothing: not even the rooms that hosts want to be listed; codes and friends' words stay.
func TestUnlistedRelaysListNothing(t *testing.T) {
	w := newWorld(t, Limits{Unlisted: true})
	host, guest := w.join(hostBox, hostAddr), w.join(kidBox, kidAddr)
	newSigner(1).publish(host, aListing())
	host.Put(KindFriend, Locator{5}, func(string, Owner) []byte { return numbered(1, "playing") })
	guest.Browse(true)
	guest.Seek([]Locator{{5}})
	w.pass(10 * time.Second)
	k := guest.Catalogs()[0]
	if len(k.Rooms) > 0 || len(k.Words) != 1 || !k.Told {
		t.Errorf("a guest is told of %+v", k)
	}
	if k := host.Catalogs()[0]; k.Kept || k.Why != whyUnlisted.String() {
		t.Errorf("the host is told %+v", k.Standing)
	}
	if f := w.server.Figures(); f.Rooms != 0 || f.Friends != 1 {
		t.Errorf("%+v", f)
	}
}

// TestMeetingsAreCounted: rooms are machines that have to do with each other, whoever sends first; those that only hold a mailbox
// are in none, and who has gone is no more.
func TestMeetingsAreCounted(t *testing.T) {
	w := newWorld(t, Limits{})
	six := sixMachines(w)
	far := func(a netip.Addr) bool { return !a.IsPrivate() }
	is := func(what string, want Meetings) {
		t.Helper()
		if got := w.server.Meetings(far); got != want {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	is("nobody sends", Meetings{})
	for _, pair := range [][2]int{{0, 1}, {2, 1}, {4, 3}, {3, 4}} {
		w.send(six[pair[0]], Mailbox{6, byte(pair[1])}.At(1), "hello")
	}
	is("a room of three and one of two", Meetings{Machines: 5, Rooms: 2})
	w.send(six[0], Mailbox{9}.At(1), "nobody there")
	w.send(six[0], Mailbox{6, 3}.At(1), "hello")
	is("they are one room", Meetings{Machines: 5, Rooms: 1})
	w.join(hostBox, hostAddr)
	w.pass(time.Second)
	is("somebody far has come", Meetings{Machines: 5, Rooms: 1, Far4: true})
	w.now += Lease
	w.server.expire(w.now)
	is("all have gone", Meetings{})
}
