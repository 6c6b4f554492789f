package savestate

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestStoreGivesBackWhatWasPut(t *testing.T) {
	s := NewStore(0)
	for _, raw := range [][]byte{{7}, bytes.Repeat([]byte("0123"), 4000), noise(1, 300_000), make([]byte, 20<<20)} {
		p := mustPut(t, s, KindState, raw)
		if p.Size != int64(len(raw)) || p.SHA256 != sha256.Sum256(raw) {
			t.Errorf("%d bytes are called %v", len(raw), p)
		}
		got, ok := s.Get(p.SHA256)
		if !ok || !bytes.Equal(got, raw) {
			t.Errorf("%v does not come back", p)
		}
		got[0]++ // it is the caller's
		if again, _ := s.Get(p.SHA256); !bytes.Equal(again, raw) {
			t.Errorf("writing to what Get returned changes the store")
		}
	}
	if _, ok := s.Get([32]byte{1}); ok {
		t.Error("it has a part nobody put")
	}
}

// Bytes that do not shrink must still be within the limit that manifests allow.
func TestPackedLimitHolds(t *testing.T) {
	s := NewStore(0)
	for _, n := range []int{1, 100, 1 << 17, 1<<17 + 1, 3 << 20, MaxSRAM} {
		p := mustPut(t, s, KindSRAM, noise(uint64(n), n))
		if err := p.check(); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
		if _, ok := s.Get(p.SHA256); !ok {
			t.Errorf("%d bytes do not come back", n)
		}
	}
}

// Machines find out by hash whether they have a part packed in this way, so
// packing must not depend on what was packed before.
func TestPackingRepeats(t *testing.T) {
	raw := append(bytes.Repeat([]byte("a state "), 100_000), noise(1, 500_000)...)
	first := mustPut(t, NewStore(0), KindState, raw)
	s := NewStore(0)
	for i := range 5 {
		mustPut(t, s, KindState, noise(uint64(i), 100_000*(i+1)))
		packed, err := s.packer.pack(raw)
		if err != nil || sha256.Sum256(packed) != first.PackedSHA256 {
			t.Fatalf("after %d others it is packed in another way: %v", i+1, err)
		}
	}
}

func TestStoreLimit(t *testing.T) {
	s := NewStore(250_000)
	a, b, c := noise(1, 100_000), noise(2, 100_000), noise(3, 100_000)
	pa, pb := mustPut(t, s, KindSRAM, a), mustPut(t, s, KindSRAM, b)
	if _, err := s.Put(KindSRAM, c); !errors.Is(err, ErrStoreFull) {
		t.Errorf("a third part in a store for two: %v", err)
	}
	mustPut(t, s, KindSRAM, a) // is there already
	if want := pa.PackedSize + pb.PackedSize; s.Used() != want {
		t.Errorf("%d bytes used, want %d", s.Used(), want)
	}
	s.Retain([]Part{pb})
	if _, ok := s.Get(pa.SHA256); ok || s.Used() != pb.PackedSize {
		t.Errorf("after forgetting one: used %d, has it: %v", s.Used(), ok)
	}
	mustPut(t, s, KindSRAM, c)
	if got, ok := s.Get(pb.SHA256); !ok || !bytes.Equal(got, b) {
		t.Error("the retained part is lost")
	}
}

func TestStoreRefusesSizes(t *testing.T) {
	s := NewStore(0)
	for _, c := range []struct {
		kind Kind
		n    int
	}{{KindState, 0}, {KindSRAM, MaxSRAM + 1}, {KindState, MaxState + 1}, {Kind(9), 5}} {
		if _, err := s.Put(c.kind, make([]byte, c.n)); err == nil {
			t.Errorf("%d bytes as a %v are taken", c.n, c.kind)
		}
	}
}

// packedBy makes a part of bytes that this package would not make.
func packedBy(t *testing.T, raw []byte, options ...zstd.EOption) (Part, []byte) {
	t.Helper()
	enc, err := zstd.NewWriter(nil, options...)
	must.Succeed(t, err)
	packed := enc.EncodeAll(raw, nil)
	return describe(raw, packed), packed
}

func describe(raw, packed []byte) Part {
	return Part{KindState, int64(len(raw)), sha256.Sum256(raw), int64(len(packed)), sha256.Sum256(packed)}
}

func TestStoreRefusesForgedAndDangerousBytes(t *testing.T) {
	raw := bytes.Repeat([]byte("emulated"), 50_000)
	good, packed := packedBy(t, raw)
	must.Succeed(t, NewStore(0).Add(good, bytes.Clone(packed)))
	change := func(p Part, f func(*Part)) Part { f(&p); return p }
	_, frame := packedBy(t, raw[:8])
	twice := append(bytes.Clone(packed), frame...)
	bomb, bombPacked := packedBy(t, make([]byte, MaxState))
	wide := make([]byte, 20<<20)
	copy(wide[19<<20:], noise(1, 1<<20))
	widePart, widePacked := packedBy(t, wide, zstd.WithWindowSize(16<<20), zstd.WithSingleSegment(false))
	cases := []struct {
		name   string
		part   Part
		packed []byte
		want   string
	}{
		{"other bytes", good, frame, "promised"},
		{"other contents", change(good, func(p *Part) { p.SHA256[0]++ }), packed, "promised"},
		{"smaller than it unpacks to", change(good, func(p *Part) { p.Size-- }), packed, "the zstd frame says 400000 bytes"},
		{"larger", change(good, func(p *Part) { p.Size++ }), packed, "the zstd frame says"},
		{"truncated", describe(raw, packed[:len(packed)-5]), packed[:len(packed)-5], "unpack"},
		{"no zstd", describe(raw, []byte("hello, world")), []byte("hello, world"), "unpack"},
		{"only a magic", describe(raw, packed[:4]), packed[:4], "too short"},
		{"two frames", describe(raw, twice), twice, "unpack"},
		{"a bomb", change(bomb, func(p *Part) { p.Size = 100_000 }), bombPacked, "the zstd frame says 67108"},
		{"a wide window", widePart, widePacked, "window"},
		{"too large", change(good, func(p *Part) { p.Size = MaxState + 1 }), packed, "size"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := NewStore(0)
			if c.name != "other bytes" {
				c.part.PackedSize, c.part.PackedSHA256 = int64(len(c.packed)), sha256.Sum256(c.packed)
			}
			err := s.Add(c.part, bytes.Clone(c.packed))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if s.Used() != 0 {
				t.Errorf("%d bytes are kept", s.Used())
			}
		})
	}
}

// Several goroutines put, add, get and forget parts at the same time.
func TestStoreIsShared(t *testing.T) {
	s := NewStore(0)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			raw := noise(uint64(i%4), 20_000)
			p, err := s.Put(KindSRAM, raw)
			if err != nil {
				t.Error(err)
				return
			}
			if packed := s.find(p); packed != nil {
				if err := s.Add(p, bytes.Clone(packed)); err != nil {
					t.Error(err)
				}
			}
			if got, ok := s.Get(p.SHA256); ok && !bytes.Equal(got, raw) {
				t.Error("other bytes came back")
			}
			if i == 7 {
				s.Retain([]Part{p})
			}
			s.Used()
		})
	}
	wg.Wait()
}

// FuzzAdd gives the store packed bytes that nobody of us has made.
func FuzzAdd(f *testing.F) {
	seeds := NewStore(0)
	for _, raw := range [][]byte{{1}, bytes.Repeat([]byte("ab"), 5000), noise(1, 700)} {
		p := mustPut(f, seeds, KindSRAM, raw)
		f.Add(seeds.find(p), uint32(p.Size))
	}
	s := NewStore(0)
	f.Fuzz(func(t *testing.T, packed []byte, size uint32) {
		p := Part{KindSRAM, int64(size % MaxSRAM), [32]byte{}, int64(len(packed)), sha256.Sum256(packed)}
		if raw, err := s.packer.unpack(p, packed); err == nil {
			if p.SHA256 = sha256.Sum256(raw); int64(len(raw)) != p.Size {
				t.Fatalf("%d bytes came out of a part of %d", len(raw), p.Size)
			}
		}
		if err := s.Add(p, bytes.Clone(packed)); err != nil {
			if s.Used() != 0 {
				t.Fatal("bytes are kept that were refused")
			}
			return
		}
		if raw, ok := s.Get(p.SHA256); !ok || sha256.Sum256(raw) != p.SHA256 {
			t.Fatal("what was taken does not come back")
		}
		s.Retain(nil)
	})
}

// An expected part counts as here and comes out as it went in, before and after it is
// packed; a part that nobody described is forgotten, with its memory.
func TestExpect(t *testing.T) {
	other, s := NewStore(0), NewStore(1<<20)
	raw, more := noise(1, 300_000), noise(2, 400_000)
	p := mustPut(t, other, KindState, raw)
	for _, b := range [][]byte{raw, more} {
		must.Succeed(t, s.Expect(KindState, slices.Clone(b)))
	}
	if err := s.Expect(KindState, noise(3, 400_000)); !errors.Is(err, ErrStoreFull) {
		t.Errorf("more than the store holds: %v", err)
	}
	if err := s.Expect(KindState, nil); err == nil {
		t.Error("nothing at all was taken")
	}
	longer := p
	longer.Size++
	if !s.Has(p) || s.Has(longer) || s.Used() != 700_000 {
		t.Errorf("it is here: %v, with another size: %v; %d bytes are used", s.Has(p), s.Has(longer), s.Used())
	}
	s.Retain([]Part{p})
	pack := s.PackExpected([]Part{p})
	if err := s.Expect(KindState, slices.Clone(more)); err != nil { // for the next time
		t.Fatal(err)
	}
	for _, when := range []string{"before", "after"} {
		got, ok := s.Get(p.SHA256)
		if !ok || !bytes.Equal(got, raw) || !s.Has(p) {
			t.Errorf("%s it is packed: %d bytes, %v, %v", when, len(got), ok, s.Has(p))
		}
		if when == "before" {
			pack()
		}
	}
	if s.find(p) == nil {
		t.Error("what is packed cannot be handed on")
	}
	if want := p.PackedSize + 400_000; s.Used() != want {
		t.Errorf("%d bytes are used, want %d", s.Used(), want)
	}
	s.PackExpected(nil)()
	if _, ok := s.Get(sha256.Sum256(more)); ok || s.Used() != p.PackedSize {
		t.Errorf("what nobody described is here: %v; %d bytes are used", ok, s.Used())
	}
}

// Add keeps packed bytes that have not been verified at all.
func (s *Store) Add(p Part, packed []byte) error {
	if int64(len(packed)) != p.PackedSize || sha256.Sum256(packed) != p.PackedSHA256 {
		return fmt.Errorf("keep %s: %w", p, ErrForged)
	}
	return s.add(p, packed, 0)
}

// Used is the number of bytes taken, those reserved for parts on their way included.
func (s *Store) Used() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used + s.reserved
}
