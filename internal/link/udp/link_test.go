package udp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func listenENet(t *testing.T, cfg Config) *Link {
	t.Helper()
	if cfg.Bind == "" {
		cfg.Bind = "127.0.0.1"
	}
	l, err := Listen(cfg)
	must.Succeed(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

// loopback is a raw UDP socket of somebody on this machine.
func loopback(t *testing.T) *net.UDPConn {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// enetPair connects two links directly.
func enetPair(t *testing.T, cfg Config) (host, client *Link, toClient, toHost link.PeerID) {
	t.Helper()
	host, client = listenENet(t, cfg), listenENet(t, cfg)
	toHost = dialOK(t, client, host.Addr())
	want(t, client, link.Connected)
	return host, client, want(t, host, link.Connected).Peer, toHost
}

func TestListenErrors(t *testing.T) {
	first := listenENet(t, Config{})
	port := first.conn.LocalAddr().(*net.UDPAddr).Port
	_, err := Listen(Config{Bind: "127.0.0.1", Port: port})
	if !errors.Is(err, link.ErrPortInUse) || !strings.Contains(err.Error(), fmt.Sprint(port)) {
		t.Errorf("a port in use: %v", err)
	}
	for name, cfg := range map[string]Config{
		"negative port":    {Port: -1},
		"large port":       {Port: 65536},
		"negative peers":   {MaxPeers: -1},
		"many peers":       {MaxPeers: 257},
		"short silence":    {Silence: time.Millisecond},
		"negative timeout": {ConnectTimeout: -1},
		"name":             {Bind: "localhost"},
		"not ours":         {Bind: "192.0.2.1"},
	} {
		if name == "not ours" && runtime.GOOS == "windows" {
			continue // Wine binds to any address
		}
		if l, err := Listen(cfg); err == nil {
			l.Close()
			t.Errorf("%s: no error", name)
		}
	}
}

// TestOpeningTowardsAnotherFamily: a socket of one family sends nothing to the other one's addresses, and nothing else happens.
func TestOpeningTowardsAnotherFamily(t *testing.T) {
	l := listenENet(t, Config{Bind: "127.0.0.1"})
	for _, to := range []string{"[2001:db8::1]:9", "[::1]:9", "[::ffff:127.0.0.1]:9", "127.0.0.1:9"} {
		l.open([]byte{1}, netip.MustParseAddrPort(to))
	}
}

// answering is the address of somebody of whom only these greetings come through.
func answering(t *testing.T, what ...kind) string {
	t.Helper()
	conn := loopback(t)
	go func() {
		for b := make([]byte, 2000); ; {
			n, from, err := conn.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			body, ok := everybody.greeter.Check(b[:n])
			g, err := decodeGreeting(body)
			if !ok || err != nil {
				continue
			}
			if g.kind = map[kind]kind{kindKnock: kindChallenge, kindOpen: kindAccept}[g.kind]; slices.Contains(what, g.kind) {
				if g.kind == kindAccept {
					g.session, g.noise = 7, accepted(t, g)
				}
				_, _ = conn.WriteToUDPAddrPort(everybody.tagged(g), from)
			}
		}
	}()
	return conn.LocalAddr().String()
}

// accepted is the answer to the handshake of an open.
func accepted(t *testing.T, open greeting) []byte {
	key, err := seal.NewKey()
	s := sealing{room: everybody}
	if err == nil {
		err = s.answer(key, open.nonce, open.noise)
	}
	if err != nil {
		t.Errorf("no answer to a handshake: %v", err)
	}
	return s.accept
}

func TestDialErrors(t *testing.T) {
	t.Parallel()
	l := listenENet(t, Config{ConnectTimeout: 2 * time.Second})
	gone := listenENet(t, Config{})
	refused := gone.Addr()
	gone.Close()
	silent := loopback(t)
	for _, x := range []struct {
		addr string
		want link.DialFailure
	}{
		{"", link.Unresolved},
		{"host", link.Unresolved},
		{":7000", link.Unresolved},
		{"127.0.0.1:", link.Unresolved},
		{"127.0.0.1:0", link.Unresolved},
		{"127.0.0.1:65536", link.Unresolved},
		{"127.0.0.1:http", link.Unresolved},
		{"[::1]:7000", link.Unreachable},
		{"a.name.that.is.invalid:7000", link.Unresolved},
		{"192.0.2.1:7000", link.Unreachable}, // from a socket that is bound to loopback
		{refused, link.Refused},
		{silent.LocalAddr().String(), link.NoAnswer},
		{answering(t, kindChallenge), link.Unsteady},
		{answering(t, kindChallenge, kindAccept), link.Unsteady},
		{l.Addr(), link.Rejected},
	} {
		_, err := l.Dial(context.Background(), x.addr)
		if !isDialError(err, x.want) || !strings.Contains(err.Error(), x.addr) {
			t.Errorf("%q: got %v, want %v", x.addr, err, x.want)
		}
	}
	start := time.Now()
	_, _ = listenENet(t, Config{ConnectTimeout: time.Minute}).Dial(context.Background(), refused)
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("a refusal took %v", d)
	}
}

// The dialer leaves again when it is not wanted any more; the host never hears of
// it as a peer.
func TestAbandonedDialLeavesNothing(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{})
	r, err := badline.Start(badline.Config{Target: host.Addr(), Impairment: impair.Impairment{Delay: 100 * time.Millisecond}})
	must.Succeed(t, err)
	defer r.Close()
	client := listenENet(t, Config{})
	for _, after := range []time.Duration{50, 150, 250, 350, 450, 550} { // it takes 600 ms
		ctx, cancel := context.WithTimeout(context.Background(), after*time.Millisecond)
		_, err := client.Dial(ctx, r.Addr())
		cancel()
		if !isDialError(err, link.Aborted) {
			t.Errorf("after %v: %v", after, err)
		}
	}
	waitFor(t, "both sides to forget it", func() bool { return host.sessionCount() == 0 && client.sessionCount() == 0 })
	select {
	case ev := <-host.Events(): // the last one may have been open for a moment
		if ev.Kind == link.Connected {
			want(t, host, link.Disconnected)
		}
	default:
	}
}

func (l *Link) sessionCount() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.byPeer)
}

func waitFor(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for start := time.Now(); !cond(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > testPatience {
			t.Fatal("waited in vain for " + what)
		}
	}
}

// ENet by itself drops nearly all unreliable packets for seconds when round trips
// become longer than they were.
func TestInputsAreNotThrottled(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{})
	r, err := badline.Start(badline.Config{Target: host.Addr(), Impairment: impair.Impairment{Delay: 20 * time.Millisecond}})
	must.Succeed(t, err)
	defer r.Close()
	client := listenENet(t, Config{})
	toHost := dialOK(t, client, r.Addr())
	want(t, host, link.Connected)
	go func() {
		for range client.Events() {
		}
	}()
	got := make(chan int)
	go func() {
		n := 0
		for ev := range host.Events() {
			if ev.Channel == link.Input {
				n++
			} else if string(ev.Data) == "count" {
				got <- n
				n = 0
			}
		}
	}()
	play := func(d time.Duration) (sent int) {
		for start := time.Now(); time.Since(start) < d; time.Sleep(10 * time.Millisecond) {
			_ = client.Send(toHost, link.Input, make([]byte, 40))
			_ = client.Send(toHost, link.Control, []byte("so that ENet measures round trips"))
			sent++
		}
		time.Sleep(300 * time.Millisecond)
		send(t, client, toHost, link.Control, "count")
		return sent
	}
	play(11 * time.Second) // ENet compares with five seconds, and the first ones begin with a guess
	<-got
	must.Succeed(t, r.Set(memnet.Impairment{Delay: 120 * time.Millisecond}))
	sent := play(3 * time.Second)
	n := <-got
	t.Logf("%d of %d inputs arrived", n, sent)
	if n < sent*9/10 {
		t.Errorf("%d of %d inputs arrived after the line became slower", n, sent)
	}
}

// A program started and killed on the same port time and again.
func TestManyRestarts(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{})
	port := 0
	var last link.PeerID
	for i := range 12 {
		client := listenENet(t, Config{Port: port})
		port = client.conn.LocalAddr().(*net.UDPAddr).Port
		p := dialOK(t, client, host.Addr())
		if i > 0 {
			if ev := want(t, host, link.Disconnected); ev.Peer != last {
				t.Fatalf("%d ended, want %d", ev.Peer, last)
			}
		}
		last = want(t, host, link.Connected).Peer
		send(t, client, p, link.Control, fmt.Sprint(i))
		wantMessage(t, host, link.Control, fmt.Sprint(i))
		client.abort()
	}
}

// Nothing is left of links that were closed, killed, or dialled in vain.
func TestNothingIsLeft(t *testing.T) {
	once := func() {
		host, client := listenENet(t, Config{}), listenENet(t, Config{})
		p := dialOK(t, client, host.Addr())
		want(t, client, link.Connected)
		q := want(t, host, link.Connected).Peer
		send(t, client, p, link.Bulk, pattern(1, link.MaxBulk))
		wantMessage(t, host, link.Bulk, pattern(1, link.MaxBulk))
		host.Disconnect(q, "")
		want(t, client, link.Disconnected)
		want(t, host, link.Disconnected)
		dialOK(t, client, host.Addr())
		client.abort()
		again := listenENet(t, Config{ConnectTimeout: time.Second})
		dialOK(t, again, host.Addr())
		_, _ = again.Dial(context.Background(), client.Addr())
		host.Close()
		again.Close()
	}
	once() // the runtime opens files of its own
	fds, goroutines := openFiles(t), runtime.NumGoroutine()
	for range 5 {
		once()
	}
	waitFor(t, "goroutines and files to go", func() bool {
		return openFiles(t) <= fds && runtime.NumGoroutine() <= goroutines
	})
}

func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc here")
	}
	return len(files)
}

// A real process and a real kill -9.
func TestKillNine(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{Silence: 2 * time.Second})
	child := exec.Command(os.Args[0], "-test.run=^TestHelperPeer$")
	child.Env = append(os.Environ(), "LINK_TEST_DIAL="+host.Addr())
	must.Succeed(t, child.Start())
	p := want(t, host, link.Connected).Peer
	wantMessage(t, host, link.Control, "alive")
	must.Succeed(t, child.Process.Kill())
	_ = child.Wait()
	if ev := want(t, host, link.Disconnected); ev.Peer != p || ev.Reason.By != link.ByTimeout || ev.Reason.Text == "" {
		t.Fatalf("%+v", ev)
	}
}

// TestHelperPeer is the process that TestKillNine kills.
func TestHelperPeer(t *testing.T) {
	addr := os.Getenv("LINK_TEST_DIAL")
	if addr == "" {
		t.Skip("only as a helper")
	}
	l := listenENet(t, Config{})
	send(t, l, dialOK(t, l, addr), link.Control, "alive")
	for range l.Events() {
	}
}

// The other side's Close and Disconnect at the same time, from several goroutines.
func TestBothSidesLeaveAtOnce(t *testing.T) {
	t.Parallel()
	for range 10 {
		host, client, toClient, toHost := enetPair(t, Config{})
		var wg sync.WaitGroup
		wg.Go(func() { host.Disconnect(toClient, "a") })
		wg.Go(func() { client.Disconnect(toHost, "b") })
		wg.Wait()
		for _, l := range []*Link{host, client} {
			if ev := want(t, l, link.Disconnected); ev.Reason.Text != "a" && ev.Reason.Text != "b" {
				t.Fatalf("%+v", ev)
			}
		}
		wg.Go(func() { host.Close() })
		wg.Go(func() { client.Close() })
		wg.Wait()
	}
}

// Close does not wait for a Disconnect that waits for a dead line.
func TestCloseHurriesGoodbyes(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{})
	r, err := badline.Start(badline.Config{Target: host.Addr()})
	must.Succeed(t, err)
	defer r.Close()
	client := listenENet(t, Config{ConnectTimeout: testPatience})
	p := dialOK(t, client, r.Addr())
	r.Blackout(time.Hour)
	send(t, client, p, link.Control, "never arrives")
	client.Disconnect(p, "")
	time.Sleep(50 * time.Millisecond)
	begin := time.Now()
	client.Close()
	if d := time.Since(begin); d > 4*time.Second {
		t.Errorf("close took %v", d)
	}
}
