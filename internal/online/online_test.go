package online

import (
	"bytes"
	"context"
	"net"
	"net/netip"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/knownkeys"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/seal"
)

// startRelay runs a relay on the loopback until the test ends.
func startRelay(t *testing.T) string {
	conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		t.Fatal(err)
	}
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
	for end := time.After(30 * time.Second); ; {
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
	ann := play(t, Config{Relays: []string{at}, Key: annKey, Friends: []knownkeys.Friend{{Nickname: "Bob", Key: bobKey.Public()}}, CoreBuild: core})
	invitation := invite.Invitation{Secret: seal.NewSecret(), Key: annKey.Public(), Relays: []string{at}}
	ann.List(&relay.Listing{Room: "Ann's room", Host: "Ann", Game: "Kart", Seats: 2, Free: 1, ROM: rom, CoreBuild: core, Invitation: invitation.Bytes()})
	ann.Say(Word{State: InLobby, Game: "Kart", Invitation: invitation.Bytes()})
	ann.wait(t, "Ann's room is hers", func(v View) bool { return len(v.Rooms) == 1 && v.Rooms[0].Mine && v.Relays[0].Kept })
	have := false
	bob := play(t, Config{
		Relays: []string{at}, Key: bobKey, Friends: []knownkeys.Friend{{Nickname: "Ann", Key: annKey.Public()}}, CoreBuild: core,
		Have: func(r [32]byte) bool { have = !have; return have && r == rom }, // it is found meanwhile
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

func TestReasons(t *testing.T) {
	s := &Service{cfg: Config{CoreBuild: [32]byte{2}, Have: func(r [32]byte) bool { return r == [32]byte{1} }}}
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

// TestQuickMatch: the nearest room that fits, and one in its lobby before one that plays.
func TestQuickMatch(t *testing.T) {
	rom := [32]byte{1}
	room := func(ping int, change func(*Room)) Room {
		r := Room{Listing: relay.Listing{ROM: rom, Seats: 4, Free: 2}, Ping: time.Duration(ping) * time.Millisecond, Key: relay.Locator{byte(ping)}}
		change(&r)
		return r
	}
	as := func(*Room) {}
	rooms := []Room{
		room(1, func(r *Room) { r.Locked = true }), room(2, func(r *Room) { r.Why = WhyCore }), room(3, func(r *Room) { r.Free = 1 }),
		room(4, func(r *Room) { r.ROM[0] = 9 }), room(5, func(r *Room) { r.Mine = true }), room(6, func(r *Room) { r.Playing = true }),
		room(60, as), room(20, as), room(40, as),
	}
	if got, ok := Match(rooms, rom, 2); !ok || got.Ping != 20*time.Millisecond {
		t.Errorf("%v, %v", got.Ping, ok)
	}
	if got, ok := Match(rooms[:6], rom, 2); !ok || !got.Playing {
		t.Errorf("of those that play: %v, %v", got.Ping, ok)
	}
	if _, ok := Match(rooms[:5], rom, 2); ok {
		t.Error("a room that does not fit")
	}
}

func FuzzWord(f *testing.F) {
	f.Add(Word{State: Playing, Game: "Kart", Invitation: []byte("come")}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := readWord(b)
		if err != nil {
			return
		}
		again, err := readWord(w.append(nil))
		if err != nil || !reflect.DeepEqual(again, w) {
			t.Errorf("%+v is read as %+v, %v", w, again, err)
		}
	})
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
