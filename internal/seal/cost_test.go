package seal

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/flynn/noise"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// halfway is a handshake whose answering side waits for the third message, with the right one.
func halfway(t testing.TB, theirs, ours Secret) (o *Handshake, third []byte) {
	t.Helper()
	d, err := Dial(newKey(t), theirs, Public{}, nil)
	must.Succeed(t, err)
	o, err = Answer(newKey(t), ours, nil)
	must.Succeed(t, err)
	first, _ := d.Write(nil, nil)
	_, err = o.Read(first)
	must.Succeed(t, err)
	second, _ := o.Write(nil, nil)
	_, err = d.Read(second)
	must.Succeed(t, err)
	third, err = d.Write(nil, nil)
	must.Succeed(t, err)
	return o, third
}

// counting counts what is computed on the curve.
type counting struct {
	noise.DHFunc
	n int
}

func (c *counting) DH(private, public []byte) ([]byte, error) {
	c.n++
	return c.DHFunc.DH(private, public)
}

func (c *counting) GenerateKeypair(random io.Reader) (noise.DHKey, error) {
	c.n++
	return c.DHFunc.GenerateKeypair(random)
}

// Forged third messages have nothing computed on the curve, or once where the dialing machine itself makes
// them; however many there are, and whoever makes them: a stranger, somebody who has heard the right
// one, or the dialing machine with another secret.
func TestForgedThirdMessagesAreCheap(t *testing.T) {
	room := NewSecret()
	for _, c := range []struct {
		name   string
		theirs Secret
		forge  func(third []byte) []byte
		most   int  // computations
		right  bool // the right one is taken afterwards
	}{
		{"a stranger", room, func(b []byte) []byte { return make([]byte, len(b)) }, 0, true},
		{"another payload", room, func(b []byte) []byte { b[Overhead3-1] ^= 1; return b }, 1, true},
		{"too short", room, func(b []byte) []byte { return b[:20] }, 0, true},
		{"without a payload", room, func(b []byte) []byte { return b[:50] }, 1, true},
		{"another secret", NewSecret(), func(b []byte) []byte { return b }, 1, false},
	} {
		o, third := halfway(t, c.theirs, room)
		count := &counting{DHFunc: o.curve.DHFunc}
		o.curve.DHFunc = count
		forged := c.forge(bytes.Clone(third))
		for range 300 {
			if _, err := o.Read(forged); err == nil || o.Transport() != nil {
				t.Fatalf("%s: taken", c.name)
			}
		}
		if count.n > c.most {
			t.Errorf("%s: %d computations, want at most %d", c.name, count.n, c.most)
		}
		if _, err := o.Read(third); (err == nil) != c.right {
			t.Errorf("%s: the right one then: %v", c.name, err)
		}
	}
}

// A dialing machine that shows one key after another has one of them computed.
func TestADialerHasOneKey(t *testing.T) {
	room := NewSecret()
	o, _ := halfway(t, room, room)
	for i := range 4 {
		key := newKey(t).Public()
		if _, err := o.curve.DH(o.curve.once.Private, key[:]); errors.Is(err, errOtherStatic) != (i > 0) {
			t.Errorf("key %d: %v", i, err)
		}
	}
}

// Forged answers take nothing away from a dialing machine: the right one comes after many of them.
func TestForgedAnswersOutlived(t *testing.T) {
	d, err := Dial(newKey(t), Secret{1}, Public{}, nil)
	must.Succeed(t, err)
	first, _ := d.Write(nil, nil)
	answer := func() []byte {
		o, err := Answer(newKey(t), Secret{1}, nil)
		must.Succeed(t, err)
		_, err = o.Read(first)
		must.Succeed(t, err)
		b, err := o.Write(nil, nil)
		must.Succeed(t, err)
		return b
	}
	right := answer()
	for range 2 * products {
		forged := answer()
		forged[len(forged)-1] ^= 1
		if _, err := d.Read(forged); err == nil {
			t.Fatal("a forged answer is taken")
		}
		if _, err := d.Read(make([]byte, Overhead2)); err == nil { // a key of low order
			t.Fatal("nonsense is taken")
		}
	}
	_, err = d.Read(right)
	must.Succeed(t, err)
}
