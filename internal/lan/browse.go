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
	if !cfg.Listen.IsValid() {
		cfg.Listen = netip.AddrPortFrom(netip.IPv4Unspecified(), Port)
	}
	lc := net.ListenConfig{Control: shared}
	conn, err := lc.ListenPacket(context.Background(), "udp4", cfg.Listen.String())
	if err != nil {
		return nil, fmt.Errorf("looking for rooms on the local network: %w", err)
	}
	b := &Browser{cfg: cfg, conn: conn.(*net.UDPConn)}
	b.life, b.cancel = context.WithCancel(context.Background())
	b.joined.Go(b.listen)
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
	b.joined.Wait()
}

// listen hears beacons, and notices rooms of which nothing is heard any more.
func (b *Browser) listen() {
	buffer := make([]byte, MaxBeacon+1)
	for {
		_ = b.conn.SetReadDeadline(time.Now().Add(Interval))
		n, from, err := b.conn.ReadFromUDPAddrPort(buffer)
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
