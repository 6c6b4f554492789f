package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/pads"
)

// TestPlayersBeside: friends on the sofa join with the player, in the form or in the
// lobby, and are there the next time.
func TestPlayersBeside(t *testing.T) {
	m := homeModel(t)
	m.GoHost()
	m.Pick(m.Games.Games[0])
	m.SitBeside()
	m.NameBeside(0, "ながすぎるなまえのひとです")
	if m.besideProblem(m.Beside[0]) == "" || len(m.besides()) != 0 {
		t.Errorf("a name that no console has room for plays: %q", m.Beside)
	}
	m.NameBeside(0, "Amy")
	m.Commands()
	m.OpenRoom()
	list := m.Commands()
	if open := list[len(list)-1].(OpenSession); !slices.Equal(open.Beside, []string{"Amy"}) || open.Host.Players != 3 {
		t.Errorf("opens %+v", open)
	}
	c := &fakeControl{}
	m.Opened(c)
	amy := player(1, 0, "Amy", true)
	amy.Local = 1
	full := room(host.PhaseLobby, player(0, 0, "Ann", true), amy, player(2, 1, "Bob", true), player(3, 2, "Eve", true))
	m.Notice(session.RoomNotice{Room: full})
	if m.Room.Me != 0 {
		t.Errorf("my seat is %d", m.Room.Me)
	}
	if !m.mayCome() {
		t.Error("the game host cannot make room for one more")
	}
	m.SitBeside()
	m.GetUp(0)
	if got := fmt.Sprint(c.said); got != "[settings beside Amy,Ann 3 beside Ann 3]" || c.settings.Seats != 5 {
		t.Errorf("of the session is wanted %s, %d seats", got, c.settings.Seats)
	}
	if !slices.Equal(m.Memory.Beside, []string{"Ann 3", "Ann 3"}) {
		t.Errorf("remembered: %q", m.Memory.Beside)
	}
	m.Notice(session.Playing{Room: full})
	if m.mayCome() {
		t.Error("somebody may sit down in the middle of a game")
	}
}

// TestJoinerWithoutSeats: in somebody else's room there must be a seat.
func TestJoinerWithoutSeats(t *testing.T) {
	m := homeModel(t)
	m.GoJoin()
	m.Join.Address = "friend.example"
	m.EnterRoom()
	m.Opened(&fakeControl{})
	r := room(host.PhaseLobby, player(0, 0, "Bob", true), player(1, 1, "Ann", true))
	m.Notice(session.RoomNotice{Room: r, Me: 1})
	if !m.mayCome() || m.Room.Me != 1 {
		t.Errorf("with two of four seats taken; my seat is %d", m.Room.Me)
	}
	r.Settings.Seats = 2
	m.Notice(session.RoomNotice{Room: r, Me: 1})
	if m.mayCome() {
		t.Error("somebody may sit down in a full room")
	}
}

// TestDevicesOfPlayers: each console has a device; who takes another's gives theirs.
func TestDevicesOfPlayers(t *testing.T) {
	m := homeModel(t)
	m.SitBeside()
	m.SitBeside()
	devices := func(want string) {
		t.Helper()
		var got []string
		for i := range 3 {
			got = append(got, m.Device(i, 3))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("devices %q, want %s", got, want)
		}
	}
	devices("any, pad 1, pad 2")
	m.SetDevice(0, 3, "pad 2")
	devices("pad 2, pad 1, any")
	m.SetDevice(1, 3, "keyboard")
	devices("pad 2, keyboard, any")
	m.GetUp(0)
	if a, b := m.Device(0, 2), m.Device(1, 2); a != "pad 2" || b != "any" {
		t.Errorf("when the second player has got up: %q, %q", a, b)
	}
	m.Pads = []pads.Pad{{Slot: 2, Name: "Xbox\x07 360"}, {Slot: 7, Name: "Other"}}
	values, names := m.deviceOptions("my pad")
	if !slices.Contains(values, "pad 7") || !slices.Contains(values, "my pad") {
		t.Errorf("devices to choose from: %q", values)
	}
	if got := names[slices.Index(values, "pad 2")]; got != "Pad 2: Xbox 360" {
		t.Errorf("a controller is called %q", got)
	}
	if got := names[slices.Index(values, "pad 1")]; got != "Pad 1 (not plugged in)" {
		t.Errorf("a controller that is not there is called %q", got)
	}
}

func TestLineWords(t *testing.T) {
	p := player(1, 1, "Bob", true)
	for loss, want := range map[int]string{0: "48 ms ±3", 4: "48 ms ±3", 12: "48 ms ±3 · 1.2 % lost", 54: "48 ms ±3 · 5 % lost", 1000: "48 ms ±3 · 100 % lost"} {
		if p.Loss = loss; lineWords(p, 0) != want {
			t.Errorf("a loss of %d: %q, want %q", loss, lineWords(p, 0), want)
		}
	}
	p.Local = 1
	if lineWords(p, 0) != "" || lineWords(player(0, 0, "Ann", true), 0) != "host" {
		t.Errorf("beside: %q, host: %q", lineWords(p, 0), lineWords(player(0, 0, "Ann", true), 0))
	}
}
