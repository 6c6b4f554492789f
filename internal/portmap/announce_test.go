package portmap

import (
	"context"
	"encoding/hex"
	"net"
	"net/netip"
	"testing"

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
	said := heard(ctx, here, func() netip.Addr {
		for range 2 { // it is looked at, and goes on
			select {
			case step <- true:
			case <-ctx.Done():
			}
		}
		return netip.MustParseAddr("127.0.0.1")
	})
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
	say(router, pcpAnnouncement)
	<-step
	<-said
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
