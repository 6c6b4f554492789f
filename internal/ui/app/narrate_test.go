package app

import (
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// listener hears what is read aloud of a window.
type listener struct {
	*hand
	n narrator
}

func (l *listener) hears() string {
	l.rest()
	told := l.m.told
	l.m.told = nil
	return l.n.next(l.ui.Heard(), told)
}

func listening(t *testing.T, m *Shell) *listener {
	m.Config.Audio.Speak = true
	l := &listener{hand: newHand(t, m, large, 1)}
	if text := l.hears(); text != "" {
		t.Errorf("before any key %q is said", text)
	}
	return l
}

// TestWhatHasTheKeyboardIsSaid: who goes through the window by keys hears the page once, then each widget with its label and
// its value, items of lists, options that drop down, dialogs, and short messages.
func TestWhatHasTheKeyboardIsSaid(t *testing.T) {
	m := settingsScene(settings.PagePlayer, nil)(t)
	l := listening(t, m)
	l.goTo(t, "player.nickname")
	if got := l.hears(); got != "Settings. Nickname, Ann" {
		t.Errorf("the nickname is said as %q", got)
	}
	if got := l.hears(); got != "" {
		t.Errorf("again is said %q", got)
	}
	l.goTo(t, "player.language")
	if got := l.hears(); got != "Language of the games, English" {
		t.Errorf("a choice is said as %q", got)
	}
	l.press("Return")
	l.rest()
	if got := l.hears(); got != "English" {
		t.Errorf("what drops down is said as %q", got)
	}
	l.press("Down")
	if got := l.hears(); got != "French" {
		t.Errorf("the next option is said as %q", got)
	}
	l.press("Escape")

	m = settingsScene(settings.PageAudio, nil)(t)
	l = listening(t, m)
	for _, c := range [][2]string{{"audio.volume", "Volume, 100%"}, {"audio.chime", "Notification sound, on"}} {
		l.goTo(t, c[0])
		if got := strings.TrimPrefix(l.hears(), "Settings. "); got != c[1] {
			t.Errorf("%s is said as %q", c[0], got)
		}
	}
	l.press("Return")
	if got := l.hears(); got != "Notification sound, off" {
		t.Errorf("a change is said as %q", got)
	}

	m = atHome(manyRecordings)(t)
	l = listening(t, m)
	l.press("Down")
	if got := l.hears(); !strings.HasPrefix(got, "Recordings. Monster Trainers: The Very Long Subtitle of This Edition, ") || !strings.Contains(got, "3 May 2026") || strings.Contains(got, "Advance Racer") {
		t.Errorf("an item is said as %q", got)
	}
	l.key(widgets.KeyDelete)
	l.rest()
	if got := l.hears(); !strings.HasPrefix(got, "Delete this recording? ") || !strings.Contains(got, "It cannot be brought back") || !strings.HasSuffix(got, ". Cancel") {
		t.Errorf("a question is said as %q", got)
	}
	m.Answer(false)
	m.Tell("Copied.")
	if got := l.hears(); !strings.HasPrefix(got, "Copied. ") {
		t.Errorf("a message is said as %q", got)
	}
}

// TestSecretsAreNotSaid: neither a password that is written nor what streamer mode hides is read aloud.
func TestSecretsAreNotSaid(t *testing.T) {
	m := atHome(func(m *Shell) {
		m.Go(screen.Join)
		m.join.Form.Password, m.join.Form.Address = "opensesame", "203.0.113.7"
		m.Config.Video.Streamer = true
	})(t)
	l := listening(t, m)
	for range 12 {
		l.press("Tab")
		if got := l.hears(); strings.Contains(got, "opensesame") || strings.Contains(got, "203.0.113.7") || strings.Contains(got, "•") {
			t.Errorf("said is %q", got)
		}
	}
}

// TestSaidInTheLanguage: what is read aloud is what is written.
func TestSaidInTheLanguage(t *testing.T) {
	to, err := language.Open("de")
	must.Succeed(t, err)
	m := settingsScene(settings.PageAudio, nil)(t)
	l := listening(t, m)
	l.ui.SetLanguage(to)
	l.goTo(t, "audio.chime")
	if got, want := l.hears(), to.Say("Settings")+". "+to.Say("Notification sound")+", "+to.Say("on"); got != want {
		t.Errorf("said is %q, not %q", got, want)
	}
}

// TestSpeakIsOff: without the setting nothing is kept to be said.
func TestSpeakIsOff(t *testing.T) {
	if d := config.Defaults(); d.Audio.Speak {
		t.Error("it is on by default")
	}
	m := homeShell(t)
	h := newHand(t, m, large, 1)
	m.Tell("Copied.")
	if h.rest(); len(m.told) != 0 {
		t.Errorf("kept is %q", m.told)
	}
}
