package relay

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"
)

// Serve runs a relay on a socket until ctx ends, and closes the socket. It returns what the
// relay has done.
func Serve(ctx context.Context, conn *net.UDPConn, limits Limits) (Figures, error) {
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	// As much as the system grants: a burst must survive until we are scheduled.
	_, _ = conn.SetReadBuffer(8<<20), conn.SetWriteBuffer(4<<20)
	s, began := NewServer(limits), time.Now()
	b := make([]byte, MaxDatagram+1)
	for {
		n, from, err := conn.ReadFromUDPAddrPort(b)
		if errors.Is(err, net.ErrClosed) {
			if ctx.Err() == nil {
				return s.Figures(), fmt.Errorf("relay: %w", err)
			}
			return s.Figures(), nil
		}
		if err != nil { // some systems report what happened to an earlier send
			time.Sleep(time.Millisecond)
			continue
		}
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		if out, to := s.Receive(b[:n], from, time.Since(began)); out != nil {
			_, _ = conn.WriteToUDPAddrPort(out, to)
		}
	}
}
