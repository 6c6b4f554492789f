package pads

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/memory"
)

// two makes a mapper for two players with a controller each.
func two() *Mapper {
	return usual(func(c *config.Config) { c.Pads.Devices = []string{"pad 1", "pad 2"} })
}

// players says which controller each of two players has.
func players(m *Mapper) string {
	of := [2]ID{-9, -9}
	for _, p := range m.Pads() {
		for _, seat := range p.Seats {
			of[seat] = p.ID
		}
	}
	return fmt.Sprint(of[0], " ", of[1])
}

// Two controllers of one model keep their players when they come back in another order.
func TestTwoOfOneModelKeepTheirPlayers(t *testing.T) {
	for _, c := range []struct {
		name         string
		a, b         Hardware // at first
		again, other Hardware // the first's and the second's, when they come back
	}{
		{"serial numbers", Hardware{Name: "Pad", Serial: "s1"}, Hardware{Name: "Pad", Serial: "s2"}, Hardware{Name: "Pad", Serial: "s1"}, Hardware{Name: "Pad", Serial: "s2"}},
		{"ports", Hardware{Name: "Pad", Port: "p1"}, Hardware{Name: "Pad", Port: "p2"}, Hardware{Name: "Pad", Port: "p1"}, Hardware{Name: "Pad", Port: "p2"}},
		{
			"serial numbers, and changed ports",
			Hardware{Name: "Pad", Serial: "s1", Port: "p1"},
			Hardware{Name: "Pad", Serial: "s2", Port: "p2"},
			Hardware{Name: "Pad", Serial: "s1", Port: "p2"},
			Hardware{Name: "Pad", Serial: "s2", Port: "p1"},
		},
		{
			"a serial number that all have, and ports",
			Hardware{Name: "Pad", Serial: "0", Port: "p1"},
			Hardware{Name: "Pad", Serial: "0", Port: "p2"},
			Hardware{Name: "Pad", Serial: "0", Port: "p1"},
			Hardware{Name: "Pad", Serial: "0", Port: "p2"},
		},
		{"one known, the other by what is left", Hardware{Name: "Pad", Serial: "s1"}, Hardware{Name: "Pad"}, Hardware{Name: "Pad", Serial: "s1"}, Hardware{Name: "Pad"}},
		{"one at a new port, after the other", Hardware{Name: "Pad", Port: "p1"}, Hardware{Name: "Pad", Port: "p2"}, Hardware{Name: "Pad", Port: "p1"}, Hardware{Name: "Pad", Port: "p3"}},
	} {
		for _, otherFirst := range []bool{true, false} {
			m := two()
			m.Connect(1, c.a)
			m.Connect(2, c.b)
			if got := players(m); got != "1 2" {
				t.Fatalf("%s: at first: %s", c.name, got)
			}
			m.Disconnect(1)
			m.Disconnect(2)
			if otherFirst {
				m.Connect(4, c.other)
				m.Connect(3, c.again)
			} else {
				m.Connect(3, c.again)
				m.Connect(4, c.other)
			}
			if got := players(m); got != "3 4" {
				t.Errorf("%s, the second first %t: %s", c.name, otherFirst, got)
			}
			if _, _, asks := m.Asking(); asks {
				t.Errorf("%s, the second first %t: the players are asked", c.name, otherFirst)
			}
		}
	}
}

// They keep them from one day to the next, and the one that is there plays alone meanwhile.
func TestPlayersAreKeptOverDays(t *testing.T) {
	m := two()
	m.Connect(1, Hardware{Name: "Pad", Serial: "s1"})
	m.Connect(2, Hardware{Name: "Pad", Serial: "s2"})
	m.Connect(3, Hardware{Name: "Nameless"})
	kept, changed := m.Controllers()
	want := []memory.Controller{{Name: "Pad", Serial: "s1", Slot: 1}, {Name: "Pad", Serial: "s2", Slot: 2}}
	if !changed || !slices.Equal(kept, want) {
		t.Fatalf("kept are %+v, changed %t", kept, changed)
	}
	if _, changed := m.Controllers(); changed {
		t.Error("what was asked for is new once more")
	}

	m = two()
	m.Recall(kept)
	if !m.Knows(Hardware{Name: "Pad", Serial: "s2"}) || m.Knows(Hardware{Name: "Pad", Serial: "s9"}) || m.Knows(Hardware{Name: "Other", Serial: "s2"}) {
		t.Error("it knows others than those of yesterday")
	}
	m.Play(1)
	m.Connect(5, Hardware{Name: "Pad", Serial: "s2"})
	if got := players(m); got != "5 -9" {
		t.Errorf("alone there: %s", got)
	}
	m.Play(2)
	m.Connect(6, Hardware{Name: "Pad", Serial: "s1"})
	if got := players(m); got != "6 5" {
		t.Errorf("the other one came later: %s", got)
	}
	if _, _, asks := m.Asking(); asks {
		t.Error("the players are asked")
	}
	if _, changed := m.Controllers(); changed {
		t.Error("the same controllers are to be remembered anew")
	}
	m.Disconnect(6)
	m.Connect(7, Hardware{Name: "Pad", Serial: "s1", Port: "p9"})
	if list, changed := m.Controllers(); !changed || list[len(list)-1] != (memory.Controller{Name: "Pad", Serial: "s1", Port: "p9", Slot: 1}) {
		t.Errorf("another port is not remembered: %+v, %t", list, changed)
	}
}

// Where nothing tells two apart that were both away, the first that is pressed is the first player's. Until then
// neither does anything.
func TestPlayersAreAsked(t *testing.T) {
	alike := []struct {
		name string
		a, b Hardware
	}{
		{"nothing known", Hardware{Name: "Pad"}, Hardware{Name: "Pad"}},
		{"one receiver", Hardware{Name: "Pad", Port: "usb-1/input0"}, Hardware{Name: "Pad", Port: "usb-1/input0"}},
		{"one number", Hardware{Name: "Pad", Serial: "0"}, Hardware{Name: "Pad", Serial: "0"}},
	}
	for _, c := range alike {
		for _, first := range []ID{3, 4} {
			m := two()
			m.Connect(1, c.a)
			m.Connect(2, c.b)
			if _, _, asks := m.Asking(); asks {
				t.Errorf("%s: the players are asked the first time", c.name)
			}
			m.Disconnect(1)
			m.Disconnect(2)
			m.Connect(3, c.a)
			m.Button(3, "a", true)
			if _, _, asks := m.Asking(); asks {
				t.Errorf("%s: the players are asked while one is away", c.name)
			}
			m.Input(0)
			m.Connect(4, c.b)
			if in := m.Input(0); in.Keys != 0 {
				t.Errorf("%s: what is asked for presses %v", c.name, in.Keys)
			}
			if seat, name, asks := m.Asking(); !asks || seat != 0 || name != "Pad" {
				t.Fatalf("%s: asked is player %d of %q, %t", c.name, seat, name, asks)
			}
			m.Button(3, "a", false)
			m.Button(first, "b", true)
			if m.Menu(0).Nav != 0 || m.Input(0).Keys|m.Input(1).Keys != 0 {
				t.Errorf("%s: the answer does something else", c.name)
			}
			m.Button(first, "b", false)
			if got, want := players(m), fmt.Sprint(first, " ", 7-first); got != want {
				t.Errorf("%s, %d was pressed first: %s, want %s", c.name, first, got, want)
			}
			if _, _, asks := m.Asking(); asks {
				t.Errorf("%s: asked once more", c.name)
			}
			m.Button(first, "b", true)
			if m.Input(0).Keys == 0 {
				t.Errorf("%s: it does nothing after it was asked for", c.name)
			}
		}
	}
}

// Nobody is asked where it does not matter, or once the answer is to leave all as it is.
func TestPlayersAreNotAskedForNothing(t *testing.T) {
	back := func(m *Mapper) {
		for id := range ID(4) {
			m.Connect(id+1, Hardware{Name: "Pad"})
			if id == 1 {
				m.Disconnect(1)
				m.Disconnect(2)
			}
		}
	}
	m := usual(nil) // "any": both are the same player's
	back(m)
	if _, _, asks := m.Asking(); asks {
		t.Error("the only player is asked")
	}
	m = two()
	back(m)
	m.LeaveOrder()
	if _, _, asks := m.Asking(); asks || players(m) != "3 4" {
		t.Errorf("left as they are: %s, asked %t", players(m), asks)
	}
	m = two()
	m.Recall([]memory.Controller{{Name: "Pad", Serial: "0", Slot: 1}, {Name: "Pad", Serial: "0", Slot: 2}})
	m.Connect(1, Hardware{Name: "Pad", Serial: "0"})
	m.Connect(2, Hardware{Name: "Pad", Serial: "0"})
	if _, _, asks := m.Asking(); asks || players(m) != "1 2" {
		t.Errorf("on another day: %s, asked %t", players(m), asks)
	}
}

// A guess gives way to one that is known.
func TestGuessGivesWay(t *testing.T) {
	m := two()
	m.Connect(1, Hardware{Name: "Pad", Port: "p1"})
	m.Connect(2, Hardware{Name: "Pad", Port: "p2"})
	m.Disconnect(1)
	m.Disconnect(2)
	m.Connect(4, Hardware{Name: "Pad", Port: "p3"}) // the second, elsewhere: taken for the first
	m.Connect(3, Hardware{Name: "Pad", Port: "p1"})
	if _, _, asks := m.Asking(); asks || players(m) != "3 4" {
		t.Errorf("%s, asked %t", players(m), asks)
	}
}

// Whatever comes and goes, each controller has a slot of its own, and what is remembered is bounded.
func TestSlotsAreTheirOwn(t *testing.T) {
	m := two()
	var here []ID
	for i := range 4000 {
		x := uint32(i) * 2654435761 >> 7
		if len(here) > 0 && x%5 < 2 || len(here) == 12 {
			at := int(x>>3) % len(here)
			m.Disconnect(here[at])
			here = slices.Delete(here, at, at+1)
		} else {
			about := Hardware{Name: fmt.Sprint("Pad", x>>4%3)}
			if x>>6%3 == 0 {
				about.Serial = fmt.Sprint("s", x>>8%50)
			}
			if x>>7%3 == 0 {
				about.Port = fmt.Sprint("p", x>>9%50)
			}
			m.Connect(ID(i), about)
			here = append(here, ID(i))
		}
		if x>>11%4 == 0 && len(here) > 0 {
			m.Button(here[int(x>>5)%len(here)], "a", x>>13%2 == 0)
		}
		slots := map[int]bool{}
		for _, p := range m.Pads() {
			if slots[p.Slot] || p.Slot < 1 {
				t.Fatalf("after %d: slot %d twice, or none: %+v", i, p.Slot, m.Pads())
			}
			slots[p.Slot] = true
		}
		if len(slots) != len(here) || len(m.places) > memory.MaxControllers {
			t.Fatalf("after %d: %d slots for %d, %d places", i, len(slots), len(here), len(m.places))
		}
	}
}
