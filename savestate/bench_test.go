package savestate

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// rawStates are what there is to pack: much that repeats, as a real state has, and the
// worst there can be.
func rawStates() map[string][]byte {
	state := make([]byte, 12_000_000)
	copy(state[4_000_000:], noise(2, 300_000))
	return map[string][]byte{"state12MB": state, "noise20MB": noise(1, 20_000_000)}
}

func BenchmarkPack(b *testing.B) {
	for name, raw := range rawStates() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			var p Part
			s := NewStore(0)
			s.packer.open()
			for b.Loop() {
				s.Retain(nil)
				p = mustPut(b, s, KindState, raw)
			}
			b.ReportMetric(float64(p.PackedSize), "packed-bytes")
		})
	}
}

func BenchmarkUnpack(b *testing.B) {
	for name, raw := range rawStates() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			s := NewStore(0)
			p := mustPut(b, s, KindState, raw)
			for b.Loop() {
				if _, ok := s.Get(p.SHA256); !ok {
					b.Fatal("does not come back")
				}
			}
		})
	}
}

// BenchmarkExchange is what an exchange itself costs: a line of 1 GB/s, in
// virtual time, verification included.
func BenchmarkExchange(b *testing.B) {
	const size = 20_000_000
	b.SetBytes(size)
	fast := plain{1e9, 50 * time.Microsecond}
	var p Part
	from := NewStore(0)
	p = mustPut(b, from, KindState, noise(1, size))
	for b.Loop() {
		w, x, y := pair(fast)
		x.store, x.Exchange = from, NewExchange(from, ExchangeConfig{})
		connect(w, fast, x, y)
		x.do(func() { x.Offer(manifestOf(0, p)) })
		y.do(func() { y.Fetch([]Part{p}) })
		w.Run(time.Minute, func() bool { return y.store.Has(p) })
		if x.err != nil || y.err != nil || !y.store.Has(p) {
			b.Fatal(x.err, y.err)
		}
	}
}

// BenchmarkReceiveChunk is the work for one chunk at the receiver; most of it is
// SHA-256.
func BenchmarkReceiveChunk(b *testing.B) {
	const size = 60 << 20
	raw := noise(1, MaxChunk)
	p := Part{Kind: KindState, Size: size, PackedSize: size}
	b.SetBytes(MaxChunk)
	var x *Exchange
	offset := int64(size)
	for b.Loop() {
		if offset+MaxChunk > size {
			x, offset = NewExchange(NewStore(0), ExchangeConfig{}), 0
			x.Fetch([]Part{p})
		}
		m := encode(kindChunk, &chunk{tag: 1, offset: offset, bytes: raw})
		must.Succeed(b, x.Receive(epoch, m))
		x.Outgoing(epoch, 0, 0)
		offset += MaxChunk
	}
}
