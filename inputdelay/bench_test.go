package inputdelay

import (
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// A frame at the owner: push, read, forget.
func BenchmarkQueue(b *testing.B) {
	q, err := NewQueue(0, 4)
	must.Succeed(b, err)
	b.ReportAllocs()
	f := int64(0)
	for b.Loop() {
		if _, _, err := q.Push(f, Input{Keys: Keys(f) & allKeys}); err != nil {
			b.Fatal(err)
		}
		if _, ok := q.At(f); !ok {
			b.Fatal("starved")
		}
		q.Forget(f)
		f++
	}
}

// The window of a busy player at 100 ms each way.
func BenchmarkEncode(b *testing.B) {
	ins := window(12)
	buf := make([]byte, 0, 1200)
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendInputs(buf[:0], ins)
	}
	b.ReportMetric(float64(len(buf)), "bytes")
}

func BenchmarkDecode(b *testing.B) {
	buf := AppendInputs(nil, window(12))
	ins := make([]Input, 0, 512)
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if ins, _, err = AppendDecoded(ins[:0], buf, 512); err != nil {
			b.Fatal(err)
		}
	}
}

// window is n frames out of the middle of a random script.
func window(n int) []Input {
	s := RandomScript(1, 1000)
	ins := make([]Input, n)
	for i := range ins {
		ins[i] = s.At(500 + int64(i))
	}
	return ins
}
