package link

import (
	"context"
	"net/netip"
	"time"
)

// absentWithin is how long an answer is waited for.
const absentWithin = 2 * time.Second

// Absent implements Link.
func (l *ENet) Absent(ctx context.Context, addr string) bool {
	to, err := netip.ParseAddrPort(addr)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, absentWithin)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()
	absent := make(chan absence, 1)
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return false
	}
	l.dialing.Add(1)
	l.mu.Unlock()
	defer l.dialing.Done()
	l.probe(ctx, to, absent)
	select {
	case a := <-absent:
		return a.why == Refused
	default:
		return false
	}
}

// Absent implements Link; addr is a name.
func (l *MemoryLink) Absent(ctx context.Context, addr string) bool {
	there, back := lineKey{l.name, addr}, lineKey{addr, l.name}
	l.net.mu.Lock()
	wait := l.net.impairment(there).Delay + l.net.impairment(back).Delay
	l.net.mu.Unlock()
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-late.C:
	}
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	now := time.Now()
	if l.net.isDark(there, now) || l.net.isDark(back, now) || l.net.impairment(there).Loss >= 1 || l.net.impairment(back).Loss >= 1 {
		return false
	}
	o := l.net.links[addr]
	return o == nil || o.closed
}
