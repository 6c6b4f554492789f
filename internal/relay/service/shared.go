package service

import (
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
)

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
