package lan

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
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
	joined sync.WaitGroup
	done   chan struct{}
	once   sync.Once

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
	b := &Browser{cfg: cfg, conn: conn.(*net.UDPConn), done: make(chan struct{})}
	b.joined.Go(b.listen)
	b.joined.Go(b.watch)
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
	b.once.Do(func() {
		close(b.done)
		b.conn.Close()
	})
	b.joined.Wait()
}

func (b *Browser) listen() {
	buffer := make([]byte, MaxBeacon+1)
	for {
		n, from, err := b.conn.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			// A network that went away; do not spin on it.
			select {
			case <-b.done:
				return
			case <-time.After(Interval):
			}
			continue
		}
		b.mu.Lock()
		changed := b.table.Hear(time.Now(), from.Addr(), buffer[:n])
		b.mu.Unlock()
		b.tell(changed)
	}
}

// watch notices rooms of which nothing is heard any more.
func (b *Browser) watch() {
	ticker := time.NewTicker(Interval)
	defer ticker.Stop()
	for {
		select {
		case <-b.done:
			return
		case now := <-ticker.C:
			b.mu.Lock()
			changed := b.table.expire(now)
			b.mu.Unlock()
			b.tell(changed)
		}
	}
}

func (b *Browser) tell(changed bool) {
	if changed && b.cfg.Changed != nil {
		b.cfg.Changed()
	}
}
