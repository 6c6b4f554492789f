package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// said is what a screen says, however its lines are broken: Japanese has no spaces where they are.
func (p *inspected) said() string {
	all := ""
	for _, w := range p.ui.Canvas().Texts() {
		all += " " + w.Text
	}
	return strings.Join(strings.Fields(all), "")
}

// TestEveryTextFollowsTheLanguage: a screen that shows when another language is chosen says every text in it at once: the
// same as one that was never shown in English, and back again.
func TestEveryTextFollowsTheLanguage(t *testing.T) {
	if must.RaceDetector {
		t.Skip("there is nothing that runs beside it, and it takes long")
	}
	codes := slices.DeleteFunc(language.Codes(), func(code string) bool { return code == "en" })
	all := append(scenes(), playScenes()...)
	for i, s := range all {
		if likeAnother(s.name, all) {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			to, err := language.Open(codes[i%len(codes)])
			must.Succeed(t, err)
			p, fresh := inspect(t, s, s.size, 1), inspectIn(t, to, s, s.size, 1)
			english := p.said()
			p.ui.SetLanguage(to)
			p.frame(0)
			if got, want := p.said(), fresh.said(); got != want {
				t.Errorf("in %s the screen says\n%q, and one that is new\n%q", to.Code(), got, want)
			}
			p.ui.SetLanguage(nil)
			p.frame(0)
			if got := p.said(); got != english {
				t.Errorf("back in English the screen says\n%q\nand said\n%q", got, english)
			}
		})
	}
}

// TestLanguageInSettings: the language that is chosen in the settings is spoken from the next picture on, without a restart.
func TestLanguageInSettings(t *testing.T) {
	t.Setenv(language.Variable, "")
	m := homeShell(t)
	m.Config.Video.Language = "en"
	m.Go(screen.Settings)
	h := newHand(t, m, large, 1)
	hub := newHub(m.Config, m.Store, func() {})
	defer hub.close()
	p := &program{shell: m, ui: h.ui, hub: hub}
	p.applied = p.wanted()
	p.speak()
	if h.rest(); !h.says("Settings") || !h.says("Nickname") {
		t.Fatalf("in English the settings say %q", h.texts())
	}
	for code, want := range map[string][]string{"ja": {"設定", "ニックネーム"}, "de": {"Einstellungen", "Name"}, "en": {"Settings", "Nickname"}} {
		m.settings.Change(func(c *config.Config) { c.Video.Language = code })
		p.apply()
		h.rest()
		for _, text := range want {
			if !h.says(text) {
				t.Errorf("in %s the settings do not say %q: %q", code, text, h.texts())
			}
		}
	}
}

// TestNamesAreNotTranslated: whoever is called as something else in the window is called so in every language.
func TestNamesAreNotTranslated(t *testing.T) {
	to, err := language.Open("de")
	must.Succeed(t, err)
	for _, name := range []string{"Player", "Ready", "Cancel"} {
		if to.Say(name) == name {
			t.Fatalf("%s says nothing in German", name)
		}
		m := inLobby(t, func(m *Shell) {
			m.session.Room.Room.Players[0].Nickname, m.session.Room.Room.Players[1].Nickname = name, name
		})
		h := newHand(t, m, tall, 1)
		h.ui.SetLanguage(to)
		h.rest()
		if !h.shows(name+"  (du)") || !h.shows(name) {
			t.Errorf("%s is not in %q", name, h.texts())
		}
	}
}
