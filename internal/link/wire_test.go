package link

import (
	"bytes"
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(s))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The datagrams of version 1, byte for byte. A change here is another version.
func TestGoldenGreetings(t *testing.T) {
	const nonce = 0x0102030405060708
	cookie := [cookieSize]byte{0, 0, 0, 9, 0xAA, 19: 0xBB}
	for _, x := range []struct {
		g    greeting
		want string
	}{
		{greeting{kind: kindKnock}, "A001 0102030405060708" + strings.Repeat("00", 54)},
		{greeting{kind: kindChallenge, cookie: cookie}, "A101 0102030405060708 00000009 AA" + strings.Repeat("00", 14) + "BB"},
		{greeting{kind: kindOpen, cookie: cookie}, "A201 0102030405060708 00000009 AA" + strings.Repeat("00", 14) + "BB" + strings.Repeat("00", 226)},
		{greeting{kind: kindAccept, session: 0x1112131415161718}, "A301 0102030405060708 1112131415161718"},
		{greeting{kind: kindRefuse, code: refuseFull, words: "no"}, "A401 0102030405060708 02 6E6F"},
	} {
		x.g.version, x.g.nonce = wireVersion, nonce
		want := unhex(t, x.want)
		if got := x.g.append(nil); !bytes.Equal(got, want) {
			t.Errorf("%#x: got %x, want %x", x.g.kind, got, want)
		}
		got, err := decodeGreeting(want)
		if err != nil || got != x.g {
			t.Errorf("%#x: decoded %+v, %v", x.g.kind, got, err)
		}
	}
}

func TestGoldenSessionDatagrams(t *testing.T) {
	p := [streams]progress{{received: 1, limit: 513, ahead: 0}, {received: 300, limit: 2348, ahead: 5}}
	e := echo{seq: 7, count: 70000, flags: flagReopen, progress: p}
	want := unhex(t, "B2 1112131415161718 00000007 00011170 01 01 8104 00 AC02 AC12 05")
	if got := e.append(sessionPrefix(nil, kindPing, 0x1112131415161718)); !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
	k, session, rest, err := splitSession(want)
	if err != nil || k != kindPing || session != 0x1112131415161718 {
		t.Fatalf("%#x %#x %v", k, session, err)
	}
	got, err := decodeEcho(rest)
	if err != nil || !cmp.Equal(got, e, cmp.AllowUnexported(echo{}, progress{})) {
		t.Errorf("decoded %+v, %v", got, err)
	}
}

func TestDecodersRefuse(t *testing.T) {
	good := greeting{kind: kindOpen, version: wireVersion}.append(nil)
	padded := bytes.Clone(good)
	padded[200] = 1
	for name, b := range map[string][]byte{
		"short":         good[:9],
		"cut":           good[:255],
		"long":          append(bytes.Clone(good), 0),
		"padding":       padded,
		"kind":          append([]byte{0xA9}, good[1:]...),
		"long accept":   append(greeting{kind: kindAccept, version: wireVersion}.append(nil), 0),
		"long refusal":  append(greeting{kind: kindRefuse, version: wireVersion}.append(nil), make([]byte, 201)...),
		"no code":       greeting{kind: kindRefuse, version: wireVersion}.append(nil)[:greetHeader],
		"cut challenge": greeting{kind: kindChallenge, version: wireVersion}.append(nil)[:29],
	} {
		if g, err := decodeGreeting(b); err == nil {
			t.Errorf("%s: %+v", name, g)
		}
	}
	other := bytes.Clone(good)
	other[1] = 2
	if g, err := decodeGreeting(other[:20]); err != nil || g.version != 2 || g.kind != kindOpen {
		t.Errorf("another version: %+v, %v", g, err)
	}
	for name, b := range map[string]string{
		"cut":              "00000007 00011170",
		"cut progress":     "00000007 00011170 01 01 8104 00 AC02 AC12",
		"long progress":    "00000007 00011170 01 01 8104 00 AC02 AC12 05 00",
		"more than limit":  "00000007 00011170 01 05 04 00 AC02 AC12 05",
		"unbounded varint": "00000007 00011170 01 FFFFFFFFFFFFFFFFFFFF01 04 00 AC02 AC12 05",
	} {
		if e, err := decodeEcho(unhex(t, b)); err == nil {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if _, _, _, err := splitSession(make([]byte, 8)); err == nil {
		t.Error("a session datagram of 8 bytes")
	}
	if _, _, _, err := splitSession(append([]byte{byte(kindLost) + 1}, make([]byte, 8)...)); err == nil {
		t.Error("a session datagram of an unknown kind")
	}
}

// A decoder takes only datagrams that it would also write.
func FuzzGreeting(f *testing.F) {
	for k := kindKnock; k <= kindRefuse; k++ {
		f.Add(greeting{kind: k, version: wireVersion, nonce: 1, words: "why"}.append(nil))
	}
	f.Add([]byte{0xA0, 2, 0, 0, 0, 0, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := decodeGreeting(b)
		if err != nil || g.version != wireVersion {
			return
		}
		if got := g.append(nil); !bytes.Equal(got, b) {
			t.Fatalf("%x became %x", b, got)
		}
	})
}

func FuzzSession(f *testing.F) {
	p := [streams]progress{{received: 1, limit: 513}, {received: 300, limit: 2348, ahead: 5}}
	f.Add(echo{seq: 7, count: 70000, flags: flagReopen, progress: p}.append(sessionPrefix(nil, kindPing, 1)))
	f.Add(appendProgress(sessionPrefix(nil, kindProgress, 1), p))
	f.Add(append(sessionPrefix(nil, kindBye, 1), "bye"...))
	f.Fuzz(func(t *testing.T, b []byte) {
		k, session, rest, err := splitSession(b)
		if err != nil {
			return
		}
		if got := append(sessionPrefix(nil, k, session), rest...); !bytes.Equal(got, b) {
			t.Fatalf("%x became %x", b, got)
		}
		if e, err := decodeEcho(rest); err == nil {
			again, err := decodeEcho(e.append(nil))
			if err != nil || !cmp.Equal(again, e, cmp.AllowUnexported(echo{}, progress{})) {
				t.Fatalf("%+v became %+v, %v", e, again, err)
			}
		}
		if w := words(string(rest), MaxReason); len(w) > MaxReason || !utf8.ValidString(w) {
			t.Fatalf("words %q", w)
		}
	})
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                   "plain",
		"  two\nlines\t":          "two lines",
		"bad \xff\xfe bytes":      "bad    bytes",
		"a \u202Etrick\u2028":     "a  trick",
		strings.Repeat("é", 150):  strings.Repeat("é", 100),
		strings.Repeat("x", 5000): strings.Repeat("x", 200),
		"\x1b[31mred":             "[31mred",
	} {
		if got := words(in, MaxReason); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestCookies(t *testing.T) {
	jar, err := newCookieJar()
	if err != nil {
		t.Fatal(err)
	}
	from := netip.MustParseAddrPort("192.0.2.1:7000")
	at := 100 * time.Second
	c := jar.mint(from, 5, at)
	if !jar.check(c, from, 5, at) || !jar.check(c, from, 5, at+cookieLife) {
		t.Error("a good cookie is refused")
	}
	bent := c
	bent[10] ^= 1
	newer := c
	newer[3]++
	other, _ := newCookieJar()
	for name, ok := range map[string]bool{
		"another address": jar.check(c, netip.MustParseAddrPort("192.0.2.2:7000"), 5, at),
		"another port":    jar.check(c, netip.MustParseAddrPort("192.0.2.1:7001"), 5, at),
		"another nonce":   jar.check(c, from, 6, at),
		"too old":         jar.check(c, from, 5, at+cookieLife+time.Second),
		"from the future": jar.check(c, from, 5, at-2*time.Second),
		"bent":            jar.check(bent, from, 5, at),
		"made newer":      jar.check(newer, from, 5, at+time.Second),
		"another key":     other.check(c, from, 5, at),
	} {
		if ok {
			t.Errorf("a cookie is good for %s", name)
		}
	}
}

func TestBucket(t *testing.T) {
	b := bucket{rate: 10, burst: 3}
	got := 0
	for range 10 {
		if b.take(time.Minute) {
			got++
		}
	}
	if got != 3 {
		t.Errorf("%d at once, want 3", got)
	}
	if b.take(time.Minute + 50*time.Millisecond) {
		t.Error("one after half the time")
	}
	if !b.take(time.Minute + 150*time.Millisecond) {
		t.Error("none after the time")
	}
}
