package lan

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"golang.org/x/net/ipv6"
)

// BrowseConfig says where to listen.
type BrowseConfig struct {
	// Listen is the address to listen at; its zero value is Port on all networks.
	Listen netip.AddrPort
	// Changed is called, on a goroutine of the browser, when the list is another
	// than before. It must not block, and may be nil.
	Changed func()
}

// Browser listens for rooms. All methods may be called from any goroutine.
type Browser struct {
	cfg    BrowseConfig
	conn   *net.UDPConn
	six    *net.UDPConn // for beacons over IPv6; nil where there is none
	life   context.Context
	cancel context.CancelFunc
	joined sync.WaitGroup

	mu    sync.Mutex // guards table
	table Table
}

// Browse begins to listen. Several programs on one machine can do so at the same
// time. It fails when the port cannot be had: then rooms can be joined by their
// address only.
func Browse(cfg BrowseConfig) (*Browser, error) {
	everywhere := !cfg.Listen.IsValid()
	if everywhere {
		cfg.Listen = netip.AddrPortFrom(netip.IPv4Unspecified(), Port)
	}
	lc := net.ListenConfig{Control: shared}
	conn, err := lc.ListenPacket(context.Background(), "udp4", cfg.Listen.String())
	if err != nil {
		return nil, fmt.Errorf("cannot look for rooms on the local network: %w", err)
	}
	b := &Browser{cfg: cfg, conn: conn.(*net.UDPConn)}
	b.life, b.cancel = context.WithCancel(context.Background())
	b.joined.Go(func() { b.listen(b.conn) })
	if everywhere {
		if conn, err := lc.ListenPacket(context.Background(), "udp6", netip.AddrPortFrom(netip.IPv6Unspecified(), Port).String()); err == nil {
			b.six = conn.(*net.UDPConn)
			b.joined.Go(func() { b.listen(b.six) })
			b.joined.Go(b.joinGroups)
		}
	}
	return b, nil
}

// Addr is where the browser listens.
func (b *Browser) Addr() netip.AddrPort { return b.conn.LocalAddr().(*net.UDPAddr).AddrPort() }

// Rooms are the rooms heard of lately, see [Table.Rooms].
func (b *Browser) Rooms() []Found {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.table.Rooms(time.Now())
}

// Close ends the listening. It may be called more than once; when it returns,
// Changed is not called any more.
func (b *Browser) Close() {
	b.cancel()
	b.conn.Close()
	if b.six != nil {
		b.six.Close()
	}
	b.joined.Wait()
}

// joinEvery is the time between two looks for cards that have come since.
const joinEvery = 3 * time.Second

// joinGroups has beacons over IPv6 come in on all cards.
func (b *Browser) joinGroups() {
	conn := ipv6.NewPacketConn(b.six)
	for {
		for _, c := range multicasting() {
			_ = conn.JoinGroup(&c.Interface, &net.UDPAddr{IP: group.AsSlice()}) // it fails where it is joined
		}
		select {
		case <-b.life.Done():
			return
		case <-time.After(joinEvery):
		}
	}
}

// listen hears beacons, and notices rooms of which nothing is heard any more.
func (b *Browser) listen(conn *net.UDPConn) {
	buffer := make([]byte, MaxBeacon+1)
	for {
		_ = conn.SetReadDeadline(time.Now().Add(Interval))
		n, from, err := conn.ReadFromUDPAddrPort(buffer)
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			// The browser is closed, or a network went away; do not spin on that.
			select {
			case <-b.life.Done():
				return
			case <-time.After(Interval):
			}
		}
		b.mu.Lock()
		changed := b.table.expire(time.Now())
		if err == nil {
			changed = b.table.Hear(time.Now(), from.Addr(), buffer[:n]) || changed
		}
		b.mu.Unlock()
		if changed && b.cfg.Changed != nil {
			b.cfg.Changed()
		}
	}
}
