package main

import (
	"context"
	"net"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nettplay/nettplay/internal/relay/service"
)

// cmdRelay runs a relay until the script ends.
func cmdRelay(ts *testscript.TestScript, args []string) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	ts.Check(err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = service.Run(ctx, service.Config{UDP: conn})
	}()
	ts.Defer(func() { cancel(); <-ended })
	ts.Setenv(args[0], conn.LocalAddr().String())
}
