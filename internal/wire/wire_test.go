package wire

import (
	"bytes"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// everything has a field of each kind.
type everything struct {
	N     int
	Small uint8
	Wait  time.Duration
	Yes   bool
	Sum   [4]byte
	Hash  uint64
	Short uint64
	Raw   string
	Text  string
	List  []int64
	Big   uint32
	Byte  uint8
	Frame int64
	Brief string
	Whole uint64
	At    netip.AddrPort
	One   bool
	Two   bool
	Rest  []byte
}

func (e *everything) fields(c *Coder) {
	Number(c, "n", &e.N, -5, 1<<40)
	Number(c, "small", &e.Small, 3, 200)
	c.Duration("wait", &e.Wait)
	c.Bool("yes", &e.Yes)
	c.Fixed("sum", e.Sum[:])
	c.Hash("hash", &e.Hash)
	c.Short("short", &e.Short)
	c.Raw("raw", &e.Raw, 10)
	c.Text("text", &e.Text, 20)
	c.Within("list", func(c *Coder) {
		List(c, "entries", &e.List, 4, func(c *Coder, n *int64) { Number(c, "entry", n, 0, 300) })
	})
	Big(c, "big", &e.Big, 4)
	Big(c, "byte", &e.Byte, 1)
	Big(c, "frame", &e.Frame, 8)
	c.ShortText("brief", &e.Brief)
	Big(c, "whole", &e.Whole, 8)
	c.AddrPort("at", &e.At)
	c.Flags("flags", &e.One, &e.Two)
	c.Rest("rest", &e.Rest, 1, 3)
}

func write(t *testing.T, e everything) []byte {
	t.Helper()
	c := Writer(nil)
	e.fields(c)
	must.Succeed(t, c.End())
	return c.Bytes()
}

func sample() everything {
	return everything{-5, 200, time.Second, true, [4]byte{1, 2, 3, 4}, 1<<63 | 7, math.MaxUint32, "r\x00w", "Bob", []int64{0, 300, 127}, 1<<32 - 1, 255, math.MaxInt64, strings.Repeat("b", 255), math.MaxUint64, netip.MustParseAddrPort("192.0.2.1:65535"), false, true, []byte{9, 8}}
}

func TestBothDirections(t *testing.T) {
	for _, want := range []everything{sample(), {Small: 3, At: netip.MustParseAddrPort("[2001:db8::1]:1"), Rest: []byte{0}}} {
		b := write(t, want)
		var got everything
		c := Reader(b)
		got.fields(c)
		if err := c.End(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v came back as %+v, %v", want, got, err)
		}
	}
}

// Every message that ends too early or too late is refused, with the name of a field.
func TestTruncatedAndLong(t *testing.T) {
	e := sample()
	e.Rest = e.Rest[:1]
	b := write(t, e)
	for n := range b {
		var e everything
		c := Reader(b[:n])
		e.fields(c)
		if err := c.End(); err == nil || !strings.Contains(err.Error(), ": ") {
			t.Fatalf("the first %d of %d bytes: %v", n, len(b), err)
		}
	}
	c := Reader([]byte{1, 0})
	n := 0
	Number(c, "n", &n, 0, 1)
	if err := c.End(); err == nil || err.Error() != "end: 1 bytes too many" {
		t.Error(err)
	}
}

func TestHostileNumbers(t *testing.T) {
	for want, b := range map[string][]byte{
		"n: the message ends within":          {0x80},
		"n: the number is larger than 64":     bytes.Repeat([]byte{0xff}, 11),
		"n: the number is not in its shorte":  {0x80, 0x00},
		"n: the number is not in -5..1099511": {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
	} {
		n := 7
		c := Reader(b)
		if Number(c, "n", &n, -5, 1<<40); c.Err() == nil || !strings.HasPrefix(c.Err().Error(), want) || n != 7 {
			t.Errorf("%x is %d: %v", b, n, c.Err())
		}
	}
	n := -6
	c := Writer(nil)
	if Number(c, "n", &n, -5, 5); c.Err() == nil || c.Err().Error() != "n: -6 is not in -5..5" {
		t.Error(c.Err())
	}
}

// A count that promises more entries than there are bytes takes no memory for them.
func TestHostileLists(t *testing.T) {
	var v []int64
	b := append([]byte{0xff, 0xff, 0x3f}, 1, 2)
	c := Reader(b)
	List(c, "entries", &v, 1<<20, func(c *Coder, n *int64) { Number(c, "entry", n, 0, 300) })
	if c.Err() == nil || v != nil || !strings.HasPrefix(c.Err().Error(), "entry: ") {
		t.Errorf("%d entries, %v", len(v), c.Err())
	}
	s := ""
	c = Reader([]byte{11, 'x'})
	if c.Raw("raw", &s, 10); c.Err() == nil || s != "" {
		t.Errorf("%q, %v", s, c.Err())
	}
}

// After the first error nothing more is read or written, and the error stays.
func TestFirstErrorStays(t *testing.T) {
	c := Reader([]byte{9, 1, 2, 3})
	n, other := uint8(0), uint8(42)
	Number(c, "first", &n, 0, 5)
	Number(c, "second", &other, 0, 5)
	c.Within("group", func(c *Coder) { c.Fail("third", "no") })
	if err := c.End(); err == nil || err.Error() != "first: the number is not in 0..5" || other != 42 {
		t.Errorf("%v, %d", err, other)
	}
	w := Writer(nil)
	w.Fail("first", "%d", 1)
	w.Fixed("second", []byte{1})
	b := true
	if w.Bool("third", &b); len(w.Bytes()) > 1 || w.Err().Error() != "first: 1" {
		t.Errorf("%x, %v", w.Bytes(), w.Err())
	}
}

func TestWhatDoesNotFitIsCut(t *testing.T) {
	e := everything{Small: 3, At: sample().At, Rest: []byte{1}, Wait: 400 * 24 * time.Hour, Text: "a\x1b b  c " + strings.Repeat("x", 40)}
	var got everything
	got.fields(Reader(write(t, e)))
	if got.Wait != MaxDuration || got.Text != Clean(e.Text, 20) || len(got.Text) > 20 {
		t.Errorf("%v, %q", got.Wait, got.Text)
	}
	c := Writer(nil)
	long := uint64(math.MaxUint32 + 1)
	if c.Short("short", &long); c.Err() == nil {
		t.Error("33 bits fit into 32")
	}
}

func TestBig(t *testing.T) {
	n, r, text := int64(0x1020304), []byte("ab"), "xyz"
	c := Writer(nil)
	Big(c, "n", &n, 4)
	Big(c, "n", &n, 8)
	c.ShortText("text", &text)
	c.Rest("rest", &r, 1, 2)
	if want := "\x01\x02\x03\x04\x00\x00\x00\x00\x01\x02\x03\x04\x03xyzab"; string(c.Bytes()) != want || c.Err() != nil {
		t.Errorf("%x, %v", c.Bytes(), c.Err())
	}
	for n, want := range map[int64]string{-1: "n: -1 does not fit into 1 bytes", 256: "n: 256 does not fit into 1 bytes"} {
		c := Writer(nil)
		if Big(c, "n", &n, 1); c.Err() == nil || c.Err().Error() != want || len(c.Bytes()) > 0 {
			t.Errorf("%d: %v", n, c.Err())
		}
	}
	for b, want := range map[string]string{
		"\x01\x02":             "n: 2 bytes are missing",
		"\xff\xff\xff\xff\x01": "small: 4294967295 is too large",
	} {
		n, small := uint32(7), uint8(7)
		c := Reader([]byte(b))
		if len(b) > 4 {
			Big(c, "small", &small, 4)
		}
		if Big(c, "n", &n, 4); c.Err() == nil || c.Err().Error() != want || n != 7 || small != 7 {
			t.Errorf("%x is %d, %d: %v", b, n, small, c.Err())
		}
	}
	c = Reader(bytes.Repeat([]byte{0xff}, 8))
	if Big(c, "n", &n, 8); c.Err() == nil || n != 0x1020304 {
		t.Errorf("64 bits are %d: %v", n, c.Err())
	}
}

func TestHostileLengths(t *testing.T) {
	long, text, rest := strings.Repeat("x", 256), "", []byte(nil)
	c := Writer(nil)
	if c.ShortText("text", &long); c.Err() == nil || len(c.Bytes()) > 0 {
		t.Errorf("%d bytes: %v", len(c.Bytes()), c.Err())
	}
	c = Reader([]byte{3, 'a', 'b'})
	if c.ShortText("text", &text); c.Err() == nil || c.Err().Error() != "text: 1 bytes are missing" || text != "" {
		t.Errorf("%q: %v", text, c.Err())
	}
	for _, b := range []string{"", "1234"} {
		c := Reader([]byte(b))
		if c.Rest("rest", &rest, 1, 3); c.Err() == nil || !strings.HasPrefix(c.Err().Error(), "rest: ") || rest != nil {
			t.Errorf("%q: %q, %v", b, rest, c.Err())
		}
		w, field := Writer(nil), []byte(b)
		if w.Rest("rest", &field, 1, 3); w.Err() == nil || len(w.Bytes()) > 0 {
			t.Errorf("%q is written as %q", b, w.Bytes())
		}
	}
}

// All that is read has exactly one encoding, except texts and times, which are cleaned.
func FuzzCoder(f *testing.F) {
	c := Writer(nil)
	e := sample()
	e.fields(c)
	f.Add(c.Bytes())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		var e, back everything
		c := Reader(b)
		if e.fields(c); c.End() != nil {
			return
		}
		again := write(t, e)
		r := Reader(again)
		if back.fields(r); r.End() != nil || !reflect.DeepEqual(e, back) {
			t.Fatalf("%+v came back as %+v, %v", e, back, r.End())
		}
		if third := write(t, back); !bytes.Equal(again, third) {
			t.Fatalf("%x and %x are one message", again, third)
		}
	})
}
