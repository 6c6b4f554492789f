package udp

import (
	"context"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/tunnel"
)

const (
	tunnelWithin = 5 * time.Second // it is open
	tunnelAgain  = 5 * time.Second // after it could not be opened
	tunnelLook   = time.Second     // whether it is wanted still
)

// openTunnel has a relay spoken to by WebSocket, as long as UDP does not get through to it.
func (l *Link) openTunnel(n int) {
	l.start(&l.relays.jobs, func() {
		l.keepTunnel(n)
		l.relays.client.NoTunnel(n)
	})
}

// keepTunnel opens a tunnel and reads it until it ends. Where there can be none it returns a
// while later.
func (l *Link) keepTunnel(n int) {
	ctx, cancel := context.WithTimeout(l.relays.life, tunnelWithin)
	t, err := tunnel.Dial(ctx, l.relays.client.Name(n))
	cancel()
	if err != nil {
		pause(l.relays.life, tunnelAgain)
		return
	}
	over := make(chan struct{})
	l.relays.tunnels[n].Store(t)
	defer func() {
		_ = t.Close()
		l.relays.tunnels[n].Store(nil)
		<-over
	}()
	go func() {
		defer close(over)
		l.readTunnel(n, t)
	}()
	if !l.relays.client.Tunnel(n) {
		return
	}
	look := time.NewTicker(tunnelLook)
	defer look.Stop()
	for l.relays.client.Tunnelled(n) {
		select {
		case <-look.C:
		case <-over:
			return
		case <-l.relays.life.Done():
			return
		}
	}
}

// readTunnel takes what comes through a tunnel for datagrams from its relay.
func (l *Link) readTunnel(n int, t *tunnel.Conn) {
	for {
		b, err := t.Receive()
		if err != nil {
			return
		}
		p := l.packets.Get().(*packet)
		p.n = copy(p.buf[:], b)
		if !relay.IsFrame(p.bytes()) || !l.route(p, relay.TunnelAt(n), time.Now()) {
			l.packets.Put(p)
		}
	}
}
