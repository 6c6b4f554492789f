// Package service runs a relay: its sockets, its tunnels, its figures over HTTP, and its end
// in good order.
//
// Read next: internal/relay for what a relay does with a datagram, cmd/nettplay-relay for its
// settings.
package service

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
)

// Config says where a relay listens. It owns what it is given.
type Config struct {
	Limits  relay.Limits
	UDP     *net.UDPConn
	Tunnels []net.Listener // for WebSockets and the page of invitations: plain, or with a certificate
	// Proxied says that tunnels come by a proxy on this machine, which names the machines that
	// speak to it in X-Forwarded-For.
	Proxied bool
	Status  net.Listener  // for /metrics and /healthz; nil for none
	Drain   time.Duration // how long those who play have to go elsewhere, at the end

	// Join is called with the relay's part that others see, until its context ends, as by one that shares with the other
	// relays of a service; nil for nobody. Health tells the state of that, in words.
	Join   func(context.Context, *Shared)
	Health func() string
}

// service is a relay that runs.
type service struct {
	cfg    Config
	began  time.Time
	udp    *socket
	queues relay.TunnelQueues // of all tunnels

	mu      sync.Mutex // guards what follows
	server  *relay.Server
	tunnels map[netip.AddrPort]*relay.Tunnel
	guests  int         // connections for tunnels
	crowd   relay.Crowd // of them
	closing bool
	open    sync.WaitGroup // tunnels; Add under mu while not closing
}

// Run runs a relay until ctx ends. It returns what the relay has done.
func Run(ctx context.Context, cfg Config) (relay.Figures, error) {
	cfg.Limits = cfg.Limits.WithDefaults()
	s := &service{
		cfg: cfg, began: time.Now(), server: relay.NewServer(cfg.Limits), tunnels: map[netip.AddrPort]*relay.Tunnel{}, queues: relay.TunnelQueues{Most: queuesMost}, crowd: relay.Crowd{},
	}
	var err error
	if s.udp, err = newSocket(cfg.UDP); err != nil {
		for _, l := range append(slices.Clone(cfg.Tunnels), cfg.Status) {
			if l != nil {
				_ = l.Close()
			}
		}
		return relay.Figures{}, fmt.Errorf("relay: %w", err)
	}
	asked := ctx
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var jobs sync.WaitGroup
	failed := make(chan error, 2+len(cfg.Tunnels))
	run := func(job func(context.Context) error) {
		jobs.Go(func() {
			defer cancel()
			if err := job(ctx); ctx.Err() == nil {
				failed <- err
			}
		})
	}
	run(s.serveUDP)
	for _, l := range cfg.Tunnels {
		run(func(ctx context.Context) error { return s.serveTunnels(ctx, l) })
	}
	if cfg.Status != nil {
		run(func(ctx context.Context) error { return serve(ctx, cfg.Status, s.status()) })
	}
	if cfg.Join != nil {
		jobs.Go(func() { cfg.Join(ctx, &Shared{s}) })
	}
	select {
	case <-asked.Done():
		s.drain(ctx)
	case <-ctx.Done():
	}
	cancel()
	jobs.Wait()
	if len(failed) > 0 {
		err = fmt.Errorf("relay: %w", <-failed)
	}
	return ask(s, (*relay.Server).Figures), err
}

// serveTunnels serves WebSockets, and the page of invitations, until ctx ends, and closes the listener.
func (s *service) serveTunnels(ctx context.Context, l net.Listener) error {
	mux := http.NewServeMux()
	mux.HandleFunc(relay.TunnelPath, func(w http.ResponseWriter, r *http.Request) {
		if s.enter() {
			defer s.open.Done()
			s.tunnel(ctx, w, r)
		}
	})
	mux.Handle("/", relay.JoinPage())
	defer func() { // until no tunnel is left
		s.mu.Lock()
		s.closing = true
		s.mu.Unlock()
		s.open.Wait()
	}()
	return serve(ctx, bounded{l, s}, mux)
}

// serve serves HTTP until ctx ends, and closes the listener. A request has headerTime to come, with its body, and its answer to go:
// one that never ends would hold a machine's place. Tunnels have times of their own.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadTimeout: headerTime, WriteTimeout: 2 * headerTime, MaxHeaderBytes: headerSize, IdleTimeout: headerTime, ErrorLog: quiet}
	defer server.Close()
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	return server.Serve(l)
}

// enter counts a tunnel in, unless the end has begun.
func (s *service) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing {
		s.open.Add(1)
	}
	return !s.closing
}

const (
	drainTells = time.Second // between two words about the end: one may get lost
	drainIdle  = 3           // words during which nothing was carried: nobody plays any more
)

// drain tells all machines to go to another relay, and goes on until they have gone, the time
// for that is over, or ctx ends.
func (s *service) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Drain)
	defer cancel()
	tick := time.NewTicker(drainTells)
	defer tick.Stop()
	carried, idle := int64(-1), 0
	for ctx.Err() == nil {
		s.mu.Lock()
		list, now := s.server.Leave(), s.server.Figures()
		s.mu.Unlock()
		for _, d := range list {
			s.send(d.Bytes, d.To)
		}
		if idle++; now.Carried != carried {
			carried, idle = now.Carried, 0
		}
		if len(list) == 0 || idle > drainIdle {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// Shared is the part that a relay shares with the others of its service, as [relay.Server] does. It may
// be used from several goroutines while the relay runs.
type Shared struct{ s *service }

// SetSiblings tells the machines that use this relay where the others are.
func (h *Shared) SetSiblings(names []string) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	h.s.server.SetSiblings(names)
}

// Leaving reports whether this relay is about to end, so that it is no sibling any more.
func (h *Shared) Leaving() bool { return ask(h.s, (*relay.Server).Leaving) }

// Hear takes an entry of another relay.
func (h *Shared) Hear(from relay.Origin, e relay.Entry) bool {
	return ask(h.s, func(s *relay.Server) bool { return s.Hear(from, e, time.Since(h.s.began)) })
}

// Changes are entries that this relay's holders have changed.
func (h *Shared) Changes() []relay.Entry { return ask(h.s, (*relay.Server).Changes) }

// Own are entries of this relay's holders, all of them in so many calls.
func (h *Shared) Own(calls int) []relay.Entry {
	return ask(h.s, func(s *relay.Server) []relay.Entry { return s.Own(calls) })
}

// Figures are those of now.
func (h *Shared) Figures() relay.Figures { return ask(h.s, (*relay.Server).Figures) }

// Meetings are those of now, with what is far.
func (h *Shared) Meetings(far func(netip.Addr) bool) relay.Meetings {
	return ask(h.s, func(s *relay.Server) relay.Meetings { return s.Meetings(far) })
}

// ask asks the relay something.
func ask[T any](s *service, of func(*relay.Server) T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return of(s.server)
}

// status has /metrics for Prometheus and /healthz for whoever starts relays and ends them.
// There is no address in them.
func (s *service) status() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		s.mu.Lock()
		f, tunnels := s.server.Figures(), len(s.tunnels)
		s.mu.Unlock()
		for _, m := range []struct {
			name, kind, help string
			value            int64
		}{
			{"mailboxes", "gauge", "Machines that hold a mailbox.", int64(f.Mailboxes)},
			{"networks", "gauge", "IPv4 addresses and IPv6 networks of 64 bits that they come from.", int64(f.Networks)},
			{"codes", "gauge", "Short codes that are published.", int64(f.Codes)},
			{"rooms", "gauge", "Open rooms that are listed.", int64(f.Rooms)},
			{"friends", "gauge", "Sealed words from one friend to another.", int64(f.Friends)},
			{"heard", "gauge", "Of codes, rooms and words, those that other relays publish.", int64(f.Heard)},
			{"unheard_total", "counter", "Those of other relays for which there was no room.", f.Unheard},
			{"tunnels", "gauge", "Machines that come by WebSocket.", int64(tunnels)},
			{"carried_datagrams_total", "counter", "Datagrams from one machine to another.", f.Carried},
			{"carried_bytes_total", "counter", "Bytes of them.", f.Bytes},
			{"refused_datagrams_total", "counter", "Datagrams beyond the rate of a mailbox or a network.", f.Refused},
			{"refused_pair_datagrams_total", "counter", "Datagrams beyond the rate of one machine to another one, or of the relay in all.", f.Crowded},
			{"refused_claims_total", "counter", "Machines for which there was no room.", f.Full},
			{"forged_datagrams_total", "counter", "Questions from a machine's address without what shows that they are its own.", f.Forged},
			{"malformed_datagrams_total", "counter", "Datagrams that are none of this protocol.", f.Malformed},
			{"uptime_seconds", "gauge", "Seconds since the relay was started.", int64(time.Since(s.began).Seconds())},
		} {
			fmt.Fprintf(w, "# HELP nettplay_relay_%[1]s %[2]s\n# TYPE nettplay_relay_%[1]s %[3]s\nnettplay_relay_%[1]s %[4]d\n", m.name, m.help, m.kind, m.value)
		}
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if ask(s, (*relay.Server).Leaving) {
			http.Error(w, "about to stop", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
		if s.cfg.Health != nil {
			fmt.Fprintln(w, s.cfg.Health())
		}
	})
	return mux
}
