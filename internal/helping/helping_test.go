package helping

import (
	"context"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/portmap"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
)

var (
	home    = netip.MustParseAddr("203.0.113.7")
	homeSix = netip.MustParseAddr("2001:db8:7::2")
	lan     = netip.MustParseAddr("192.168.1.5")
)

// TestWhetherFriendsGetThrough: each way in which it is known, and each that is in the way, has its words, an address, and what to
// do.
func TestWhetherFriendsGetThrough(t *testing.T) {
	mapped := portmap.Mapping{Outside: netip.AddrPortFrom(home, 21206), By: "UPnP"}
	pinhole := portmap.Mapping{Outside: netip.AddrPortFrom(homeSix, 21206), By: "PCP"}
	for what, x := range map[string]struct {
		k     known
		reach Reach
		words string
		at    string
		six   string
	}{
		"nobody has answered": {known{asks: true, stun: true}, Asking, "Asking your router", "", ""},
		"the router lets them in": {
			known{asks: true, asked: true, mapped: mapped}, Open, "lets them in (UPnP)", "203.0.113.7:21206", "",
		},
		"at another port": {
			known{asks: true, asked: true, mapped: portmap.Mapping{Outside: netip.AddrPortFrom(home, 40000), By: "NAT-PMP"}, outside: outside{addr: home}},
			Open, "NAT-PMP", "203.0.113.7:40000", "",
		},
		"the router is behind another": {
			known{asks: true, asked: true, mapped: portmap.Mapping{Outside: netip.MustParseAddrPort("100.64.1.1:21206"), By: "UPnP"}, outside: outside{addr: home}, looked: true, stun: true},
			Closed, "behind another router", "203.0.113.7:21206", "",
		},
		"the router says another address than all others see": {
			known{asks: true, asked: true, mapped: portmap.Mapping{Outside: netip.MustParseAddrPort("198.51.100.1:21206"), By: "UPnP"}, outside: outside{addr: home}, looked: true, stun: true},
			Closed, "behind another router", "203.0.113.7:21206", "",
		},
		"the router says so itself": {
			known{asks: true, asked: true, refused: portmap.ErrBehind, looked: true}, Closed, "rented machine", "", "",
		},
		"on the internet itself": {
			known{asks: true, asked: true, refused: portmap.ErrNone, own: []netip.Addr{home}, outside: outside{addr: home}, looked: true, stun: true},
			Open, "let UDP port 21206 in at its firewall", "203.0.113.7:21206", "",
		},
		"forwarded by hand, and the router shows it": {
			known{asked: true, asks: true, refused: portmap.ErrNone, outside: outside{addr: home}, looked: true, stun: true, passes: true}, Open, "passes UDP port 21206 on", "203.0.113.7:21206", "",
		},
		"somebody has come in": {
			known{asks: true, asked: true, refused: portmap.ErrNone, outside: outside{addr: home}, looked: true, came4: true}, Open, "some have come in", "203.0.113.7:21206", "",
		},
		"no UPnP": {
			known{asks: true, asked: true, refused: portmap.ErrNone, outside: outside{addr: home}, looked: true, stun: true}, Closed, "forward UDP port 21206", "203.0.113.7:21206", "",
		},
		"the router is not to be asked": {
			known{outside: outside{addr: home}, looked: true, stun: true}, Closed, "net.forward", "203.0.113.7:21206", "",
		},
		"no UDP": {
			known{asks: true, asked: true, refused: portmap.ErrNone, outside: outside{deaf: true}, looked: true, stun: true}, Closed, "no UDP", "", "",
		},
		"IPv6 alone, by a pinhole": {
			known{asks: true, asked: true, refused: portmap.ErrBehind, pinhole: pinhole, looked: true, stun: true}, SixOnly, "who have IPv6", "[2001:db8:7::2]:21206", "[2001:db8:7::2]:21206",
		},
		"both": {
			known{asks: true, asked: true, mapped: mapped, pinhole: pinhole}, Open, "lets them in", "203.0.113.7:21206", "[2001:db8:7::2]:21206",
		},
		"IPv6 alone, and nobody knows": {
			known{asks: true, asked: true, refused: portmap.ErrNone, own: []netip.Addr{homeSix}, looked: true, stun: true}, Closed, "did not open", "[2001:db8:7::2]:21206", "",
		},
		"IPv6 alone, and somebody has come in": {
			known{asks: true, asked: true, refused: portmap.ErrNone, own: []netip.Addr{homeSix}, looked: true, stun: true, came6: true}, SixOnly, "who have IPv6", "[2001:db8:7::2]:21206", "[2001:db8:7::2]:21206",
		},
		"another program has the port": {known{failed: "Another program has it."}, Closed, "Another program", "", ""},
	} {
		x.k.on, x.k.port = true, 21206
		if s := x.k.state(); s.Reach != x.reach || !strings.Contains(s.Words, x.words) || s.At != x.at || s.AtSix != x.six || !s.On {
			t.Errorf("%s: %+v", what, s)
		}
		if s := x.k.state(); s.Known() != (x.reach == Open) {
			t.Errorf("%s: known %v", what, s.Known())
		}
	}
	if s := (&known{}).state(); s != (State{}) {
		t.Errorf("while it is off: %+v", s)
	}
}

// TestWhoIsFar: machines of this network, of a VPN, and this machine by way of its router do not show that friends get through.
func TestWhoIsFar(t *testing.T) {
	k := known{own: []netip.Addr{lan, homeSix}, outside: outside{addr: home}}
	far := k.far()
	for addr, want := range map[string]bool{
		"198.51.100.4": true, "2001:db8:8::9": true,
		"203.0.113.7": false, "192.168.1.9": false, "127.0.0.1": false, "100.100.1.1": false, "2001:db8:7::99": false, "fe80::1": false, "fd00::1": false,
	} {
		if far(netip.MustParseAddr(addr)) != want {
			t.Errorf("%s is far: %v", addr, !want)
		}
	}
}

// world is routers and servers that a test plays.
type world struct {
	mu    sync.Mutex
	log   []string
	seen  outside
	maps  portmap.Mapping
	fails error
}

func (w *world) note(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, what)
}

func (w *world) noted() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log)
}

func (w *world) ways() ways {
	return ways{
		keep: func(ctx context.Context, _ int, mapped, pinhole func(portmap.Mapping, error)) {
			w.note("asked")
			mapped(w.maps, w.fails)
			pinhole(portmap.Mapping{}, portmap.ErrNone)
			<-ctx.Done()
			w.note("given back")
		},
		look: func(context.Context, string, []string) outside { return w.seen },
		test: func(context.Context, string, string) bool { return false },
		own:  func() []netip.Addr { return []netip.Addr{lan} },
	}
}

// helped is a relay on the loopback that runs, and where.
type helped struct {
	*Relay
	at     string
	states chan State
}

// free is a port that nobody has.
func free(t *testing.T) int {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	must.Succeed(t, err)
	defer conn.Close()
	return conn.LocalAddr().(*net.UDPAddr).Port
}

func at(port int) string {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(port)).String()
}

func settingsOf(port int) config.Net {
	return config.Net{HelpFriends: true, HelpPort: port, HelpUpload: 512, Bind: "127.0.0.1", Forward: true}
}

func help(t *testing.T, w *world) helped {
	h := helped{states: make(chan State, 1000)}
	port := free(t)
	h.at = at(port)
	h.Relay = newRelay(w.ways(), func(s State) { h.states <- s })
	t.Cleanup(h.Close)
	h.Set(settingsOf(port))
	return h
}

// until waits for a state.
func (h helped) until(t *testing.T, what string, is func(State) bool) State {
	t.Helper()
	late := time.After(20 * time.Second)
	for last := (State{}); ; {
		select {
		case last = <-h.states:
			if is(last) {
				return last
			}
		case <-late:
			t.Fatalf("%s: %+v", what, last)
		}
	}
}

// machine is a friend's, which reaches nobody but the relay.
func machine(t *testing.T, room seal.Secret, cfg udp.Config, relays ...string) *udp.Link {
	cfg.Bind, cfg.Room = "127.0.0.1", room
	l, err := udp.Listen(cfg)
	must.Succeed(t, err)
	t.Cleanup(func() { l.Close() })
	l.SetMailbox(room.Mailbox(l.Key()), relays)
	return l
}

// meet connects two machines by their mailboxes alone.
func meet(t *testing.T, room seal.Secret, host, guest *udp.Link, relay string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for host.Relays().Status()[0].RTT == 0 && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	go func() {
		for range guest.Events() {
		}
	}()
	if _, err := guest.Dial(ctx, link.Told(host.Key(), relayPlace(relay, room, host))); err != nil {
		t.Fatal(err)
	}
	for e := range host.Events() {
		if e.Kind == link.Connected {
			break
		}
	}
}

func relayPlace(name string, room seal.Secret, of *udp.Link) string {
	return relay.Place(name, room.Mailbox(of.Key()))
}

// TestFriendsMeetHere: two who reach the relay alone meet by it; the helper is told of them, and of what they send; a change of
// another setting does not disturb them; and the end leaves nothing behind, the router's mapping last.
func TestFriendsMeetHere(t *testing.T) {
	before := runtime.NumGoroutine()
	w := &world{maps: portmap.Mapping{Outside: netip.AddrPortFrom(home, 21206), By: "UPnP"}}
	h := help(t, w)
	h.until(t, "it is reached", State.Known)
	room := seal.NewSecret()
	host, guest := machine(t, room, udp.Config{}, h.at), machine(t, room, udp.Config{}, h.at)
	meet(t, room, host, guest, h.at)
	s := h.until(t, "two meet", func(s State) bool { return s.Meet == 2 && s.Rooms == 1 && s.Bytes > 0 })
	if want := "2 computers in 1 room now, "; !strings.HasPrefix(s.Use(), want) {
		t.Errorf("it says %q", s.Use())
	}
	cfg := settingsOf(h.want.port)
	cfg.Relays, cfg.Upload = []string{"relay.example.org:1"}, 7
	h.Set(cfg)
	time.Sleep(50 * time.Millisecond)
	if got := w.noted(); !slices.Equal(got, []string{"asked"}) {
		t.Errorf("another setting: %q", got)
	}
	over := make(chan struct{})
	go func() { h.Close(); close(over) }()
	for told := false; !told; time.Sleep(10 * time.Millisecond) { // the word about the end comes before that
		for _, r := range guest.Relays().Status() {
			told = told || strings.Contains(r.Refused, "about to stop")
		}
	}
	<-over
	h.Close()
	host.Close()
	guest.Close()
	if got := w.noted(); !slices.Equal(got, []string{"asked", "given back"}) {
		t.Errorf("the router: %q", got)
	}
	conn, err := net.ListenPacket("udp", h.at)
	if err != nil {
		t.Fatalf("the port is not free: %v", err)
	}
	conn.Close()
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// TestHelperPlaysToo: a room names the relay by its address outside, and the helper's own program speaks to it without the
// router, which lets none of its own machines in that way.
func TestHelperPlaysToo(t *testing.T) {
	t.Parallel()
	w := &world{maps: portmap.Mapping{Outside: netip.AddrPortFrom(home, 40000), By: "UPnP"}}
	h := help(t, w)
	outsideAt := h.until(t, "it is reached", State.Known).At
	if outsideAt != "203.0.113.7:40000" {
		t.Fatal(outsideAt)
	}
	room := seal.NewSecret()
	friend := machine(t, room, udp.Config{Here: func(netip.AddrPort) netip.AddrPort { return netip.MustParseAddrPort(h.at) }}, outsideAt) // the internet brings it there
	helper := machine(t, room, udp.Config{Here: h.Here}, outsideAt)
	meet(t, room, friend, helper, outsideAt)
	for _, x := range []string{"203.0.113.7:40001", "198.51.100.1:40000", "192.168.1.6:40000"} {
		if to := netip.MustParseAddrPort(x); h.Here(to) != to {
			t.Errorf("%s is taken for its own", x)
		}
	}
	if got := h.Relays([]string{"a:1"}); !slices.Equal(got, []string{"a:1", outsideAt}) {
		t.Errorf("invitations name %q", got)
	}
	var none *Relay
	if to := netip.MustParseAddrPort(h.at); none.Here(to) != to || none.State() != (State{}) || len(none.Relays(nil)) > 0 {
		t.Error("a relay that does not run has something to say")
	}
	none.Close()
}

// TestPortInUse: it says so, runs once the port is free, and on another port at once.
func TestPortInUse(t *testing.T) {
	t.Parallel()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	must.Succeed(t, err)
	defer conn.Close()
	port := conn.LocalAddr().(*net.UDPAddr).Port
	w := &world{maps: portmap.Mapping{Outside: netip.AddrPortFrom(home, 21206), By: "UPnP"}}
	h := helped{states: make(chan State, 1000)}
	h.Relay = newRelay(w.ways(), func(s State) { h.states <- s })
	defer h.Close()
	h.Set(settingsOf(port))
	s := h.until(t, "the port is in use", func(s State) bool { return s.Failed })
	if !strings.Contains(s.Words, "net.help_port") || s.Reach != Closed || s.At != "" {
		t.Errorf("%+v", s)
	}
	if len(w.noted()) > 0 {
		t.Errorf("the router: %q", w.noted())
	}
	h.Set(settingsOf(free(t)))
	h.until(t, "another port", State.Known)
	h.Set(settingsOf(port))
	h.until(t, "again", func(s State) bool { return s.Failed })
	conn.Close()
	h.until(t, "the port is free", State.Known)
	h.Set(config.Net{})
	h.until(t, "off", func(s State) bool { return s == State{} })
}

// TestHelpIsBounded: strangers who find the port take few of its places, all that is carried is within the limit of the settings,
// and no room is listed.
func TestHelpIsBounded(t *testing.T) {
	t.Parallel()
	w := &world{maps: portmap.Mapping{Outside: netip.AddrPortFrom(home, 21206), By: "UPnP"}}
	h := help(t, w)
	cfg := settingsOf(h.want.port)
	cfg.HelpUpload = 64
	h.Set(cfg)
	h.until(t, "it runs", State.Known)
	to := netip.MustParseAddrPort(h.at)
	held, full := 0, 0
	clients := make([]*relay.Client, perNetwork+3)
	conns := make([]*net.UDPConn, len(clients))
	for i := range clients {
		conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(to))
		must.Succeed(t, err)
		defer conn.Close()
		c := relay.NewClient(relay.Mailbox{7, byte(i)}, func(string) relay.Owner { return relay.Owner{1, byte(i)} })
		c.Use("x:1")
		c.Resolved(1, []netip.AddrPort{to})
		clients[i], conns[i] = c, conn
		st := relay.Status{}
		for end := time.Now().Add(10 * time.Second); !st.Held && st.Refused == "" && time.Now().Before(end); st = c.Status()[0] {
			turn(c, conn, to)
		}
		if st.Held {
			held++
		} else if strings.Contains(st.Refused, "no room") {
			full++
		}
	}
	if held != perNetwork || full != len(clients)-perNetwork {
		t.Errorf("%d machines of one network have a place, %d have none", held, full)
	}
	began, far := time.Now(), 0
	for time.Since(began) < 2*time.Second {
		for range 10 { // some MB a second
			d, _ := clients[0].Wrap(relay.Mailbox{7, 1}.At(1), make([]byte, 1200))
			_, _ = conns[0].Write(d.Bytes)
			far += len(d.Bytes)
		}
		time.Sleep(time.Millisecond)
	}
	time.Sleep(1200 * time.Millisecond) // the next look
	if did, most := h.State().Bytes, int64(time.Since(began).Seconds()+1)*64<<10; did > most || did == 0 || int64(far) < 2*most {
		t.Errorf("%d bytes of %d are carried, at most %d may be", did, far, most)
	}
}

// turn lets a client and the relay speak once.
func turn(c *relay.Client, conn *net.UDPConn, from netip.AddrPort) {
	list, _ := c.Due(time.Now())
	for _, d := range list {
		_, _ = conn.Write(d.Bytes)
	}
	b := make([]byte, relay.MaxDatagram)
	_ = conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := conn.Read(b); err == nil {
		if _, _, answer := c.Unwrap(b[:n], from, time.Now()); answer != nil {
			_, _ = conn.Write(answer)
		}
	}
}

// TestOwnDatagramComesBack: what finds out whether the router passes a port on takes an answer of the relay, and nothing else.
func TestOwnDatagramComesBack(t *testing.T) {
	t.Parallel()
	h := help(t, &world{fails: portmap.ErrNone})
	h.until(t, "it runs", func(s State) bool { return s.Reach == Closed })
	if !test(t.Context(), "127.0.0.1", h.at) {
		t.Error("nothing comes back")
	}
	if test(t.Context(), "127.0.0.1", at(free(t))) {
		t.Error("something comes back from where nobody is")
	}
	if (probeOutside(t.Context(), "", nil) != outside{}) {
		t.Error("somebody says how others see this computer, and nobody was asked")
	}
}
