package host

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// sim is a room on a message bus made of slices: every message is delivered in
// order and at once, unless a test has muted or cut a connection. Time passes only in
// wait.
type sim struct {
	t       *testing.T
	now     time.Time
	host    *Host
	seen    []event.Event // of the game host
	clients []*simClient
	random  *rand.ChaCha8
}

// simClient is a client with its connection.
type simClient struct {
	*client.Client
	s      *sim
	id     ds.PeerID
	linked bool
	mute   bool // what it sends is lost, and it does not tick
	seen   []event.Event
	told   []message.Message // everything that was delivered to it
}

var testCore = room.CoreID{Name: "DeSmuME", Version: "0.9.11", SHA256: [32]byte{0xc0, 0xde}}

func testSettings() room.Settings {
	return room.Settings{
		Room: "Friday", Seats: 16, MinPlayers: 2, Delay: 4, RTC: room.MinRTC, HashEvery: 60, Skew: 1,
		Core: testCore, Options: []room.Option{{Key: "b", Value: "2"}, {Key: "a", Value: "1"}}, Frames: 600,
	}
}

func testFirmware(n byte) ds.Firmware {
	return ds.Firmware{Nickname: "DS", MAC: [6]byte{0, 9, 0xbf, 1, 2, n}, Language: 1, BirthMonth: 2, BirthDay: 29}
}

var testROM = room.ROMID{SHA256: [32]byte{0xaa, 0xbb, 0xcc, 0xdd}, Title: "Kart", Size: 1 << 20}

func newSim(t *testing.T, change func(*Config)) *sim {
	t.Helper()
	s := &sim{t: t, now: time.Unix(1_000_000, 0), random: rand.NewChaCha8([32]byte{1})}
	cfg := Config{Config: membership.Config{Nickname: "Ann", Firmware: testFirmware(0), Version: "1.0", Random: s.random, Iterations: 10, Cores: room.CoreFacts{Package: func(string) string { return "libretro-desmume" }}}, Settings: testSettings(), ROM: testROM}
	if change != nil {
		change(&cfg)
	}
	h, err := New(cfg)
	must.Succeed(t, err)
	s.host = h
	return s
}

var names = []string{"Bob", "Carol", "Dave", "Eve", "Frank", "Grace", "Heidi", "Ivan", "Judy", "Ken", "Liz", "Mike", "Nina", "Oscar", "Peggy", "Quinn"}

// connect opens a connection for a new client, which is Bob, then Carol, and so on.
func (s *sim) connect(change func(*client.Config)) *simClient {
	s.t.Helper()
	return s.connectFrom(fmt.Sprintf("10.0.0.%d:7000", len(s.clients)+1), change)
}

func (s *sim) connectFrom(addr string, change func(*client.Config)) *simClient {
	s.t.Helper()
	n := len(s.clients)
	cfg := client.Config{Config: membership.Config{Nickname: names[n%len(names)], Firmware: testFirmware(byte(n + 1)), Version: "1.0", Random: s.random, Iterations: 10}, Core: testCore}
	if change != nil {
		change(&cfg)
	}
	c, err := client.New(cfg)
	must.Succeed(s.t, err)
	sc := &simClient{Client: c, s: s, id: ds.PeerID(n + 1), linked: true}
	s.clients = append(s.clients, sc)
	s.host.Connected(s.now, sc.id, addr)
	c.Connected(s.now, sc.id)
	return sc
}

// join takes a new client into the room.
func (s *sim) join(change func(*client.Config)) *simClient {
	s.t.Helper()
	c := s.connect(change)
	s.pump()
	if c.Phase() == room.PhaseJoining || c.Phase() == room.PhaseClosed {
		s.t.Fatalf("%s is not in the room: %v", names[(len(s.clients)-1)%len(names)], c.seen)
	}
	return c
}

// plays reports whether a client takes part in a game that is prepared or runs.
func (c *simClient) plays() bool {
	return c.Decisions() != nil || c.Phase() == room.PhasePreparing && c.Me().Present
}

// pump delivers until nobody has anything to say.
func (s *sim) pump() {
	for range 1000 {
		if !s.deliver() {
			return
		}
	}
	s.t.Fatal("the room talks without end")
}

func (s *sim) deliver() bool {
	busy := false
	for _, o := range s.host.Outgoing() {
		busy = true
		for _, c := range s.clients {
			if c.id == o.Peer && c.linked {
				c.deliver(o)
			}
		}
	}
	s.seen = append(s.seen, s.host.Events()...)
	for _, c := range s.clients {
		for _, o := range c.Outgoing() {
			busy = true
			if !c.linked || c.mute {
				continue
			}
			if o.Data != nil {
				s.host.Receive(s.now, c.id, o.Data)
			}
			if o.CloseWhy != "" {
				c.linked = false
				s.host.Disconnected(s.now, c.id, o.CloseWhy)
			}
		}
		c.seen = append(c.seen, c.Events()...)
	}
	return busy
}

func (c *simClient) deliver(o event.Outgoing) {
	if o.Data != nil {
		m, err := message.Decode(o.Data)
		if err != nil {
			c.s.t.Fatalf("the game host sent nonsense: %v", err)
		}
		c.told = append(c.told, m)
		c.Receive(c.s.now, c.id, o.Data)
	}
	if o.CloseWhy != "" {
		if len(o.CloseWhy) > room.MaxReason {
			c.s.t.Fatalf("a connection cannot be closed with %d bytes", len(o.CloseWhy))
		}
		c.linked = false
		c.Disconnected(c.s.now, c.id, o.CloseWhy)
	}
}

// wait lets time pass for everyone.
func (s *sim) wait(d time.Duration) {
	for end := s.now.Add(d); s.now.Before(end); {
		s.now = s.now.Add(50 * time.Millisecond)
		s.host.Tick(s.now)
		for _, c := range s.clients {
			if !c.mute {
				c.Tick(s.now)
			}
		}
		s.pump()
	}
}

// vanish cuts a client's connection without a word of it.
func (c *simClient) vanish() {
	c.linked = false
	c.s.host.Disconnected(c.s.now, c.id, "timed out")
	c.Disconnected(c.s.now, c.id, "timed out")
	c.s.pump()
}

// lobby makes a room of the game host and n clients, all ready.
func lobby(t *testing.T, n int, change func(*Config)) *sim {
	t.Helper()
	s := newSim(t, change)
	for range n {
		s.join(nil)
	}
	s.ready()
	return s
}

// ready makes everyone ready for the present settings.
func (s *sim) ready() {
	s.pump()
	s.wait(200 * time.Millisecond)
	s.host.Report(s.now, room.Status{Revision: s.host.Room().Revision, Ready: true})
	for _, c := range s.clients {
		if c.Phase() == room.PhaseLobby {
			c.Report(s.now, room.Status{Revision: c.Room().Revision, Ready: true})
		}
	}
	s.wait(200 * time.Millisecond)
}

// prepare brings everyone to where the consoles are to be built.
func (s *sim) prepare() {
	s.t.Helper()
	must.Succeed(s.t, s.host.Start(s.now))
	s.pump()
}

// built are the hashes of all seats, equal everywhere.
func (s *sim) built() []room.SeatHash {
	var list []room.SeatHash
	for _, p := range s.host.Roster() {
		list = append(list, room.SeatHash{Seat: p.Seat, Hash: ds.Hash{RAM: uint64(p.Seat) + 1, Video: 2, SRAM: 3}})
	}
	return list
}

// install lets all machines, or all but some, build equal consoles.
func (s *sim) install(but ...*simClient) {
	s.t.Helper()
	round, hashes := s.host.Room().Round, s.built()
	s.must(s.host.Installed(s.now, round, hashes))
	for _, c := range s.clients {
		if c.plays() && !slices.Contains(but, c) {
			s.must(c.Installed(s.now, round, hashes))
		}
	}
	s.pump()
}

// playing makes a room with n clients in the middle of a game.
func playing(t *testing.T, n int, change func(*Config)) *sim {
	t.Helper()
	s := lobby(t, n, change)
	s.prepare()
	s.install()
	if s.host.Phase() != room.PhasePlaying {
		t.Fatalf("the game did not begin: %v", s.seen)
	}
	return s
}

func (s *sim) must(err error) {
	s.t.Helper()
	must.Succeed(s.t, err)
}

// abort ends the game at once, which the game host's machine cannot go on with.
func (s *sim) abort(why string) {
	s.t.Helper()
	s.must(s.host.Failed(s.now, s.host.round.number, room.CauseOther, why))
}

// last is the newest event of a type.
func last[E event.Event](events []event.Event) (E, bool) {
	for _, e := range slices.Backward(events) {
		if e, ok := e.(E); ok {
			return e, true
		}
	}
	var none E
	return none, false
}

func want[E event.Event](t *testing.T, who string, events []event.Event) E {
	t.Helper()
	e, ok := last[E](events)
	if !ok {
		t.Fatalf("%s was not told of a %T; it was told %+v", who, e, events)
	}
	return e
}

func count[E event.Event](events []event.Event) int {
	n := 0
	for _, e := range events {
		if _, ok := e.(E); ok {
			n++
		}
	}
	return n
}

// says checks that words name all that they should.
func says(t *testing.T, who, words string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(words, p) {
			t.Errorf("%s is told %q, which lacks %q", who, words, p)
		}
	}
}

// chatted reports whether the room itself said something with these words.
func chatted(events []event.Event, parts ...string) bool {
	return slices.ContainsFunc(events, func(e event.Event) bool {
		l, ok := e.(event.ChatLine)
		return ok && l.Seat == -1 && !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(l.Text, p) })
	})
}

// alike checks that all clients in the room see the room as the game host shows it to them.
func (s *sim) alike() {
	s.t.Helper()
	s.wait(2 * time.Second)
	for _, c := range s.clients {
		if !c.Belongs(c.id) || c.mute {
			continue
		}
		want, err := message.Encode(&message.Room{Room: s.host.roomFor(s.host.peer(c.id))})
		s.must(err)
		got, err := message.Encode(&message.Room{Room: c.Room()})
		s.must(err)
		if !bytes.Equal(got, want) {
			s.t.Errorf("%s sees\n%+v\nthe game host\n%+v", c.Me().Nickname, c.Room(), s.host.Room())
		}
	}
}

// promote makes a client game host.
func (c *simClient) promote(e event.Elected) *Host { return Promoted(c.s.now, c.Promote(e)) }

// handOver makes the first client game host in place of the one that leaves. The others
// have yet to come to it: see back.
func (s *sim) handOver() {
	s.t.Helper()
	if !s.host.HandOver(s.now, "", nil) {
		s.t.Fatal("there is nobody to hand over to")
	}
	s.pump()
	next := s.clients[0]
	s.clients = s.clients[1:]
	s.host, s.seen = next.promote(want[event.Elected](s.t, "the next game host", next.seen)), nil
	s.pump()
}

// sum is a hash that is easy to see in a dump.
func sum(b byte) (s [32]byte) {
	for i := range s {
		s[i] = b
	}
	return s
}
