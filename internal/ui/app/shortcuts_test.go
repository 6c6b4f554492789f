package app

import (
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// letter presses a key that writes something, as a window tells of it where nothing is written: without text.
func (h *hand) letter(sym rune, mods widgets.Mods) {
	p := widgets.KeyPress{Key: widgets.KeyA + widgets.Key(sym-'a'), Sym: sym, Name: strings.ToUpper(string(sym)), Mods: mods}
	if sym == ',' {
		p.Key, p.Name = widgets.KeyComma, ","
	}
	h.frame(func(in *widgets.Input) { in.Press, in.Keys = p, []widgets.KeyPress{p} })
	h.rest()
}

// TestChatKeyInLobby: T leads into the chat, in a wide window and in a narrow one, and so does the key that a player chose
// for the chat of a game. F1 says which, and only what is so where the player is.
func TestChatKeyInLobby(t *testing.T) {
	for name, size := range map[string]struct{ large, own bool }{"narrow": {false, false}, "wide": {true, false}, "a key of one's own": {true, true}} {
		t.Run(name, func(t *testing.T) {
			m, c := hosted(t)
			at, key := small, 't'
			if size.large {
				at = large
			}
			if size.own {
				m.Config.Hotkeys.Chat, key = []string{"Tab", "N"}, 'n'
			}
			h := newHand(t, m, at, 1)
			h.rest()
			h.press("F1")
			for _, want := range []string{"Chat with the others", strings.ToUpper(string(key)), "Ctrl+,", "Let in a friend by a copied answer", "In a game"} {
				if !slices.Contains(h.texts(), want) {
					t.Errorf("F1 does not say %q: %q", want, h.texts())
				}
			}
			h.press("F1")
			h.letter('x', 0)
			if h.ring() == "say" {
				t.Error("any letter leads into the chat")
			}
			h.letter(key, 0)
			if h.ring() != "say" {
				t.Fatalf("the ring is on %q", h.ring())
			}
			h.letter(key, 0) // now it is written: the window sends its text besides
			h.write("tea?")
			h.press("Return")
			if got := c.said[len(c.said)-1]; got != "chat tea?" {
				t.Errorf("said is %q", got)
			}
			h.press("Escape", "F1")
			if slices.Contains(h.texts(), "Join by a copied invitation") {
				t.Error("F1 tells of the first screen")
			}
		})
	}
	m := gameScene([]string{"Ann", "Bob"}, 1, nil)(t)
	h := newHand(t, m, large, 1)
	h.rest()
	h.press("F1")
	if texts := h.texts(); slices.Contains(texts, "Here") || slices.Contains(texts, "Ctrl+,") || !slices.Contains(texts, "Tab") {
		t.Errorf("in a game F1 says %q", texts)
	}
}

// TestSettingsByKeys: Ctrl and comma lead to the settings from everywhere, the arrows from the first screen in two
// presses. A game has its keys to itself.
func TestSettingsByKeys(t *testing.T) {
	for _, size := range []image.Point{small, large} {
		h := newHand(t, homeShell(t), size, 1)
		h.rest()
		h.press("Down", "Down", "Down") // the first one lights Host
		if h.ring() != "Settings" {
			t.Errorf("in a window of %v the arrows lead to %q", size, h.ring())
		}
	}
	m := homeShell(t)
	h := newHand(t, m, large, 1)
	h.rest()
	h.letter(',', widgets.Ctrl)
	at(t, m, screen.Settings)
	m.GoBack()
	at(t, m, screen.Home)
	m.Question = &screen.Question{Words: "?", Yes: "Yes", No: "No", Do: func() {}}
	h.rest()
	h.letter(',', widgets.Ctrl)
	at(t, m, screen.Home)
	m.Question = nil

	m, _ = hosted(t)
	h = newHand(t, m, small, 1)
	h.rest()
	h.letter(',', widgets.Ctrl)
	at(t, m, screen.Settings)
	m.GoBack()
	at(t, m, screen.Lobby)
	m.session.Notice(notice.Playing{})
	h.rest()
	h.letter(',', widgets.Ctrl)
	at(t, m, screen.Playing)
}

// TestPressesForAGameStayThere: what was meant for a game that has just ended does nothing in the lobby, by keys and by a
// controller, as long as the player goes on, but for two seconds at most.
func TestPressesForAGameStayThere(t *testing.T) {
	over := func() (*hand, *fakeControl) {
		m, c := hosted(t)
		m.session.Room.Blockers = nil
		m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true))})
		h := newHand(t, m, small, 1)
		h.rest()
		m.session.Notice(notice.Playing{})
		h.rest()
		m.session.Notice(notice.GameOver{})
		at(t, m, screen.Lobby)
		return h, c
	}
	started := func(c *fakeControl) bool { return slices.Contains(c.said, "start") }
	presses := map[string]func(h *hand){
		"Enter": func(h *hand) { h.press("Return") }, "A": func(h *hand) { h.pad(widgets.NavAccept) }, "Start": func(h *hand) { h.pad(widgets.NavForward) },
	}
	for name, press := range presses {
		h, c := over()
		press(h)
		press(h)
		for range 4 { // again and again
			h.in.Now += calmFor - 100*time.Millisecond
			press(h)
		}
		if started(c) {
			t.Errorf("%s starts the next game", name)
		}
		h.in.Now += calmFor
		h.rest() // the window wakes for it
		press(h) // a controller's first press shows where it is
		if press(h); !started(c) {
			t.Errorf("after a pause %s does nothing", name)
		}
	}
	h, c := over()
	for range int(calmMost / (200 * time.Millisecond)) {
		h.in.Now += 180 * time.Millisecond
		h.press("Return")
	}
	if h.press("Return", "Return"); !started(c) {
		t.Error("who presses again and again is never heard")
	}
	h, c = over()
	h.use(t, "start")
	if !started(c) {
		t.Error("the mouse has to wait")
	}
}

// TestLettersInGames: in the list of games letters go to a name, as a window tells of them where nothing is written.
func TestLettersInGames(t *testing.T) {
	m := homeShell(t)
	fullShelf(m)
	m.Core.Core.Wireless = true // else a button stands before the list
	m.games.PickFor(start.ForHost)
	h := newHand(t, m, large, 1)
	h.rest()
	h.press("Down")
	if h.ring() != "games" {
		t.Fatalf("the ring is on %q", h.ring())
	}
	for _, r := range "pu" {
		h.letter(r, 0)
	}
	if got := m.games.Shown()[m.games.Lit].Title; got != "Puzzle" {
		t.Errorf("p and u lead to %q", got)
	}
	h.in.Now += 2 * time.Second
	h.letter('z', widgets.Shift)
	if got := m.games.Shown()[m.games.Lit].Title; got != "Zebra Crossing" || m.games.Query != "" {
		t.Errorf("z leads to %q, searched is %q", got, m.games.Query)
	}
}

// TestSavesByKeys: Delete asks, for the save that games begin with and for an older one, and once more for one that is
// deleted. Saves of one minute are told apart.
func TestSavesByKeys(t *testing.T) {
	m := homeShell(t)
	when := time.Date(2026, 5, 3, 20, 59, 12, 0, time.Local)
	save := func(n int, at time.Time) saves.Save {
		return saves.Save{Number: n, Confirmed: true, Current: n == 9, Deleted: n == 8, Meta: saves.Meta{At: at}}
	}
	m.Go(screen.Saves)
	m.saves.Listed([]files.Kept{{Title: "Pad test", Saves: []saves.Save{save(9, when), save(8, when.Add(-time.Hour)), save(7, when.Add(-7*time.Second)), save(6, when.Add(-2*time.Hour))}}})
	h := newHand(t, m, large, 1)
	h.rest()
	for _, want := range []string{"3 May 2026, 20:59:12", "3 May 2026, 20:59:05", "3 May 2026, 18:59", "deleted"} {
		if !slices.Contains(h.texts(), want) {
			t.Errorf("%q is not said: %q", want, h.texts())
		}
	}
	if k, _ := m.saves.Shown(); k.Saves[3].Number != 8 {
		t.Error("the deleted save is not the last one")
	}
	for _, want := range []struct {
		asks, does string
	}{{"Delete your save?", "DeleteSave"}, {"Delete the save of 3 May 2026, 20:59:05?", "DiscardSave"}, {"Delete the save of 3 May 2026, 18:59?", "DiscardSave"}, {"Delete this save for good?", "DiscardSave"}} {
		h.key(widgets.KeyDelete)
		if m.Question == nil || m.Question.Words != want.asks {
			t.Fatalf("Delete asks %+v, not %q", m.Question, want.asks)
		}
		calls(m)
		m.Answer(true)
		if got := kinds(calls(m)); got != want.does {
			t.Errorf("%q does %q", want.asks, got)
		}
		h.rest()
		h.press("Down")
	}
	m.saves.Listed([]files.Kept{{Title: "Pad test", Saves: []saves.Save{{Number: 3, Confirmed: true, Blank: true}}}})
	h.rest()
	if h.key(widgets.KeyDelete); m.Question != nil {
		t.Errorf("a game that begins anew has %q", m.Question.Words)
	}
}

// TestOlderSaveIsDeleted: an older save is deleted, and used again.
func TestOlderSaveIsDeleted(t *testing.T) {
	d := newDesktop(t)
	m := d.m
	game := saves.Game{SHA256: [32]byte{2}, Title: "Zebra"}
	s, err := saves.Open(d.e.places.Saves, game, saves.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if err := s.Import(slices.Repeat([]byte{byte(n + 1)}, 512), "x.sav"); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	m.Go(screen.Saves)
	d.until("the saves", func() bool { return len(m.saves.List) == 2 })
	m.saves.At, m.saves.Lit = 0, 1
	m.saves.AskDelete()
	m.Answer(true)
	d.until("a deleted one", func() bool { k, _ := m.saves.Shown(); return len(k.Saves) == 2 && k.Saves[1].Deleted })
	m.saves.Lit = 1
	m.saves.AskRestore()
	m.Answer(true)
	d.until("it in use", func() bool {
		k, _ := m.saves.Shown()
		return len(k.Saves) == 3 && k.Saves[0].Current && k.Saves[0].Origin == saves.Restored
	})
}

// TestVolumeByKeys: the volume goes from one end to the other in twenty presses, from wherever it is, and with Shift by one.
func TestVolumeByKeys(t *testing.T) {
	m := homeShell(t)
	m.Config.Audio.Volume = 33
	m.settings.OpenAt(settings.PageAudio)
	h := newHand(t, m, tall, 1)
	h.rest()
	for range 30 {
		if h.ring() == "audio.volume" {
			break
		}
		h.press("Tab")
	}
	volume := func(want int) {
		t.Helper()
		if got := m.Config.Audio.Volume; got != want {
			t.Errorf("the volume is %d, not %d", got, want)
		}
	}
	volume(33) // to show it does not change it
	h.key(widgets.KeyRight)
	volume(35)
	h.key(widgets.KeyRight, widgets.KeyRight)
	volume(45)
	h.frame(func(in *widgets.Input) { in.Press = widgets.KeyPress{Key: widgets.KeyRight, Mods: widgets.Shift} })
	volume(46)
	h.key(widgets.KeyLeft)
	volume(45)
	for range 12 {
		h.key(widgets.KeyRight)
	}
	volume(100)
}

// TestLostKeyIsSaid: where a key was taken, it stands what it does now, until there is another one.
func TestLostKeyIsSaid(t *testing.T) {
	m := homeShell(t)
	m.settings.OpenAt(settings.PageKeys)
	h := newHand(t, m, tall, 1)
	m.settings.Bind("keys.x", m.Config.Keys.B[0], true)
	if want := "none: Z is now “X”"; !slices.Contains(h.texts(), want) {
		t.Errorf("%q is not said: %q", want, h.texts())
	}
	m.settings.Bind("keys.b", "V", true) // not its usual one
	m.settings.Bind("keys.y", "V", true) // which it loses, too
	m.settings.Bind("keys.x", "F", true) // and Z is free
	if want := "none: V is now “Y”"; !slices.Contains(h.texts(), want) {
		t.Errorf("%q is not said: %q", want, h.texts())
	}
	m.settings.Bind("keys.b", "Z", true)
	if h.says("none: V") {
		t.Error("it is said although there is a key")
	}
}

// TestRelayThatIsNone: a relay that does not exist is a warning in the lobby, with the page of the settings that mends it.
func TestRelayThatIsNone(t *testing.T) {
	m := inLobby(t, func(m *Shell) {
		m.session.Invite(launch.Invitation{Text: "nettplay://join/AQEC", Words: "Friends anywhere can join.", Relays: "There is no relay nowhere.example:21206: no server has that name."})
	})
	h := newHand(t, m, tall, 1)
	h.rest()
	if !h.says("There is no relay nowhere.example:21206") {
		t.Fatalf("the lobby says %q", h.texts())
	}
	h.use(t, "relays")
	at(t, m, screen.Settings)
	if !h.says("A relay, such as relay.example.org") {
		t.Errorf("the settings show %q", h.texts())
	}
}

// TestMenuHasWords: what is chosen in the menu of a game has a label, and what is pressed a text.
func TestMenuHasWords(t *testing.T) {
	m := gameScene([]string{"Ann", "Bob"}, 1, func(m *Shell, _ *hub) { m.session.ToggleMenu() })(t)
	h := newHand(t, m, large, 1)
	texts := h.texts()
	for _, want := range []string{"Screen layout", "Picture", "Swap the screens", "More about screens", "Save to continue later"} {
		if !slices.Contains(texts, want) {
			t.Errorf("the menu does not say %q: %q", want, texts)
		}
	}
}
