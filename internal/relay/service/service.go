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
