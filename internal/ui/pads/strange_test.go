package pads

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
)

// A controller that SDL knows no buttons of is listed, learns them, plays at once, and plays the next time without
// being asked again.
func TestStrangeControllerIsTaught(t *testing.T) {
	folder := t.TempDir()
	run(func() {
		m := usual(nil)
		c, err := OpenControllers(m, folder)
		must.Succeed(t, err)
		defer c.Close()
		model := uitest.PadModel{Name: "Odd, stick", Vendor: 0x1234, Product: 0x5678, Strange: true}
		pad, err := uitest.AttachAs(model)
		must.Succeed(t, err)
		pump(c)
		list := c.Strange()
		if len(list) != 1 || list[0].Name != model.Name || len(m.Pads()) != 0 {
			t.Fatalf("listed are %+v, and %+v", list, m.Pads())
		}
		c.Teach(99)
		if c.Lesson() != nil {
			t.Error("a controller that is not there is taught")
		}
		c.Teach(list[0].ID)
		click := func(name string) {
			for _, down := range []bool{true, false} {
				must.Succeed(t, pad.Press(name, down))
				pump(c)
			}
		}
		for _, name := range []string{"b", "a", "y", "x"} {
			if l := c.Lesson(); l == nil || l.Button != name {
				t.Fatalf("asked for is %+v, want %s", l, name)
			}
			click(name)
		}
		for _, way := range []uint8{1, 4, 8, 2, 0} {
			must.Succeed(t, pad.Turn(0))
			pump(c)
			must.Succeed(t, pad.Turn(way))
			pump(c)
		}
		click("start")
		c.Again()
		if l := c.Lesson(); l == nil || l.Button != "start" {
			t.Fatalf("once more: %+v", l)
		}
		for c.Lesson() != nil {
			c.Skip()
		}
		learned, why := c.Learned()
		if len(learned) != 1 || why != "" || len(c.Strange()) != 0 || len(m.Pads()) != 1 {
			t.Fatalf("it has learned %q, %q; listed are %+v, and %+v", learned, why, c.Strange(), m.Pads())
		}
		must.Succeed(t, KeepMapping(folder, learned[0]))
		must.Succeed(t, pad.Press("b", true))
		pump(c)
		want(t, m, 0, "A")
		must.Succeed(t, pad.Press("b", false))
		must.Succeed(t, pad.Turn(1))
		pump(c)
		want(t, m, 0, "UP")

		c.Teach(m.Pads()[0].ID) // once more, and it is unplugged amid it
		must.Succeed(t, pad.Detach())
		pump(c)
		if c.Lesson() != nil || len(m.Pads()) != 0 {
			t.Errorf("unplugged: %+v, %+v", c.Lesson(), m.Pads())
		}
		c.Close()

		m = usual(nil)
		c, err = OpenControllers(m, folder)
		must.Succeed(t, err)
		must.Succeed(t, c.Wrong())
		defer c.Close()
		pad, err = uitest.AttachAs(model)
		must.Succeed(t, err)
		defer func() { must.Succeed(t, pad.Detach()) }()
		pump(c)
		must.Succeed(t, pad.Press("b", true))
		pump(c)
		want(t, m, 0, "A")
	})
}

// One that SDL has wrong can be taught anew: its buttons do nothing else meanwhile.
func TestKnownControllerIsTaughtAnew(t *testing.T) {
	run(func() {
		m := usual(nil)
		c, err := OpenControllers(m, "")
		must.Succeed(t, err)
		defer c.Close()
		pad, err := uitest.AttachAs(uitest.PadModel{Name: "Wrong", Vendor: 0x1234, Product: 0x5679})
		must.Succeed(t, err)
		defer func() { must.Succeed(t, pad.Detach()) }()
		pump(c)
		id := m.Pads()[0].ID
		c.Teach(id)
		for _, name := range []string{"x", "y", "a", "b", "dpup", "dpdown", "dpleft", "dpright"} { // x is the right one
			must.Succeed(t, pad.Press(name, true))
			pump(c)
			if in := m.Input(0); in.Keys != 0 || m.Menu(0).Nav != 0 {
				t.Errorf("%s, in the lesson, does %v", name, in)
			}
			must.Succeed(t, pad.Press(name, false))
			pump(c)
		}
		for c.Lesson() != nil {
			c.Skip()
		}
		must.Succeed(t, pad.Press("x", true))
		pump(c)
		want(t, m, 0, "A")
		if list := m.Pads(); len(list) != 1 || list[0].ID != id || list[0].Slot != 1 || list[0].Name != "Wrong" {
			t.Errorf("afterwards: %+v", list)
		}
		c.Teach(id)
		for c.Lesson() != nil {
			c.Skip()
		}
		if learned, why := c.Learned(); len(learned) != 1 || why == "" {
			t.Errorf("a lesson without a button: %q, %q", learned, why)
		}
	})
}

// guidOf is by what SDL knows a model of controllers.
func guidOf(t *testing.T, model uitest.PadModel) string {
	t.Helper()
	c, err := OpenControllers(usual(nil), "")
	must.Succeed(t, err)
	defer c.Close()
	pad, err := uitest.AttachAs(model)
	must.Succeed(t, err)
	pump(c)
	c.Teach(c.Strange()[0].ID)
	guid := c.lesson.model
	must.Succeed(t, pad.Detach())
	pump(c)
	return guid
}

// Steam has a mapping for each controller in the environment. It goes for a controller until the player teaches it here, then and
// at later starts.
func TestTaughtWinsOverEnvironment(t *testing.T) {
	folder := t.TempDir()
	run(func() {
		model := uitest.PadModel{Name: "Steam's", Vendor: 0x1234, Product: 0x5681, Strange: true}
		guid := guidOf(t, model)
		t.Setenv(hintMappings, "\n"+guid+",Steam's,a:b2,b:b3,x:b0,\r\n")
		for _, taught := range []bool{false, true} {
			m := usual(nil)
			c, err := OpenControllers(m, folder)
			must.Succeed(t, err)
			pad, err := uitest.AttachAs(model)
			must.Succeed(t, err)
			pump(c)
			press := func(name string) (seen string) {
				must.Succeed(t, pad.Press(name, true))
				pump(c)
				seen = m.Input(0).String()
				must.Succeed(t, pad.Press(name, false))
				pump(c)
				return seen
			}
			if !taught {
				if seen := press("x"); seen != "B" { // the virtual one's button 2
					t.Errorf("by the environment: %q, want B", seen)
				}
				c.Teach(m.Pads()[0].ID)
				for _, name := range []string{"x", "y", "a", "b", "dpup", "dpdown", "dpleft", "dpright"} {
					press(name)
				}
				for c.Lesson() != nil {
					c.Skip()
				}
				learned, why := c.Learned()
				if len(learned) != 1 || why != "" {
					t.Fatalf("learned %q, %q", learned, why)
				}
				must.Succeed(t, KeepMapping(folder, learned[0]))
			}
			if seen := press("x"); seen != "A" {
				t.Errorf("as taught, later %v: %q, want A", taught, seen)
			}
			must.Succeed(t, pad.Detach())
			pump(c)
			c.Close()
		}
	})
}

// The files of mappings are read when the program starts: the player's own goes before the database.
func TestMappingFilesAreRead(t *testing.T) {
	folder := t.TempDir()
	run(func() {
		model := uitest.PadModel{Name: "Filed", Vendor: 0x1234, Product: 0x5680, Strange: true}
		guid := guidOf(t, model)
		must.Succeed(t, os.WriteFile(filepath.Join(folder, DatabaseFile), []byte(guid+",Filed,b:b4,a:b5,platform:"+sdl.GetPlatform()+",\n"+guid+",Filed,b:b9,a:b8,platform:iOS,\nnonsense\n"), 0o600))
		must.Succeed(t, KeepMapping(folder, guid+",Filed,b:b7,a:b5,platform:"+sdl.GetPlatform()+","))
		m := usual(nil)
		c, err := OpenControllers(m, folder)
		must.Succeed(t, err)
		defer c.Close()
		if c.Wrong() == nil {
			t.Error("a line that is no mapping is not told")
		}
		pad, err := uitest.AttachAs(model)
		must.Succeed(t, err)
		defer func() { must.Succeed(t, pad.Detach()) }()
		pump(c)
		must.Succeed(t, pad.Press("leftstick", true)) // the virtual one's button 7
		pump(c)
		want(t, m, 0, "A")
	})
}

// Two kinds of pad of one maker's number are told apart by their names alone. Each has the buttons that were taught for it
// when it is plugged in, though SDL has one mapping for both.
func TestNamesakesHaveTheirOwnButtons(t *testing.T) {
	folder := t.TempDir()
	run(func() {
		models := []uitest.PadModel{{Name: "Square", Vendor: 0x1234, Product: 0x5681, Strange: true}, {Name: "Round", Vendor: 0x1234, Product: 0x5681, Strange: true}}
		var guids []string
		for _, model := range models {
			m := usual(nil)
			c, err := OpenControllers(m, "")
			must.Succeed(t, err)
			pad, err := uitest.AttachAs(model)
			must.Succeed(t, err)
			pump(c)
			c.Teach(c.Strange()[0].ID)
			guids = append(guids, c.lesson.model)
			must.Succeed(t, pad.Detach())
			pump(c)
			c.Close()
		}
		if guids[0] == guids[1] {
			t.Fatalf("both are %s", guids[0])
		}
		must.Succeed(t, KeepMapping(folder, guids[0]+",Square,b:b7,a:b5,platform:"+sdl.GetPlatform()+","))
		must.Succeed(t, KeepMapping(folder, guids[1]+",Round,b:b5,a:b7,platform:"+sdl.GetPlatform()+","))
		m := usual(nil)
		c, err := OpenControllers(m, folder)
		must.Succeed(t, err)
		defer c.Close()
		for i, button := range []string{"A", "B", "A"} {
			pad, err := uitest.AttachAs(models[i%2])
			must.Succeed(t, err)
			pump(c)
			must.Succeed(t, pad.Press("leftstick", true)) // the virtual one's button 7
			pump(c)
			want(t, m, 0, button)
			must.Succeed(t, pad.Press("leftstick", false))
			pump(c)
			must.Succeed(t, pad.Detach())
			pump(c)
		}
	})
}
