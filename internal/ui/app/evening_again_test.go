package app

import (
	"fmt"
	"slices"
)

// The ways of an evening on which something is taken up again: a room, a running game, a
// moment.

// joinByInvitation has Bob come back by what Ann sends in a chat.
func (e *evening) joinByInvitation() {
	e.t.Helper()
	e.bob.press("leave")
	comes(e.bob, "home")
	defer journey(e.t, "join by invitation", e.bob)()
	text := e.ann.at().until("an invitation", func(s seen) bool { return s.Invitation != "" }).Invitation
	e.bob.at().order("copy %s", text)
	e.bob.paste()
	comes(e.bob, "lobby")
	e.ann.at().until("Bob", func(s seen) bool { return s.Present == 2 })
}

// joinByAddress has Bob come back by what Ann reads to him.
func (e *evening) joinByAddress() {
	e.t.Helper()
	e.bob.press("leave")
	comes(e.bob, "home")
	defer journey(e.t, "join by address", e.bob)()
	e.bob.write("invitation", fmt.Sprintf("127.0.0.1:%d", e.ann.at().now().Port), true)
	comes(e.bob, "lobby")
	e.ann.at().until("Bob", func(s seen) bool { return s.Present == 2 })
}

// joinRunning has Bob come into Ann's running game. With two machines it ends when one leaves,
// and Ann begins another.
func (e *evening) joinRunning() {
	e.t.Helper()
	end := journey(e.t, "join a running game", e.bob)
	e.bob.press("Join")
	e.bob.open("rooms", "Ann's room")
	comes(e.bob, "lobby")
	e.bob.press("ready")
	e.bob.at().until("the game", func(s seen) bool { return s.Screen == "playing" && s.Frame > 60 && s.Present == 3 })
	end()
	e.bob.menu()
	e.bob.press("leave")
	e.bob.press("yes")
	comes(e.bob, "home")
	e.ann.at().until("nothing in the way", func(s seen) bool {
		return s.Screen == "lobby" && s.Present == 2 && s.Ready == 2 && len(s.Blocked) == 0
	})
	e.ann.press("start")
	e.ann.at().until("enough to seek in", func(s seen) bool { return s.Screen == "playing" && s.Frame > 300 })
}

// moment is what a kept one is called.
const moment = "ours"

// keep has Ann keep the moment of a running game.
func (e *evening) keep() {
	e.t.Helper()
	defer journey(e.t, "keep a moment", e.ann)()
	at := e.ann.at().now().Frame
	e.ann.menu()
	e.ann.press("keep")
	e.ann.write("name", moment, true)
	e.ann.at().until("the game after it", func(s seen) bool { return !s.Menu && s.Frame > at+60 })
}

// goOn has both go on from it.
func (e *evening) goOn() {
	e.t.Helper()
	end := journey(e.t, "go on from a moment", e.ann) // the first screen shows it
	e.ann.press(moment)
	comes(e.ann, "host")
	e.ann.press("open")
	comes(e.ann, "lobby")
	e.joinByList()
	e.bob.press("ready")
	for _, p := range []guest{e.bob, e.ann} {
		asks := func(s seen) bool { return s.Asked != "" }
		if s := p.at().until("a way on", func(s seen) bool { return asks(s) || !slices.Contains(s.Blocked, "has another save") }); asks(s) {
			p.press("yes")
			p.at().until("no question", func(s seen) bool { return !asks(s) })
		}
	}
	e.ann.at().until("nothing in the way", func(s seen) bool { return len(s.Blocked) == 0 })
	e.ann.press("start")
	for _, p := range []guest{e.ann, e.bob} {
		p.at().until("the game", func(s seen) bool { return s.Screen == "playing" && s.Frame > 60 })
	}
	e.ann.at().until("agreement of all machines", func(s seen) bool { return s.Agreed > 60 })
	end()
}
