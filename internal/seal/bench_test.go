package seal

import (
	"net"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// BenchmarkSealedBesideUnsealed sends datagrams of an input's size over the loopback, one sealed
// and one not in turns, so that whatever else the machine does meets both. It tells what
// sealing costs each way, and how many came later than a frame takes.
func BenchmarkSealedBesideUnsealed(b *testing.B) {
	const size, frame = 60, 16 * time.Millisecond
	x, y := pair(b)
	in, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(b, err)
	defer in.Close()
	out, err := net.DialUDP("udp4", nil, in.LocalAddr().(*net.UDPAddr))
	must.Succeed(b, err)
	defer out.Close()
	type ways struct {
		took []time.Duration
		late float64
	}
	var plain, sealed ways
	var sealing, opening time.Duration
	prefix, body, got := make([]byte, 9, 200), make([]byte, size), make([]byte, 200)
	overhead := 0
	for b.Loop() {
		for _, w := range []*ways{&plain, &sealed} {
			began := time.Now()
			datagram := append(prefix, body...)
			if w == &sealed {
				if datagram, err = x.Seal(prefix, body); err != nil {
					b.Fatal(err)
				}
				sealing += time.Since(began)
				overhead = len(datagram) - len(prefix) - size
			}
			if _, err := out.Write(datagram); err != nil {
				b.Fatal(err)
			}
			n, err := in.Read(got)
			must.Succeed(b, err)
			if w == &sealed {
				here := time.Now()
				if _, _, err := y.Open(got[:n], len(prefix)); err != nil {
					b.Fatal(err)
				}
				opening += time.Since(here)
			}
			took := time.Since(began)
			if w.took = append(w.took, took); took > frame {
				w.late++
			}
		}
	}
	for name, w := range map[string]*ways{"plain": &plain, "sealed": &sealed} {
		slices.Sort(w.took)
		b.ReportMetric(float64(w.took[len(w.took)/2]), name+"-p50-ns")
		b.ReportMetric(float64(w.took[len(w.took)*99/100]), name+"-p99-ns")
		b.ReportMetric(w.late, name+"-late")
	}
	b.ReportMetric(float64(sealing)/float64(b.N), "seal-ns")
	b.ReportMetric(float64(opening)/float64(b.N), "open-ns")
	b.ReportMetric(float64(overhead), "overhead-B")
}
