package udp

import (
	"context"
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// absentWithin is the longest wait for an answer.
const absentWithin = 2 * time.Second

// Absent implements Link.
func (l *Link) Absent(ctx context.Context, addr string) bool {
	to, err := netip.ParseAddrPort(addr)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, absentWithin)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()
	absent := make(chan absence, 1)
	l.start(&l.dialing, func() {
		defer cancel()
		l.probe(ctx, to, absent)
	})
	<-ctx.Done()
	select {
	case a := <-absent:
		return a.why == link.Refused
	default:
		return false
	}
}
