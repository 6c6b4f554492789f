package relay

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"
)

// claimed has a machine claim a mailbox from an address, with the proof that the relay wants of it, and
// returns the kind of the last answer; 0 for none.
func claimed(s *Server, box Mailbox, owner Owner, from netip.AddrPort, now time.Duration) byte {
	claim := message{kind: kindClaim, mailbox: box, owner: owner}
	for {
		out, _ := s.Receive(claim.append(nil), from, now)
		if out == nil {
			return 0
		}
		m, err := decode(out)
		if err != nil || m.kind != kindProve {
			return out[0]
		}
		claim.cookie = m.cookie
	}
}

// Whatever order of claims, moves, listings and silence, no address and no network holds more than
// its limits, and somebody from elsewhere finds a place while the relay has any. Whoever is not let in at a
// new place keeps what it has at the old one.
func TestCrowdsThatMoveHoldTheLimits(t *testing.T) {
	limits := Limits{Mailboxes: 40, PerHost: 3, Rooms: 2}
	addrs := make([]netip.Addr, 0, 20)
	for n := range 6 {
		addrs = append(addrs, netip.AddrFrom4([4]byte{10, 0, 0, byte(n)}))
	}
	for n := range 14 { // networks of 64 bits in one of 48
		addrs = append(addrs, netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, 0, 1, 0, byte(n / 2), 15: byte(n)}))
	}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 34))
		s, now := NewServer(limits), time.Duration(0)
		var moves, kept int
		for range 1500 {
			now += time.Duration(r.IntN(300)) * time.Millisecond
			from := netip.AddrPortFrom(addrs[r.IntN(len(addrs))], uint16(1+r.IntN(4)))
			n := r.IntN(60)
			box, owner := Mailbox{byte(n)}, Owner{byte(n)}
			s.expire(now)
			before := s.boxes[box]
			switch r.IntN(5) {
			case 0, 1, 2:
				var at netip.AddrPort
				if before != nil {
					at = before.addr
				}
				got := claimed(s, box, owner, from, now)
				switch after := s.boxes[box]; {
				case before == nil || before.addr == from && at == from:
				case got == kindHeld:
					moves++
				case after == nil || after.addr != at:
					t.Fatalf("seed %d: who is not let in at another place has lost the old one", seed)
				default:
					kept++
				}
			case 3:
				if before == nil {
					break
				}
				room := newSigner(n)
				e := Entry{Kind: KindRoom, Key: room.at()}
				if r.IntN(4) > 0 {
					e.Body = aListing().Sign(room.key, owner, uint64(now))
				}
				s.Receive(message{kind: kindPut, mailbox: Mailbox(e.Key), entries: []Entry{e}}.append(nil), before.addr, now)
			case 4:
				if r.IntN(30) == 0 {
					now += Lease / 2
				}
			}
			recount(t, s)
			if len(s.boxes) < limits.Mailboxes && r.IntN(20) == 0 {
				honest := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 168, byte(r.Uint32()), byte(r.Uint32())}), 9)
				if got := claimed(s, Mailbox{255}, Owner{255}, honest, now); got != kindHeld {
					t.Fatalf("seed %d: with %d mailboxes somebody from elsewhere is told %x", seed, len(s.boxes), got)
				}
				s.drop(s.boxes[Mailbox{255}])
			}
		}
		if moves == 0 || kept == 0 {
			t.Errorf("seed %d: %d moves and %d that were refused show nothing", seed, moves, kept)
		}
	}
}

// recount counts all that a relay keeps anew, and compares it with its limits and with what it has counted.
func recount(t *testing.T, s *Server) {
	t.Helper()
	crowd, rooms := Crowd{}, Crowd{}
	for _, h := range s.boxes {
		crowd.Add(h.addr.Addr(), 1)
		rooms.Add(h.addr.Addr(), h.count(KindRoom))
		if s.at[h.addr] != h {
			t.Fatalf("%v is not known by its address", h.addr)
		}
	}
	if len(s.at) != len(s.boxes) || len(crowd) != len(s.crowd) {
		t.Fatalf("%d mailboxes, %d addresses; %d networks, and %d counted", len(s.boxes), len(s.at), len(crowd), len(s.crowd))
	}
	for _, x := range []struct {
		what       string
		there, has Crowd
		most       int
	}{{"mailboxes", crowd, s.crowd, s.limits.PerHost}, {"open rooms", rooms, s.listed, s.limits.Rooms}} {
		if len(x.there) != len(x.has) {
			t.Fatalf("%d networks have %s, %d counted", len(x.there), x.what, len(x.has))
		}
		for n, count := range x.there {
			most := x.most
			if n.Bits() == 48 {
				most *= WideShare
			}
			if count > most || count != x.has[n] {
				t.Fatalf("%v has %d %s, %d counted, the limit is %d", n, count, x.what, x.has[n], most)
			}
		}
	}
}

// Claims count for the rate of the network that they come from, once it has shown that it is there.
func TestFloodOfClaimsHasARate(t *testing.T) {
	s := NewServer(Limits{HostRate: 1 << 20})
	claimed(s, hostBox, Owner{1}, hostAddr, 0)
	answers := 0
	for range 2000 {
		if claimed(s, hostBox, Owner{1}, hostAddr, time.Second) != 0 {
			answers++
		}
	}
	if answers == 0 || answers > 1<<20/claimCost {
		t.Errorf("%d of 2,000 claims are answered", answers)
	}
	if claimed(s, kidBox, Owner{2}, kidAddr, time.Second) != kindHeld {
		t.Error("another network is kept out")
	}
}

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
