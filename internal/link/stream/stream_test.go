package stream

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/must"
)

// A stream over a line that loses, doubles and shuffles segments delivers every
// message once and in order, and neither end keeps more than it may.
func TestStreamsOverAnyLine(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		const window = 300
		out := Out{most: 1 << 20, piece: SegmentPayload, limit: window}
		in := makeIn(window, link.MaxControl)
		var flying [][]byte
		var got []Message
		now := time.Unix(0, 0)
		pushed, taken := uint32(0), uint32(0)
		const messages = 150
		for step := 0; taken < messages; step++ {
			if step > 1_000_000 {
				t.Fatalf("seed %d: stuck at %d of %d", seed, taken, messages)
			}
			now = now.Add(time.Millisecond)
			if r.IntN(100) == 0 { // the path carries more, or less
				out.Fit(640 + r.IntN(800))
			}
			for pushed < messages && r.IntN(2) == 0 {
				data := append(binary.BigEndian.AppendUint32(nil, pushed), noise(uint64(pushed), r.IntN(20*SegmentPayload))...)
				if err := out.Push(data); errors.Is(err, link.ErrBacklog) {
					break
				}
				pushed++
			}
			segs := out.Take(r.IntN(20), now, nil)
			segs = out.Repair(8, now, 40*time.Millisecond, segs)
			if r.IntN(500) == 0 {
				out.Rewind()
			}
			for _, seg := range segs {
				for range r.IntN(3) { // lost, or once, or twice
					flying = append(flying, seg)
				}
			}
			r.Shuffle(len(flying), func(i, k int) { flying[i], flying[k] = flying[k], flying[i] })
			land := r.IntN(len(flying) + 1)
			for _, seg := range flying[:land] {
				var err error
				if got, err = in.Accept(bytes.Clone(seg), got); err != nil {
					t.Fatal(err)
				}
			}
			flying = flying[land:]
			for len(got) > 0 && r.IntN(3) > 0 { // the consumer is slow
				m := got[0]
				got = got[1:]
				if n := binary.BigEndian.Uint32(m.Data); n != taken || string(m.Data[4:]) != noise(uint64(n), len(m.Data)-4) {
					t.Fatalf("seed %d: message %d, want %d", seed, n, taken)
				}
				in.Consumed(m.Segs)
				taken++
			}
			if in.next-in.taken > window {
				t.Fatalf("seed %d: %d segments wait for the consumer", seed, in.next-in.taken)
			}
			if r.IntN(4) == 0 {
				if _, err := out.Confirm(in.Progress()); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Only what the receiver lacks is repaired, after the wait, and less and less often.
func TestRepair(t *testing.T) {
	out := Out{most: 1 << 20, piece: SegmentPayload, limit: 100}
	for range 10 {
		must.Succeed(t, out.Push([]byte("x")))
	}
	const wait = 100 * time.Millisecond
	start := time.Unix(0, 0)
	segs := out.Take(8, start, nil)
	numbers := func(at time.Duration) (n []uint32) {
		for _, seg := range out.Repair(10, start.Add(at), wait, nil) {
			n = append(n, binary.BigEndian.Uint32(seg))
		}
		return n
	}
	if len(segs) != 8 || numbers(wait-1) != nil {
		t.Fatal("repaired too early")
	}
	if _, err := out.Confirm(Progress{Received: 2, Limit: 100, Ahead: 0b00101}); err != nil { // 3 and 5 are there
		t.Fatal(err)
	}
	want := func(at time.Duration, want ...uint32) {
		t.Helper()
		got := numbers(at)
		if len(got) != len(want) {
			t.Fatalf("at %v: repaired %v, want %v", at, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("at %v: repaired %v, want %v", at, got, want)
			}
		}
	}
	want(wait, 2, 4, 6, 7)
	want(2*wait, nil...)
	want(3*wait, 2, 4, 6, 7) // after twice the wait
	want(4*wait, nil...)
	want(5*wait, 2, 4, 6, 7) // and so on
	if _, err := out.Confirm(Progress{Received: 1, Limit: 50}); err != nil || out.limit != 100 {
		t.Fatal("old news count")
	}
}

func TestConfirmCatchesLies(t *testing.T) {
	out := Out{most: 1 << 20, piece: SegmentPayload, limit: 100}
	_ = out.Push([]byte("x"))
	if _, err := out.Confirm(Progress{Received: 1, Limit: 2}); err == nil {
		t.Error("it confirms what was not sent")
	}
	out.Take(1, time.Time{}, nil)
	if _, err := out.Confirm(Progress{Received: 1, Limit: 1 << 40}); err == nil {
		t.Error("it allows a terabyte")
	}
	if n, err := out.Confirm(Progress{Received: 1, Limit: 2}); n != 1 || err != nil || out.bytes != 0 {
		t.Errorf("%d confirmed, %d bytes left, %v", n, out.bytes, err)
	}
}

func TestAcceptCatchesLies(t *testing.T) {
	seg := func(n uint32, flags byte, size int) []byte {
		return append(append(binary.BigEndian.AppendUint32(nil, n), flags), make([]byte, size)...)
	}
	for name, x := range map[string]struct {
		segs [][]byte
		want error
	}{
		"short":        {[][]byte{seg(0, 0, 0)[:4]}, errSegmentLength},
		"long":         {[][]byte{seg(0, 0, SegmentPayload+1)}, errSegmentLength},
		"flags":        {[][]byte{seg(0, 2, 1)}, errSegmentFlags},
		"beyond":       {[][]byte{seg(10, 0, 1)}, errSegmentLimit},
		"far beyond":   {[][]byte{seg(1<<31-1, 0, 1)}, errSegmentLimit},
		"not consumed": {[][]byte{seg(0, 0, 1), seg(10, 0, 1)}, errSegmentLimit},
	} {
		in := makeIn(10, 3*SegmentPayload)
		var err error
		for _, s := range x.segs {
			if _, err = in.Accept(s, nil); err != nil {
				break
			}
		}
		if !errors.Is(err, x.want) {
			t.Errorf("%s: got %v, want %v", name, err, x.want)
		}
	}
	in := makeIn(10, 3*SegmentPayload)
	for n := range uint32(4) {
		_, err := in.Accept(seg(n, segmentMore, SegmentPayload), nil)
		if (err != nil) != (n == 3) {
			t.Errorf("segment %d of an endless message: %v", n, err)
		}
	}
}

// No sequence of segments makes the receiver keep more than its window.
func FuzzAccept(f *testing.F) {
	f.Add([]byte{0, 0, 1, 1, 3, 0, 2, 0, 9, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		in := makeIn(8, 2000)
		var out []Message
		for len(b) >= 2 {
			seg := binary.BigEndian.AppendUint32(nil, uint32(in.next)+uint32(int8(b[0])))
			seg = append(seg, b[1]&3)
			seg = append(seg, make([]byte, int(b[1])*4)...)
			var err error
			if out, err = in.Accept(seg, out); err != nil {
				return
			}
			b = b[2:]
			if held := int(in.next-in.taken) + in.early; held > 8 {
				t.Fatalf("%d segments kept", held)
			}
			if len(out) > 0 && b != nil && len(b)%3 == 0 {
				in.Consumed(out[0].Segs)
				out = out[1:]
			}
			if in.size > 2000 {
				t.Fatalf("%d bytes of a message kept", in.size)
			}
			p := in.Progress()
			if p.Received > p.Limit {
				t.Fatalf("%+v", p)
			}
		}
	})
}

func noise(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return string(b)
}
