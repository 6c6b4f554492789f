package seal

import (
	"bytes"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// forge changes a message: patch is laid over it and beyond its end, and cut bytes are taken away.
func forge(right, patch []byte, cut uint8) []byte {
	b := bytes.Clone(right)
	for i, x := range patch {
		if i == len(b) {
			b = append(b, 0)
		}
		b[i] ^= x
	}
	return b[:max(0, len(b)-int(cut))]
}

// forgeries are a seed of each kind: in the key of the handshake, the machine's own and the payload.
func forgeries(f *testing.F) {
	for _, at := range []int{0, 31, 32, 63, 79, 80, 90} {
		f.Add(append(make([]byte, at), 1), uint8(0))
	}
	f.Add([]byte{}, uint8(1))
	f.Add(make([]byte, 2000), uint8(0))
}

// handshake is one between two machines of a room, with its messages up to the one with a number.
func handshake(t *testing.T, one, two Private, number int) (reader *Handshake, message []byte) {
	d, err := Dial(one, Secret{1}, two.Public(), nil)
	must.Succeed(t, err)
	o, err := Answer(two, Secret{1}, nil)
	must.Succeed(t, err)
	writer, reader := d, o
	for n := 1; ; n++ {
		if message, err = writer.Write(nil, []byte("payload")); err != nil {
			t.Fatal(err)
		}
		if n == number {
			return reader, message
		}
		if _, err := reader.Read(message); err != nil {
			t.Fatal(err)
		}
		writer, reader = reader, writer
	}
}

// refuses checks that a forged message is not taken, and the right one is afterwards.
func refuses(t *testing.T, reader *Handshake, right, forged []byte) {
	if bytes.Equal(forged, right) {
		return
	}
	if _, err := reader.Read(forged); err == nil || reader.Transport() != nil {
		t.Fatalf("a forged message is taken: %x", forged)
	}
	if got, err := reader.Read(right); err != nil || string(got) != "payload" {
		t.Fatalf("the right message after a forged one: %q, %v", got, err)
	}
}

// FuzzFirstMessage has a stranger begin a handshake, of whom nothing is proven yet: they do not finish it.
func FuzzFirstMessage(f *testing.F) {
	key := newKey(f)
	d, _ := Dial(key, Secret{}, Public{}, nil)
	m, _ := d.Write(nil, nil)
	f.Add(m, m)
	f.Fuzz(func(t *testing.T, one, three []byte) {
		o, err := Answer(key, Secret{1}, nil)
		must.Succeed(t, err)
		if _, err := o.Read(one); err != nil {
			return
		}
		if _, err := o.Write(nil, nil); err != nil {
			return
		}
		if _, err := o.Read(three); err == nil {
			t.Fatal("a stranger finishes a handshake")
		}
	})
}

// FuzzSecondMessage changes the answer that a dialing machine waits for.
func FuzzSecondMessage(f *testing.F) {
	one, two := newKey(f), newKey(f)
	forgeries(f)
	f.Fuzz(func(t *testing.T, patch []byte, cut uint8) {
		reader, right := handshake(t, one, two, 2)
		refuses(t, reader, right, forge(right, patch, cut))
	})
}

// FuzzThirdMessage changes what shows an answering machine who speaks.
func FuzzThirdMessage(f *testing.F) {
	one, two := newKey(f), newKey(f)
	forgeries(f)
	f.Fuzz(func(t *testing.T, patch []byte, cut uint8) {
		reader, right := handshake(t, one, two, 3)
		refuses(t, reader, right, forge(right, patch, cut))
	})
}

// TestManyInputs is the fuzz targets of a handshake's messages with ten million inputs each. One handshake takes
// all of them, and the right message last.
func TestManyInputs(t *testing.T) {
	one, two := newKey(t), newKey(t)
	stranger, err := Dial(one, Secret{2}, two.Public(), nil)
	must.Succeed(t, err)
	first, err := stranger.Write(nil, []byte("payload"))
	must.Succeed(t, err)
	t.Run("first", func(t *testing.T) {
		must.SurviveInputs(t, [][]byte{first}, func(t *testing.T, b []byte) bool {
			o, err := Answer(two, Secret{1}, nil)
			must.Succeed(t, err)
			_, err = o.Read(b)
			if o.Transport() != nil {
				t.Error("a first message finishes a handshake")
			}
			return err == nil
		})
	})
	for number, name := range map[int]string{2: "second", 3: "third"} {
		t.Run(name, func(t *testing.T) {
			reader, right := handshake(t, one, two, number)
			must.SurviveInputs(t, [][]byte{right}, func(t *testing.T, b []byte) bool {
				if bytes.Equal(b, right) {
					return false
				}
				if _, err := reader.Read(b); err == nil || reader.Transport() != nil {
					t.Error("a forged message is taken")
				}
				return false
			})
			if got, err := reader.Read(right); err != nil || string(got) != "payload" {
				t.Fatalf("the right message after forged ones: %q, %v", got, err)
			}
		})
	}
}
