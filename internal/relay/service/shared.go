package service

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
