package service

import (
	"context"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// The relay's datagrams are not broken up on their way, whatever a router says: players' probes find out what gets through.
func TestDatagramsStayWhole(t *testing.T) {
	conn := listen(t)
	own, err := conn.File() // of the same socket
	must.Succeed(t, err)
	defer own.Close()
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() { defer close(over); _, _ = Run(ctx, Config{UDP: conn}) }()
	defer func() { cancel(); <-over }()
	how := -1
	for late := time.Now().Add(10 * time.Second); how != unix.IP_PMTUDISC_PROBE; time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("the socket's rule for what is too large is %d", how)
		}
		how, err = unix.GetsockoptInt(int(own.Fd()), unix.IPPROTO_IP, unix.IP_MTU_DISCOVER)
		must.Succeed(t, err)
	}
}
