package udp

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(s))
	must.Succeed(t, err)
	return b
}

// The datagrams of version 5 without their tags, byte for byte. A change here is another version.
func TestGoldenGreetings(t *testing.T) {
	const nonce = 0x0102030405060708
	cookie := [cookieSize]byte{0, 0, 0, 9, 0xAA, 19: 0xBB}
	noise := func(n int) []byte { return bytes.Repeat([]byte{0xCC}, n) }
	cc := func(n int) string { return strings.Repeat("CC", n) }
	for _, x := range []struct {
		g    greeting
		want string
	}{
		{greeting{kind: kindKnock}, "A005 0102030405060708" + strings.Repeat("00", 54)},
		{greeting{kind: kindChallenge, cookie: cookie}, "A105 0102030405060708 00000009 AA" + strings.Repeat("00", 14) + "BB"},
		{greeting{kind: kindOpen, cookie: cookie, noise: noise(48)}, "A205 0102030405060708 00000009 AA" + strings.Repeat("00", 14) + "BB" + cc(48) + strings.Repeat("00", 178)},
		{greeting{kind: kindAccept, session: 0x1112131415161718, noise: noise(96)}, "A305 0102030405060708 1112131415161718" + cc(96)},
		{greeting{kind: kindRefuse, code: refuseFull, words: "no"}, "A405 0102030405060708 02 6E6F"},
		{greeting{kind: kindFinish, noise: noise(64)}, "A505 0102030405060708" + cc(64)},
		{greeting{kind: kindAsk}, "A605 0102030405060708"},
		{greeting{kind: kindGone}, "A705 0102030405060708"},
		{greeting{kind: kindStill, tag: [seal.TagSize]byte{1, 15: 2}}, "A805 0102030405060708 01" + strings.Repeat("00", 14) + "02" + strings.Repeat("00", 38)},
	} {
		x.g.version, x.g.nonce = wireVersion, nonce
		want := unhex(t, x.want)
		if got := x.g.append(nil); !bytes.Equal(got, want) {
			t.Errorf("%#x: got %x, want %x", x.g.kind, got, want)
		}
		got, err := decodeGreeting(want)
		if err != nil || !cmp.Equal(got, x.g, cmp.AllowUnexported(greeting{})) {
			t.Errorf("%#x: decoded %+v, %v", x.g.kind, got, err)
		}
	}
}

func TestDecodersRefuse(t *testing.T) {
	good := greeting{kind: kindOpen, version: wireVersion, noise: make([]byte, seal.Overhead1)}.append(nil)
	padded := bytes.Clone(good)
	padded[200] = 1
	for name, b := range map[string][]byte{
		"short":         good[:9],
		"cut":           good[:255],
		"long":          append(bytes.Clone(good), 0),
		"padding":       padded,
		"no padding":    good[:greetHeader+cookieSize+seal.Overhead1],
		"bare knock":    greeting{kind: kindKnock, version: wireVersion}.append(nil)[:greetHeader],
		"kind":          append([]byte{0xA9}, good[1:]...),
		"long accept":   append(greeting{kind: kindAccept, version: wireVersion, noise: make([]byte, seal.Overhead2)}.append(nil), 0),
		"long refusal":  append(greeting{kind: kindRefuse, version: wireVersion}.append(nil), make([]byte, 201)...),
		"no code":       greeting{kind: kindRefuse, version: wireVersion}.append(nil)[:greetHeader],
		"no noise":      greeting{kind: kindAccept, version: wireVersion}.append(nil),
		"cut finish":    greeting{kind: kindFinish, version: wireVersion, noise: make([]byte, seal.Overhead3-1)}.append(nil),
		"long ask":      append(greeting{kind: kindAsk, version: wireVersion}.append(nil), 0),
		"cut challenge": greeting{kind: kindChallenge, version: wireVersion}.append(nil)[:29],
	} {
		if g, err := decodeGreeting(b); err == nil {
			t.Errorf("%s: %+v", name, g)
		}
	}
	other := bytes.Clone(good)
	other[1] = 9
	if g, err := decodeGreeting(other[:20]); err != nil || g.version != 9 || g.kind != kindOpen {
		t.Errorf("another version: %+v, %v", g, err)
	}
	if _, ok := sealedSession(append([]byte{byte(kindSealed)}, make([]byte, headRoom-2)...)); ok {
		t.Error("a sealed datagram without a body")
	}
	if _, ok := sealedSession(make([]byte, 100)); ok {
		t.Error("a session datagram of an unknown kind")
	}
}

// A decoder takes only datagrams that it would also write.
func FuzzGreeting(f *testing.F) {
	for _, b := range someGreetings() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { looksAtGreeting(t, b) })
}

// someGreetings are one of each kind, and one of another version.
func someGreetings() (list [][]byte) {
	for k := kindKnock; k <= kindStill; k++ {
		noise := map[kind]int{kindOpen: seal.Overhead1, kindAccept: seal.Overhead2, kindFinish: seal.Overhead3}[k]
		list = append(list, greeting{kind: k, version: wireVersion, nonce: 1, words: "why", noise: make([]byte, noise)}.append(nil))
	}
	return append(list, []byte{0xA0, 2, 0, 0, 0, 0, 0, 0, 0, 1})
}

func looksAtGreeting(t *testing.T, b []byte) (well bool) {
	g, err := decodeGreeting(b)
	if err != nil || g.version != wireVersion {
		return false
	}
	if got := g.append(nil); !bytes.Equal(got, b) {
		t.Fatalf("%x became %x", b, got)
	}
	return true
}

func FuzzSession(f *testing.F) {
	for _, b := range someOfSessions() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { looksAtSession(t, b) })
}

func someOfSessions() [][]byte { return [][]byte{append(sessionPrefix(nil, 1), "bye, all of you"...)} }

func looksAtSession(t *testing.T, b []byte) (well bool) {
	wire, well := sealedSession(b)
	if well && !bytes.HasPrefix(b, sessionPrefix(nil, wire)) {
		t.Fatalf("%x has session %x", b, wire)
	}
	rest := b[min(len(b), sessionHeader):]
	if w := link.Words(string(rest), link.MaxReason); len(w) > link.MaxReason || !utf8.ValidString(w) {
		t.Fatalf("words %q", w)
	}
	return well
}

// TestManyInputs is the fuzz targets of this package with ten million inputs each, but for ENet's own datagrams, whose
// reader is C.
func TestManyInputs(t *testing.T) {
	at := netip.MustParseAddrPort("192.0.2.1:5")
	for _, x := range []struct {
		name  string
		seeds [][]byte
		look  func(*testing.T, []byte) bool
	}{
		{"greeting", someGreetings(), looksAtGreeting},
		{"session", someOfSessions(), looksAtSession},
		{"candidates", [][]byte{candidates{number: 1, list: []netip.AddrPort{at, at}}.append(nil), candidates{number: 2, seen: 9}.append(nil)}, looksAtCandidates},
		{"carried", [][]byte{append(make([]byte, carryHeader), 1), appendAddr(nil, at)}, looksAtCarried},
		{"STUN", [][]byte{stunAnswer(stunID{1}, at)}, looksAtSTUN},
	} {
		t.Run(x.name, func(t *testing.T) { must.SurviveInputs(t, x.seeds, x.look) })
	}
}

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
