package badline

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
)

const ms = time.Millisecond

const patience = 30 * time.Second

// echoServer answers every datagram with itself.
func echoServer(t *testing.T) *net.UDPConn {
	t.Helper()
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	t.Cleanup(func() { c.Close() })
	go func() {
		b := make([]byte, 65536)
		for {
			n, from, err := c.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			_, _ = c.WriteToUDPAddrPort(b[:n], from)
		}
	}()
	return c
}

func start(t *testing.T, cfg Config) *Relay {
	t.Helper()
	r, err := Start(cfg)
	must.Succeed(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

func dial(t *testing.T, r *Relay) net.Conn {
	t.Helper()
	c, err := net.Dial("udp4", r.Addr())
	must.Succeed(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// receive returns the next datagram, or nil after a while.
func receive(t *testing.T, c net.Conn, while time.Duration) []byte {
	t.Helper()
	b := make([]byte, 65536)
	_ = c.SetReadDeadline(time.Now().Add(while))
	n, err := c.Read(b)
	if err != nil {
		return nil
	}
	return b[:n]
}

func TestRelayBringsEachClientItsOwn(t *testing.T) {
	r := start(t, Config{Target: echoServer(t).LocalAddr().String()})
	a, b := dial(t, r), dial(t, r)
	for i := range 20 {
		fmt.Fprintf(a, "a%d", i)
		fmt.Fprintf(b, "b%d", i)
		if got := receive(t, a, patience); string(got) != fmt.Sprint("a", i) {
			t.Fatalf("a got %q", got)
		}
		if got := receive(t, b, patience); string(got) != fmt.Sprint("b", i) {
			t.Fatalf("b got %q", got)
		}
	}
	big := bytes.Repeat([]byte("x"), 60_000)
	_, _ = a.Write(big)
	if !bytes.Equal(receive(t, a, patience), big) {
		t.Error("a large datagram is damaged")
	}
	if c := r.Count(ToTarget); c.Received != 41 || c.Forwarded != 41 || c.Bytes < 60_000 {
		t.Errorf("%+v", c)
	}
}

// TestRelayRebinds: the target sees a client at one address, and at another one afterwards.
func TestRelayRebinds(t *testing.T) {
	target, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	defer target.Close()
	r := start(t, Config{Target: target.LocalAddr().String()})
	c := dial(t, r)
	seen := func() netip.AddrPort {
		fmt.Fprint(c, "x")
		_ = target.SetReadDeadline(time.Now().Add(patience))
		_, at, err := target.ReadFromUDPAddrPort(make([]byte, 10))
		must.Succeed(t, err)
		return at
	}
	before := seen()
	if at := seen(); at != before {
		t.Errorf("it moved from %v to %v by itself", before, at)
	}
	for range 3 { // the system may give the old port again
		if r.Rebind(); seen() != before {
			return
		}
	}
	t.Errorf("it is at %v still", before)
}

func TestRelayDelays(t *testing.T) {
	r := start(t, Config{Target: echoServer(t).LocalAddr().String(), Impairment: impair.Impairment{Delay: 60 * ms}})
	c := dial(t, r)
	begin := time.Now()
	fmt.Fprint(c, "x")
	if receive(t, c, patience) == nil || time.Since(begin) < 120*ms {
		t.Errorf("a round trip took %v, want 120 ms", time.Since(begin))
	}
	must.Succeed(t, r.SetOne(ToClient, impair.Impairment{Delay: 200 * ms}))
	begin = time.Now()
	fmt.Fprint(c, "x")
	if receive(t, c, patience) == nil || time.Since(begin) < 260*ms {
		t.Errorf("a round trip took %v, want 260 ms", time.Since(begin))
	}
}

func TestRelayLosesAndDoubles(t *testing.T) {
	r := start(t, Config{Target: echoServer(t).LocalAddr().String(), Impairment: impair.Impairment{Loss: 1}})
	c := dial(t, r)
	fmt.Fprint(c, "lost")
	for begin := time.Now(); r.Count(ToTarget).Lost == 0; time.Sleep(ms) {
		if time.Since(begin) > patience {
			t.Fatal("nothing was lost")
		}
	}
	must.Succeed(t, r.Set(impair.Impairment{Duplicate: 1}))
	fmt.Fprint(c, "twice")
	for range 4 { // twice on each way
		if got := receive(t, c, patience); string(got) != "twice" {
			t.Fatalf("got %q", got)
		}
	}
	if got := receive(t, c, 50*ms); got != nil {
		t.Errorf("got %q once more", got)
	}
}

func TestRelayGoesDark(t *testing.T) {
	const dark = 300 * ms
	r := start(t, Config{Target: echoServer(t).LocalAddr().String(), Blackouts: []Blackout{{Start: 0, Length: dark}}})
	c := dial(t, r)
	wait := func() {
		t.Helper()
		begin := time.Now()
		for {
			fmt.Fprint(c, "light?")
			if receive(t, c, 20*ms) != nil {
				return
			}
			if time.Since(begin) > patience {
				t.Fatal("it stays dark")
			}
		}
	}
	wait()
	if r.Count(ToTarget).BlackedOut == 0 {
		t.Error("the blackout of the start did not happen")
	}
	before := r.Count(ToTarget).BlackedOut
	r.Blackout(dark)
	wait()
	if r.Count(ToTarget).BlackedOut == before {
		t.Error("the blackout of now did not happen")
	}
}

func TestRelayBandwidth(t *testing.T) {
	r := start(t, Config{Target: echoServer(t).LocalAddr().String(), Impairment: impair.Impairment{Bandwidth: 100_000, Queue: 20_000}})
	c := dial(t, r)
	begin := time.Now()
	for range 50 {
		_, _ = c.Write(make([]byte, 1000))
	}
	got := 0
	for receive(t, c, 500*ms) != nil {
		got++
		if got == 20 && time.Since(begin) < 200*ms {
			t.Errorf("20 kB went through 100 kB/s in %v", time.Since(begin))
		}
	}
	if full := r.Count(ToTarget).QueueFull; got < 20 || full == 0 || got+int(full) > 50 {
		t.Errorf("%d arrived, %d found the queue full", got, full)
	}
}

func TestRelayErrors(t *testing.T) {
	for name, cfg := range map[string]Config{
		"no target":  {},
		"bad target": {Target: "127.0.0.1:x"},
		"bad listen": {Target: "127.0.0.1:1", Listen: "here"},
		"not ours":   {Target: "127.0.0.1:1", Listen: "192.0.2.1:0"},
		"bad loss":   {Target: "127.0.0.1:1", Impairment: impair.Impairment{Loss: 2}},
	} {
		if r, err := Start(cfg); err == nil {
			r.Close()
			t.Errorf("%s: no error", name)
		}
	}
	r := start(t, Config{Target: "127.0.0.1:1"})
	if r.Set(impair.Impairment{Loss: -1}) == nil {
		t.Error("a negative loss is taken")
	}
	c := dial(t, r)
	for range 5 { // nobody is at the target: the relay goes on
		fmt.Fprint(c, "x")
		time.Sleep(5 * ms)
	}
	_ = r.Close()
	_ = r.Close()
}

func TestRelayTooManyClients(t *testing.T) {
	r := start(t, Config{Target: echoServer(t).LocalAddr().String()})
	for range maxClients {
		c := dial(t, r)
		fmt.Fprint(c, "x")
		if receive(t, c, patience) == nil {
			t.Fatal("no echo")
		}
	}
	fmt.Fprint(dial(t, r), "x")
	for begin := time.Now(); r.Count(ToTarget).Refused == 0; time.Sleep(ms) {
		if time.Since(begin) > patience {
			t.Fatal("one client too many is served")
		}
	}
}

func TestRelayLeavesNothing(t *testing.T) {
	once := func() {
		r, err := Start(Config{Target: "127.0.0.1:9", Impairment: impair.Impairment{Delay: time.Second}})
		must.Succeed(t, err)
		for range 3 {
			c, err := net.Dial("udp4", r.Addr())
			must.Succeed(t, err)
			fmt.Fprint(c, "x")
			c.Close()
		}
		time.Sleep(5 * ms)
		r.Close()
	}
	once()
	files := func() int {
		f, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("no /proc here")
		}
		return len(f)
	}
	fds, goroutines := files(), runtime.NumGoroutine()
	for range 10 {
		once()
	}
	for begin := time.Now(); files() > fds || runtime.NumGoroutine() > goroutines; time.Sleep(ms) {
		if time.Since(begin) > patience {
			t.Fatalf("%d files of %d, %d goroutines of %d", files(), fds, runtime.NumGoroutine(), goroutines)
		}
	}
}
