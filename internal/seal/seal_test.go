package seal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func newKey(t testing.TB) Private {
	t.Helper()
	k, err := NewKey()
	must.Succeed(t, err)
	return k
}

// shake plays a handshake to its end, or to the first error.
func shake(dialer, other *Handshake) error {
	sides := [2]*Handshake{dialer, other}
	for i := range 3 {
		m, err := sides[i%2].Write(nil, []byte("payload"))
		if err != nil {
			return err
		}
		got, err := sides[(i+1)%2].Read(m)
		if err != nil {
			return err
		}
		if string(got) != "payload" {
			return errors.New("another payload")
		}
	}
	return nil
}

func pair(t testing.TB) (a, b *Transport) {
	t.Helper()
	room, one, two := NewSecret(), newKey(t), newKey(t)
	d, err := Dial(one, room, two.Public(), []byte("v1"))
	must.Succeed(t, err)
	o, err := Answer(two, room, []byte("v1"))
	must.Succeed(t, err)
	must.Succeed(t, shake(d, o))
	if d.Peer() != two.Public() || o.Peer() != one.Public() {
		t.Fatal("the sides do not know each other's keys")
	}
	return d.Transport(), o.Transport()
}

func TestHandshakeNeedsKeySecretAndContext(t *testing.T) {
	room, one, two, three := NewSecret(), newKey(t), newKey(t), newKey(t)
	for _, c := range []struct {
		name          string
		want          Public
		room          Secret
		dial, answer  string
		works         bool
		wantsOtherKey bool
	}{
		{"the right key", two.Public(), room, "v1", "v1", true, false},
		{"any key", Public{}, room, "v1", "v1", true, false},
		{"another key", three.Public(), room, "v1", "v1", false, true},
		{"another secret", two.Public(), NewSecret(), "v1", "v1", false, false},
		{"another context", two.Public(), room, "v1", "v2", false, false},
	} {
		d, err := Dial(one, c.room, c.want, []byte(c.dial))
		must.Succeed(t, err)
		o, err := Answer(two, room, []byte(c.answer))
		must.Succeed(t, err)
		err = shake(d, o)
		if (err == nil) != c.works || errors.Is(err, ErrOtherKey) != c.wantsOtherKey {
			t.Errorf("%s: %v", c.name, err)
		}
		if !c.works && o.Transport() != nil {
			t.Errorf("%s: the answering side has a connection", c.name)
		}
	}
}

func TestHandshakeOutlivesForgedMessages(t *testing.T) {
	room, one, two := NewSecret(), newKey(t), newKey(t)
	d, _ := Dial(one, room, Public{}, nil)
	o, _ := Answer(two, room, nil)
	sides := [2]*Handshake{d, o}
	for i := range 3 {
		m, err := sides[i%2].Write(nil, nil)
		must.Succeed(t, err)
		for j := range m {
			forged := bytes.Clone(m)
			forged[j] ^= 0x40
			if _, err := sides[(i+1)%2].Read(forged); err == nil {
				t.Fatalf("message %d is taken with byte %d changed", i+1, j)
			}
		}
		if _, err := sides[(i+1)%2].Read(m); err != nil {
			t.Fatalf("message %d after forged ones: %v", i+1, err)
		}
	}
}

func TestTransportTakesEachDatagramOnce(t *testing.T) {
	a, b := pair(t)
	prefix := []byte("prefix")
	var sent [][]byte
	for i := range 3000 {
		s, err := a.Seal(bytes.Clone(prefix), binary.BigEndian.AppendUint32(nil, uint32(i)))
		must.Succeed(t, err)
		if len(s) != len(prefix)+4+Overhead {
			t.Fatalf("%d bytes sealed are %d", 4, len(s))
		}
		sent = append(sent, s)
	}
	for i, at := range rand.New(rand.NewPCG(1, 1)).Perm(len(sent)) {
		body, _, err := b.Open(bytes.Clone(sent[at]), len(prefix))
		if err != nil || binary.BigEndian.Uint32(body) != uint32(at) {
			t.Fatalf("datagram %d, opened as number %d: %v", at, i, err)
		}
		if _, _, err := b.Open(bytes.Clone(sent[at]), len(prefix)); !errors.Is(err, ErrReplay) {
			t.Fatalf("the same again: %v", err)
		}
	}
}

func TestTransportRefusesWhatIsChanged(t *testing.T) {
	a, b := pair(t)
	s, _ := a.Seal([]byte("head"), []byte("body"))
	for i := range s {
		forged := bytes.Clone(s)
		forged[i] ^= 1
		if _, _, err := b.Open(forged, 4); err == nil {
			t.Fatalf("byte %d changed, and it is taken", i)
		}
	}
	for n := range s {
		if _, _, err := b.Open(bytes.Clone(s[:n]), min(4, n)); err == nil {
			t.Fatalf("cut after %d bytes, and it is taken", n)
		}
	}
	if _, _, err := a.Open(bytes.Clone(s), 4); err == nil {
		t.Fatal("it is taken by who sent it")
	}
	if body, _, err := b.Open(s, 4); err != nil || string(body) != "body" {
		t.Fatalf("as it was: %q, %v", body, err)
	}
}

// TestKeysChange goes over the frames of several keys, with what is late or lost there.
func TestKeysChange(t *testing.T) {
	a, b := pair(t)
	for key := uint64(1); key < 6; key++ {
		first := a.send
		a.counter = key<<keyBits - 3
		var sent [][]byte
		for i := range 6 {
			s, err := a.Seal(nil, []byte{byte(i)})
			must.Succeed(t, err)
			sent = append(sent, s)
		}
		if a.send.number != first.number+1 {
			t.Fatalf("key %d after key %d", a.send.number, first.number)
		}
		for _, i := range []int{1, 4, 0, 5, 2} {
			if body, _, err := b.Open(sent[i], 0); err != nil || body[0] != byte(i) {
				t.Fatalf("key %d, datagram %d: %v", key, i, err)
			}
		}
	}
	if _, err := a.Seal(nil, nil); err != nil {
		t.Fatal(err)
	}
	a.counter = maxCounter + 1
	if _, err := a.Seal(nil, nil); !errors.Is(err, errWorn) {
		t.Fatalf("a counter is used twice: %v", err)
	}
}

// TestForgedKeyNumbersChangeNothing sends what would bring the next key, but is forged.
func TestForgedKeyNumbersChangeNothing(t *testing.T) {
	a, b := pair(t)
	for key := range uint64(4) {
		forged := make([]byte, 64)
		binary.BigEndian.PutUint32(forged[2:], uint32(key<<keyBits))
		if _, _, err := b.Open(forged, 0); err == nil {
			t.Fatal("a forged datagram is taken")
		}
	}
	s, _ := a.Seal(nil, []byte("body"))
	if _, _, err := b.Open(s, 0); err != nil {
		t.Fatal(err)
	}
}

func TestWindowIsLikeASet(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		var w window
		taken, highest := map[uint64]bool{}, uint64(0)
		at := uint64(0)
		for range 20000 {
			switch r.IntN(50) {
			case 0:
				at += r.Uint64N(3 * windowSize)
			default:
				at++
			}
			n := at - min(at, r.Uint64N(2)*r.Uint64N(windowSize+200))
			want := !taken[n] && (n > highest || highest+1-n <= windowSize || len(taken) == 0)
			if got := w.fits(n); got != want {
				t.Fatalf("seed %d: %d with the highest %d fits: %v", seed, n, highest, got)
			}
			if want {
				w.mark(n)
				taken[n], highest = true, max(highest, n)
			}
		}
	}
}

func TestGreeterKnowsTheRoom(t *testing.T) {
	room := NewSecret()
	b := NewGreeter(room).Append([]byte("may I?"))
	if body, ok := NewGreeter(room).Check(b); !ok || string(body) != "may I?" {
		t.Fatalf("%q, %v", body, ok)
	}
	if _, ok := NewGreeter(NewSecret()).Check(b); ok {
		t.Fatal("a tag of another room is taken")
	}
	b[0]++
	if _, ok := NewGreeter(room).Check(b); ok {
		t.Fatal("another text with the same tag is taken")
	}
	if _, ok := NewGreeter(room).Check(b[:TagSize-1]); ok {
		t.Fatal("less than a tag is taken")
	}
}

// TestProgramsThatStartAtOnce have one key: friends would warn of the other one.
func TestProgramsThatStartAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "key")
	var keys [8]Private
	var programs sync.WaitGroup
	for i := range keys {
		programs.Go(func() {
			var err error
			if keys[i], err = LoadKey(path); err != nil {
				t.Error(err)
			}
		})
	}
	programs.Wait()
	for _, k := range keys {
		if k.Public() != keys[0].Public() {
			t.Fatal("they have several keys")
		}
	}
}

func TestLoadKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nettplay", "key")
	one, err := LoadKey(path)
	must.Succeed(t, err)
	two, err := LoadKey(path)
	if err != nil || one != two {
		t.Fatalf("the key is another one: %v", err)
	}
	must.BePrivate(t, path)
	if other := newKey(t); one.Public().Fingerprint() == other.Public().Fingerprint() || len(one.Public().Fingerprint()) != 14 {
		t.Fatalf("fingerprint %s", one.Public().Fingerprint())
	}
	must.Succeed(t, os.WriteFile(path, []byte("nonsense"), 0o600))
	if _, err := LoadKey(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Fatalf("a broken file: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	a, _ := pair(f)
	s, _ := a.Seal([]byte("head"), []byte("body"))
	f.Add(s)
	_, b := pair(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for prefix := range 12 {
			if _, _, err := b.Open(bytes.Clone(data), prefix); err == nil {
				t.Fatal("a forged datagram is taken")
			}
		}
	})
}

func BenchmarkSealOpen(b *testing.B) {
	for _, size := range []int{40, 1200} {
		b.Run(map[int]string{40: "input", 1200: "state"}[size], func(b *testing.B) {
			x, y := pair(b)
			buf, body := make([]byte, 0, 2000), make([]byte, size)
			b.ReportAllocs()
			for b.Loop() {
				s, err := x.Seal(append(buf[:0], "prefix"...), body)
				must.Succeed(b, err)
				if _, _, err := y.Open(s, 6); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
