package replay

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// readAll does with a log's bytes what anybody could do with a log.
func readAll(b []byte) error {
	l := &Log{Path: "fuzzed", file: bytes.NewReader(b)}
	if err := l.scan(int64(len(b))); err != nil {
		return err
	}
	if l.Size > int64(len(b)) || l.Cut == "" && l.Size != int64(len(b)) {
		panic("it was read to another end")
	}
	_, _, _ = l.Game(), FileName(&l.Head), l.Length()
	if l.isMoment() == nil {
		if k := l.Kept(); len(k.Seats) != len(l.Seats) || len(l.Moment.Picture) > MaxPicture {
			panic("a kept moment is not bounded")
		}
		if l.Seats[0].Start.Parts[0].Size <= 1<<20 {
			_, _ = l.Air()
		}
	}
	for _, seat := range l.Seats {
		for _, p := range seat.Start.Parts {
			if p.Size <= 1<<20 {
				_, _ = l.Part(seat, p.SHA256)
			}
		}
	}
	for _, from := range []int64{0, l.Length() / 2} {
		c := l.From(from)
		for f := from; f < min(l.Length(), from+2000); f++ {
			for _, s := range l.Seats {
				if in, _, err := c.Input(s.Plan.Seat, f); err != nil {
					return err
				} else if in != in.Normal() {
					panic("an input that is not normal")
				}
				if _, _, err := c.Hash(s.Plan.Seat, f+1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// seeds are whole logs.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	var list [][]byte
	moment, err := Keep(t.TempDir(), keptGame(t), Moment{Name: "kept", Frames: 9, Picture: []byte("picture")})
	must.Succeed(t, err)
	for _, path := range []string{moment, record(t, 2, 150, mashers(1, 150)), record(t, 1, 5, mashers(2, 5)), filepath.Join("testdata", "format1.nplog")} {
		b := must.Read(t, path)
		list = append(list, b)
	}
	return list
}

func FuzzOpen(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	f.Fuzz(func(_ *testing.T, b []byte) { _ = readAll(b) })
}

// FuzzBlocks gets past the checksums: the bytes are payloads, behind a good head.
func FuzzBlocks(f *testing.F) {
	head, err := (&Head{}).withSeats(f, 2)
	must.Succeed(f, err)
	for _, b := range seeds(f) {
		s := newScanner(bytes.NewReader(b[headerSize:]), 0, int64(len(b)-headerSize))
		var payloads []byte
		for {
			kind, payload, err := s.next()
			if err != nil {
				break
			}
			if kind != kindHead {
				payloads = append(payloads, byte(kind))
				payloads = binary.LittleEndian.AppendUint16(payloads, uint16(len(payload)))
				payloads = append(payloads, payload...)
			}
		}
		f.Add(payloads)
	}
	f.Fuzz(func(_ *testing.T, b []byte) {
		log := appendBlock(new(Head).appendHeader(nil), kindHead, head)
		for len(b) >= 3 {
			kind, n := blockKind(b[0]), int(binary.LittleEndian.Uint16(b[1:]))
			n = min(n, len(b)-3)
			log = appendBlock(log, kind, b[3:3+n])
			b = b[3+n:]
		}
		_ = readAll(log)
	})
}

// FuzzHead reads heads only.
func FuzzHead(f *testing.F) {
	for n := range 4 {
		b, err := (&Head{}).withSeats(f, n+1)
		must.Succeed(f, err)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := decodeHead(b)
		if err != nil {
			return
		}
		again, err := h.encode()
		if err != nil {
			t.Fatalf("it was read, but cannot be written: %v", err)
		}
		if _, err := decodeHead(again); err != nil {
			t.Fatal(err)
		}
	})
}

func (h *Head) withSeats(t testing.TB, n int) ([]byte, error) {
	*h = beginning(t, n, []byte("a save")).Head
	return h.encode()
}

// Millions of changed logs cost neither a crash nor a hang, and none of them much memory.
// The checksums are set right again in half of them.
func TestMutations(t *testing.T) {
	count := 5000
	if os.Getenv("NETTPLAY_LONG") == "1" {
		count = 10_000_000
	}
	rng := rand.New(rand.NewPCG(1, 2))
	logs := seeds(t)
	most, fine := uint64(0), 0
	for range count {
		b := bytes.Clone(logs[rng.IntN(len(logs))])
		for range 1 + rng.IntN(4) {
			mutate(rng, &b)
		}
		if rng.IntN(2) == 0 {
			b = checked(b)
		}
		before := allocated()
		if readAll(b) == nil {
			fine++
		}
		most = max(most, allocated()-before)
	}
	t.Logf("%d of %d changed logs are read to some end, with at most %d KB each", fine, count, most>>10)
	if most > 64<<20 {
		t.Errorf("one took %d MB, at most 64 are promised", most>>20)
	}
	if fine < count/100 || fine == count {
		t.Errorf("%d of %d changed logs are read to some end", fine, count)
	}
}

// allocated is how many bytes have been allocated so far, those that are free again
// included.
func allocated() uint64 {
	m := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(m)
	return m[0].Value.Uint64()
}

// within returns what checks that the heap has never grown by more than so many bytes
// since: HeapSys does not shrink.
func within(t *testing.T, bytes int64) (check func()) {
	t.Helper()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	return func() {
		t.Helper()
		runtime.ReadMemStats(&after)
		if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > bytes {
			t.Errorf("it took %d MB, at most %d are promised", grown>>20, bytes>>20)
		}
	}
}

func mutate(rng *rand.Rand, b *[]byte) {
	at := rng.IntN(len(*b) + 1)
	if rng.IntN(3) > 0 { // most behind the head
		at = min(len(*b), 1400+rng.IntN(max(1, len(*b)-1400)))
	}
	switch rng.IntN(5) {
	case 0, 1:
		if at < len(*b) {
			(*b)[at] = byte(rng.Uint32())
		}
	case 2:
		if at < len(*b) {
			(*b)[at] ^= 1 << rng.IntN(8)
		}
	case 3:
		*b = append((*b)[:at:at], (*b)[min(len(*b), at+1+rng.IntN(8)):]...)
	case 4:
		*b = append((*b)[:at:at], append([]byte{byte(rng.Uint32()), byte(rng.Uint32())}, (*b)[at:]...)...)
	}
}

// checked sets the checksums of all blocks right that are as long as they say.
func checked(b []byte) []byte {
	if len(b) < headerSize {
		return b
	}
	out := bytes.Clone(b[:headerSize])
	for b = b[headerSize:]; len(b) > 0; {
		size, n := binary.Uvarint(b[1:])
		if n <= 0 || size > maxBlock || len(b) < 1+n+int(size)+4 {
			return append(out, b...)
		}
		out = appendBlock(out, blockKind(b[0]), b[1+n:1+n+int(size)])
		b = b[1+n+int(size)+4:]
	}
	return out
}

// The largest log that somebody can make costs less than 64 MB to read: all of
// seat 0, a change a frame, and only then all of seat 1.
func TestMemoryOfAHostileLog(t *testing.T) {
	head, err := (&Head{}).withSeats(t, 2)
	must.Succeed(t, err)
	path := filepath.Join(t.TempDir(), "hostile")
	f, err := os.Create(path)
	must.Succeed(t, err)
	defer f.Close()
	b := appendBlock(new(Head).appendHeader(nil), kindHead, head)
	const changes = 500_000
	block := func(seat ds.Seat) []byte {
		var p []byte
		for i := range ds.Seat(2) {
			if i != seat {
				p = append(p, 0)
				continue
			}
			p = binary.AppendUvarint(p, changes)
			p = binary.AppendUvarint(p, changes)
			p = append(p, 0<<2|again)
			for range changes - 1 {
				p = append(p, 1<<2|again)
			}
		}
		return appendBlock(nil, kindFrames, append(p, 0))
	}
	for range 20 {
		b = append(b, block(0)...)
	}
	b = append(b, block(1)...)
	if _, err := f.Write(b); err != nil {
		t.Fatal(err)
	}
	b = nil
	within := within(t, 64<<20)
	l := opened(t, path)
	c := l.From(0)
	if in, ok, err := c.Input(0, 0); in != (inputdelay.Input{Keys: inputdelay.KeyA}) || !ok || err != nil {
		t.Errorf("the first input is %v, %v, %v", in, ok, err)
	}
	if _, _, err := c.Input(1, 0); err == nil || !strings.Contains(err.Error(), "too far apart") {
		t.Errorf("reading the second seat: %v", err)
	}
	within()
	// A huge run of nothing costs nothing.
	var p []byte
	p = binary.AppendUvarint(p, maxAdded)
	p = append(p, 0)
	p = binary.AppendUvarint(p, maxAdded)
	p = append(p, 0, 0)
	long := appendBlock(new(Head).appendHeader(nil), kindHead, head)
	for range 1000 {
		long = appendBlock(long, kindFrames, p)
	}
	l = &Log{file: bytes.NewReader(long)}
	if err := l.scan(int64(len(long))); err != nil || l.Length() != 1000*maxAdded {
		t.Errorf("%v, length %d", err, l.Length())
	}
	c = l.From(0)
	if _, ok, err := c.Input(0, 900*maxAdded); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}
