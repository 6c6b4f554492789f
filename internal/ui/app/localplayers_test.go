package app

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
)

// TestAloneWithOneKeyboard: who plays two consoles with a keyboard alone has a second set of
// keys, reads which, and can choose other devices.
func TestAloneWithOneKeyboard(t *testing.T) {
	m := homeShell(t)
	m.games.PickFor(start.ForAlone)
	m.games.Pick(m.Games.Games[0])
	h := newHand(t, m, image.Pt(640, 480), 1)
	if words := h.texts(); slices.Contains(words, "Console 1") {
		t.Errorf("a single console has a choice of devices: %q", words)
	}
	m.alone.Consoles = 2
	h.rest()
	words := strings.Join(h.texts(), "\n")
	for _, want := range []string{"Console 2", "Any device", "Keyboard, second set", "The cross: I J K L. A, B, X, Y: G F T R."} {
		if !strings.Contains(words, want) {
			t.Errorf("the form does not say %q:\n%s", want, words)
		}
	}
	m.settings.SetDevice(1, 2, "keyboard")
	m.settings.SetDevice(0, 2, "keyboard 2")
	if got := m.Config.Pads.Devices; !slices.Equal(got, []string{"keyboard 2", "keyboard"}) {
		t.Errorf("the devices are %q", got)
	}
}

// TestLocalPlayers: friends at the same machine join with the player, in the form or in the
// lobby, and are there the next time.
func TestLocalPlayers(t *testing.T) {
	m := homeShell(t)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.local.Add()
	m.local.Rename(0, "ながすぎるなまえのひとです")
	if m.local.Problem(m.local.Names[0]) == "" || len(m.local.Named()) != 0 {
		t.Errorf("a name that no console has room for plays: %q", m.local.Names)
	}
	m.local.Rename(0, "Amy")
	calls(m)
	m.host.OpenRoom()
	list := calls(m)
	if open := list[len(list)-1].args[0].(room.OpenSession); !slices.Equal(open.LocalPlayers, []string{"Amy"}) || open.Host.Seats != 3 {
		t.Errorf("opens %+v", open)
	}
	c := &fakeControl{}
	m.session.Opened(c)
	amy := playerIn(1, 0, "Amy", true)
	amy.Local = 1
	full := testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), amy, playerIn(2, 1, "Bob", true), playerIn(3, 2, "Eve", true))
	m.session.Notice(notice.RoomNotice{Room: full})
	if mine, there := m.session.Room.Mine(); !there || mine.Seat != 0 {
		t.Errorf("my seat is %d", mine.Seat)
	}
	if !m.local.MayAdd() {
		t.Error("the game host cannot make room for one more")
	}
	m.local.Add()
	m.local.Remove(0)
	if got := fmt.Sprint(c.said); got != "[settings local Amy,Ann 3 local Ann 3]" || c.settings.Seats != 5 {
		t.Errorf("of the session is wanted %s, %d seats", got, c.settings.Seats)
	}
	if !slices.Equal(m.Memory.LocalPlayers, []string{"Ann 3", "Ann 3"}) {
		t.Errorf("remembered: %q", m.Memory.LocalPlayers)
	}
	m.session.Notice(notice.Playing{Room: full})
	if m.local.MayAdd() {
		t.Error("somebody may sit down in the middle of a game")
	}
}

// TestJoinerWithoutSeats: in somebody else's room there must be a seat.
func TestJoinerWithoutSeats(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Join)
	m.join.Form.Address = "friend.example"
	m.join.EnterRoom()
	m.session.Opened(&fakeControl{})
	r := testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Bob", true), playerIn(1, 1, "Ann", true))
	m.session.Notice(notice.RoomNotice{Room: r, Me: 1})
	if mine, _ := m.session.Room.Mine(); !m.local.MayAdd() || mine.Seat != 1 {
		t.Errorf("with two of four seats taken; my seat is %d", mine.Seat)
	}
	r.Settings.Seats = 2
	m.session.Notice(notice.RoomNotice{Room: r, Me: 1})
	if m.local.MayAdd() {
		t.Error("somebody may sit down in a full room")
	}
}

// TestDevicesOfPlayers: each console has a device; who takes another's gives theirs.
func TestDevicesOfPlayers(t *testing.T) {
	m := homeShell(t)
	m.Pads = []pads.Pad{{Slot: 1}, {Slot: 2}}
	m.local.Add()
	m.local.Add()
	devices := func(want string) {
		t.Helper()
		var got []string
		for i := range 3 {
			got = append(got, m.settings.Device(i, 3))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("devices %q, want %s", got, want)
		}
	}
	devices("any, pad 1, pad 2")
	m.settings.SetDevice(0, 3, "pad 2")
	devices("pad 2, pad 1, any")
	m.settings.SetDevice(1, 3, "keyboard")
	devices("pad 2, keyboard, any")
	m.local.Remove(0)
	if a, b := m.settings.Device(0, 2), m.settings.Device(1, 2); a != "pad 2" || b != "any" {
		t.Errorf("when the second player has got up: %q, %q", a, b)
	}
	m.Pads = []pads.Pad{{Slot: 2, Name: "Xbox\x07 360"}, {Slot: 7, Name: "Other"}}
	values, names := m.settings.DeviceOptions("my pad")
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
