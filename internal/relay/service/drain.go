package service

import (
	"context"
	"time"
)

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
