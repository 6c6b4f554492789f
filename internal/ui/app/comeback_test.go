package app

import (
	"os"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/testcore"
	"github.com/nettplay/nettplay/internal/testing/uitest"
)

// TestComeBack: of three players one leaves a running game, and one's program is killed. The game
// goes on without them, and both come back into it through the lobby, one with a mouse and one
// with a controller.
func TestComeBack(t *testing.T) {
	if os.Getenv("NETTPLAY_LONG") == "" {
		t.Skip("TestWholeEvening comes into a running game, and in the script latejoin so does one who was killed; NETTPLAY_LONG=1 has three windows")
	}
	t.Parallel()
	uitest.NeedDisplay(t)
	core, beacons := testcore.Path(t), beaconPlace()
	ann, bob, cem := newComer(t, "ann", core), newComer(t, "bob", core), newComer(t, "cem", core)
	for _, d := range []*desk{ann, bob, cem} {
		d.start(beacons)
	}
	e := &evening{t: t, ann: newMouse(ann), bob: newMouse(bob), sit: newMouse, beacons: beacons}
	others := []guest{e.bob, newPad(cem)}
	e.welcome(e.ann, "Ann")
	e.host()
	for i, p := range others {
		e.welcome(p, []string{"Bob", "Cem"}[i])
		p.press("Join")
		p.open("rooms", "Ann's room")
		comes(p, "lobby")
		p.press("ready")
	}
	e.inGame(e.ann, 0, func() {
		ann.until("nothing in the way", func(s seen) bool { return s.Present == 3 && len(s.Blocked) == 0 })
		e.ann.press("start")
	})
	for _, p := range others {
		e.inGame(p, 0, func() {})
	}

	end := journey(t, "leave, and come back into the game", others[1])
	others[1].menu()
	others[1].press("leave")
	others[1].press("yes")
	comes(others[1], "home")
	e.inGame(e.ann, 2, func() {})
	e.comeBack(others[1])
	end()

	bob.kill()
	ann.until("the menu that says so", func(s seen) bool { return s.Menu })
	bob.start(beacons)
	e.bob = newMouse(bob)
	end = journey(t, "come back after a crash", e.bob)
	e.comeBack(e.bob)
	end()
	e.inGame(others[1], 3, func() {})
	ann.until("agreement of all machines", func(s seen) bool { return s.Agreed > s.Frame-600 && s.Present == 3 })
	for _, d := range []*desk{ann, bob, cem} {
		d.end()
	}
}

// comeBack has a player come into the running game of three, from the first screen.
func (e *evening) comeBack(p guest) {
	e.t.Helper()
	p.press("Join")
	p.open("rooms", "Ann's room")
	comes(p, "lobby")
	e.inGame(p, 3, func() { p.press("ready") })
	e.inGame(e.ann, 3, func() {})
}

// inGame does something, and waits until the game goes on at a player's machine, with so many
// players; 0 for any number.
func (e *evening) inGame(p guest, players int, do func()) {
	e.t.Helper()
	do()
	at := int64(-1)
	p.at().until("the game", func(s seen) bool {
		if s.Screen != "playing" || players > 0 && s.Present != players {
			return false
		}
		if at < 0 {
			at = s.Frame
		}
		return s.Frame > at+30
	})
}
