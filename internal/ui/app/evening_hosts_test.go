package app

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	"github.com/nettplay/nettplay/internal/testing/uitest"
)

// TestEveningOutlivesItsHosts: Ann hosts for Bob and Cem, and leaves amid the game; Bob starts the next one; Ann
// comes back, and plays; Bob's program is killed amid a game; another one starts again. Roster, chat, figures and
// invitation are right throughout.
func TestEveningOutlivesItsHosts(t *testing.T) {
	t.Parallel() // much of an evening is to wait
	uitest.NeedDisplay(t)
	core, beacons := testcore.Path(t), beaconPlace()
	e := &hosts{evening: evening{t: t, sit: newMouse, beacons: beacons}, names: map[guest]string{}}
	sit := func(name string) guest {
		d := newComer(t, strings.ToLower(name), core)
		d.start(beacons)
		p := newMouse(d)
		e.welcome(p, name)
		e.names[p] = name
		return p
	}
	ann, bob, cem := sit("Ann"), sit("Bob"), sit("Cem")
	e.ann = ann
	e.host()
	e.join(bob, 2)
	e.join(cem, 3)
	e.plays(ann, bob, cem)

	ann.menu()
	ann.press("leave")
	ann.press("yes")
	comes(ann, "home")
	e.ends(bob, 2)
	e.plays(bob, cem)

	e.ends(bob, 2)
	e.join(ann, 3)
	e.plays(bob, cem, ann)

	bob.at().kill()
	next, other := e.elected(ann, cem)
	e.ends(next, 2)
	e.plays(next, other)
	for _, p := range []guest{other, next} {
		p.at().end()
	}
}

// hosts is an evening with several game hosts.
type hosts struct {
	evening
	names map[guest]string
	games int
}

// join has somebody come into the room of the list, as the last of so many.
func (e *hosts) join(p guest, present int) {
	e.t.Helper()
	p.press("Join")
	p.open("rooms", "Ann's room")
	comes(p, "lobby")
	p.at().until(fmt.Sprintf("%d players", present), func(s seen) bool { return s.Present == present })
}

// plays has everybody in the lobby say something, and the game host start the next game of all.
func (e *hosts) plays(next guest, others ...guest) {
	e.t.Helper()
	all := append([]guest{next}, others...)
	v, found, err := invite.Find(next.at().until("an invitation", func(s seen) bool { return strings.HasPrefix(s.Invitation, invite.Prefix) }).Invitation)
	if err != nil || !found || v.Answer {
		e.t.Errorf("%s invites with %+v, %v", e.names[next], v, err)
	}
	for _, p := range all {
		words := fmt.Sprintf("game %d", e.games)
		p.turn("side", 1)
		p.write("say", words, true)
		for _, o := range all {
			o.at().until(e.names[p]+"'s words", func(s seen) bool { return s.Chat == e.names[p]+": "+words && s.Present == len(all) })
		}
		p.turn("Room", -1)
	}
	for _, p := range others {
		p.press("ready")
	}
	next.at().until("nothing in the way", func(s seen) bool { return len(s.Blocked) == 0 && s.Ready == len(all) && s.Present == len(all) })
	next.press("start")
	e.games++
	for _, p := range all {
		p.at().until("the game", func(s seen) bool { return s.Screen == "playing" && s.Frame > 30 && s.Present == len(all) })
	}
	for _, p := range all {
		p.at().until("agreement of all machines", func(s seen) bool { return s.Agreed > 60 })
	}
}

// ends has the game host end the game that runs, for so many players.
func (e *hosts) ends(p guest, present int) {
	e.t.Helper()
	p.at().until("the game without the others", func(s seen) bool { return s.Screen == "playing" && s.Present == present })
	p.menu()
	p.press("end")
	p.press("yes")
	comes(p, "lobby")
}

// elected tells who of two is game host after the one who is gone: they alone invite.
func (e *hosts) elected(a, b guest) (next, other guest) {
	e.t.Helper()
	for _, p := range []guest{a, b} {
		p.at().until("another game host", func(s seen) bool { return strings.HasSuffix(s.Chat, "is the game host now") })
	}
	if strings.HasSuffix(a.at().now().Chat, e.names[a]+" is the game host now") {
		return a, b
	}
	return b, a
}
