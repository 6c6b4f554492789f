package app

import (
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/helping"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// helps are the ways in which it goes that friends meet here.
func helps() map[string]helping.State {
	return map[string]helping.State{
		"asking": {On: true, Reach: helping.Asking, Words: "Asking your router to let friends in …"},
		"open":   {On: true, Reach: helping.Open, Words: "Friends get through: your router lets them in (UPnP).", At: "203.0.113.7:21206", AtSix: "[2001:db8:1234:5678:9abc:def0:1234:5678]:21206", Meet: 3, Rooms: 1, Bytes: 12_300_000},
		"six":    {On: true, Reach: helping.SixOnly, Words: "Friends who have IPv6 get through, others do not.", At: "[2001:db8:1234:5678:9abc:def0:1234:5678]:21206", AtSix: "[2001:db8:1234:5678:9abc:def0:1234:5678]:21206"},
		"closed": {On: true, Reach: helping.Closed, Words: "Friends do not get through: your router did not open UDP port 21206 by itself. Switch on UPnP in the router, or forward UDP port 21206 to this computer there. Or let another friend help.", At: "203.0.113.7:21206"},
	}
}

// helpScenes are the screens that say how it goes that friends meet here.
func helpScenes() (list []scene) {
	for name, s := range helps() {
		list = append(list,
			scene{"settings-help-" + name, tall, settingsScene(settings.PageNetwork, func(m *Shell) {
				m.settings.Change(func(c *config.Config) { c.Net.HelpFriends = true })
				m.Helping = s
			})},
			scene{"home-help-" + name, large, withGames(func(m *Shell) { m.Helping = s })})
	}
	slices.SortFunc(list, func(a, b scene) int { return strings.Compare(a.name, b.name) })
	return append(list, scene{"home-help-again-small", small, cameBack(func(m *Shell) { m.Helping = helps()["open"] })})
}

// TestHelpIsShownAndStopped: the home screen says that friends meet here and who does, its buttons copy the address and stop it,
// after a question while somebody meets; so does the end of the program. Where friends do not get through, it leads to why.
func TestHelpIsShownAndStopped(t *testing.T) {
	m := withGames(func(m *Shell) {
		m.settings.Set(func(c *config.Config) { c.Net.HelpFriends = true })
	})(t)
	if c := calls(m); !wants(c, "HelpFriends") {
		t.Errorf("commands %v", c)
	}
	h := newHand(t, m, large, 1)
	if h.rest(); strings.Contains(strings.Join(h.texts(), " "), "Stop") {
		t.Errorf("it says %q before it runs", h.texts())
	}
	m.Helping = helps()["open"]
	if h.rest(); !h.says("Friends can meet here: 3 computers in 1 room now, 12.3 MB carried") {
		t.Errorf("it says %q", h.texts())
	}
	focus(t, h, "help copy")
	h.pad(widgets.NavAccept)
	if c := calls(m); !wants(c, "CopyText", "203.0.113.7:21206") {
		t.Errorf("commands %v do not copy the address", c)
	}
	m.session.AskClose()
	if m.Question == nil || !strings.Contains(m.Question.Words, "3 computers meet here now") {
		t.Fatalf("the program ends with the question %+v", m.Question)
	}
	m.Answer(false)
	focus(t, h, "help stop")
	h.pad(widgets.NavAccept)
	if m.Question == nil || !m.Config.Net.HelpFriends {
		t.Fatal("it stops without a question")
	}
	m.Answer(true)
	if c := calls(m); m.Config.Net.HelpFriends || !wants(c, "HelpFriends") || !wants(c, "SaveSettings") {
		t.Errorf("it goes on: %v", c)
	}
	m.Helping = helps()["closed"]
	h.rest()
	focus(t, h, "help why")
	h.pad(widgets.NavAccept)
	h.rest()
	if m.Current != screen.Settings || !h.says("forward UDP port 21206") {
		t.Errorf("%v says %q", m.Current, h.texts())
	}
}

// TestWindowHelpsFriends: with the setting on, the window's program is a relay, which another machine's finds; each change of the
// setting counts at once, also amid a start, and the end of the program ends it.
func TestWindowHelpsFriends(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	must.Succeed(t, err)
	port := conn.LocalAddr().(*net.UDPAddr).Port
	at := conn.LocalAddr().String()
	conn.Close()
	posted := make(chan func(*Shell), 100)
	e := newEngine(Places{}, "test", nil, func(do func(*Shell)) { posted <- do })
	m := withGames(func(*Shell) {})(t)
	m.settings.Set(func(c *config.Config) {
		c.Net.HelpFriends, c.Net.HelpPort, c.Net.Bind, c.Net.Forward, c.Net.STUN = true, port, "127.0.0.1", false, nil
	})
	answers := func() bool { return doctor.ProbeRelay(t.Context(), "", at).Mark == doctor.Good }
	until := func(what string, is func() bool) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); !is(); {
			select {
			case do := <-posted:
				do(m)
			case <-time.After(10 * time.Millisecond):
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %+v", what, m.Helping)
			}
		}
	}
	e.shell = m
	for _, c := range calls(m) {
		if c.name == "HelpFriends" {
			e.HelpFriends()
		}
	}
	until("it runs", func() bool { return m.Helping.On && m.Helping.Reach == helping.Closed && answers() })
	m.settings.Set(func(c *config.Config) { c.Net.HelpFriends = false })
	e.HelpFriends()
	until("it is off", func() bool { return !m.Helping.On && !answers() })
	m.settings.Set(func(c *config.Config) { c.Net.HelpFriends = true })
	e.HelpFriends()
	until("it runs again", answers)
	e.close()
	if answers() {
		t.Error("the relay is there after the end of the program")
	}
}
