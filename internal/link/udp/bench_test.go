package udp

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/memnet"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// benchPair connects two links over loopback, through a relay if there is an
// impairment.
func benchPair(b *testing.B, imp *memnet.Impairment) (from, to *Link, p link.PeerID) {
	b.Helper()
	to, err := Listen(Config{Bind: "127.0.0.1"})
	must.Succeed(b, err)
	from, err = Listen(Config{Bind: "127.0.0.1"})
	must.Succeed(b, err)
	addr := to.Addr()
	if imp != nil {
		r, err := badline.Start(badline.Config{Target: addr, Seed: 1})
		must.Succeed(b, err)
		_ = r.Set(*imp)
		addr = r.Addr()
		b.Cleanup(func() { r.Close() })
	}
	b.Cleanup(func() { from.Close(); to.Close() })
	p, err = from.Dial(context.Background(), addr)
	must.Succeed(b, err)
	<-from.Events()
	<-to.Events()
	go func() {
		for range from.Events() {
		}
	}()
	return from, to, p
}

// pump sends on Bulk as fast as the link takes it, until the link is closed.
func pump(l link.Link, p link.PeerID, size int) {
	chunk := make([]byte, size)
	for {
		err := l.Send(p, link.Bulk, chunk)
		if errors.Is(err, link.ErrBacklog) {
			time.Sleep(500 * time.Microsecond)
		} else if err != nil {
			return
		}
	}
}

func benchBulk(b *testing.B, imp *memnet.Impairment) {
	from, to, p := benchPair(b, imp)
	b.SetBytes(link.MaxBulk)
	b.ReportAllocs()
	go pump(from, p, link.MaxBulk)
	b.ResetTimer()
	for range b.N {
		<-to.Events()
	}
	b.StopTimer()
	s, _ := from.Stats(p)
	b.ReportMetric(float64(s.Repaired), "repaired")
}

// The raw speed of Bulk, over loopback and over lines.
func BenchmarkBulk(b *testing.B) { benchBulk(b, nil) }

func BenchmarkBulk100ms(b *testing.B) {
	benchBulk(b, &memnet.Impairment{Delay: 50 * time.Millisecond})
}

func BenchmarkBulk100msLoss(b *testing.B) {
	benchBulk(b, &memnet.Impairment{Delay: 50 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.01})
}

func BenchmarkBulk2MBps(b *testing.B) {
	benchBulk(b, &memnet.Impairment{Delay: 20 * time.Millisecond, Bandwidth: 2e6, Queue: 256 << 10})
}

// benchInput measures the way of inputs from Send to Events, one every 4 ms.
func benchInput(b *testing.B, bulk int) {
	from, to, p := benchPair(b, nil)
	if bulk > 0 {
		go pump(from, p, bulk)
		time.Sleep(200 * time.Millisecond)
	}
	start := time.Now()
	took := make([]time.Duration, 0, b.N)
	done := make(chan struct{})
	sent := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case ev := <-to.Events():
				if ev.Channel == link.Input && ev.Kind == link.Message {
					took = append(took, time.Since(start)-time.Duration(binary.BigEndian.Uint64(ev.Data)))
				}
			case <-sent:
				return
			}
		}
	}()
	b.ReportAllocs()
	for range b.N {
		data := binary.BigEndian.AppendUint64(make([]byte, 0, 64), uint64(time.Since(start)))
		_ = from.Send(p, link.Input, data)
		time.Sleep(4 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
	close(sent)
	<-done
	slices.Sort(took)
	if len(took) > 0 {
		b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
	}
	b.ReportMetric(100*float64(b.N-len(took))/float64(b.N), "lost-%")
}

func BenchmarkInputIdle(b *testing.B)      { benchInput(b, 0) }
func BenchmarkInputUnderBulk(b *testing.B) { benchInput(b, link.MaxBulk) }

// BenchmarkControl is the speed of small messages.
func BenchmarkControl(b *testing.B) {
	from, to, p := benchPair(b, nil)
	b.ReportAllocs()
	go func() {
		data := make([]byte, 64)
		for range b.N {
			if sendPatiently(from, p, link.Control, data) != nil {
				return
			}
		}
	}()
	for range b.N {
		<-to.Events()
	}
}

// BenchmarkMemoryInput is the cost of an input through the in-memory twin.
func BenchmarkMemoryInput(b *testing.B) {
	m := memnet.New(1, memnet.Impairment{})
	host, client := m.Listen("host"), m.Listen("client")
	defer host.Close()
	defer client.Close()
	p, err := client.Dial(context.Background(), "host")
	must.Succeed(b, err)
	<-host.Events()
	b.ReportAllocs()
	data := make([]byte, 64)
	for range b.N {
		_ = client.Send(p, link.Input, data)
		<-host.Events()
	}
}
