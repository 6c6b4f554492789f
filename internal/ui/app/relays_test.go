package app

import (
	"context"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// relayScenes are the relays in the settings.
func relayScenes() []scene {
	relays := settingsScene(settings.PageNetwork, func(m *Shell) {
		list := []string{"relay.example.org:21206", "a-relay-with-a-very-long-name.friends.example.net:21206"}
		m.settings.Change(func(c *config.Config) { c.Net.Relays = list })
		for _, name := range list {
			m.settings.AskRelay(name)
		}
		m.settings.RelayTested(list[0], doctor.Finding{Words: list[0] + " answers in 24 ms."})
		m.settings.RelayTested(list[1], doctor.Finding{Words: list[1] + " does not answer.", Mark: doctor.Fair})
	})
	return []scene{
		{"settings-relays", tall, relays},
		{"settings-relays-full-small", small, func(t *testing.T) *Shell {
			m := relays(t)
			m.settings.Change(func(c *config.Config) { c.Net.Relays = append(c.Net.Relays, "192.0.2.7:21206") })
			m.settings.AskRelay("192.0.2.7:21206")
			return m
		}},
	}
}

// onNetworkPage shows the settings of the network.
func onNetworkPage(t *testing.T) *hand {
	m := settingsScene(settings.PageNetwork, nil)(t)
	calls(m)
	h := newHand(t, m, tall, 1)
	h.rest()
	return h
}

// focus leads the ring to a widget.
func focus(t *testing.T, h *hand, name string) {
	t.Helper()
	i := slices.IndexFunc(h.ui.Targets(), func(g widgets.Target) bool { return g.Name == name })
	if i < 0 {
		t.Fatalf("no %s: %+v", name, h.ui.Targets())
	}
	h.ui.SetFocus(h.ui.Targets()[i].ID)
	h.rest()
}

// TestRelaysInSettings: a relay is added, tested and removed, by keys, by mouse and by pad.
func TestRelaysInSettings(t *testing.T) {
	const first, second = "relay.example.org:21206", "192.0.2.7:400"
	h := onNetworkPage(t)
	relays := func(want ...string) {
		t.Helper()
		if !slices.Equal(h.m.Config.Net.Relays, want) {
			t.Fatalf("relays %q, want %q", h.m.Config.Net.Relays, want)
		}
	}
	asks := func(name string) {
		t.Helper()
		if c := calls(h.m); !wants(c, "TestRelay", name) {
			t.Errorf("commands %v do not ask %s", c, name)
		}
	}
	focus(t, h, "net.relays")
	h.write("relay.example.org") // the port is the usual one
	h.press("Return")
	relays(first)
	h.write(second)
	h.clickText("Add")
	relays(first, second)
	h.write(first) // that is there
	h.press("Return")
	relays(first, second)

	h.clickText("Test")
	asks(first)
	if h.rest(); !h.says("Asking " + first + " …") {
		t.Errorf("it says %q", h.texts())
	}
	h.m.settings.RelayTested(first, doctor.Finding{Words: "It answers in 9 ms."})
	if h.rest(); !h.says("It answers in 9 ms.") || h.says("Asking "+first+" …") {
		t.Errorf("it says %q", h.texts())
	}
	focus(t, h, "test")
	h.pad(widgets.NavAccept)
	asks(first)
	focus(t, h, "remove")
	h.pad(widgets.NavAccept)
	if relays(first, second); h.m.Question == nil {
		t.Fatal("a relay goes without a question")
	}
	h.m.Answer(true)
	relays(second)
	h.m.settings.RelayTested(first, doctor.Finding{Words: "It is too late."})
	if h.rest(); h.says("It is too late.") {
		t.Error("a relay that was removed still answers")
	}
	focus(t, h, "net.relays")
	h.write(" no, address")
	h.press("Return")
	relays(second)
	if len(h.m.settings.Problems) > 0 {
		t.Errorf("problems are left: %v", h.m.settings.Problems)
	}
}

// TestRelayIsAsked: the button asks the relay itself.
func TestRelayIsAsked(t *testing.T) {
	udp, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var jobs sync.WaitGroup
	jobs.Go(func() { _, _ = service.Run(ctx, service.Config{Limits: relay.Limits{}.WithDefaults(), UDP: udp}) })
	defer jobs.Wait()
	defer stop()
	posted := make(chan func(*Shell), 4)
	e := newEngine(Places{}, "test", nil, func(do func(*Shell)) { posted <- do })
	defer e.close()
	m, name := settingsScene(settings.PageNetwork, nil)(t), udp.LocalAddr().String()
	m.settings.Change(func(c *config.Config) { c.Net.Relays = []string{name} })
	m.settings.AskRelay(name)
	e.shell = m
	e.TestRelay(name)
	(<-posted)(m)
	h := newHand(t, m, tall, 1)
	h.rest()
	if all := strings.Join(h.texts(), " "); !strings.Contains(all, name+" answers in ") {
		t.Errorf("it says %q", all)
	}
}
