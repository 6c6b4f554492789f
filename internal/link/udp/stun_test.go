package udp

import (
	"context"
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// stunServer answers as one does, with the sender's address or with something else.
func stunServer(t *testing.T, answer func(id stunID, from netip.AddrPort) []byte) string {
	t.Helper()
	c := loopback(t)
	go func() {
		for b := make([]byte, 2000); ; {
			n, from, err := c.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			if isSTUN(b[:n]) && binary.BigEndian.Uint16(b) == stunRequest {
				_, _ = c.WriteToUDPAddrPort(answer(stunID(b[8:stunHeader]), from), from)
			}
		}
	}()
	return c.LocalAddr().String()
}

// stunAnswer says an address, behind an attribute that is none of ours.
func stunAnswer(id stunID, at netip.AddrPort) []byte {
	ip := at.Addr().As4()
	value := []byte{0, 1, 0, 0, 0, 0, 0, 0}
	binary.BigEndian.PutUint16(value[2:], at.Port()^uint16(stunMagic>>16))
	binary.BigEndian.PutUint32(value[4:], binary.BigEndian.Uint32(ip[:])^stunMagic)
	attributes := append([]byte{0x80, 0x22, 0, 3, 'a', 'b', 'c', 0, 0, stunMapped, 0, 8}, value...)
	b := stunAsk(id)
	binary.BigEndian.PutUint16(b, stunSuccess)
	binary.BigEndian.PutUint16(b[2:], uint16(len(attributes)))
	return append(b, attributes...)
}

func TestOutside(t *testing.T) {
	t.Parallel()
	l := listenENet(t, Config{})
	at, err := l.Outside(context.Background(), stunServer(t, stunAnswer))
	if err != nil || at.String() != l.Addr() {
		t.Errorf("seen at %v, not %s: %v", at, l.Addr(), err)
	}
	liar := stunServer(t, func(id stunID, from netip.AddrPort) []byte {
		id[0]++
		return stunAnswer(id, from)
	})
	if at, err := l.Outside(context.Background(), liar); err == nil {
		t.Errorf("an answer to another question: %v", at)
	}
	l.stuns.Range(func(any, any) bool { t.Error("a question is kept"); return true })
}

// A network that lets nothing in is told from a machine that does not answer: servers elsewhere
// say nothing either. One server that is out of order proves nothing.
func TestDeafNetwork(t *testing.T) {
	t.Parallel()
	l := listenENet(t, Config{ConnectTimeout: time.Second})
	silent := loopback(t).LocalAddr().String()
	if at, err := l.Outside(t.Context(), silent, stunServer(t, stunAnswer)); err != nil || at.String() != l.Addr() {
		t.Errorf("seen at %v: %v", at, err)
	}
	if _, err := l.Dial(t.Context(), silent); !isDialError(err, link.NoAnswer) {
		t.Errorf("with a server that answers: %v", err)
	}
	if _, err := l.Outside(t.Context(), silent); err == nil {
		t.Error("a silent server has answered")
	}
	if _, err := l.Dial(t.Context(), silent); !isDialError(err, link.Deaf) {
		t.Errorf("with a silent server: %v", err)
	}
}

// A server's word goes into invitations: what no machine can have is no answer.
func TestAddressThatCannotBe(t *testing.T) {
	for at, want := range map[string]bool{
		"203.0.113.7:1": true, "192.168.1.2:1": true, "127.0.0.1:1": true,
		"203.0.113.7:0": false, "0.0.0.0:1": false, "224.0.0.1:1": false, "255.255.255.255:1": false, "169.254.1.1:1": false,
	} {
		if _, ok := stunAddress(stunAnswer(stunID{1}, netip.MustParseAddrPort(at))); ok != want {
			t.Errorf("%s is an address: %v", at, ok)
		}
	}
}

func FuzzSTUN(f *testing.F) {
	f.Add(stunAnswer(stunID{1}, netip.MustParseAddrPort("192.0.2.1:7000")))
	f.Fuzz(func(t *testing.T, b []byte) { looksAtSTUN(t, b) })
}

func looksAtSTUN(t *testing.T, b []byte) (well bool) {
	at, ok := stunAddress(b)
	if ok && (!at.IsValid() || at.Port() == 0) {
		t.Fatalf("%x is %v", b, at)
	}
	return ok
}
