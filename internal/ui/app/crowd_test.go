package app

import "testing"

// TestAFullLobbyShowsWhoIsThere: in a small window several of sixteen players are in sight with all that matters of them; in a
// large one, nearly all are.
func TestAFullLobbyShowsWhoIsThere(t *testing.T) {
	for _, c := range []struct {
		hosting bool
		words   []string
	}{
		{true, []string{"Ann  (you)", "Bob", "Emil", "ながいなまえのひと", "not ready", "cannot start", "320 ms ±3 · 5% lost"}},
		{false, []string{"Ann", "Mia", "Paul  (you)"}},
	} {
		m := inLobby(t, func(m *Shell) { sixteen(m, c.hosting) })
		size := small
		if !c.hosting {
			size = large
		}
		h := newHand(t, m, size, 1)
		h.rest()
		for _, words := range c.words {
			if !h.says(words) {
				t.Errorf("%q is not in sight: %q", words, h.texts())
			}
		}
	}
}
