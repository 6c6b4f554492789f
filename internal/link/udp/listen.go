package udp

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/sockets"
)

// Config are the settings of a link. The zero value is good.
type Config struct {
	Port   int          // UDP port to listen on, 0 for any
	Bind   string       // address to listen on, "" for all of IPv4 and IPv6
	Key    seal.Private // this installation's; one of its own for the zero value
	Room   seal.Secret  // of the room: only machines that know it come in
	Relays []string     // that the player's settings name; they are used when somebody does
	// Here is where this machine itself speaks to a relay at an address, which may be its own; nil: there. It must not wait.
	Here           func(netip.AddrPort) netip.AddrPort
	Neighbours     bool          // let machines of this network in without the secret
	MaxPeers       int           // peers at once, 1..256, 0 for 64; not counting strangers (door.go) and those just fallen silent
	Silence        time.Duration // until a silent peer is given up, 0 for 10 s, at least 1 s
	ConnectTimeout time.Duration // of Dial until the other side has accepted it, and of those who dial us until something is heard of them, 0 for 5 s
}

const defaultPeers = 64

func (c Config) withDefaults() (Config, error) {
	c.MaxPeers = cmp.Or(c.MaxPeers, defaultPeers)
	c.Silence = cmp.Or(c.Silence, link.DefaultSilence)
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, link.DefaultConnect)
	switch {
	case c.Port < 0 || c.Port > 65535:
		return c, fmt.Errorf("port %d is not in 0..65535", c.Port)
	case c.MaxPeers < 1 || c.MaxPeers > 256:
		return c, fmt.Errorf("%d peers is not in 1..256", c.MaxPeers)
	case c.Silence < time.Second:
		return c, fmt.Errorf("silence of %v is under a second", c.Silence)
	case c.ConnectTimeout < 0:
		return c, fmt.Errorf("connect time-out of %v is negative", c.ConnectTimeout)
	}
	return c, nil
}

// Listen opens a UDP socket and accepts connections on it. The error wraps
// ErrPortInUse when another program has the port.
func Listen(cfg Config) (*Link, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if cfg.Key.Public().IsZero() {
		if cfg.Key, err = seal.NewKey(); err != nil {
			return nil, fmt.Errorf("listen: %w", err)
		}
	}
	conn, err := bind(cfg)
	if err != nil {
		return nil, err
	}
	// As much as the system grants: a burst must survive until we are scheduled.
	_, _ = conn.SetReadBuffer(4<<20), conn.SetWriteBuffer(1<<20)
	relay.InOnePiece(conn)
	sockets.Lasting(conn)
	l := &Link{
		cfg: cfg, conn: conn, jar: seal.NewCookies(), began: time.Now(),
		events: make(chan link.Event, link.EventRoom), freed: make(chan struct{}),
		packets: sync.Pool{New: func() any { return new(packet) }},
		greeter: cfg.Key.Public().Greeter(),
		door:    newDoor(), relays: newRelays(cfg.Key),
		byPeer: map[link.PeerID]*session{}, byWire: map[uint64]*session{}, dials: map[uint64]*dial{},
	}
	l.SetRoom(cfg.Room, cfg.Neighbours)
	l.relays.client.Own(cfg.Relays...)
	l.life, l.end = context.WithCancel(context.Background())
	l.reading.Go(l.read)
	return l, nil
}
