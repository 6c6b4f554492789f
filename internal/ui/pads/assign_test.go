package pads

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/inputdelay"
)

// A controller with a mapping of its own keeps it, whichever place it has; others have that of
// all.
func TestMappingOfOneController(t *testing.T) {
	m := usual(func(c *config.Config) {
		c.Pads.Devices = []string{"pad 1", "pad 2"}
		c.Pads.Own = map[string]string{"Odd": "a: a; b: b; touch: leftshoulder; l:"}
	})
	m.Connect(7, Hardware{Name: "Usual"})
	m.Connect(8, Hardware{Name: "Odd"})
	for _, id := range []ID{7, 8} {
		m.Button(id, "a", true)
	}
	want(t, m, 0, "B")
	want(t, m, 1, "A")
	m.Button(8, "leftshoulder", true)
	if in := m.Input(1); in.Keys != inputdelay.KeyA|inputdelay.Touch {
		t.Errorf("its own button for the stylus: %v", in)
	}
	m.Disconnect(7)
	m.Disconnect(8)
	m.Connect(9, Hardware{Name: "Odd"})
	m.Button(9, "a", true)
	want(t, m, 1, "A") // the player's who had it
}

func TestDevicesOfTheRest(t *testing.T) {
	for _, c := range []struct {
		wanted []string
		slots  []int
		want   []string
	}{
		{[]string{"any"}, nil, []string{"any", "keyboard 2", "pad 1", "pad 2"}},
		{[]string{"any"}, []int{2}, []string{"any", "pad 2", "keyboard 2", "pad 1"}},
		{[]string{"pad 1"}, []int{1}, []string{"pad 1", "keyboard", "keyboard 2", "pad 2"}},
		{[]string{"keyboard 2", "pad 2"}, []int{1, 2}, []string{"keyboard 2", "pad 2", "pad 1", "keyboard"}},
		{[]string{"a", "b", "c", "d", "e"}, nil, []string{"a", "b", "c", "d"}},
	} {
		if got := Devices(c.wanted, 4, c.slots); !slices.Equal(got, c.want) {
			t.Errorf("%q with controllers %v: %q, want %q", c.wanted, c.slots, got, c.want)
		}
	}
}

func TestHotPlugKeepsSlots(t *testing.T) {
	m := usual(func(c *config.Config) { c.Pads.Devices = []string{"pad 1", "pad 2"} })
	m.Connect(10, Hardware{Name: "left"})
	m.Connect(11, Hardware{Name: "right"})
	m.Button(10, "b", true)
	m.Button(11, "a", true)
	want(t, m, 0, "A")
	want(t, m, 1, "B")
	m.Disconnect(10)
	want(t, m, 0, "")
	want(t, m, 1, "B") // goes on as pad 2
	m.Connect(12, Hardware{Name: "left"})
	m.Button(12, "b", true)
	want(t, m, 0, "A")
	if pads := m.Pads(); len(pads) != 2 || pads[0].ID != 12 || pads[0].Slot != 1 || !slices.Equal(pads[1].Seats, []int{1}) {
		t.Errorf("%+v", pads)
	}
	m.Connect(12, Hardware{Name: "again"})
	if len(m.Pads()) != 2 {
		t.Error("a controller is there twice")
	}
}

func TestAssignments(t *testing.T) {
	devices := []*device{newDevice(Keyboard, Hardware{Name: "keyboard"}, 0), newDevice(Keyboard2, Hardware{Name: "keyboard 2"}, 0), newDevice(5, Hardware{Name: "Xbox Wireless"}, 1), newDevice(6, Hardware{Name: "DualSense Wireless"}, 2)}
	for _, c := range []struct {
		wanted []string
		want   [][]ID
	}{
		{[]string{"any"}, [][]ID{{Keyboard, 5, 6}}},
		{[]string{"any", "pad 2"}, [][]ID{{Keyboard, 5}, {6}}},
		{[]string{"keyboard", "any"}, [][]ID{{Keyboard}, {5, 6}}},
		{[]string{"any", "any"}, [][]ID{{Keyboard, 5, 6}, {Keyboard, 5, 6}}},
		{[]string{"dualsense", "xbox"}, [][]ID{{6}, {5}}},
		{[]string{"wireless", "wireless "}, [][]ID{{5}, nil}},
		{[]string{"Wireless", "wireless"}, [][]ID{{5}, {6}}},
		{[]string{"pad 3", "keyboard"}, [][]ID{{5}, {Keyboard}}}, // while it is not there
		{[]string{"pad 3", "pad 1", "pad 4"}, [][]ID{{6}, {5}, nil}},
		{[]string{"any", "pad 3"}, [][]ID{{Keyboard, 5, 6}, nil}},
		{[]string{"pad", "pad 2"}, [][]ID{nil, {6}}},
		{[]string{"keyboard 2", "keyboard"}, [][]ID{{Keyboard2}, {Keyboard}}},
		{[]string{"board"}, [][]ID{nil}},
		{[]string{"nobody's"}, [][]ID{nil}},
	} {
		got := assign(c.wanted, devices)
		if !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%q: %v, want %v", c.wanted, got, c.want)
		}
	}
}
