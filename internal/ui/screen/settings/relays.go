package settings

import (
	"net"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// relayTest is the last test of a relay.
type relayTest struct {
	running bool
	found   doctor.Finding // if it does not run
}

// AskRelay tests a relay.
func (v *Screen) AskRelay(name string) {
	v.relays[name] = relayTest{running: true}
	v.engine.TestRelay(name)
}

// RelayTested takes what came of a test.
func (v *Screen) RelayTested(name string, f doctor.Finding) {
	if _, asked := v.relays[name]; asked {
		v.relays[name] = relayTest{found: f}
	}
}

// relayList is the setting with the relays: each can be tested and removed, and one added.
func (v *Screen) relayList(u *widgets.UI, r row) {
	v.heading(u, r)
	u.Note(config.Help(r.key))
	list := v.draft().Net.Relays
	for _, name := range list {
		u.Scope(name, func() { v.relay(u, name) })
	}
	if len(list) < config.MaxRelays {
		v.addLine(u, r.key, "A relay, such as relay.example.org", func(typed string) {
			v.add(r.key, withPort(typed), func(c *config.Config) *[]string { return &c.Net.Relays })
		})
	}
	v.Offered(r.key)
	u.Space(8)
}

// relay is one of the list, and how it went with it.
func (v *Screen) relay(u *widgets.UI, name string) {
	t := v.relays[name]
	u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto, widgets.Auto), func() {
		u.Icon(draw.IconSignal, widgets.Normal)
		u.Label(name)
		u.Buttons(
			widgets.Button{Text: "Test", Name: "test", Disabled: t.running, Tip: "Asks whether it answers, and measures the ping", Do: func() { v.AskRelay(name) }},
			v.removal("Stop using it", "Remove the relay "+name+"?", "You can add it again.", func(c *config.Config) {
				delete(v.relays, name)
				c.Net.Relays = without(c.Net.Relays, name)
			}))
	})
	switch {
	case t.running:
		u.Note("Asking " + name + " …")
	case t.found.Words != "":
		kind := widgets.Good
		if t.found.Mark != doctor.Good {
			kind = widgets.Warning
		}
		u.Message(kind, t.found.Words)
	}
}

// withPort adds the port that relays have to a name that has none.
func withPort(name string) string {
	name = strings.TrimSpace(name)
	if _, _, err := net.SplitHostPort(name); err == nil {
		return name
	}
	return net.JoinHostPort(strings.Trim(name, "[]"), strconv.Itoa(relay.Port))
}
