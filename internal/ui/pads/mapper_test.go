package pads

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
)

// usual is a mapper with the default settings, changed by change.
func usual(change func(*config.Config)) *Mapper {
	cfg := config.Defaults()
	if change != nil {
		change(&cfg)
	}
	return NewMapper(cfg)
}

// want checks the next input of a seat, as a script would write it.
func want(t *testing.T, m *Mapper, seat int, script string) {
	t.Helper()
	if got := m.Input(seat).String(); got != script {
		t.Errorf("seat %d: %q, want %q", seat, got, script)
	}
}

func TestEveryKeyOfTheSettings(t *testing.T) {
	cfg := config.Defaults()
	cfg.Keys.Lid = []string{"L"}
	m := NewMapper(cfg)
	seen := map[inputdelay.Keys]bool{}
	for _, b := range cfg.Keys.All() {
		for _, name := range b.Names {
			m.Key(name, true)
			in := m.Input(0)
			if in.Keys == 0 || seen[in.Keys] {
				t.Errorf("%s is %v", b.Name, in)
			}
			seen[in.Keys] = true
			m.Key(name, false)
			want(t, m, 0, "")
		}
	}
	if len(seen) != 14 {
		t.Errorf("%d keys", len(seen))
	}
}

func TestHeldAndTapped(t *testing.T) {
	m := usual(nil)
	m.Key("X", true)
	m.Key("Up", true)
	want(t, m, 0, "A+UP")
	want(t, m, 0, "A+UP")
	m.Key("X", false)
	want(t, m, 0, "UP")
	m.Key("Up", false)
	m.Key("Z", true) // shorter than a frame
	m.Key("Z", false)
	want(t, m, 0, "B")
	want(t, m, 0, "")
	m.Key("F12", true) // a key of nobody's
	want(t, m, 0, "")
}

func TestOppositesCancelOut(t *testing.T) {
	m := usual(nil)
	m.Key("Left", true)
	m.Key("Right", true)
	m.Key("Up", true)
	want(t, m, 0, "UP")
	m.Key("Left", false)
	want(t, m, 0, "RIGHT+UP")
}

func TestTwoKeysForOne(t *testing.T) {
	m := usual(func(c *config.Config) { c.Keys.A = []string{"X", "Space"} })
	m.Key("X", true)
	m.Key("Space", true)
	m.Key("X", false)
	want(t, m, 0, "A")
	m.Key("Space", false)
	m.Input(0)
	want(t, m, 0, "")
}

func TestLostFocusLetsGo(t *testing.T) {
	m := usual(nil)
	m.Key("X", true)
	m.Touch(0, 5, 6)
	m.Release()
	want(t, m, 0, "")
	m.Key("X", true) // the system repeats a key that was never let go
	want(t, m, 0, "")
	m.Key("X", false)
	m.Key("X", true)
	want(t, m, 0, "A")
}

func TestMenusKeepConsolesOut(t *testing.T) {
	m := usual(nil)
	m.Key("X", true)
	m.Mute(true)
	m.Key("Z", true)
	m.Touch(0, 1, 1)
	want(t, m, 0, "")
	m.Mute(false) // X and Z are still down, from before
	want(t, m, 0, "")
	m.Key("Z", false)
	m.Key("Z", true)
	want(t, m, 0, "B")
}

func TestConfigureTakesOtherKeys(t *testing.T) {
	m := usual(nil)
	m.Key("X", true)
	cfg := config.Defaults()
	cfg.Keys.A, cfg.Keys.Y = []string{"J"}, nil
	m.Configure(cfg)
	want(t, m, 0, "")
	m.Key("J", true)
	m.Key("A", true)
	want(t, m, 0, "A")
}

func TestEveryButtonOfAPad(t *testing.T) {
	cfg := config.Defaults()
	m := usual(nil)
	m.Connect(7, Hardware{Name: "Some Pad"})
	for _, b := range cfg.Pads.Buttons.All() {
		for _, name := range b.Names {
			press := func(down bool) {
				if sign, axis := name[0], name[1:]; sign == '-' || sign == '+' {
					v := map[bool]int16{false: 0, true: 32767}[down]
					if sign == '-' {
						v = -v
					}
					m.Axis(7, axis, v)
					return
				}
				m.Button(7, name, down)
			}
			press(true)
			if in := m.Input(0); in.Keys != keyOf[b.Name] {
				t.Errorf("%s by %s: %v", b.Name, name, in)
			}
			press(false)
			m.Input(0)
			want(t, m, 0, "")
		}
	}
}

func TestStickAsCross(t *testing.T) {
	m := usual(nil)
	m.Connect(1, Hardware{Name: "pad"})
	full := 32767.0
	for _, c := range []struct {
		x, y float64
		want string
	}{
		{0.2, 0, ""},
		{-0.17, 0.17, ""}, // dead zone 0.25, round
		{1, 0, "RIGHT"},
		{-1, 0, "LEFT"},
		{0, -1, "UP"},
		{0, 1, "DOWN"},
		{0.7, -0.7, "RIGHT+UP"},
		{-0.7, 0.7, "LEFT+DOWN"},
		{1, 0.2, "RIGHT"},
		{0.2, 1, "DOWN"},
		{1, 0.6, "RIGHT+DOWN"},
		{0.3, 0.05, "RIGHT"},
	} {
		m.Axis(1, AxisLeftX, 0)
		m.Axis(1, AxisLeftY, 0)
		m.Input(0)
		m.Axis(1, AxisLeftX, int16(c.x*full))
		m.Axis(1, AxisLeftY, int16(c.y*full))
		m.Input(0) // what the way there touched is tapped
		if got := m.Input(0).String(); got != c.want {
			t.Errorf("%v,%v: %q, want %q", c.x, c.y, got, c.want)
		}
	}
}

// A stick that trembles on the edge of the dead zone does not stutter.
func TestStickHolds(t *testing.T) {
	m := usual(nil)
	m.Connect(1, Hardware{Name: "pad"})
	for i, c := range []struct {
		x    int16
		want string
	}{{8000, ""}, {8400, "RIGHT"}, {8000, "RIGHT"}, {8300, "RIGHT"}, {7000, "RIGHT"}, {6000, ""}, {8000, ""}, {-32768, "LEFT"}} {
		m.Axis(1, AxisLeftX, c.x)
		if got := m.Input(0).String(); got != c.want {
			t.Errorf("step %d, at %d: %q, want %q", i, c.x, got, c.want)
		}
	}
}

func TestStylusByMouse(t *testing.T) {
	m := usual(nil)
	m.Touch(0, 10, 20)
	want(t, m, 0, "touch 10,20")
	m.Touch(0, 255, 191)
	want(t, m, 0, "touch 255,191")
	m.Lift(0)
	want(t, m, 0, "")
	m.Touch(0, 30, 40) // a tap between two frames
	m.Touch(0, 31, 40)
	m.Lift(0)
	want(t, m, 0, "touch 30,40")
	want(t, m, 0, "")
	m.Touch(0, 3, 250) // off the screen
	want(t, m, 0, "touch 3,191")
}

func TestStylusByStick(t *testing.T) {
	m := usual(nil)
	m.Connect(1, Hardware{Name: "pad"})
	if _, _, shown := m.Cursor(0); shown {
		t.Error("a cursor before the stick moved")
	}
	m.Axis(1, AxisRightX, 32767)
	for range 20 {
		want(t, m, 0, "")
	}
	x, y, shown := m.Cursor(0)
	if !shown || x < 128+60 || y != 96 {
		t.Errorf("cursor %d,%d %v", x, y, shown)
	}
	m.Axis(1, AxisRightX, 0)
	m.Button(1, "rightstick", true)
	want(t, m, 0, fmt.Sprintf("touch %d,%d", x, y))
	m.Button(1, "rightstick", false)
	m.Axis(1, AxisRightX, 32767)
	m.Axis(1, AxisRightY, -32768)
	for range 300 {
		m.Input(0)
	}
	m.Axis(1, AxisRight, 32767) // the trigger puts it down too
	want(t, m, 0, "touch 255,0")
	m.Axis(1, AxisRight, 0)
	m.Axis(1, AxisRightX, 0)
	m.Axis(1, AxisRightY, 0)
	for range pointerShown + 1 {
		m.Input(0)
	}
	if _, _, shown := m.Cursor(0); shown {
		t.Error("the cursor stays for ever")
	}
}

func TestTwoSeats(t *testing.T) {
	m := usual(func(c *config.Config) { c.Pads.Devices = []string{"keyboard", "pad 1"} })
	if got := m.Missing(2); !slices.Equal(got, []int{1}) {
		t.Errorf("missing: %v", got)
	}
	m.Connect(4, Hardware{Name: "pad"})
	m.Key("X", true)
	m.Button(4, "a", true)
	want(t, m, 0, "A")
	want(t, m, 1, "B")
	want(t, m, 2, "")
	want(t, m, -1, "")
	want(t, m, 99, "")
	m.Disconnect(4)
	want(t, m, 1, "")
	want(t, m, 0, "A")
}

// Two players at one keyboard: the second has the second set of keys, unless a controller is
// there; a single player is not disturbed by it.
func TestSecondSetOfKeys(t *testing.T) {
	m := usual(nil)
	m.Key("G", true)
	want(t, m, 0, "")
	m.Key("G", false)
	m.Play(2)
	m.Key("X", true)
	m.Key("F", true)
	m.Key("J", true)
	want(t, m, 0, "A")
	want(t, m, 1, "B+LEFT")
	if got := m.Missing(2); len(got) != 0 {
		t.Errorf("missing: %v", got)
	}
	m.Key("J", false)
	want(t, m, 1, "B")
	m.Connect(4, Hardware{Name: "pad"})
	m.Button(4, "x", true)
	want(t, m, 1, "Y")
	if pads := m.Pads(); len(pads) != 1 || pads[0].Slot != 1 {
		t.Errorf("controllers: %+v", pads)
	}
	m.Disconnect(4)
	m.Play(3)
	if got := m.Missing(3); !slices.Equal(got, []int{2}) {
		t.Errorf("missing: %v", got)
	}
}

// The main thread tells while the session asks.
func TestMapperUnderRace(t *testing.T) {
	m := usual(nil)
	var asking sync.WaitGroup
	asking.Add(1)
	presses := 0
	stop := make(chan struct{})
	go func() {
		defer asking.Done()
		was := false
		for ended := false; !ended; {
			select {
			case <-stop:
				ended = true
			default:
			}
			in := m.Input(0)
			if is := in.Keys&inputdelay.KeyA != 0; is && !was {
				presses++
			} else {
				was = is
			}
		}
	}()
	for i := range 2000 {
		m.Key("X", i%2 == 0)
		m.Touch(0, uint8(i), 5)
		m.Axis(1, AxisLeftX, int16(i))
		if i%100 == 0 {
			m.Connect(1, Hardware{Name: "pad"})
		}
		if i%100 == 50 {
			m.Disconnect(1)
		}
	}
	close(stop)
	asking.Wait()
	if presses == 0 {
		t.Error("no press arrived")
	}
	if in := m.Input(0); in != (emucore.Input{Keys: inputdelay.Touch, X: uint8(1999 & 255), Y: 5}) {
		t.Errorf("at the end %v", in)
	}
}

// TestStylusSpeed: at twice the speed the stylus comes twice as far.
func TestStylusSpeed(t *testing.T) {
	var moved [2]int
	for i := range moved {
		m := usual(func(c *config.Config) { c.Pads.Speed = float64(1 + i) })
		m.Connect(1, Hardware{Name: "pad"})
		m.Axis(1, AxisRightX, 32767)
		for range 10 {
			m.Input(0)
		}
		x, _, shown := m.Cursor(0)
		if moved[i] = int(x) - inputdelay.ScreenWidth/2; !shown {
			t.Error("the stylus is not shown")
		}
	}
	if once := moved[0]; once < 30 || moved[1] < 2*once-1 || moved[1] > 2*once+1 {
		t.Errorf("it moved by %d pixels", moved)
	}
}

// The trial of a controller says of its buttons what they do in a game.
func TestDoes(t *testing.T) {
	mapping := config.Defaults().Pads.MappingOf("any")
	keys, touches := Does(mapping, []string{"b", "dpup", "dpdown", "nothing"})
	if keys != inputdelay.KeyA || touches {
		t.Errorf("%v, touches: %t", keys, touches)
	}
	if keys, touches = Does(mapping, []string{"righttrigger", "x"}); keys != inputdelay.KeyY || !touches {
		t.Errorf("%v, touches: %t", keys, touches)
	}
}
