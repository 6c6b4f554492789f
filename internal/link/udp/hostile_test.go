package udp

import (
	"math/rand/v2"
	"net"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// stranger is a raw UDP socket of somebody who is no link, but knows the room's secret.
type stranger struct {
	t    *testing.T
	conn *net.UDPConn
	room *room
}

// everybody is the room of links whose Config names none.
var everybody = newRoom(seal.Secret{}, false)

func newStranger(t *testing.T, from string, to *Link) *stranger {
	t.Helper()
	conn, err := net.DialUDP("udp4", &net.UDPAddr{IP: net.ParseIP(from)}, to.conn.LocalAddr().(*net.UDPAddr))
	if err != nil {
		t.Skip("not a Linux loopback: ", err)
	}
	t.Cleanup(func() { conn.Close() })
	return &stranger{t, conn, everybody}
}

func (s *stranger) say(b []byte) { _, _ = s.conn.Write(b) }

// hear returns an answer, nil if none comes.
func (s *stranger) hear(patience time.Duration) []byte {
	s.t.Helper()
	b := make([]byte, 2000)
	_ = s.conn.SetReadDeadline(time.Now().Add(patience))
	n, err := s.conn.Read(b)
	if err != nil {
		return nil
	}
	return b[:n]
}

// ask greets and returns the answer, which must not be longer.
func (s *stranger) ask(g greeting, patience time.Duration) (greeting, bool) {
	s.t.Helper()
	b := s.room.tagged(g)
	s.say(b)
	answer := s.hear(patience)
	if answer == nil {
		return greeting{}, false
	}
	if len(answer) > len(b) {
		s.t.Errorf("%d bytes answer %d", len(answer), len(b))
	}
	body, ok := s.room.greeter.Check(answer)
	if !ok {
		s.t.Fatalf("an answer without the room's tag: %x", answer)
	}
	got, err := decodeGreeting(body)
	must.Succeed(s.t, err)
	return got, true
}

// enter goes through the greetings and returns the session.
func (s *stranger) enter(nonce uint64) (session uint64, ok bool) {
	s.t.Helper()
	challenge, ok := s.ask(greeting{kind: kindKnock, version: wireVersion, nonce: nonce}, testPatience)
	if !ok || challenge.kind != kindChallenge || challenge.nonce != nonce {
		s.t.Fatalf("%+v, %v", challenge, ok)
	}
	accept, ok := s.ask(opening1(s.t, nonce, challenge.cookie), testPatience)
	return accept.session, ok && accept.kind == kindAccept
}

// opening1 is an open with a good first message of a handshake.
func opening1(t *testing.T, nonce uint64, cookie [cookieSize]byte) greeting {
	t.Helper()
	key, err := seal.NewKey()
	must.Succeed(t, err)
	d := dial{nonce: nonce}
	must.Succeed(t, d.startHandshake(key, seal.Secret{}, seal.Public{}))
	return greeting{kind: kindOpen, version: wireVersion, nonce: nonce, cookie: cookie, noise: d.first}
}

func TestGreetingsAreGuarded(t *testing.T) {
	host := listenENet(t, Config{})
	s := newStranger(t, "127.0.0.1", host)
	if g, ok := s.ask(opening1(t, 5, [cookieSize]byte{}), 100*time.Millisecond); ok {
		t.Errorf("a made-up cookie was answered: %+v", g)
	}
	other := newStranger(t, "127.0.0.1", host)
	challenge, _ := other.ask(greeting{kind: kindKnock, version: wireVersion, nonce: 5}, testPatience)
	if g, ok := s.ask(opening1(t, 5, challenge.cookie), 100*time.Millisecond); ok {
		t.Errorf("somebody else's cookie was answered: %+v", g)
	}
	if g, ok := s.ask(greeting{kind: kindKnock, version: 9, nonce: 6}, testPatience); !ok || g.kind != kindRefuse || g.code != refuseVersion || g.nonce != 6 {
		t.Errorf("another version: %+v", g)
	}
	s.say(make([]byte, 5000))
	if g, ok := s.ask(greeting{kind: kindAsk, version: wireVersion, nonce: 77}, testPatience); !ok || g.kind != kindGone || g.nonce != 77 {
		t.Errorf("an unknown session: %+v", g)
	}
	s.say(s.room.tagged(greeting{kind: kindGone, version: wireVersion, nonce: 77}))
	s.say(append(sessionPrefix(nil, 77), make([]byte, 40)...))
	if b := s.hear(100 * time.Millisecond); b != nil {
		t.Errorf("what needs no answer has one: %x", b)
	}
	if n := host.sessionCount(); n != 0 {
		t.Errorf("%d sessions", n)
	}
	session, ok := s.enter(8)
	if again, _ := s.enter(8); !ok || again != session {
		t.Errorf("the same nonce gave %#x and %#x", session, again)
	}
	if n := host.sessionCount(); n != 1 {
		t.Errorf("%d sessions", n)
	}
}

// A hundred thousand addresses, forged or not, cost next to no memory, few answers
// and few sessions. They are put in where the reader does, all at the same moment:
// so the buckets' bursts are all that there is.
func TestFloodFromManyAddresses(t *testing.T) {
	host := listenENet(t, Config{MaxPeers: 256})
	sink, err := net.ListenUDP("udp4", nil) // hears what is sent to any loopback address
	must.Succeed(t, err)
	defer sink.Close()
	_ = sink.SetReadBuffer(4 << 20)
	port := sink.LocalAddr().(*net.UDPAddr).AddrPort().Port()
	address := func(i int) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, byte(1 + i>>16), byte(i >> 8), byte(i)}), port)
	}
	now := time.Now()
	first := opening1(t, 0, [cookieSize]byte{})
	kinds := []struct {
		what string
		most int // answers
		say  func(i int) []byte
	}{
		{"knocks", int(host.door.answers.most()), func(i int) []byte {
			return everybody.tagged(greeting{kind: kindKnock, version: wireVersion, nonce: uint64(i)})
		}},
		{"made-up cookies", 0, func(i int) []byte {
			first.nonce = uint64(i)
			return everybody.tagged(first)
		}},
		{"sessions that are not", int(host.door.answers.most()), func(i int) []byte {
			return everybody.tagged(greeting{kind: kindAsk, version: wireVersion, nonce: uint64(i)})
		}},
		{"knocks without the secret", 0, func(i int) []byte {
			return append(greeting{kind: kindKnock, version: wireVersion, nonce: uint64(i)}.append(nil), make([]byte, seal.TagSize)...)
		}},
		{"other versions", 0, func(i int) []byte {
			return everybody.tagged(greeting{kind: kindKnock, version: 99, nonce: uint64(i)})
		}},
		{"garbage", 0, func(i int) []byte { return []byte{byte(i), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12} }},
	}
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, goroutines := heap(), runtime.NumGoroutine()
	answers := func() (n int) {
		b := make([]byte, 2000)
		for {
			_ = sink.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
			if _, _, err := sink.ReadFromUDPAddrPort(b); err != nil {
				return n
			}
			n++
		}
	}
	p := new(packet)
	for _, k := range kinds {
		for i := range 100_000 {
			p.n = copy(p.buf[:], k.say(i))
			if host.route(p, address(i), now) {
				t.Fatalf("%s are kept", k.what)
			}
		}
		if n := answers(); n > k.most {
			t.Errorf("%d answers to %s, want at most %d", n, k.what, k.most)
		}
	}
	if grown := heap() - before; grown > 1<<20 || runtime.NumGoroutine() > goroutines || host.sessionCount() > 0 {
		t.Errorf("grown by %d bytes, %d goroutines, %d sessions", grown, runtime.NumGoroutine()-goroutines, host.sessionCount())
	}
	// Somebody who really has all of these addresses, and so all cookies.
	// Sessions that are not finished end while this loop goes on, on a slow machine all.
	now = now.Add(time.Minute)
	most := 0
	for i := range 1000 {
		from := address(i)
		cookie := host.mint(from, uint64(i), now)
		p.n = copy(p.buf[:], everybody.tagged(opening1(t, uint64(i), cookie)))
		host.route(p, from, now)
		most = max(most, host.sessionCount())
	}
	if most == 0 || most > int(host.door.sessions.most()) {
		t.Errorf("%d sessions", most)
	}
}

// half is the beginning of something that ENet would understand.
func half(r *rand.Rand) []byte {
	b := []byte{0x80, byte(r.IntN(4)), byte(r.Uint32()), byte(r.Uint32())}
	for range r.IntN(6) {
		b = append(b, byte(r.IntN(14))|0x80, byte(r.IntN(4)), 0, byte(r.IntN(20)))
		for range r.IntN(50) {
			b = append(b, byte(r.Uint32()))
		}
	}
	return b
}

// garbage is something a socket may receive.
func garbage(r *rand.Rand) []byte {
	b := make([]byte, r.IntN(1600))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	switch r.IntN(6) {
	case 0:
		return half(r)
	case 1:
		return append(sessionPrefix(nil, r.Uint64N(4)), half(r)...)
	case 2:
		return everybody.tagged(greeting{kind: kindKnock, version: wireVersion, nonce: r.Uint64()})
	case 3:
		g := greeting{kind: kindOpen, version: wireVersion, nonce: r.Uint64(), noise: make([]byte, seal.Overhead1)}
		return everybody.tagged(g)
	case 4:
		if len(b) > 0 {
			b[0] = byte(kindKnock) + byte(r.IntN(24))
		}
	}
	return b
}

// A flood of garbage neither harms the link nor disturbs a session.
func TestFloodOfGarbage(t *testing.T) {
	t.Parallel()
	host, client, toClient, toHost := enetPair(t, Config{})
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for i := range 3 {
		s := newStranger(t, "127.0.0.2", host)
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 9))
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
					s.say(garbage(r))
				}
				if n%50 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	for start, n := time.Now(), 0; time.Since(start) < 3*time.Second; n++ {
		text := strings.Repeat("x", n%3000)
		send(t, client, toHost, link.Control, text)
		wantMessage(t, host, link.Control, text)
		send(t, host, toClient, link.Bulk, text)
		wantMessage(t, client, link.Bulk, text)
	}
	close(stop)
	wg.Wait()
	if n := host.sessionCount(); n != 1 {
		t.Errorf("%d sessions", n)
	}
}

// The same from a peer inside its own session: what ENet must not see is dropped,
// what breaks the rules ends the session with words, and no other.
func TestHostilePeers(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{})
	friend := listenENet(t, Config{})
	toHost := dialOK(t, friend, host.Addr())
	want(t, host, link.Connected)
	want(t, friend, link.Connected)
	for name, attack := range map[string][]byte{
		"garbage":                 {0x90, 1, 0x7F},
		"half a frame":            {0x90, 1, 3},
		"confirms what was never": {0x90, 1, 3, 0xFF, 0xFF, 0x03, 0, 0, 0},
		"allows without end":      {0x90, 1, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F},
		"sends beyond its limit":  {0x90, 1, 7, 0, 0xFF, 0xFF, 0xFF, 0x7F, 1, 1},
		"a giant message":         {0x90, 1, 7, 1, 0, 4, 0xFF, 0xFF, 0xFF, 0x7F},
	} {
		rogue := listenENet(t, Config{})
		p := dialOK(t, rogue, host.Addr())
		q := want(t, host, link.Connected).Peer
		s, err := rogue.session(p)
		must.Succeed(t, err)
		// Noise that must not matter.
		r := rand.New(rand.NewPCG(1, 2))
		for range 300 {
			forged(s, kindCarrier, half(r))
		}
		s.mu.Lock()
		s.carrier.send(attack)
		s.serve(0, time.Now())
		s.mu.Unlock()
		for {
			ev := next(t, host)
			if ev.Kind == link.Message {
				time.Sleep(time.Millisecond) // a consumer that is not the fastest
				continue
			}
			if ev.Kind != link.Disconnected || ev.Peer != q || ev.Reason.By != link.ByLocal || !strings.Contains(ev.Reason.Text, "broke the protocol") {
				t.Fatalf("%s: %+v", name, ev)
			}
			break
		}
		rogue.Close()
	}
	send(t, friend, toHost, link.Control, "still here")
	wantMessage(t, host, link.Control, "still here")
}

// forged sends a datagram of a session beside the session's own goroutine.
func forged(s *session, k kind, body []byte) {
	if b, ok := s.seal(k, append(make([]byte, headRoom, headRoom+len(body)+seal.Overhead), body...)); ok {
		_ = s.link.write(b, s.address())
	}
}
