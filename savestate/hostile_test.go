package savestate

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// told has a machine hear these messages, one a millisecond, and returns the
// first error.
func told(x *Exchange, start time.Time, messages ...[]byte) error {
	for i, m := range messages {
		now := start.Add(time.Duration(i) * ms)
		if err := x.Receive(now, m); err != nil {
			return err
		}
		x.Outgoing(now, 1<<30, 0) // nothing of it arrives
	}
	return nil
}

func TestErrorsNameWhatThePeerDidWrong(t *testing.T) {
	part := func(x *Exchange) Part { return x.offers[0].Parts[0] }
	wants := func(x *Exchange, tags ...uint32) (all [][]byte) {
		for _, tag := range tags {
			all = append(all, encode(kindWant, &want{tag: tag, part: part(x)}))
		}
		return all
	}
	cases := []struct {
		name, want string
		messages   func(x *Exchange) [][]byte
	}{
		{"nothing", "empty message", func(x *Exchange) [][]byte { return [][]byte{{}} }},
		{"no such message", "message 0x40: not known", func(x *Exchange) [][]byte { return [][]byte{{0x40, 1}} }},
		{"short want", "want: part size: 2 bytes are missing", func(x *Exchange) [][]byte { return [][]byte{{kindWant, 0, 0, 0, 1, 1, 2, 3}} }},
		{"long want", "want: end: 1 bytes too many", func(x *Exchange) [][]byte { return [][]byte{append(wants(x, 1)[0], 0)} }},
		{"tag twice", "want: tag: 3 after 3", func(x *Exchange) [][]byte { return wants(x, 1, 3, 3) }},
		{"want at the end", "want: offset: ", func(x *Exchange) [][]byte {
			return [][]byte{encode(kindWant, &want{tag: 1, part: part(x), offset: part(x).PackedSize})}
		}},
		{"too many wants", "want: more than 64 at a time", func(x *Exchange) (all [][]byte) {
			for tag := range uint32(65) {
				all = append(all, wants(x, tag+1)...)
			}
			return all
		}},
		{"chunk nobody wants", "chunk: tag: 9 was not used", func(x *Exchange) [][]byte {
			return [][]byte{encode(kindChunk, &chunk{tag: 9, bytes: []byte{1}})}
		}},
		{"empty chunk", "chunk: bytes: 0 of them", func(x *Exchange) [][]byte { return [][]byte{encode(kindChunk, &chunk{tag: 1})} }},
		{"long chunk", "chunk: bytes: 8193 of them", func(x *Exchange) [][]byte {
			return [][]byte{append(encode(kindChunk, &chunk{tag: 1}), make([]byte, MaxChunk+1)...)}
		}},
		{"gap", "chunk: offset: 100, expected 50", func(x *Exchange) [][]byte {
			return [][]byte{encode(kindChunk, &chunk{tag: 1, bytes: make([]byte, 50)}), encode(kindChunk, &chunk{tag: 1, offset: 100, bytes: make([]byte, 50)})}
		}},
		{"more than the part has", "chunk: bytes: 5000 of them, ", func(x *Exchange) [][]byte {
			return [][]byte{encode(kindChunk, &chunk{tag: 1, bytes: make([]byte, 5000)})}
		}},
		{"refused for no reason", "refuse: why: 7 is not known", func(x *Exchange) [][]byte { return [][]byte{encode(kindRefuse, &refuse{1, 7})} }},
		{"stop of nothing", "stop: tag: 4 was not used", func(x *Exchange) [][]byte { return [][]byte{encode(kindStop, &stop{4})} }},
		{"bad manifest", "manifest: magic: ", func(x *Exchange) [][]byte { return [][]byte{{kindManifest, 0, 0, 0, 0, 'x', 'y', 'z'}} }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := NewStore(0)
			x := NewExchange(s, ExchangeConfig{})
			x.Offer(manifestOf(0, mustPut(t, s, KindSRAM, noise(1, 3000))))
			x.Fetch([]Part{mustPut(t, NewStore(0), KindSRAM, noise(2, 3000))})
			x.Outgoing(epoch, 0, 0)
			err := told(x, epoch, c.messages(x)...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestPeerCannotMakeMemoryGrow(t *testing.T) {
	s := NewStore(0)
	x := NewExchange(s, ExchangeConfig{})
	unknown := want{part: Part{Kind: KindSRAM}}
	var err error
	for i := range 10 * maxTalk { // nobody takes the answers
		unknown.tag = uint32(i + 1)
		if err = x.Receive(epoch, encode(kindWant, &unknown)); err != nil {
			break
		}
	}
	if err == nil || len(x.talk) > maxTalk+1 {
		t.Errorf("%d answers are kept: %v", len(x.talk), err)
	}

	x = NewExchange(s, ExchangeConfig{})
	for i := range 10 * maxHeard { // nor the events
		m := manifestOf(ds.Seat(i % ds.MaxSeats))
		m.RTC = int64(i)
		if err = x.Receive(epoch, encode(kindManifest, &offer{0, m})); err != nil {
			break
		}
	}
	if err == nil || len(x.events) > maxHeard {
		t.Errorf("%d events are kept: %v", len(x.events), err)
	}
}

// FuzzReceive has an exchange hear anything, in any order, and its owner do
// anything.
func FuzzReceive(f *testing.F) {
	raw := bytes.Repeat([]byte("save"), 900)
	other := bytes.Repeat([]byte("game"), 900)
	seeds := NewStore(0)
	mine, theirs := mustPut(f, seeds, KindSRAM, raw), mustPut(f, seeds, KindState, other)
	packed := seeds.find(theirs)
	theirOffer := manifestOf(1, theirs)
	script := func(messages ...[]byte) (b []byte) {
		for _, m := range messages {
			b = append(binary.BigEndian.AppendUint16(b, uint16(len(m))), m...)
		}
		return b
	}
	f.Add(script(encode(kindManifest, &offer{0, theirOffer}), encode(kindChunk, &chunk{tag: 1, bytes: packed})))
	f.Add(script(encode(kindWant, &want{tag: 1, part: mine}), encode(kindStop, &stop{1})))
	f.Add(script(encode(kindChunk, &chunk{tag: 1, bytes: packed[:5]}), nil, encode(kindChunk, &chunk{tag: 1, offset: 5, bytes: packed[5:]})))
	f.Add(script(encode(kindRefuse, &refuse{1, 0}), []byte{0xff}, []byte{0xfe}))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := NewStore(1 << 20)
		x := NewExchange(s, ExchangeConfig{})
		x.Offer(manifestOf(0, mustPut(t, s, KindSRAM, raw)))
		x.Fetch([]Part{theirs})
		now := epoch
		for len(b) >= 2 {
			n := min(int(binary.BigEndian.Uint16(b)), len(b)-2)
			message := b[2 : 2+n]
			b = b[2+n:]
			now = now.Add(time.Duration(n) * time.Millisecond)
			switch {
			case n == 0:
				x.Reset()
			case n == 1 && message[0] == 0xff:
				x.Cancel(nil)
			case n == 1 && message[0] == 0xfe:
				x.Fetch([]Part{theirs})
				x.Available()
			default:
				x.Receive(now, message)
			}
			checkOutput(t, x, now)
		}
		x.Close()
		checkStore(t, x, s)
	})
}

// checkOutput looks at what an exchange makes.
func checkOutput(t *testing.T, x *Exchange, now time.Time) {
	for _, m := range x.Outgoing(now, 0, 0) {
		if len(m) > 16+max(MaxManifestSize, MaxChunk) {
			t.Fatalf("a message of %d bytes", len(m))
		}
	}
	if wake := x.NextWake(now); !wake.IsZero() && wake.Before(now) {
		t.Fatalf("wakes at %v, now is %v", wake, now)
	}
	for _, p := range []Progress{x.Serving(), x.Fetching()} {
		if p.Done < 0 || p.Done > p.Total {
			t.Fatalf("progress %v", p)
		}
	}
}

// checkStore makes sure that what an exchange says is there is just what was
// promised, and that it keeps no room for anything else.
func checkStore(t *testing.T, x *Exchange, s *Store) {
	for _, e := range x.Events() {
		done, ok := e.(PartDone)
		if !ok {
			continue
		}
		if raw, ok := s.Get(done.Part.SHA256); !ok || sha256.Sum256(raw) != done.Part.SHA256 {
			t.Fatalf("%v is done, and not in the store", done.Part)
		}
	}
	if s.reserved != 0 {
		t.Fatalf("%d bytes are reserved for nothing", s.reserved)
	}
}

// FuzzCorruptingLine has two exchanges talk over a line that forges, drops,
// doubles and reorders messages.
func FuzzCorruptingLine(f *testing.F) {
	f.Add(uint64(1), uint8(0))
	f.Add(uint64(2), uint8(1))
	f.Add(uint64(3), uint8(20))
	f.Add(uint64(4), uint8(255))
	raw := [2][]byte{noise(5, 20_000), noise(6, 9000)}
	f.Fuzz(func(t *testing.T, seed uint64, harm uint8) {
		r := rand.New(rand.NewPCG(seed, 3))
		var ends [2]*Exchange
		var stores [2]*Store
		var offers [2]Manifest
		for i := range ends {
			stores[i] = NewStore(1 << 20)
			ends[i] = NewExchange(stores[i], ExchangeConfig{})
			offers[i] = manifestOf(ds.Seat(i), mustPut(t, stores[i], KindSRAM, raw[i]))
			ends[i].Offer(offers[i])
		}
		ends[0].Fetch(offers[1].Parts)
		ends[1].Fetch(offers[0].Parts)
		now := epoch
		for range 60 {
			now = now.Add(20 * ms)
			for i, x := range ends {
				for _, m := range disturb(r, int(harm), x.Outgoing(now, 0, 0)) {
					if ends[1-i].Receive(now, m) != nil {
						ends[0].Reset() // the connection is ended, and made again
						ends[1].Reset()
						break
					}
				}
			}
		}
		for i, x := range ends {
			for _, e := range x.Events() {
				if p, ok := e.(PartDone); ok {
					if got, ok := stores[i].Get(p.Part.SHA256); !ok || !bytes.Equal(got, raw[1-i]) {
						t.Fatal("a part is done, and not what was offered")
					}
				}
			}
			if harm == 0 && !stores[i].Has(offers[1-i].Parts[0]) {
				t.Fatalf("nobody did harm, and end %d does not have the part", i)
			}
			x.Close()
			checkStore(t, x, stores[i])
		}
	})
}

// disturb does harm to some of the messages.
func disturb(r *rand.Rand, harm int, messages [][]byte) (out [][]byte) {
	for _, m := range messages {
		if r.IntN(256) >= harm {
			out = append(out, m)
			continue
		}
		switch r.IntN(5) {
		case 0:
			m[r.IntN(len(m))] ^= 1 << r.IntN(8)
			out = append(out, m)
		case 1:
			out = append(out, m[:r.IntN(len(m))])
		case 2:
			out = append(out, m, m)
		case 3:
			out = append([][]byte{m}, out...)
		}
	}
	return out
}
