package romstest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// press is a script, as text.
func press(t *testing.T, text string) *inputdelay.Script {
	t.Helper()
	s, err := inputdelay.ParseScript(strings.NewReader(text))
	must.Succeed(t, err)
	return s
}

// chosen are scripts of n players: seat 0 opens a game, the others join it.
func chosen(t *testing.T, n int) []*inputdelay.Script {
	t.Helper()
	list := []*inputdelay.Script{press(t, "20-24 A")}
	for len(list) < n {
		list = append(list, press(t, "20-24 B"))
	}
	return list
}

// states are what the consoles say they are.
func (r *room) states() (list []string) {
	r.Helper()
	for _, v := range r.looks() {
		list = append(list, v.field("state"))
	}
	return list
}

func (r *room) expectStates(want ...string) {
	r.Helper()
	got := r.states()
	for seat := range want {
		if got[seat] != want[seat] {
			r.Errorf("the consoles are %q, want %q", got, want)
			return
		}
	}
}

// expectOneGame checks that all are in one game that goes well, whoever is host.
func (r *room) expectOneGame() {
	r.Helper()
	hosts, n := 0, len(r.players)
	for seat, v := range r.looks() {
		if strings.HasPrefix(v.field("state"), "host") {
			hosts++
		}
		v.expect("differ", "000000", "check", "ok")
		if list := v.players(); len(list) != n {
			r.Errorf("seat %d shows %v", seat, list)
		}
	}
	if hosts != 1 {
		r.Errorf("%d hosts", hosts)
	}
}

// A opens a game at once, B joins it, whatever the addresses are.
func TestChoice(t *testing.T) {
	r := openRoom(t, roomConfig{rom: romstest.Multiplay, consoles: 3, skew: 1, scripts: []*inputdelay.Script{
		press(t, "40-44 B"), press(t, "30-34 A"), press(t, "20-24 B"),
	}})
	r.run(15)
	r.expectStates("choose: A or B", "choose: A or B", "choose: A or B")
	r.run(13)
	r.expectStates("choose: A or B", "choose: A or B", "looking for a game")
	r.run(8)
	r.expectStates("choose: A or B", "host, alone", "looking for a game")
	r.run(100)
	r.expectOneGame()
	if s := r.states(); s[1] != "host, players 03" {
		t.Errorf("the consoles are %q", s)
	}
}

// Without a key they find each other, too: after three seconds the one with the lowest
// address opens a game.
func TestNoChoice(t *testing.T) {
	r := openRoom(t, roomConfig{rom: romstest.Multiplay, consoles: 2, skew: 1})
	r.run(175)
	r.expectStates("choose: A or B", "choose: A or B")
	r.run(75)
	r.expectStates("host, players 02", "client 01, players 02")
	r.expectOneGame()
}

// There is one game in a room: of two that were opened, that of the lower address.
func TestTwoHosts(t *testing.T) {
	all := press(t, "20-24 A")
	r := openRoom(t, roomConfig{rom: romstest.Multiplay, consoles: 3, skew: 1, scripts: []*inputdelay.Script{all, all, all}})
	r.run(250)
	r.expectOneGame()
	if s := r.states(); s[0] != "host, players 03" {
		t.Errorf("the consoles are %q", s)
	}
}

// A game is full with sixteen.
func TestSixteenConsoles(t *testing.T) {
	if os.Getenv("NETTPLAY_LONG") == "" {
		t.Skip("sixteen consoles take long: NETTPLAY_LONG is not set")
	}
	r := openRoom(t, roomConfig{rom: romstest.Multiplay, consoles: 16, skew: 1, scripts: chosen(t, 16)})
	r.run(300)
	r.healthy(300)
}

// The others miss a console that is switched off, then they go on without it.
func TestSwitchedOff(t *testing.T) {
	r := openRoom(t, roomConfig{rom: romstest.Multiplay, consoles: 3, skew: 1, scripts: chosen(t, 3)})
	r.run(120)
	r.expectOneGame()
	r.players[2].console.Close()
	r.players = r.players[:2]
	r.run(60)
	v := r.looks()[0]
	if v.number("lost") < 30 {
		t.Errorf("the host has lost %d rounds to a console that was switched off", v.number("lost"))
	}
	before := v.number("round")
	r.run(200)
	r.expectOneGame()
	for seat, v := range r.looks() {
		if v.field("game") != "000001" || v.number("round") < before+60 {
			t.Errorf("seat %d: game %s, round %d, was %d", seat, v.field("game"), v.number("round"), before)
		}
	}
}

// The others see a broken console: words that it does not say, a game that is another,
// rounds that it loses.
func TestBrokenOnAir(t *testing.T) {
	t.Run("broadcast", func(t *testing.T) {
		r := openRoom(t, roomConfig{rom: romstest.Broadcast, consoles: 3, skew: 1, broken: true})
		r.run(200)
		list := r.looks()[0].stations()
		if list["Yann"].rest != "0000" {
			t.Errorf("lost of a sound console: %v", list)
		}
		if n := number(list["Xenia"].rest); n < 5 || n > 10 {
			t.Errorf("lost of a broken console: %v", list)
		}
	})
	t.Run("multiplay", func(t *testing.T) {
		r := openRoom(t, roomConfig{rom: romstest.Multiplay, consoles: 3, skew: 1, broken: true, scripts: chosen(t, 3)})
		r.run(240)
		host, sound, broken := r.looks()[0], r.looks()[1], r.looks()[2]
		if host.number("lost") == 0 {
			t.Error("the host has lost no round")
		}
		for _, v := range []view{host, sound} {
			if v.number("differ") == 0 {
				t.Errorf("no disagreements: %v", v.players())
			}
			for _, l := range v.players() {
				if (l.rest == "BAD") != (l.name == "Xenia") {
					t.Errorf("%v", v.players())
				}
			}
		}
		if got := broken.players(); got[0].rest != "BAD" {
			t.Errorf("the broken console shows %v", got)
		}
	})
}
