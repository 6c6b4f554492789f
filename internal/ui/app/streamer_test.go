package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
)

// TestStreamerMode: no screen that has a code, an address or a key writes it, in a tooltip, a field or the window's title
// neither; and without streamer mode some do, so that there is something to find.
func TestStreamerMode(t *testing.T) {
	secrets := []string{"AQEC", sampleInvitation[len("nettplay://join/"):][:20], "7K3P-9W0M", "X4GT", "7K3P-9QXM", "D2FA", "192.168.1.", "203.0.113.", "relay.example", "relay.friends", "friend.example.org:", "00:09:bf"}
	names := []string{"lobby", "lobby-code", "lobby-picture", "lobby-chat", "lobby-client", "joining", "joining-invited", "join-rooms", "home-again", "settings-0", "settings-relays", "check", "online", "play-relay", "watching-connect", "watching"}
	list := append(scenes(), playScenes()...)
	list = append(list, scene{"said", large, inRoom(func(m *Shell) {
		m.session.Room.Lines = []room.Line{{From: "Bob", Text: "come to 203.0.113.9:21204 or " + sampleInvitation}}
	})}, scene{"typed", large, atHome(func(m *Shell) {
		m.join.Open()
		m.join.Form.Address = "203.0.113.7"
	})}, scene{"you", large, settingsScene(settings.PagePlayer, func(m *Shell) { m.Key = "7K3P-9QXM-D2FA" })})
	names = append(names, "said", "typed", "you")
	seen := 0
	for _, s := range list {
		if !slices.Contains(names, s.name) {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			for _, on := range []bool{false, true} {
				streaming := s
				streaming.make = func(t *testing.T) *Shell {
					m := s.make(t)
					m.Config.Video.Streamer = on
					return m
				}
				var found []string
				look := func(text string) {
					for _, secret := range secrets {
						if strings.Contains(text, secret) {
							found = append(found, text)
						}
					}
				}
				for _, w := range inspect(t, streaming, s.size, 1).ui.Canvas().Texts() {
					look(w.Text)
				}
				look(streaming.make(t).title())
				if on && len(found) > 0 {
					t.Errorf("it shows %q", found)
				} else if !on {
					seen += len(found)
				}
			}
		})
	}
	if seen < len(names) {
		t.Errorf("without streamer mode %d texts show a secret: this looks for the wrong ones", seen)
	}
}
