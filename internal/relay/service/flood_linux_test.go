package service

import (
	"crypto/rand"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/ipv4"

	"github.com/nettplay/nettplay/internal/relay"
)

// The words of strangers in `make relaybench`, each for loadSpan.
const (
	floodRooms  = 200
	forgedRate  = 100_000 // datagrams a second of all kinds, none of which belongs to a mailbox
	claimedRate = 10_000  // mailboxes a second that are claimed and never held
	lateAfter   = time.Second / 60
)

// TestFlood measures playing rooms beside floods: of nothing, then the same datagrams to a program that
// throws them away, which shows what the flood's sender takes from them, and to the relay itself.
func TestFlood(t *testing.T) {
	if os.Getenv("NETTPLAY_RELAYBENCH") == "" {
		t.Skip("only by make relaybench")
	}
	m, elsewhere := startMiddle(t, "relay", os.Args[0]), startMiddle(t, "sink", os.Args[0])
	p := newPlayers(t, m.at, floodRooms, true)
	defer p.close()
	p.play(t, loadWarm)
	for _, kind := range []struct {
		name string
		rate int
		make func(*testing.T) [][]byte
	}{{"forged", forgedRate, forged}, {"claims", claimedRate, claims}} {
		list := kind.make(t)
		measureFlood(t, m, p, "calm", netip.AddrPort{}, 0, list)
		measureFlood(t, m, p, kind.name+" elsewhere", elsewhere.at, kind.rate, list)
		measureFlood(t, m, p, kind.name+" at it", m.at, kind.rate, list)
	}
}

func measureFlood(t *testing.T, m *middle, p *players, what string, at netip.AddrPort, rate int, list [][]byte) {
	p.clear()
	cpu, memory := m.cpu(t), m.memory(t)
	var over atomic.Bool
	var flooded atomic.Int64
	var jobs sync.WaitGroup
	if rate > 0 {
		jobs.Go(func() { flooded.Store(flood(t, at, rate, list, &over)) })
	}
	l := load{sent: p.play(t, loadSpan)}
	over.Store(true)
	jobs.Wait()
	l.cpu = (m.cpu(t) - cpu).Seconds() / loadSpan.Seconds()
	time.Sleep(500 * time.Millisecond) // the last ones are under way
	l.took = p.all()
	l.lost = l.sent - int64(len(l.took))
	l.perRoom = (m.memory(t) - memory) / floodRooms
	late := 0
	for _, took := range l.took {
		if took > lateAfter {
			late++
		}
	}
	t.Logf("%-16s %6d a second came; late %d of %d; %v", what, flooded.Load()*int64(time.Second)/int64(loadSpan), late, len(l.took), l)
}

// flood sends datagrams from a few sockets, many at once, and returns how many.
func flood(t *testing.T, at netip.AddrPort, rate int, list [][]byte, over *atomic.Bool) (sent int64) {
	var conns []*ipv4.PacketConn
	for range 8 {
		conns = append(conns, ipv4.NewPacketConn(listen(t)))
	}
	to := net.UDPAddrFromAddrPort(at)
	batch := make([]ipv4.Message, atOnce)
	for start := time.Now(); !over.Load(); time.Sleep(200 * time.Microsecond) {
		for due := int64(time.Since(start).Seconds() * float64(rate)); sent < due && !over.Load(); {
			for i := range batch {
				batch[i] = ipv4.Message{Buffers: [][]byte{list[(int(sent)+i)%len(list)]}, Addr: to}
			}
			n, err := conns[int(sent/atOnce)%len(conns)].WriteBatch(batch, 0)
			if sent += int64(max(n, 1)); err != nil {
				break
			}
		}
	}
	return sent
}

// forged are datagrams of all kinds with nothing true in them.
func forged(*testing.T) (list [][]byte) {
	for i := range 1 << 12 {
		b := make([]byte, 14+i%200)
		_, _ = rand.Read(b)
		b[0], b[1] = 0xD0+byte(i%20), 1
		list = append(list, b)
	}
	return list
}

// claims are well-formed claims of mailboxes that nobody goes on with.
func claims(t *testing.T) (list [][]byte) {
	for range 1 << 14 {
		var box relay.Mailbox
		_, _ = rand.Read(box[:])
		c := relay.NewClient(box, func(string) relay.Owner { return relay.Owner(append(box[:], 0, 0, 0, 0)) })
		n, _ := c.Use("relay")
		c.Resolved(n, []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:1")})
		due, _ := c.Due(time.Now())
		if len(due) != 1 {
			t.Fatalf("%d claims", len(due))
		}
		list = append(list, due[0].Bytes)
	}
	return list
}

// sink throws away what comes.
func sink(conn *net.UDPConn) {
	k, err := newSocket(conn)
	for err == nil {
		_, err = k.read()
	}
}
