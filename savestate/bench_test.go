package savestate

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
)

// rawStates are what there is to pack: a real state, and the worst there can be.
func rawStates(b *testing.B) map[string][]byte {
	c, err := emucore.Start(b.Context(), testConfig(b, needDesmume(b)))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	play(b, c, 120)
	state, err := c.Save()
	if err != nil {
		b.Fatal(err)
	}
	return map[string][]byte{"desmume": state.Data, "noise20MB": noise(1, 20_000_000)}
}

func BenchmarkPack(b *testing.B) {
	for name, raw := range rawStates(b) {
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
	for name, raw := range rawStates(b) {
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
	var p Part
	from := NewStore(0)
	p = mustPut(b, from, KindState, noise(1, size))
	for b.Loop() {
		w, x, y := pair(lineModel{rate: 1e9, delay: 50 * time.Microsecond})
		x.store, x.Exchange = from, NewExchange(from, ExchangeConfig{})
		connect(w, x.out.model, x, y)
		x.do(func() { x.Offer(manifestOf(0, p)) })
		y.do(func() { y.Fetch([]Part{p}) })
		w.run(time.Minute, func() bool { return y.store.Has(p) })
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
		m := chunk{tag: 1, offset: offset, bytes: raw}.append(nil)
		if err := x.Receive(epoch, m); err != nil {
			b.Fatal(err)
		}
		x.Outgoing(epoch)
		offset += MaxChunk
	}
}

func BenchmarkInstall(b *testing.B) {
	core := needDesmume(b)
	cfg := testConfig(b, core)
	c, err := emucore.Start(b.Context(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	play(b, c, 120)
	state, err := c.Save()
	c.Close()
	if err != nil {
		b.Fatal(err)
	}
	s := NewStore(0)
	m, err := Capture(0, cfg, &state, s)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c, _, err := Install(b.Context(), m, core, cfg.ROM, s)
		if err != nil {
			b.Fatal(err)
		}
		c.Close()
	}
}
