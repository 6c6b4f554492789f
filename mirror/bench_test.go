package mirror

import (
	"testing"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// BenchmarkFrame measures what a frame of a game of two costs one machine, besides the
// network: its input put, a datagram made and one taken in.
func BenchmarkFrame(b *testing.B) {
	const delay, way = 4, 8
	script := inputdelay.RandomScript(1, 5000)
	a := NewHost()
	a.AddSeat(0, delay)
	a.AddClient(0, []ds.Seat{0})
	queue, err := inputdelay.NewQueue(0, delay)
	must.Succeed(b, err)
	find := func(ds.Seat) *inputdelay.Queue { return queue }
	client, pressure := NewClient(0, []ds.Seat{0}), new(Pressure)
	pressure.Add(0)
	out := Datagram{Frames: make([]MachineFrame, 1), Acks: make([]SeatFrame, 1)}
	var in Datagram
	buf := make([]byte, 0, MaxDatagram)
	bytes, f := 0, int64(delay)
	b.ReportAllocs()
	for b.Loop() {
		must.Succeed(b, a.Put(0, f, script.At(f%5000)))
		out.Frames[0].Frame = f - delay
		out.Acks[0].Frame = max(f-way, delay-1)
		out.Windows = a.Windows(0, out.Budget())
		buf = out.Append(buf[:0])
		bytes += len(buf)
		must.Succeed(b, in.Decode(buf))
		if _, err := client.Receive(in, find); err != nil {
			b.Fatal(err)
		}
		must.Succeed(b, a.Ack(0, in.Acks))
		pressure.Report(0, in.Frames[0].Frame)
		if pressure.Behind(f-delay) != nil {
			b.Fatal("behind")
		}
		queue.Forget(f)
		f++
	}
	b.ReportMetric(float64(bytes)/float64(f-delay), "bytes/datagram")
}
