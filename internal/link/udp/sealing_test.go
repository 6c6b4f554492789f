package udp

import (
	"bytes"
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func testKey(t *testing.T) seal.Private {
	t.Helper()
	k, err := seal.NewKey()
	must.Succeed(t, err)
	return k
}

// tapped is a datagram on its way between two links.
type tapped struct {
	b      []byte
	toHost bool
}

// tap stands between a host and who dials its address, as a router does.
type tap struct {
	t     *testing.T
	host  *net.UDPAddr
	outer *net.UDPConn
	look  func(d tapped) bool // tells whether a datagram goes on

	mu    sync.Mutex
	sides map[netip.AddrPort]*net.UDPConn // to the host, one for each socket that dials
}

func newTap(t *testing.T, host *Link, look func(d tapped) bool) *tap {
	t.Helper()
	outer := loopback(t)
	p := &tap{t: t, host: host.conn.LocalAddr().(*net.UDPAddr), outer: outer, look: look, sides: map[netip.AddrPort]*net.UDPConn{}}
	t.Cleanup(func() { outer.Close(); p.forget() })
	go p.run()
	return p
}

func (p *tap) addr() string { return p.outer.LocalAddr().String() }

// forget has all come from other addresses than before.
func (p *tap) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.sides {
		c.Close()
	}
	clear(p.sides)
}

func (p *tap) run() {
	for b := make([]byte, 2000); ; {
		n, from, err := p.outer.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		if c := p.side(from); c != nil && p.look(tapped{bytes.Clone(b[:n]), true}) {
			_, _ = c.Write(b[:n])
		}
	}
}

func (p *tap) side(from netip.AddrPort) *net.UDPConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sides[from] == nil {
		c, err := net.DialUDP("udp4", nil, p.host)
		if err != nil {
			return nil
		}
		p.sides[from] = c
		go p.back(c, from)
	}
	return p.sides[from]
}

// back is the way from the host to one socket.
func (p *tap) back(c *net.UDPConn, to netip.AddrPort) {
	for b := make([]byte, 2000); ; {
		n, err := c.Read(b)
		if err != nil {
			return
		}
		if p.look(tapped{bytes.Clone(b[:n]), false}) {
			_, _ = p.outer.WriteToUDPAddrPort(b[:n], to)
		}
	}
}

// TestNothingIsReadable looks at all that crosses the network: no word of the players is in
// it, and no datagram is longer than paths allow.
func TestNothingIsReadable(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{Room: seal.NewSecret()})
	seen := make(chan tapped, 10000)
	router := newTap(t, host, func(d tapped) bool {
		select {
		case seen <- d:
		default:
		}
		return true
	})
	client := listenENet(t, Config{Room: host.cfg.Room})
	toHost := dialOK(t, client, router.addr())
	toClient := want(t, host, link.Connected).Peer
	want(t, client, link.Connected)
	secret := strings.Repeat("nobody may read this ", 100)
	for _, ch := range []link.Channel{link.Control, link.Bulk} {
		send(t, client, toHost, ch, secret)
		wantMessage(t, host, ch, secret)
		send(t, host, toClient, ch, secret)
		wantMessage(t, client, ch, secret)
	}
	for n := len(seen); n > 0; n-- {
		d := <-seen
		if bytes.Contains(d.b, []byte("nobody may")) {
			t.Fatalf("it can be read: %q", d.b)
		}
		if len(d.b) > maxDatagram {
			t.Fatalf("a datagram of %d bytes", len(d.b))
		}
	}
}

// TestStrangersHearNothing: without the room's secret not a byte comes back, whatever is
// said and to whomever it belonged before.
func TestStrangersHearNothing(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{Room: seal.NewSecret()})
	s := newStranger(t, "127.0.0.1", host)
	for k := kindKnock; k <= kindGone; k++ {
		noise := map[kind]int{kindOpen: seal.Overhead1, kindAccept: seal.Overhead2, kindFinish: seal.Overhead3}[k]
		g := greeting{kind: k, version: wireVersion, nonce: 1, noise: make([]byte, noise)}
		s.say(g.append(nil))
		s.say(everybody.tagged(g))
	}
	s.say(append(sessionPrefix(nil, 7), make([]byte, 100)...))
	if b := s.hear(300 * time.Millisecond); b != nil {
		t.Errorf("a stranger hears %x", b)
	}
	client := listenENet(t, Config{Room: seal.NewSecret(), ConnectTimeout: time.Second})
	if _, err := client.Dial(context.Background(), host.Addr()); !isDialError(err, link.NoAnswer) {
		t.Errorf("with another secret: %v", err)
	}
}

// TestNeighboursComeIn: where the host lets its network in, no secret is needed, and the
// connection is sealed all the same.
func TestNeighboursComeIn(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{Room: seal.NewSecret(), Neighbours: true, Key: testKey(t)})
	client := listenENet(t, Config{})
	toHost := dialOK(t, client, host.Addr())
	if ev := want(t, client, link.Connected); ev.Key != host.Key() {
		t.Error("the client knows another key than the host's")
	}
	if ev := want(t, host, link.Connected); ev.Key != client.Key() {
		t.Error("the host knows another key than the client's")
	}
	send(t, client, toHost, link.Control, "hello")
	wantMessage(t, host, link.Control, "hello")
}

// TestThisMachineIsANeighbour: a program on this machine is one, even where its addresses are public.
func TestThisMachineIsANeighbour(t *testing.T) {
	t.Parallel()
	cards, err := net.InterfaceAddrs()
	if err != nil || len(cards) == 0 {
		t.Skipf("SKIPPED: this machine has no addresses: %v", err)
	}
	var own ownAddresses
	now := time.Now()
	for _, at := range cards {
		if a := netip.MustParsePrefix(at.String()).Addr(); !own.has(a, now) || !own.has(netip.AddrFrom16(a.As16()), now) {
			t.Errorf("%v is another machine's", a)
		}
	}
	for _, a := range []string{"203.0.113.77", "2001:db8:77::77"} {
		if own.has(netip.MustParseAddr(a), now) {
			t.Errorf("%s is this machine's", a)
		}
	}
	for _, at := range cards { // a real way in, where there is a public address
		a := netip.MustParsePrefix(at.String()).Addr()
		if ds.IsLocal(a) {
			continue
		}
		host := listenENet(t, Config{Bind: a.String(), Room: seal.NewSecret(), Neighbours: true, Key: testKey(t)})
		dialOK(t, listenENet(t, Config{Bind: a.String()}), host.Addr())
		return
	}
}

// TestDialWantsTheKey: an address that another machine has answers in vain.
func TestDialWantsTheKey(t *testing.T) {
	t.Parallel()
	host, other := listenENet(t, Config{Key: testKey(t)}), listenENet(t, Config{})
	client := listenENet(t, Config{})
	if _, err := client.Dial(context.Background(), link.Target(host.Key(), other.Addr())); !isDialError(err, link.Rejected) || !strings.Contains(err.Error(), "another machine") {
		t.Errorf("another machine at the address: %v", err)
	}
	nobody := "127.0.0.1:9"
	dialOK(t, client, link.Target(host.Key(), nobody, host.Addr()))
	for _, bad := range []string{"x@" + host.Addr(), "@" + host.Addr(), link.Target(host.Key())} {
		if _, err := client.Dial(context.Background(), bad); !isDialError(err, link.Unresolved) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestOlderProgramRefuses: one from before there was a seal says so in its own way.
func TestOlderProgramRefuses(t *testing.T) {
	t.Parallel()
	older := loopback(t)
	go func() {
		for b := make([]byte, 2000); ; {
			n, from, err := older.ReadFromUDP(b)
			if err != nil {
				return
			}
			if n > greetHeader {
				no := append([]byte{byte(kindRefuse), 1}, b[2:greetHeader]...)
				_, _ = older.WriteToUDP(append(no, byte(refuseVersion)), from)
			}
		}
	}()
	_, err := listenENet(t, Config{}).Dial(context.Background(), older.LocalAddr().String())
	if !isDialError(err, link.Rejected) || !strings.Contains(err.Error(), refuseVersion.String()) {
		t.Errorf("got %v", err)
	}
}

// TestReplayIsRefused plays all that a client ever sent once more, from the same and from
// another address, while the connection lives and after it.
func TestReplayIsRefused(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{Room: seal.NewSecret()})
	seen := make(chan tapped, 10000)
	router := newTap(t, host, func(d tapped) bool {
		if d.toHost {
			select {
			case seen <- d:
			default:
			}
		}
		return true
	})
	client := listenENet(t, Config{Room: host.cfg.Room})
	toHost := dialOK(t, client, router.addr())
	want(t, host, link.Connected)
	want(t, client, link.Connected)
	for _, text := range []string{"one", "two", "three"} {
		send(t, client, toHost, link.Control, text)
		wantMessage(t, host, link.Control, text)
	}
	var list []tapped
	for n := len(seen); n > 0; n-- {
		list = append(list, <-seen)
	}
	s := newStranger(t, "127.0.0.1", host)
	replay := func() {
		for _, d := range list {
			s.say(d.b)
		}
	}
	replay()
	send(t, client, toHost, link.Control, "four")
	wantMessage(t, host, link.Control, "four")
	client.Close()
	want(t, host, link.Disconnected)
	replay()
	time.Sleep(300 * time.Millisecond)
	select {
	case ev := <-host.Events():
		t.Errorf("a replay brings %+v", ev)
	default:
	}
}

// TestPeerMoves: a peer that sends from another address all at once is the same peer.
func TestPeerMoves(t *testing.T) {
	t.Parallel()
	host, client := listenENet(t, Config{}), listenENet(t, Config{})
	router := newTap(t, host, func(tapped) bool { return true })
	toHost := dialOK(t, client, router.addr())
	toClient := want(t, host, link.Connected).Peer
	want(t, client, link.Connected)
	s, err := host.session(toClient)
	must.Succeed(t, err)
	for range 3 {
		before := s.address()
		router.forget()
		send(t, client, toHost, link.Control, "from elsewhere")
		wantMessage(t, host, link.Control, "from elsewhere")
		send(t, host, toClient, link.Bulk, strings.Repeat("x", 50000))
		wantMessage(t, client, link.Bulk, strings.Repeat("x", 50000))
		if s.address() == before {
			t.Fatal("the address is the same")
		}
	}
}

// TestForgedDatagramsEndNothing: somebody on the path who knows all numbers, but no key,
// ends no session and takes no room in it.
func TestForgedDatagramsEndNothing(t *testing.T) {
	t.Parallel()
	host, client, toClient, toHost := enetPair(t, Config{Room: seal.NewSecret()})
	s, err := host.session(toClient)
	must.Succeed(t, err)
	stranger := newStranger(t, "127.0.0.1", host)
	for i := range 20000 {
		b := append(sessionPrefix(nil, s.wire), make([]byte, 60)...)
		b[14] = byte(i)
		stranger.say(b)
		stranger.say(greeting{kind: kindGone, version: wireVersion, nonce: s.wire}.append(nil))
	}
	send(t, client, toHost, link.Control, "still here")
	wantMessage(t, host, link.Control, "still here")
	if n, _ := host.Stats(toClient); n.ReceivedDatagrams > 1000 {
		t.Errorf("%d datagrams count as the peer's", n.ReceivedDatagrams)
	}
}

// TestOverIPv6: the same over the other protocol.
func TestOverIPv6(t *testing.T) {
	t.Parallel()
	host, err := Listen(Config{Bind: "::1"})
	if err != nil {
		t.Skip("no IPv6 here: ", err)
	}
	t.Cleanup(func() { host.Close() })
	client, err := Listen(Config{})
	must.Succeed(t, err)
	t.Cleanup(func() { client.Close() })
	toHost := dialOK(t, client, host.Addr())
	send(t, client, toHost, link.Control, "hello")
	want(t, host, link.Connected)
	wantMessage(t, host, link.Control, "hello")
	both := listenENet(t, Config{})
	dialOK(t, client, both.Addr()) // and IPv4 from the same socket
}

// One address of a machine may lead to ourselves or to somebody else, as a local address
// does in another network. The others still do; where all refuse, the reason is told at once.
func TestDialWithOneGoodAddress(t *testing.T) {
	host := listenENet(t, Config{Key: testKey(t)})
	other := listenENet(t, Config{Key: testKey(t)})
	client := listenENet(t, Config{Key: testKey(t), ConnectTimeout: time.Minute})
	key := host.cfg.Key.Public()
	dialOK(t, client, link.Target(key, client.Addr(), other.Addr(), host.Addr()))
	_, err := client.Dial(context.Background(), link.Target(key, client.Addr(), other.Addr()))
	if !isDialError(err, link.Rejected) {
		t.Errorf("none of them is the host: %v", err)
	}
}
