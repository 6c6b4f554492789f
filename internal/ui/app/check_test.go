package app

import (
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestCheck: the machine is examined when the player goes there, again with a friend's
// invitation, and no more when the player goes elsewhere.
func TestCheck(t *testing.T) {
	m := homeShell(t)
	h := pasting(t, m, sampleInvitation)
	asks := func(name string, args ...any) {
		t.Helper()
		if list := calls(m); !wants(list, name, args...) {
			t.Errorf("it wants %+v, not %s%+v", list, name, args)
		}
	}
	m.Go(screen.Check)
	asks("Examine", "")
	h.rest()
	m.check.Found(doctor.Finding{Subject: "speed", Words: "Slow.", Mark: doctor.Bad})
	m.check.Over()
	if !h.says("This would spoil play: speed.") {
		t.Errorf("it says %q", h.texts())
	}
	m.check.Invitation = sampleInvitation
	h.pad(widgets.NavDown, widgets.NavDown, widgets.NavDown, widgets.NavRight, widgets.NavRight, widgets.NavAccept) // Check again
	asks("Examine", sampleInvitation)
	m.GoBack()
	asks("StopExamining")
	m.check.Found(doctor.Finding{Subject: "late"})
	m.Go(screen.Check)
	if h.says("Late") {
		t.Error("what an examination found that was stopped shows in the next one")
	}
}

// TestHostFormAsksForThree: a room needs a name, players and a password. The rest shows when the player wants it,
// and is said in a line until then.
func TestHostFormAsksForThree(t *testing.T) {
	m := homeShell(t)
	h := pasting(t, m, "")
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	h.rest()
	for words, shows := range map[string]bool{"Room name": true, "Players": true, "Password": true, "More": true, "On a bad connection": false, "Spectators": false, "Input delay": false} {
		if h.says(words) != shows {
			t.Errorf("%q shows: %v", words, !shows)
		}
	}
	if !h.says("The input delay adjusts itself, up to 4 spectators, others may join during the game,") {
		t.Errorf("it says %q", h.texts())
	}
	m.host.More = true
	h.rest()
	if !h.says("On a bad connection") || !h.says("Spectators") || h.says("The input delay adjusts itself, up to") {
		t.Errorf("with More it says %q", h.texts())
	}
}

// TestHostFormWithoutRollback: where the core's check found that its consoles do not go back, the form does not offer rollback, nor
// promise it because the settings have it. They keep it for other cores.
func TestHostFormWithoutRollback(t *testing.T) {
	m := homeShell(t)
	h := pasting(t, m, "")
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.Form.Sync, m.host.More = config.Rollback, true
	h.rest()
	if !h.says("Rollback") || !h.says("Your own presses take effect nearly at once.") || h.says("Rollback is not possible with this core") {
		t.Errorf("it says %q", h.texts())
	}
	m.Core.NoRollback = true
	h.rest()
	if h.says("Your own presses take effect nearly at once.") || !h.says("Rollback is not possible with this core") {
		t.Errorf("without rollback it says %q", h.texts())
	}
	if m.host.More = false; h.says("presses are felt at once") || m.host.Form.Sync != config.Rollback {
		t.Errorf("with sync %q it says %q", m.host.Form.Sync, h.texts())
	}
}

// TestWillItWork: the lit game is tried from the list, with progress and a way out; what was seen is said, and Check again tries
// that game.
func TestWillItWork(t *testing.T) {
	m := homeShell(t)
	h := pasting(t, m, "")
	m.games.PickFor(start.ForHost)
	h.rest()
	game := m.games.Shown()[m.games.Lit]
	tries := func() {
		t.Helper()
		if list := calls(m); !wants(list, "TryGame", game.ROM) {
			t.Errorf("commands %+v", list)
		}
	}
	h.clickText("Will it work?")
	tries()
	h.rest()
	m.check.Tried(0.5)
	if !h.says("Two consoles of it play") || !h.says("Cancel") || !h.says(game.Title) {
		t.Errorf("it says %q", h.texts())
	}
	m.check.Found(doctor.Finding{Subject: "alike", Words: "Two runs of it differ.", Mark: doctor.Bad, Group: doctor.TheGame})
	m.check.Over()
	h.rest()
	if !h.says("This game will not work like this: alike.") || h.says("How good is the connection") {
		t.Errorf("it says %q", h.texts())
	}
	h.clickText("Check again")
	tries()
	h.rest()
	h.clickText("Cancel")
	if list := calls(m); !wants(list, "StopExamining") {
		t.Errorf("commands %+v", list)
	}
	m.Go(screen.Check)
	if list := calls(m); !wants(list, "Examine", "") {
		t.Errorf("commands %+v", list)
	}
}
