package app

import (
	"testing"

	"github.com/nettplay/nettplay/internal/testing/testcore"
	"github.com/nettplay/nettplay/internal/testing/uitest"
)

// TestBackByOnePress: who has left a room is back by one press, also after a crash of the program; after the room's
// end nothing leads back any more. The game host of a room that ended opens the next one by one press.
func TestBackByOnePress(t *testing.T) {
	t.Parallel()
	uitest.NeedDisplay(t)
	core, beacons := testcore.Path(t), beaconPlace()
	ann, bob := newComer(t, "ann", core), newComer(t, "bob", core)
	ann.start(beacons)
	bob.start(beacons)
	e := &evening{t: t, ann: newKeys(ann), bob: newKeys(bob), sit: newKeys, beacons: beacons}
	e.welcome(e.ann, "Ann")
	e.welcome(e.bob, "Bob")
	e.host()
	e.joinByList()
	e.bob.press("leave")
	comes(e.bob, "home")
	ann.until("nobody else", func(s seen) bool { return s.Present == 1 })

	end := journey(t, "back to the room", e.bob)
	bob.press("Return")
	comes(e.bob, "lobby")
	end()
	ann.until("Bob", func(s seen) bool { return s.Present == 2 })
	e.bob.turn("side", 1) // where Bob stands does not matter
	e.bob.turn("Room", -1)
	e.bob.press("ready")
	ann.until("nothing in the way", func(s seen) bool { return len(s.Blocked) == 0 })
	e.ann.press("start")
	e.inGame(e.bob, 0, func() {})

	bob.kill()
	bob.start(beacons)
	e.bob = newMouse(bob)
	end = journey(t, "back after a crash", e.bob)
	e.bob.press("back to room")
	bob.until("the room", func(s seen) bool { return s.Screen == "lobby" || s.Screen == "playing" })
	end()

	e.close(e.ann)
	bob.until("the first screen, or why", func(s seen) bool {
		return s.Screen == "home" || s.Screen == "ended" || s.Screen == "lobby" && s.Present == 1
	})
	if s := bob.now(); s.Screen == "ended" {
		e.bob.press("home")
	} else if s.Screen == "lobby" {
		e.bob.press("leave")
	}
	comes(e.bob, "home")
	ann.start(beacons)
	e.ann = newMouse(ann)
	end = journey(t, "host again", e.ann)
	e.ann.press("host again")
	comes(e.ann, "lobby")
	end()
	for _, d := range []*desk{ann, bob} {
		d.end()
	}
}
