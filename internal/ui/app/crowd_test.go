package app

import (
	"slices"
	"testing"

	hostroom "github.com/nettplay/nettplay/host/room"
)

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

// TestOneWayToInvite: a game host who is alone has one button that copies the invitation, the filled one; with others there it is
// among those of the invitation.
func TestOneWayToInvite(t *testing.T) {
	m := inLobby(t, func(m *Shell) {
		m.session.Room.Blockers = []hostroom.Blocker{{Cause: hostroom.CausePlayers, Machine: -1, Seat: -1, Words: "2 players are needed; only 1 is here"}}
		m.session.Room.Room.Players = m.session.Room.Room.Players[:1]
	})
	h := newHand(t, m, tall, 1)
	h.rest()
	var copies []string
	for _, g := range h.ui.Targets() {
		if slices.Contains([]string{"mend invite", "invite seat", "invitation"}, g.Name) {
			copies = append(copies, g.Name)
		}
		if g.Name == "mend invite" && h.ui.Forward() != g.ID {
			t.Error("the button that copies the invitation is not the way forward")
		}
	}
	if !slices.Equal(copies, []string{"mend invite"}) {
		t.Errorf("the invitation is copied by %q", copies)
	}
}
