package savestate

import (
	"crypto/sha256"
	"fmt"
	"maps"
)

// Expect keeps raw as it is, for the case that somebody else describes the same: then it
// need not be fetched. It takes no longer than the hash, but cannot be handed on, and the
// memory that it has; [Store.PackExpected] ends that. The store owns raw from then on. Errors:
// as for [Store.Put].
func (s *Store) Expect(kind Kind, raw []byte) error {
	n := int64(len(raw))
	if n < 1 || n > kind.limit() {
		return fmt.Errorf("expect a %s: %d bytes, not in 1 to %d", kind, n, kind.limit())
	}
	sum := sha256.Sum256(raw)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.raw[sum] != nil || s.expected[sum].raw != nil {
		return nil
	}
	if n > s.limit-s.used-s.reserved {
		return fmt.Errorf("expect a %s of %d bytes: %w", kind, n, ErrStoreFull)
	}
	s.used += n
	s.expected[sum] = expected{kind, raw}
	return nil
}

// PackExpected forgets of what is expected by now all but parts, and returns what packs those,
// on any goroutine; it takes as long as [Store.Put] for each of them.
func (s *Store) PackExpected(parts []Part) (pack func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.retainExpected(parts)
	list := maps.Clone(s.expected)
	return func() {
		for sum, e := range list {
			_, _ = s.Put(e.kind, e.raw) // else it is fetched again when it is needed
			s.mu.Lock()
			if _, there := s.expected[sum]; there {
				delete(s.expected, sum)
				s.used -= int64(len(e.raw))
			}
			s.mu.Unlock()
		}
	}
}
