package app

import (
	"image"
	"slices"
	"strings"
	"testing"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// TestOwnDelayIsChosen: in a room with rollback each player chooses the own delay, in the lobby and in the menu of a game, which the
// session and the settings hear. Elsewhere there is nothing to choose.
func TestOwnDelayIsChosen(t *testing.T) {
	m, c := hosted(t)
	h := newHand(t, m, image.Pt(900, 1700), 1)
	h.rest()
	if h.says("Your own delay") {
		t.Error("where everyone waits, an own delay is offered")
	}
	m.session.Room.Room.Settings.Sync = hostroom.Rollback
	h.rest()
	choose := func(option, told string) {
		t.Helper()
		calls(m)
		h.use(t, "own delay")
		h.rest()
		h.clickText(option)
		h.rest()
		h.rest()
		if own := m.Config.Net.OwnDelay; own != told || !slices.Contains(c.said, "own delay "+told) {
			t.Errorf("after %q the settings have %q, and the session was told %q", option, own, c.said)
		}
		if said := kinds(calls(m)); !strings.Contains(said, "SaveSettings") {
			t.Errorf("after %q it wants %q", option, said)
		}
	}
	choose("2 frames", "2")
	m.session.Room.Run.Playing = true
	m.Go(screen.Playing)
	m.session.ToggleMenu()
	h.rest()
	h.rest()
	choose("None", "0")
	choose("Automatic", "auto")
}
