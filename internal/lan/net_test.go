package lan

import (
	"context"
	"net"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

var loopback = netip.MustParseAddrPort("127.0.0.1:0")

// browse listens on the loopback and returns a way to wait for a list.
func browse(t *testing.T) (*Browser, func(what string, ok func([]Found) bool)) {
	t.Helper()
	changed := make(chan struct{}, 1)
	b, err := Browse(BrowseConfig{Listen: loopback, Changed: func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}})
	must.Succeed(t, err)
	t.Cleanup(b.Close)
	return b, func(what string, ok func([]Found) bool) {
		t.Helper()
		ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
		defer stop()
		for !ok(b.Rooms()) {
			select {
			case <-changed:
			case <-ctx.Done():
				t.Fatalf("%s: the list is %+v", what, b.Rooms())
			}
		}
	}
}

func TestAnnounceAndBrowse(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	b, until := browse(t)
	a, err := Announce(AnnounceConfig{To: []netip.AddrPort{b.Addr()}, Every: 50 * time.Millisecond}, sample())
	must.Succeed(t, err)
	defer a.Close()
	until("a room that opens", func(list []Found) bool {
		return len(list) == 1 && list[0].Room == "Ann's room" && list[0].Addr.String() == "127.0.0.1:21204" && list[0].Here()
	})
	more := sample()
	more.Players = 3
	a.Set(more)
	until("a player who comes", func(list []Found) bool { return len(list) == 1 && list[0].Players == 3 })
	a.Close()
	a.Close()
	until("a room that closes", func(list []Found) bool { return len(list) == 0 })
	b.Close()
	b.Close()
	for range 6000 {
		if runtime.NumGoroutine() <= goroutines {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines are left of %d", runtime.NumGoroutine(), goroutines)
}

// TestSilentAfterClose: a room that is closed must not be announced any more.
func TestSilentAfterClose(t *testing.T) {
	conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(loopback))
	must.Succeed(t, err)
	defer conn.Close()
	to := conn.LocalAddr().(*net.UDPAddr).AddrPort()
	a, err := Announce(AnnounceConfig{To: []netip.AddrPort{to}, Every: 5 * time.Millisecond}, sample())
	must.Succeed(t, err)
	buffer := make([]byte, MaxBeacon)
	for range 3 {
		if _, _, err := conn.ReadFromUDP(buffer); err != nil {
			t.Fatal(err)
		}
	}
	a.Close()
	last := Beacon{}
	_ = conn.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
	for {
		n, _, err := conn.ReadFromUDP(buffer)
		if err != nil {
			break
		}
		if last.gone {
			t.Error("there came a beacon after the last one")
		}
		if last, err = ParseBeacon(buffer[:n]); err != nil {
			t.Fatal(err)
		}
	}
	if !last.gone {
		t.Error("the last beacon does not say that the room is gone")
	}
}

// TestTwoBrowsers: two windows on one machine both look for rooms.
func TestTwoBrowsers(t *testing.T) {
	first, err := Browse(BrowseConfig{Listen: loopback})
	must.Succeed(t, err)
	defer first.Close()
	second, err := Browse(BrowseConfig{Listen: first.Addr()})
	if err != nil {
		t.Fatalf("a second program cannot look for rooms: %v", err)
	}
	second.Close()
}

// TestHostileDatagrams: noise neither ends the listening nor gets into the list.
func TestHostileDatagrams(t *testing.T) {
	b, until := browse(t)
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(b.Addr()))
	must.Succeed(t, err)
	defer conn.Close()
	for _, noise := range [][]byte{{}, {0}, make([]byte, 4000), []byte("npb\x01"), sample().Append(nil)[:40]} {
		if _, err := conn.Write(noise); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.Write(sample().Append(nil)); err != nil {
		t.Fatal(err)
	}
	until("a beacon after noise", func(list []Found) bool { return len(list) == 1 })
}

func TestBroadcast(t *testing.T) {
	for network, want := range map[string]string{
		"192.168.1.5/24": "192.168.1.255", "10.1.2.3/8": "10.255.255.255", "172.16.5.4/22": "172.16.7.255",
		"192.168.1.5/32": "", "192.168.1.4/31": "", "fe80::1/64": "",
	} {
		ip, n, err := net.ParseCIDR(network)
		must.Succeed(t, err)
		got, ok := broadcast(&net.IPNet{IP: ip, Mask: n.Mask})
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("%s: broadcast address %v (%v), want %q", network, got, ok, want)
		}
	}
	if !Broadcasts()[0].Addr().IsLoopback() {
		t.Error("rooms on this machine are not announced to itself")
	}
}
