package service

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// start runs a relay on the loopback and returns its addresses.
func start(t *testing.T, cfg Config) (udp netip.AddrPort, web string, end func() error) {
	t.Helper()
	tcp, err := net.Listen("tcp4", "127.0.0.1:0")
	must.Succeed(t, err)
	cfg.UDP, cfg.Tunnels = listen(t), []net.Listener{tcp}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { _, err := Run(ctx, cfg); over <- err }()
	ended := false
	end = func() error {
		cancel()
		if ended {
			return nil
		}
		ended = true
		return <-over
	}
	t.Cleanup(func() { _ = end() })
	return portOf(cfg.UDP), tcp.Addr().String(), end
}

// dial opens a WebSocket as a machine would, or as a proxy for a machine.
func dial(t *testing.T, web, behind string) *websocket.Conn {
	t.Helper()
	header := http.Header{}
	if behind != "" {
		header.Set("X-Forwarded-For", behind)
	}
	ws, _, err := websocket.Dial(t.Context(), "ws://"+web+relay.TunnelPath, &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		return nil
	}
	t.Cleanup(func() { _ = ws.CloseNow() })
	return ws
}

// TestBodiesThatNeverEndHoldNoPlace: whoever sends a body a byte at a time, or takes no answer, is hung up on.
func TestBodiesThatNeverEndHoldNoPlace(t *testing.T) {
	t.Parallel()
	_, web, _ := start(t, Config{})
	var waiting sync.WaitGroup
	for _, request := range []string{"POST " + relay.JoinPath, "POST " + relay.TunnelPath, "GET " + relay.JoinPath, "PUT /nowhere"} {
		c, err := net.Dial("tcp4", web)
		must.Succeed(t, err)
		defer c.Close()
		_, err = io.WriteString(c, request+" HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n")
		must.Succeed(t, err)
		go func() {
			for err := error(nil); err == nil; time.Sleep(100 * time.Millisecond) {
				_, err = c.Write([]byte{0})
			}
		}()
		waiting.Go(func() {
			began := time.Now()
			_ = c.SetReadDeadline(began.Add(3 * headerTime))
			if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("%s holds its place for %v", request, time.Since(began))
			}
		})
	}
	waiting.Wait()
}

// TestTunnelsAreBounded: in all, from one address, and also those that a proxy brings. A proxy
// is believed only where there is one.
func TestTunnelsAreBounded(t *testing.T) {
	limits := relay.Limits{Mailboxes: 3, PerHost: 2}
	_, web, end := start(t, Config{Limits: limits, Proxied: true})
	one, two := dial(t, web, "192.0.2.1"), dial(t, web, "192.0.2.1")
	if one == nil || two == nil || dial(t, web, "192.0.2.1") != nil {
		t.Error("behind the proxy an address has not as many tunnels as it may have")
	}
	if dial(t, web, "no address") != nil || dial(t, web, "") != nil {
		t.Error("the proxy need not say for whom it speaks")
	}
	if dial(t, web, "192.0.2.1, 192.0.2.2") == nil || dial(t, web, "192.0.2.3") != nil {
		t.Error("there are not as many tunnels as there may be")
	}
	_ = one.CloseNow()
	for dial(t, web, "192.0.2.1") == nil { // as soon as the relay has noticed
		time.Sleep(time.Millisecond)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
	_, web, _ = start(t, Config{Limits: limits})
	if dial(t, web, "192.0.2.1") == nil || dial(t, web, "192.0.2.2") == nil || dial(t, web, "192.0.2.3") != nil {
		t.Error("where there is no proxy, its header counts")
	}
}

// TestTunnelsBringDatagramsOnly: anything else ends them, and the relay stays.
func TestTunnelsBringDatagramsOnly(t *testing.T) {
	_, web, _ := start(t, Config{})
	for name, send := range map[string]func(*websocket.Conn) error{
		"text": func(ws *websocket.Conn) error { return ws.Write(t.Context(), websocket.MessageText, []byte("hello")) },
		"long": func(ws *websocket.Conn) error {
			return ws.Write(t.Context(), websocket.MessageBinary, make([]byte, relay.MaxDatagram+1))
		},
	} {
		ws := dial(t, web, "")
		if err := send(ws); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := ws.Read(t.Context()); err == nil {
			t.Errorf("%s is answered", name)
		}
	}
	r, err := http.Get("http://" + web + "/")
	if err != nil || r.StatusCode != http.StatusNotFound {
		t.Errorf("another page: %v, %v", r, err)
	}
	_ = r.Body.Close()
	r, err = http.Get("http://" + web + relay.JoinPath)
	if err != nil || r.StatusCode != http.StatusOK || !strings.HasPrefix(r.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the page of invitations: %v, %v", r, err)
	}
	_ = r.Body.Close()
	ws := dial(t, web, "")
	if err := ws.Write(t.Context(), websocket.MessageBinary, []byte(strings.Repeat("x", 64))); err != nil {
		t.Error(err)
	}
}

// TestEndInGoodOrder: machines that play are told to go elsewhere and are carried meanwhile, those
// who ask how the relay is are told, and it ends when nothing is carried any more.
func TestEndInGoodOrder(t *testing.T) {
	status, err := net.Listen("tcp4", "127.0.0.1:0")
	must.Succeed(t, err)
	page := func(path string) (int, string) {
		r, err := http.Get("http://" + status.Addr().String() + path)
		if err != nil {
			return 0, ""
		}
		defer r.Body.Close()
		b, _ := io.ReadAll(r.Body)
		return r.StatusCode, string(b)
	}
	at, _, end := start(t, Config{Status: status, Drain: time.Minute})
	one, two := listen(t), listen(t)
	first := enter(t, one, at, relay.Mailbox{1})
	enter(t, two, at, relay.Mailbox{2})
	code, text := page("/metrics")
	if code != http.StatusOK || !strings.Contains(text, "\nnettplay_relay_mailboxes 2\n") || strings.Contains(text, "127.0.0.1") {
		t.Errorf("%d: %s", code, text)
	}
	if code, _ := page("/healthz"); code != http.StatusOK {
		t.Errorf("its health is %d", code)
	}
	over := make(chan error, 1)
	go func() { over <- end() }()
	b := make([]byte, relay.MaxDatagram)
	for !first.Leaving(relay.Mailbox{2}.At(1)) {
		n, err := one.Read(b)
		must.Succeed(t, err)
		first.Unwrap(b[:n], at, time.Now())
	}
	if code, _ := page("/healthz"); code != http.StatusServiceUnavailable {
		t.Errorf("amid its end its health is %d", code)
	}
	for got := false; !got; {
		_, _ = one.WriteToUDPAddrPort(post(first, relay.Mailbox{2}), at)
		n, err := two.Read(b)
		must.Succeed(t, err)
		got = bytes.HasSuffix(b[:n], make([]byte, 100))
	}
	if err := <-over; err != nil {
		t.Error(err)
	}
}

// TestBothFamilies: one socket carries from a machine with IPv4 to one with IPv6.
func TestBothFamilies(t *testing.T) {
	conn, err := net.ListenUDP("udp", nil)
	must.Succeed(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { _, err := Run(ctx, Config{UDP: conn}); over <- err }()
	defer func() { cancel(); <-over }()
	six, err := net.ListenUDP("udp6", &net.UDPAddr{IP: net.IPv6loopback})
	if err != nil {
		t.Skip(err)
	}
	defer six.Close()
	four, port := listen(t), portOf(conn).Port()
	enter(t, six, netip.AddrPortFrom(netip.IPv6Loopback(), port), relay.Mailbox{6})
	at := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port)
	d := post(enter(t, four, at, relay.Mailbox{4}), relay.Mailbox{6})
	b := make([]byte, relay.MaxDatagram)
	for n := 0; n != len(d); {
		_, _ = four.WriteToUDPAddrPort(d, at)
		if n, err = six.Read(b); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTunnelsAreCheap: a machine by WebSocket costs what the docs say.
func TestTunnelsAreCheap(t *testing.T) {
	const many, each = 200, 48 << 10 // with this end of it, and what the race detector takes
	_, web, _ := start(t, Config{Limits: relay.Limits{PerHost: many + 1}})
	memory := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	before := memory()
	for range many {
		c, err := net.Dial("tcp4", web)
		must.Succeed(t, err)
		defer c.Close()
		_, err = io.WriteString(c, "GET "+relay.TunnelPath+" HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
		must.Succeed(t, err)
		head := make([]byte, len("HTTP/1.1 101"))
		if _, err := io.ReadFull(c, head); err != nil || string(head) != "HTTP/1.1 101" {
			t.Fatalf("%q, %v", head, err)
		}
	}
	if cost := (memory() - before) / many; cost > each {
		t.Errorf("each costs %d bytes", cost)
	} else {
		t.Logf("each costs %d bytes", cost)
	}
}
