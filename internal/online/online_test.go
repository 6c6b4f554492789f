package online

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/wire"
)

// startRelay runs a relay on the loopback until the test ends.
func startRelay(t *testing.T) string {
	conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	must.Succeed(t, err)
	run(t, func(ctx context.Context) error {
		_, err := service.Run(ctx, service.Config{UDP: conn})
		return err
	})
	return conn.LocalAddr().String()
}

// run runs something until the test ends, or stop is called.
func run(t *testing.T, job func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var jobs sync.WaitGroup
	jobs.Go(func() {
		if err := job(ctx); err != nil {
			t.Error(err)
		}
	})
	stop = func() { cancel(); jobs.Wait() }
	t.Cleanup(stop)
	return stop
}

type player struct {
	*Service
	views chan View
	stop  func()
}

func play(t *testing.T, cfg Config) player {
	p := player{views: make(chan View, 100)}
	cfg.Browse, cfg.Tell = true, func(v View) {
		select {
		case p.views <- v:
		default:
		}
	}
	var err error
	if p.Service, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	p.stop = run(t, p.Run)
	return p
}

// wait waits for a view that is as wanted.
func (p player) wait(t *testing.T, why string, wanted func(View) bool) (v View) {
	t.Helper()
	for end := time.After(3 * time.Minute); ; {
		select {
		case v = <-p.views:
			if wanted(v) {
				return v
			}
		case <-end:
			t.Fatalf("%s: %+v", why, v)
		}
	}
}

// TestPlayersFindEachOther: by an open room, and as friends, through a real relay; and they are
// gone when they leave.
func TestPlayersFindEachOther(t *testing.T) {
	at := startRelay(t)
	annKey, _ := seal.NewKey()
	bobKey, _ := seal.NewKey()
	rom, core := [32]byte{1}, [32]byte{2}
	ann := play(t, Config{Relays: []string{at}, Key: annKey, Friends: []KnownKey{{Nickname: "Bob", Key: bobKey.Public()}}})
	invitation := invite.Invitation{Secret: seal.NewSecret(), Key: annKey.Public(), Relays: []string{at}}
	ann.List(&relay.Listing{Room: "Ann's room", Host: "Ann", Game: "Kart", Seats: 2, Free: 1, ROM: rom, CoreBuild: core, Invitation: invitation.Bytes()})
	ann.Say(Word{State: InLobby, Game: "Kart", Invitation: invitation.Bytes()})
	ann.wait(t, "Ann's room is hers", func(v View) bool { return len(v.Rooms) == 1 && v.Rooms[0].Mine && v.Relays[0].Kept })
	have := false
	bob := play(t, Config{
		Relays: []string{at}, Key: bobKey, Friends: []KnownKey{{Nickname: "Ann", Key: annKey.Public()}}, HasCore: func(build [32]byte) bool { return build == core },
		Have: func(r [32]byte, _ string) bool { have = !have; return have && r == rom }, // it is found meanwhile
	})
	v := bob.wait(t, "Bob finds the room", func(v View) bool { return len(v.Rooms) == 1 && v.Rooms[0].Why == "" && v.Rooms[0].Ping > 0 })
	if r := v.Rooms[0]; r.Invite != invitation.Text() || r.Room != "Ann's room" || r.Mine {
		t.Errorf("it is %+v", r)
	}
	v = bob.wait(t, "Bob sees Ann", func(v View) bool { return v.Friends[0].State == InLobby })
	if f := v.Friends[0]; f.Nickname != "Ann" || f.Game != "Kart" || f.Invite != invitation.Text() {
		t.Errorf("Ann is %+v", f)
	}
	ann.stop()
	bob.wait(t, "the room is gone", func(v View) bool { return len(v.Rooms) == 0 })
}

// TestStrangersRelaysAreDropped: of an open room only relays of the settings are asked, and the one that lists it.
func TestStrangersRelaysAreDropped(t *testing.T) {
	s := &Service{cfg: Config{Relays: []string{"ours:1", "lists:1", "strange:1"}, Own: []string{"ours:1"}}} // a game host told of the others
	for _, x := range []struct{ named, want []string }{
		{[]string{"lists:1"}, []string{"lists:1"}},
		{[]string{"ours:1"}, []string{"ours:1", "lists:1"}}, // the player may reach the host by that alone
		{[]string{"strange:1", "ours:1"}, []string{"ours:1", "lists:1"}},
		{[]string{"strange:1", "127.0.0.1:80"}, []string{"lists:1"}},
		{nil, []string{"lists:1"}},
	} {
		v := invite.Invitation{Secret: seal.Secret{1}, Relays: x.named}
		got, _, err := invite.Find(s.reachedBy(relay.Listing{Invitation: v.Bytes()}, "lists:1"))
		if err != nil || !reflect.DeepEqual(got.Relays, x.want) || got.Secret != v.Secret {
			t.Errorf("%q: %q are asked, %v", x.named, got.Relays, err)
		}
	}
}

// TestGameHostsRelaysAreNoSpringboard: of the relays at which a room is listed, only those of the settings are asked by
// WebSocket on this machine and its networks.
func TestGameHostsRelaysAreNoSpringboard(t *testing.T) {
	watched := func() (addr string, came *atomic.Int64) {
		came = new(atomic.Int64)
		web := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { came.Add(1) }))
		t.Cleanup(web.Close)
		return web.Listener.Addr().String(), came
	}
	told, strange := watched()
	own, ours := watched()
	play(t, Config{Relays: []string{told, own}, Own: []string{own}})
	for end := time.Now().Add(time.Minute); ours.Load() == 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the relay of the settings is not asked by WebSocket")
		}
	}
	time.Sleep(300 * time.Millisecond) // both are asked at once
	if n := strange.Load(); n > 0 {
		t.Errorf("%d requests come to a service that a game host called a relay", n)
	}
}

func TestReasons(t *testing.T) {
	s := &Service{cfg: Config{HasCore: func(b [32]byte) bool { return b == [32]byte{2} }, Have: func(r [32]byte, _ string) bool { return r == [32]byte{1} }}}
	good := relay.Listing{ROM: [32]byte{1}, CoreBuild: [32]byte{2}, Seats: 4, Free: 1}
	for want, change := range map[string]func(*relay.Listing){
		"": func(*relay.Listing) {}, WhyGame: func(l *relay.Listing) { l.ROM[0]++ },
		WhyCore: func(l *relay.Listing) { l.CoreBuild[0]++ }, WhyFull: func(l *relay.Listing) { l.Free = 0 },
	} {
		l := good
		if change(&l); s.reason(l) != want {
			t.Errorf("%q, not %q", s.reason(l), want)
		}
	}
}

// TestQuickMatch: rooms that fit are asked, one of each game host, and not those alone that say that they are near; the
// nearest of those that answer are tried, of rooms about as near any, those in their lobbies before those that play.
func TestQuickMatch(t *testing.T) {
	rom := [32]byte{1}
	room := func(ping int, change func(*Room)) Room {
		r := Room{Listing: relay.Listing{ROM: rom, Seats: 4, Free: 2}, Ping: time.Duration(ping) * time.Millisecond, Key: relay.Locator{byte(ping)}, By: seal.Public{byte(ping)}}
		change(&r)
		return r
	}
	as := func(*Room) {}
	unfit := []Room{
		room(1, func(r *Room) { r.Locked = true }), room(2, func(r *Room) { r.Why = WhyCore }), room(3, func(r *Room) { r.Free = 1 }),
		room(4, func(r *Room) { r.ROM[0] = 9 }), room(5, func(r *Room) { r.Mine = true }),
	}
	if got := Candidates(unfit, rom, 2); got != nil {
		t.Errorf("of none that fits %+v are asked", got)
	}
	honest, liars, oneHost := []Room{}, []Room{}, []Room{}
	for i := range 40 {
		honest = append(honest, room(100+i, as))
		liars = append(liars, room(i, as))
		oneHost = append(oneHost, room(i, func(r *Room) { r.By = seal.Public{250} }))
	}
	far := func(list []Room) (n int) {
		for _, r := range list {
			if r.Ping >= 100*time.Millisecond {
				n++
			}
		}
		return n
	}
	fair := 0
	for range 100 {
		got := Candidates(append(slices.Clone(liars), honest...), rom, 2)
		if len(got) != asked || far(got) > asked/2 {
			t.Fatalf("%d are asked, %d of them far", len(got), far(got))
		}
		fair += far(got)
		if got := Candidates(append(slices.Clone(oneHost), honest...), rom, 2); far(got) != asked-1 {
			t.Fatalf("of one game host %d rooms are asked", asked-far(got))
		}
	}
	if fair < 200 {
		t.Errorf("of those that say that they are far %d are asked in 100 times", fair)
	}

	plays, near1, near2, farther := room(6, func(r *Room) { r.Playing = true }), room(30, as), room(45, as), room(60, as)
	silent := room(0, as)
	firsts := map[time.Duration]bool{}
	for range 100 {
		got := ordered([]Room{plays, silent, farther, near2, near1})
		if len(got) != Tried || got[2].Ping != farther.Ping || got[0].Ping+got[1].Ping != near1.Ping+near2.Ping {
			t.Fatalf("tried are %+v", got)
		}
		firsts[got[0].Ping] = true
	}
	if got := ordered([]Room{plays, silent, farther}); len(got) != 2 || got[0].Ping != farther.Ping || len(firsts) != 2 {
		t.Errorf("tried are %+v; the first of two that are as near: %v", got, firsts)
	}
}

// TestLiarsOfOneNetworkTakeOneTry: whoever has many keys, and many rooms at one network, has one of them tried; those that answer through
// a relay are told apart by nothing.
func TestLiarsOfOneNetworkTakeOneTry(t *testing.T) {
	must.HaveLinux(t, "a second address of the loopback, from which Wine does not answer")
	var rooms []Room
	for i, at := range []string{"192.0.2.1", "192.0.2.1", "192.0.2.1", "2001:db8:1:2::1", "2001:db8:1:2::2", "198.51.100.1"} {
		rooms = append(rooms, Room{Ping: time.Duration(i+1) * near, answered: netip.MustParseAddr(at), Key: relay.Locator{byte(i)}})
	}
	tried := func(list []Room) (keys []byte) {
		for _, r := range ordered(slices.Clone(list)) {
			keys = append(keys, r.Key[0])
		}
		slices.Sort(keys[:min(2, len(keys))]) // about as near
		return keys
	}
	if got := tried(rooms); len(got) != 3 || got[0] > 2 || got[1] < 3 || got[1] > 4 || got[2] != 5 {
		t.Errorf("tried are %v", got)
	}
	for i := range rooms {
		rooms[i].answered = netip.Addr{}
	}
	if got := tried(rooms); len(got) != Tried {
		t.Errorf("through a relay %v are tried", got)
	}
	// And with real links: three rooms of one machine, another one of another.
	var real []Room
	for i, bind := range []string{"127.0.0.5", "127.0.0.5", "127.0.0.5", "127.0.0.6"} {
		key, _ := seal.NewKey()
		v := invite.Invitation{Secret: seal.NewSecret(), Key: key.Public()}
		l, err := udp.Listen(udp.Config{Key: key, Room: v.Secret, Bind: bind})
		if err != nil {
			t.Skip("not a Linux loopback: ", err)
		}
		defer l.Close()
		v.Addresses = []netip.AddrPort{netip.MustParseAddrPort(l.Addr())}
		real = append(real, Room{Key: relay.Locator{byte(i)}, Invite: v.Text()})
	}
	if got := Matches(t.Context(), real, nil, "127.0.0.1"); len(got) != 2 {
		t.Errorf("of two machines %d rooms are tried", len(got))
	}
}

// TestLiarsTakeNoTries: a quick match measures how far rooms are, whatever they say, and those that do not answer are not tried.
func TestLiarsTakeNoTries(t *testing.T) {
	at := startRelay(t)
	var rooms []Room
	for i := range 6 {
		key, _ := seal.NewKey()
		v := invite.Invitation{Secret: seal.NewSecret(), Key: key.Public(), Relays: []string{at}}
		if i < 2 { // the others are not there
			l, err := udp.Listen(udp.Config{Key: key, Room: v.Secret})
			must.Succeed(t, err)
			defer l.Close()
			l.SetMailbox(v.Secret.Mailbox(key.Public()), []string{at})
		}
		rooms = append(rooms, Room{Ping: time.Duration(90-10*i) * time.Millisecond, Key: relay.Locator{byte(i)}, Invite: v.Text()})
	}
	got := Matches(t.Context(), rooms, []string{at}, "")
	slices.SortFunc(got, func(a, b Room) int { return int(a.Key[0]) - int(b.Key[0]) })
	if len(got) != 2 || got[0].Key != rooms[0].Key || got[1].Key != rooms[1].Key || got[0].Ping <= 0 || got[0].Ping == rooms[0].Ping {
		t.Errorf("tried are %+v", got)
	}
}

func FuzzWord(f *testing.F) {
	f.Add(Word{State: Playing, Game: "Kart", Invitation: []byte("come")}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) { looksAtWord(t, b) })
}

func looksAtWord(t *testing.T, b []byte) (well bool) {
	w, err := readWord(b)
	if err != nil {
		return false
	}
	again, err := readWord(w.append(nil))
	if err != nil || !reflect.DeepEqual(again, w) {
		t.Errorf("%+v is read as %+v, %v", w, again, err)
	}
	return true
}

// TestManyInputs is the fuzz targets of this package with ten million inputs each. A word has one length only, so what
// is changed is put into one of it.
func TestManyInputs(t *testing.T) {
	seeds := [][]byte{Word{State: Playing, Game: "Kart", Invitation: []byte("come")}.append(nil), Word{}.append(nil)}
	long := func(b []byte) []byte {
		return append(b[:min(len(b), wordSize)], make([]byte, wordSize-min(len(b), wordSize))...)
	}
	t.Run("word", func(t *testing.T) {
		must.SurviveInputs(t, seeds, func(t *testing.T, b []byte) bool { return looksAtWord(t, long(b)) })
	})
	sealed := newSealedWords()
	t.Run("sealed word", func(t *testing.T) {
		must.SurviveInputs(t, seeds, func(t *testing.T, b []byte) bool { return sealed.look(t, long(b), uint64(len(b))) })
	})
}

// FuzzSealedWord: nobody but a friend leaves a word, and a friend may leave anything in it.
func FuzzSealedWord(f *testing.F) {
	s := newSealedWords()
	f.Add(Word{State: Playing, Game: "Kart", Invitation: []byte("come")}.append(nil), uint64(1))
	f.Add(Word{}.append(nil), uint64(1<<63))
	f.Fuzz(func(t *testing.T, b []byte, number uint64) { s.look(t, b, number) })
}

// sealedWords is from one friend to another.
type sealedWords struct{ to, from seal.Drop }

func newSealedWords() (s sealedWords) {
	ann, _ := seal.NewKey()
	bob, _ := seal.NewKey()
	s.to, _ = ann.DropTo(bob.Public())
	s.from, _ = bob.DropFrom(ann.Public())
	return s
}

func (s sealedWords) look(t *testing.T, b []byte, number uint64) (well bool) {
	if w, _, err := openWord(s.from, b); err == nil {
		t.Fatalf("a stranger's word: %+v", w)
	}
	open := binary.BigEndian.AppendUint64(nil, number)
	w, n, err := openWord(s.from, s.to.Seal(open, b, open))
	if err != nil {
		return false
	}
	if n != number || w.State > Playing || w.Game != wire.CleanPrinting(w.Game, maxGame) || len(w.Invitation) > maxInvited {
		t.Fatalf("%d: %+v", n, w)
	}
	invitation(w.Invitation)
	return true
}

// TestWordsHaveOneLength: their length does not tell what somebody does.
func TestWordsHaveOneLength(t *testing.T) {
	ann, _ := seal.NewKey()
	bob, _ := seal.NewKey()
	to, _ := ann.DropTo(bob.Public())
	for _, w := range []Word{{}, {Playing, string(bytes.Repeat([]byte("g"), 99)), make([]byte, maxInvited)}, {Invitation: make([]byte, 999)}} {
		if n := len(w.publish(to, 1)); n != relay.MaxSighting {
			t.Errorf("%d bytes", n)
		}
	}
}

// TestStrangersAreNotToldOfAFriendsRelay: an open room whose host also uses a relay that lists none, as a friend runs it at home,
// is listed at the others alone, and what they tell everybody names those that list it. Friends are told of all.
func TestStrangersAreNotToldOfAFriendsRelay(t *testing.T) {
	public, also := startRelay(t), startRelay(t)
	friends, _ := fixture.RunRelay(t, service.Config{Limits: relay.Limits{Unlisted: true}})
	key, _ := seal.NewKey()
	invitation := invite.Invitation{Secret: seal.NewSecret(), Key: key.Public(), Relays: []string{friends, public, also}}
	ann := play(t, Config{Relays: invitation.Relays})
	ann.List(&relay.Listing{Room: "Ann's room", Host: "Ann", Game: "Kart", Seats: 2, Free: 1, Invitation: invitation.Bytes()})
	stranger := play(t, Config{Relays: []string{public, friends}})
	told := map[string]bool{}
	names := func(v View) (list []string) {
		for _, r := range v.Rooms {
			got, err := invite.Read(r.Listing.Invitation)
			must.Succeed(t, err)
			list = append(list, got.Relays...)
		}
		for _, name := range list {
			told[name] = true
		}
		return list
	}
	stranger.wait(t, "both that list it are named", func(v View) bool { return len(names(v)) == 2 })
	if told[friends] || !told[public] || !told[also] {
		t.Errorf("a stranger is told of %v; the friend's is %s", told, friends)
	}
	v := ann.wait(t, "the friend's relay says why it does not list it", func(v View) bool {
		return slices.ContainsFunc(v.Relays, func(r Relay) bool { return r.Name == friends && r.Why != "" })
	})
	if i := slices.IndexFunc(v.Relays, func(r Relay) bool { return r.Name == friends }); v.Relays[i].Why != "it lists no open rooms" {
		t.Errorf("%+v", v.Relays[i])
	}
}
