// Package servicetest runs relays for the tests of other packages.
//
// Read next: internal/relay/service, a relay that runs.
package servicetest

import (
	"context"
	"net"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/internal/must"
	"github.com/nettplay/nettplay/internal/relay/service"
)

// Listen opens a socket on the loopback for a relay.
func Listen(t testing.TB) *net.UDPConn {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	return conn
}

// Run runs a relay until stop is called, at the latest until the test ends. Stop may be called
// more than once, and waits. A cfg without a socket gets one on the loopback; addr is the
// socket's address.
func Run(t testing.TB, cfg service.Config) (addr string, stop func()) {
	t.Helper()
	if cfg.UDP == nil {
		cfg.UDP = Listen(t)
	}
	addr = cfg.UDP.LocalAddr().String()
	ctx, cancel := context.WithCancel(context.Background())
	var jobs sync.WaitGroup
	jobs.Go(func() { _, _ = service.Run(ctx, cfg) })
	stop = func() { cancel(); jobs.Wait() }
	t.Cleanup(stop)
	return addr, stop
}
