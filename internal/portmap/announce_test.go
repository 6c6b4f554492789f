package portmap

import (
	"context"
	"encoding/hex"
	"errors"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// Those of miniupnpd.
const (
	natpmpAnnouncement = "00800000000000062d500002"
	pcpAnnouncement    = "028000000000000000000001000000000000000000000000"
)

// The router is heard, somebody else is not.
func TestAnnouncements(t *testing.T) {
	must.HaveLinux(t, "a second address of the loopback, from which Wine does not answer")
	listen := func(at string) *net.UDPConn {
		conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort(at)))
		must.Succeed(t, err)
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	router, other, here := listen("127.0.0.1:0"), listen("127.0.0.2:0"), listen("127.0.0.1:0")
	to := here.LocalAddr().(*net.UDPAddr)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	step := make(chan bool)
	said, too := make(chan struct{}, 1), make(chan struct{}, 1)
	go hear(ctx, here, func() netip.Addr {
		for range 2 { // it is looked at, and goes on
			select {
			case step <- true:
			case <-ctx.Done():
			}
		}
		return netip.MustParseAddr("127.0.0.1")
	}, []chan<- struct{}{said, too})
	say := func(from *net.UDPConn, text string) {
		_, err := from.WriteTo(fromHex(t, text), to)
		must.Succeed(t, err)
		<-step
	}
	say(other, pcpAnnouncement)
	<-step
	say(router, natpmpAnnouncement)
	select {
	case <-said:
		t.Error("somebody else is heard")
	default:
	}
	<-step
	<-said
	<-too
	say(router, pcpAnnouncement)
	<-step
	<-said
	<-too
}

// broken is a socket that fails at each read but the one that comes after so many.
type broken struct{ reads, but int }

func (b *broken) ReadFromUDPAddrPort(into []byte) (int, netip.AddrPort, error) {
	if b.reads++; b.reads != b.but {
		return 0, netip.AddrPort{}, errors.New("the network is gone")
	}
	said, _ := hex.DecodeString(natpmpAnnouncement)
	return copy(into, said), netip.MustParseAddrPort("192.0.2.1:5351"), nil
}

func (b *broken) Close() error { return nil }

// A socket that goes on failing is asked ever less often, and still hears the router when it works again.
func TestHearBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		conn := &broken{but: 60}
		said := make(chan struct{}, 1)
		hear(ctx, conn, func() netip.Addr { return netip.MustParseAddr("192.0.2.1") }, []chan<- struct{}{said})
		if conn.reads < 70 || conn.reads > 90 { // each minute, and at first and after the read that succeeds more often
			t.Errorf("within an hour it is asked %d times", conn.reads)
		}
		select {
		case <-said:
		default:
			t.Error("the router is not heard")
		}
	})
}

func TestAnnounces(t *testing.T) {
	for _, text := range []string{natpmpAnnouncement, pcpAnnouncement} {
		if !announces(fromHex(t, text)) {
			t.Errorf("%s is none", text)
		}
	}
	for what, text := range map[string]string{
		"nothing": "", "one byte": "00", "a short one": natpmpAnnouncement[:22], "a short one of PCP": pcpAnnouncement[:46],
		"a question": "00000000000000062d500002", "a question of PCP": "020000000000000000000001000000000000000000000000",
		"a refusal": "00800003000000062d500002", "an answer about a port": "028100000000000000000001000000000000000000000000",
	} {
		if announces(fromHex(t, text)) {
			t.Errorf("%s is one: %s", what, text)
		}
	}
}

func fromHex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	must.Succeed(t, err)
	return b
}

func FuzzAnnouncement(f *testing.F) {
	for _, text := range []string{natpmpAnnouncement, pcpAnnouncement} {
		b, _ := hex.DecodeString(text)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if announces(b) && (len(b) < natpmpSize || b[1] != pcpAnswer) {
			t.Fatalf("%x", b)
		}
	})
}
