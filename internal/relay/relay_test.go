package relay

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/nettplay/nettplay/internal/testing/must"
)

var (
	relayAddr = netip.MustParseAddrPort("203.0.113.1:21205")
	hostAddr  = netip.MustParseAddrPort("192.0.2.1:4000")
	kidAddr   = netip.MustParseAddrPort("198.51.100.2:5000")
	hostBox   = Mailbox{1}
	kidBox    = Mailbox{2}
)

// world is a relay and its users, in virtual time.
type world struct {
	t       *testing.T
	now     time.Duration
	server  *Server
	clients map[netip.AddrPort]*Client
	blocked netip.AddrPort // whose UDP does not arrive
	older   bool           // relay and machines know no tokens of each other
}

// token is what shows that a question from an address is its machine's; none of a stranger's.
func (w *world) token(at netip.AddrPort) token {
	c := w.clients[at]
	if c == nil {
		return token{}
	}
	return c.relays[0].shown()
}

// tunnelled is where a machine's tunnel comes from.
func tunnelled(at netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(at.Addr().As16()).WithZone("tunnel"), at.Port())
}

func newWorld(t *testing.T, limits Limits) *world {
	return &world{t: t, server: NewServer(limits), clients: map[netip.AddrPort]*Client{}}
}

func (w *world) clock() time.Time { return time.Unix(1, 0).Add(w.now) }

func (w *world) join(box Mailbox, addr netip.AddrPort) *Client {
	c := NewClient(box, func(string) Owner { return Owner(append(box[:], 0, 0, 0, 0)) })
	n, _ := c.Use("relay.example:21205")
	c.Resolved(n, []netip.AddrPort{relayAddr})
	w.clients[addr] = c
	return c
}

// relay hands a datagram to the relay, and its answers on. It returns what was brought.
func (w *world) relay(d Datagram, from netip.AddrPort) (got []byte, at netip.AddrPort) {
	b := d.Bytes
	if IsTunnel(d.To) {
		from = tunnelled(from)
	}
	for b != nil && from != w.blocked {
		size := len(b)
		if b = bytes.Clone(b); w.older && b[0] == kindClaim {
			clear(b[HeaderSize+len(Owner{})+len(proof{}):])
		}
		out, to := w.server.Receive(bytes.Clone(b), from, w.now)
		if len(out) > size {
			w.t.Errorf("the relay makes %d bytes of %d", len(out), size)
		}
		where, by := to, relayAddr
		if to.Addr().Zone() != "" {
			where, by = netip.AddrPortFrom(to.Addr().WithZone("").Unmap(), to.Port()), TunnelAt(1)
		}
		c := w.clients[where]
		if out == nil || c == nil || to == w.blocked {
			return nil, at
		}
		got, at, b = c.Unwrap(out, by, w.clock())
		if got != nil {
			return got, at
		}
		from = to
	}
	return nil, at
}

// pass lets time pass.
func (w *world) pass(d time.Duration) {
	for end := w.now + d; w.now < end; w.now += 50 * time.Millisecond {
		for addr, c := range w.clients {
			list, _ := c.Due(w.clock())
			for _, d := range list {
				w.relay(d, addr)
			}
		}
	}
}

func (w *world) send(from netip.AddrPort, to netip.AddrPort, text string) (got string, at netip.AddrPort) {
	d, ok := w.clients[from].Wrap(to, []byte(text))
	if !ok {
		return "", at
	}
	b, at := w.relay(d, from)
	return string(b), at
}

func TestTwoMachinesMeetAtARelay(t *testing.T) {
	w := newWorld(t, Limits{})
	w.join(hostBox, hostAddr)
	w.join(kidBox, kidAddr)
	w.pass(100 * time.Millisecond)
	if got, at := w.send(kidAddr, hostBox.At(1), "hello"); got != "hello" || at != kidBox.At(1) {
		t.Fatalf("the host gets %q from %v", got, at)
	}
	if got, at := w.send(hostAddr, kidBox.At(1), "welcome"); got != "welcome" || at != hostBox.At(1) {
		t.Fatalf("the friend gets %q from %v", got, at)
	}
	if st := w.clients[kidAddr].Status()[0]; !st.Held || st.Seen != kidAddr {
		t.Errorf("the friend is told %+v", st)
	}
	w.pass(10 * Lease)
	if got, _ := w.send(kidAddr, hostBox.At(1), "still"); got != "still" {
		t.Error("mailboxes were not kept")
	}
	if f := w.server.Figures(); f.Carried != 3 || f.Mailboxes != 2 || f.Malformed != 0 {
		t.Errorf("figures: %+v", f)
	}
}

func TestMailboxesOfTheSilentAreForgotten(t *testing.T) {
	w := newWorld(t, Limits{})
	w.join(hostBox, hostAddr)
	w.pass(time.Second)
	delete(w.clients, hostAddr)
	w.join(kidBox, kidAddr)
	w.pass(2 * Lease)
	if f := w.server.Figures(); f.Mailboxes != 1 {
		t.Errorf("%d mailboxes are held", f.Mailboxes)
	}
	if got, _ := w.send(kidAddr, hostBox.At(1), "hello"); got != "" {
		t.Error("somebody got it")
	}
}

func TestRelayThatWasStartedAgainIsToldOnce(t *testing.T) {
	w := newWorld(t, Limits{})
	w.join(hostBox, hostAddr)
	w.join(kidBox, kidAddr)
	w.pass(time.Second)
	w.server = NewServer(Limits{})
	w.send(kidAddr, hostBox.At(1), "lost")
	w.send(hostAddr, kidBox.At(1), "lost")
	w.pass(time.Second)
	if got, _ := w.send(kidAddr, hostBox.At(1), "hello"); got != "hello" {
		t.Error("the machines do not come back to the relay within a second")
	}
}

func TestMachineThatMovesKeepsItsMailbox(t *testing.T) {
	w := newWorld(t, Limits{})
	c := w.join(hostBox, hostAddr)
	w.join(kidBox, kidAddr)
	w.pass(time.Second)
	elsewhere := netip.MustParseAddrPort("192.0.2.99:7")
	delete(w.clients, hostAddr)
	w.clients[elsewhere] = c
	w.send(elsewhere, kidBox.At(1), "lost, but the relay says that it knows nobody there")
	w.pass(time.Second)
	if got, _ := w.send(kidAddr, hostBox.At(1), "hello"); got != "hello" {
		t.Error("it is not found at its new address")
	}
	if f := w.server.Figures(); f.Mailboxes != 2 {
		t.Errorf("%d mailboxes", f.Mailboxes)
	}
}

func TestStrangersCannotTakeAMailbox(t *testing.T) {
	w := newWorld(t, Limits{})
	w.join(hostBox, hostAddr)
	w.pass(time.Second)
	thief := netip.MustParseAddrPort("192.0.2.66:6")
	c := NewClient(hostBox, func(string) Owner { return Owner{9} })
	n, _ := c.Use("relay.example:21205")
	c.Resolved(n, []netip.AddrPort{relayAddr})
	w.clients[thief] = c
	w.pass(3 * time.Second)
	if st := c.Status()[0]; st.Held || st.Refused == "" {
		t.Errorf("the thief is told %+v", st)
	}
	w.join(kidBox, kidAddr)
	w.pass(time.Second)
	if got, _ := w.send(kidAddr, hostBox.At(1), "hello"); got != "hello" {
		t.Error("the host does not get it any more")
	}
}

// The relay sends no more bytes than it received, and keeps no more than
// its limits.
func FuzzServer(f *testing.F) {
	for _, m := range samples() {
		f.Add(m.append(nil), uint64(1))
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) { looksAtServer(t, b, seed) })
}

func looksAtServer(t *testing.T, b []byte, seed uint64) (well bool) {
	r := rand.New(rand.NewPCG(seed, 0))
	s := NewServer(Limits{Mailboxes: 4, PerHost: 2})
	now := time.Duration(0)
	for range 16 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(r.IntN(4))}), uint16(1+r.IntN(3)))
		in := bytes.Clone(b)
		if r.IntN(2) == 0 {
			in = message{kind: kindClaim, mailbox: Mailbox{byte(r.IntN(6))}, owner: Owner{byte(r.IntN(2))}}.append(nil)
		}
		for range 2 { // with the cookie that the first answer brings
			size := len(in)
			out, to := s.Receive(bytes.Clone(in), from, now)
			if len(out) > size {
				t.Fatalf("%d bytes for %d", len(out), size)
			}
			well = well || len(out) > 0
			m, err := decode(out)
			if err != nil || m.kind != kindProve || to != from {
				break
			}
			claim, _ := decode(in)
			claim.cookie = m.cookie
			in = claim.append(nil)
		}
		now += time.Duration(r.IntN(20)) * time.Second
		if len(s.boxes) > 4 || len(s.at) != len(s.boxes) || s.renewed.Len() != len(s.boxes) || len(s.hosts) > len(s.boxes) || s.index.own.Len() > len(s.boxes) {
			t.Fatalf("%d mailboxes, %d addresses, %d hosts", len(s.boxes), len(s.at), len(s.hosts))
		}
	}
	return well
}

func FuzzUnwrap(f *testing.F) {
	for _, m := range samples() {
		f.Add(m.append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) { looksAtUnwrapped(t, b) })
}

func looksAtUnwrapped(t *testing.T, b []byte) (well bool) {
	c := NewClient(Mailbox{1, 2, 3}, func(string) Owner { return Owner{} })
	n, _ := c.Use("r")
	c.Resolved(n, []netip.AddrPort{relayAddr})
	body, _, answer := c.Unwrap(b, relayAddr, time.Unix(1, 0))
	if len(body) > len(b) || len(answer) > claimSize {
		t.Errorf("%d bytes of %d, answer of %d", len(body), len(b), len(answer))
	}
	return len(body) > 0 || answer != nil
}

// TestARelayThatEndsSaysSo: its users go elsewhere, nobody new comes in, and those who are there
// are carried until the end. One that was started anew is used again.
func TestARelayThatEndsSaysSo(t *testing.T) {
	w := newWorld(t, Limits{})
	host := w.join(hostBox, hostAddr)
	w.join(kidBox, kidAddr)
	w.pass(time.Second)
	told := w.server.Leave()
	for _, d := range told {
		w.clients[d.To].Unwrap(d.Bytes, relayAddr, w.clock())
	}
	if st := host.Status()[0]; len(told) != 2 || !host.Leaving(kidBox.At(1)) || host.Leaving(kidAddr) || st.Held || st.Refused == "" {
		t.Errorf("%d are told, the host %+v", len(told), st)
	}
	if got, _ := w.send(kidAddr, hostBox.At(1), "hello"); got != "hello" {
		t.Error("nothing is carried any more")
	}
	late := w.join(Mailbox{3}, netip.MustParseAddrPort("198.51.100.3:1"))
	w.pass(time.Second)
	if st := late.Status()[0]; st.Held || st.Refused == "" {
		t.Errorf("one who comes late: %+v", st)
	}
	w.server = NewServer(Limits{})
	w.pass(2 * claimAgain)
	if st := host.Status()[0]; !st.Held || host.Leaving(kidBox.At(1)) || !late.Status()[0].Held {
		t.Errorf("with the next relay: %+v, %+v", st, late.Status())
	}
}

// TestADoubtIsAnsweredSoon: a router has forgotten a machine, which nobody reaches through the relay
// until it claims its mailbox again. One that doubts does so at once, and not too often.
func TestADoubtIsAnsweredSoon(t *testing.T) {
	w := newWorld(t, Limits{})
	host := w.join(hostBox, hostAddr)
	w.join(kidBox, kidAddr)
	w.pass(claimDoubt)
	moved := netip.MustParseAddrPort("192.0.2.99:5")
	w.clients[moved] = host
	delete(w.clients, hostAddr)
	w.pass(claimFirst)
	if got, _ := w.send(kidAddr, hostBox.At(1), "hello"); got != "" {
		t.Fatal("the relay has guessed the new address")
	}
	doubt := func() (due bool) {
		for len(host.Wake()) > 0 {
			<-host.Wake()
		}
		host.Doubt(w.clock())
		return len(host.Wake()) > 0
	}
	if !doubt() {
		t.Error("nothing is due")
	}
	w.pass(50 * time.Millisecond)
	if got, _ := w.send(kidAddr, hostBox.At(1), "hello"); got != "hello" || host.Status()[0].Seen != moved {
		t.Errorf("the host gets %q and is seen at %v", got, host.Status()[0].Seen)
	}
	if doubt() {
		t.Error("the relay is asked all the time")
	}
}

// TestRelayOfNoName: that no server has a relay's name is known until it has one.
func TestRelayOfNoName(t *testing.T) {
	c := NewClient(Mailbox{1}, func(string) Owner { return Owner{1} })
	n, _ := c.Use("none.example:21206")
	if c.Status()[0].Nowhere {
		t.Error("a relay that was not looked up is said not to be there")
	}
	if c.Nowhere(n); !c.Status()[0].Nowhere {
		t.Error("it is not said")
	}
	if c.Resolved(n, []netip.AddrPort{relayAddr}); c.Status()[0].Nowhere {
		t.Error("it is said of a relay that has an address")
	}
}

// Whoever reads nothing has others' datagrams wait, for all tunnels together within a bound; what waited is given back when the
// tunnel ends.
func TestQueuesAreBounded(t *testing.T) {
	const size, most = 1300, 100 * 1300
	q := &TunnelQueues{Most: most}
	accepted := make(chan *Tunnel)
	var serving sync.WaitGroup
	end := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Add(1)
		defer serving.Done()
		c, err := AcceptTunnel(w, r, q)
		if err != nil {
			t.Error(err)
			return
		}
		accepted <- c
		<-end
	}))
	defer server.Close()
	var all []*Tunnel
	for range 8 {
		ws, _, err := websocket.Dial(t.Context(), "ws"+server.URL[len("http"):]+TunnelPath, nil)
		must.Succeed(t, err)
		defer func() { _ = ws.CloseNow() }()
		all = append(all, <-accepted)
	}
	full := 0
	for late := time.Now().Add(time.Minute); full < 1000; {
		for _, c := range all {
			c.Send(make([]byte, size))
		}
		switch used := q.used.Load(); {
		case used > most:
			t.Fatalf("%d bytes wait", used)
		case used > most-size:
			full++
		case time.Now().After(late):
			t.Fatalf("%d bytes wait of those who read nothing", used)
		}
	}
	for _, c := range all {
		_ = c.Close()
		c.Send(make([]byte, size))
	}
	if used := q.used.Load(); used != 0 {
		t.Errorf("%d bytes wait for nobody", used)
	}
	close(end)
	serving.Wait()
}
