package service

import (
	"time"

	"github.com/nettplay/nettplay/internal/relay"
)

// Shared is what a relay shares with the others of its service. It may be used from several
// goroutines while the relay runs.
type Shared struct{ s *service }

// SetSiblings tells the machines that use this relay where the others are.
func (h *Shared) SetSiblings(names []string) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	h.s.server.SetSiblings(names)
}

// Leaving tells whether this relay is about to end, so that it is no sibling any more.
func (h *Shared) Leaving() bool {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	return h.s.server.Leaving()
}

// Hear takes an entry of another relay, as [relay.Server.Hear] does.
func (h *Shared) Hear(from relay.Origin, e relay.Entry) bool {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	return h.s.server.Hear(from, e, time.Since(h.s.began))
}

// Changes are as [relay.Server.Changes].
func (h *Shared) Changes() []relay.Entry {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	return h.s.server.Changes()
}

// Own are as [relay.Server.Own].
func (h *Shared) Own(most int) []relay.Entry {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	return h.s.server.Own(most)
}

// OwnEntries are as [relay.Server.OwnEntries].
func (h *Shared) OwnEntries() int {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	return h.s.server.OwnEntries()
}
