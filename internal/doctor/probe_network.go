package doctor

import (
	"cmp"
	"context"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/portmap"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// ProbeNetwork asks servers and the router, as a game host's machine does, and gives
// back what the router gave.
func ProbeNetwork(ctx context.Context, cfg config.Net) (n Network) {
	l, err := udp.Listen(udp.Config{Bind: cfg.Bind})
	if err != nil {
		return Network{Err: err}
	}
	defer l.Close()
	n.Asked, n.Servers = cfg.Forward, make([]Server, len(cfg.STUN))
	n.Own = link.Addresses(l)
	var jobs sync.WaitGroup
	for i, name := range cfg.STUN {
		jobs.Go(func() { n.Servers[i] = ask(ctx, l, name) })
	}
	if cfg.Forward {
		jobs.Go(func() { n.Mapping, n.Refused = forward(ctx, l.Port()) })
	}
	if n.Helps, n.HelpAt = cfg.HelpFriends, cfg.HelpPort; n.Helps {
		jobs.Go(func() { n.Helping = helps(ctx, cfg) })
	}
	if len(cfg.Relays) > 0 {
		jobs.Go(func() { n.Relays = askRelays(ctx, l, cfg.Relays) })
	}
	jobs.Wait()
	return n
}

// relayTime is the time that relays may take, relayLook the time between two looks.
const (
	relayTime = 3 * time.Second
	relayLook = 100 * time.Millisecond
)

// ProbeRelay asks one relay, from an address of this machine ("" for any).
func ProbeRelay(ctx context.Context, bind, name string) Finding {
	l, err := udp.Listen(udp.Config{Bind: bind})
	if err != nil {
		return judgeNetwork(Network{Err: err})[0]
	}
	defer l.Close()
	f := judgeRelay(relay.Status{Relay: name})
	for _, s := range askRelays(ctx, l, []string{name}) {
		f = judgeRelay(s)
	}
	return f
}

// helps reports whether a relay runs at this computer's port for friends.
func helps(ctx context.Context, cfg config.Net) bool {
	at := net.JoinHostPort(cmp.Or(cfg.Bind, "127.0.0.1"), strconv.Itoa(cfg.HelpPort))
	return ProbeRelay(ctx, cfg.Bind, at).Mark == Good
}

// askRelays asks relays for a mailbox that nobody knows.
func askRelays(ctx context.Context, l *udp.Link, names []string) (list []relay.Status) {
	ctx, cancel := context.WithTimeout(ctx, relayTime)
	defer cancel()
	l.SetMailbox(seal.NewSecret().Mailbox(l.Key()), names)
	for ctx.Err() == nil {
		list = l.Relays(names...).Status()
		if !slices.ContainsFunc(list, func(s relay.Status) bool { return s.RTT == 0 && s.Refused == "" }) {
			break
		}
		select {
		case <-ctx.Done():
		case <-time.After(relayLook):
		}
	}
	return list
}

// ask asks a STUN server twice: the first time its name may have to be looked up.
func ask(ctx context.Context, l *udp.Link, name string) Server {
	s := Server{Name: name}
	for range 2 {
		began := time.Now()
		if s.Seen, s.Err = l.Outside(ctx, name); s.Err != nil {
			break
		}
		s.RTT = time.Since(began)
	}
	return s
}

// forward has the router forward a port for a moment.
func forward(ctx context.Context, port int) (m portmap.Mapping, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err = portmap.ErrNone
	portmap.Keep(ctx, port, func(got portmap.Mapping, why error) {
		m, err = got, why
		cancel()
	}, nil)
	return m, err
}
