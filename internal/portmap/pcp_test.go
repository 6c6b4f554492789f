package portmap

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// pcpRouter answers requests on the loopback, but for the first, which is lost, and for one
// that is somebody else's answer. It notes the lifetimes, and answers what result has for each.
func pcpRouter(t *testing.T, result func(lifetime uint32) byte, lifetimes chan<- uint32) *pinhole {
	t.Helper()
	conn, err := net.ListenUDP("udp6", &net.UDPAddr{IP: net.IPv6loopback})
	if err != nil {
		t.Skipf("SKIPPED: no IPv6 here: %v", err)
	}
	t.Cleanup(func() { conn.Close() })
	var heard atomic.Int32
	go func() {
		for b := make([]byte, 100); ; {
			n, from, err := conn.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			if heard.Add(1) == 1 || n != pcpSize {
				continue
			}
			answer := append([]byte(nil), b[:n]...)
			lifetime := binary.BigEndian.Uint32(b[4:])
			answer[1], answer[3] = pcpAnswer|pcpMap, result(lifetime)
			copy(answer[44:], netip.MustParseAddr("2001:db8::7").AsSlice())
			other := append([]byte(nil), answer...)
			other[30]++
			_, _ = conn.WriteToUDPAddrPort(other, from)
			lifetimes <- lifetime
			_, _ = conn.WriteToUDPAddrPort(answer, from)
		}
	}()
	return &pinhole{router: conn.LocalAddr().(*net.UDPAddr), inside: netip.IPv6Loopback(), nonce: pcpNonce{1, 2, 3}}
}

func always(result byte) func(uint32) byte { return func(uint32) byte { return result } }

// TestPinholeIsOpenedAndGivenBack: a lost request is repeated, and an answer to another one
// is none.
func TestPinholeIsOpenedAndGivenBack(t *testing.T) {
	lifetimes := make(chan uint32, 10)
	p := pcpRouter(t, always(0), lifetimes)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	m, err := p.add(ctx, 21204, lease)
	if want := netip.MustParseAddrPort("[2001:db8::7]:21204"); err != nil || m.Outside != want || m.By != "PCP" {
		t.Errorf("%+v, %v", m, err)
	}
	if err := p.remove(ctx, 21204); err != nil {
		t.Error(err)
	}
	if a, b := <-lifetimes, <-lifetimes; a != uint32(lease/time.Second) || b != 0 {
		t.Errorf("the pinhole was asked for %d s, then for %d s", a, b)
	}
}

// One that the router does not let us close ends as soon as the router allows.
func TestPinholeIsNotTakenBack(t *testing.T) {
	lifetimes := make(chan uint32, 10)
	const notAuthorised = 2
	p := pcpRouter(t, func(lifetime uint32) byte {
		if lifetime == 0 {
			return notAuthorised
		}
		return 0
	}, lifetimes)
	must.Succeed(t, p.remove(t.Context(), 21204))
	if a, b := <-lifetimes, <-lifetimes; a != 0 || b != 1 {
		t.Errorf("the pinhole was asked for %d s, then for %d s, want 0 and 1", a, b)
	}
}

func TestPinholeIsRefused(t *testing.T) {
	for result, want := range map[byte]string{1: ErrNone.Error(), 2: "it answers 2"} {
		p := pcpRouter(t, always(result), make(chan uint32, 10))
		if _, err := p.add(t.Context(), 21204, lease); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("result %d: %v", result, err)
		}
	}
}

// TestForgedVersionIsNoAnswer: nobody ends a request by saying that the router is of another version who does not see the request.
func TestForgedVersionIsNoAnswer(t *testing.T) {
	nonce := pcpNonce{1, 2, 3}
	b := pcpRequest(netip.MustParseAddr("2001:db8::7"), nonce, 21204, lease)
	b[0], b[1], b[3] = 1, pcpAnswer|pcpMap, 1
	if _, mine, err := pcpParse(b, nonce); !mine || !errors.Is(err, ErrNone) {
		t.Errorf("the router's: mine %v, %v", mine, err)
	}
	for _, forged := range [][]byte{b[:4], b[:24]} {
		if _, mine, _ := pcpParse(forged, nonce); mine {
			t.Errorf("%x is taken for an answer", forged)
		}
	}
	if _, mine, _ := pcpParse(b, pcpNonce{4}); mine {
		t.Error("an answer to something else is taken")
	}
}

func TestRouterWithoutPCP(t *testing.T) {
	p := pcpRouter(t, always(0), make(chan uint32, 10))
	p.router.Port = 1
	if _, err := p.add(t.Context(), 21204, lease); !errors.Is(err, ErrNone) {
		t.Errorf("got %v", err)
	}
}

func FuzzPCP(f *testing.F) {
	nonce := pcpNonce{1, 2, 3}
	good := pcpRequest(netip.MustParseAddr("2001:db8::7"), nonce, 21204, lease)
	good[1] |= pcpAnswer
	f.Add(good)
	f.Add(good[:24])
	f.Fuzz(func(t *testing.T, b []byte) { looksAtPCP(t, b) })
}

func looksAtPCP(t *testing.T, b []byte) (well bool) {
	nonce := pcpNonce{1, 2, 3}
	at, mine, err := pcpParse(b, nonce)
	if ok := at.IsValid(); ok && (!mine || err != nil || at.Port() == 0 || len(b) < pcpSize) {
		t.Fatalf("%x: %v, %v, %v", b, at, mine, err)
	}
	return at.IsValid()
}

// TestManyInputs is the fuzz targets of this package with ten million inputs each.
func TestManyInputs(t *testing.T) {
	good := pcpRequest(netip.MustParseAddr("2001:db8::7"), pcpNonce{1, 2, 3}, 21204, lease)
	good[1] |= pcpAnswer
	t.Run("PCP", func(t *testing.T) { must.SurviveInputs(t, [][]byte{good, good[:24]}, looksAtPCP) })
	t.Run("SSDP", func(t *testing.T) {
		must.SurviveInputs(t, [][]byte{[]byte(found), []byte(strings.Replace(found, "127.0.0.1", "[fe80::1%25eth0]", 1))}, looksAtSSDP)
	})
	t.Run("description", func(t *testing.T) {
		must.SurviveInputs(t, [][]byte{[]byte(description), []byte(based)}, looksAtDescription)
	})
}
