package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// clipboard has what was copied elsewhere.
type clipboard struct{ text string }

func (c *clipboard) Paste() string    { return c.text }
func (c *clipboard) Copy(text string) { c.text = text }

// pasting is a hand with something to paste.
func pasting(t *testing.T, m *Shell, text string) *hand {
	t.Helper()
	h := newHand(t, m, small, 1)
	h.ui = widgets.New(fontsIn(t, m.Store), &clipboard{text})
	h.rest()
	return h
}

func (h *hand) paste() {
	h.frame(func(in *widgets.Input) { in.Press = widgets.KeyPress{Key: widgets.KeyV, Sym: 'v', Mods: widgets.Ctrl} })
	h.rest()
}

// TestPasteAtHomeJoins: an invitation that is pasted on the first screen is all that it takes,
// with whatever a chat put around it. Anything else only says what it is.
func TestPasteAtHomeJoins(t *testing.T) {
	chat := "Ben, 20:14:\n> " + sampleInvitation[:70] + "\n> " + sampleInvitation[70:] + ".\ncome!"
	m := homeShell(t)
	pasting(t, m, chat).paste()
	at(t, m, screen.Joining)
	if got := m.session.Room.Address; got != sampleInvitation {
		t.Errorf("it joins %q", got)
	}
	m = homeShell(t)
	pasting(t, m, "Ann: <"+sampleWeb+">").paste()
	at(t, m, screen.Joining)
	if got := m.session.Room.Address; got != sampleInvitation {
		t.Errorf("by a link of the web it joins %q", got)
	}
	m = homeShell(t)
	pasting(t, m, "re9c x4jk k757 8hf0\n").paste()
	at(t, m, screen.Joining)
	if got := m.session.Room.Address; got != "RE9C-X4JK-K757-8HF0" {
		t.Errorf("by a code it joins %q", got)
	}
	for text, words := range map[string]string{
		"re9c x4jk k757 8hfa": "The code has a typing mistake",
		"hello":               "The copied text contains no invitation", sampleInvitation[:90]: "A part of the invitation is missing",
		strings.Replace(sampleInvitation, "join", "answer", 1): "This is the answer to an invitation",
	} {
		m := homeShell(t)
		h := pasting(t, m, text)
		h.paste()
		at(t, m, screen.Home)
		if !h.says(words) {
			t.Errorf("%q: it says %q", text, h.texts())
		}
	}
}

// Nothing comes also from a program that was too slow to hand its text over, which has lost it then.
func TestPasteOfNothing(t *testing.T) {
	m := homeShell(t)
	h := pasting(t, m, "")
	h.use(t, "paste")
	at(t, m, screen.Home)
	if !h.says("There is no copied text here") {
		t.Errorf("it says %q", h.texts())
	}
}

// TestBothFormsToCopy: where a relay serves the page, the lobby offers the link of the web beside the usual one;
// elsewhere only that.
func TestBothFormsToCopy(t *testing.T) {
	copied := func(v launch.Invitation, name string) (text string) {
		m, _ := hosted(t)
		m.session.Invite(v)
		h := newHand(t, m, tall, 1)
		h.rest()
		for _, target := range h.ui.Targets() {
			if target.Name == name {
				h.click(target.Rect.Center().X, target.Rect.Center().Y)
				break
			}
		}
		for _, c := range calls(m) {
			if c.name == "CopyText" {
				text = c.args[0].(string)
			}
		}
		return text
	}
	both := launch.Invitation{Text: sampleInvitation, Web: sampleWeb}
	if a, b := copied(both, "invitation"), copied(both, "web link"); a != sampleInvitation || b != sampleWeb {
		t.Errorf("copied are %q and %q", a, b)
	}
	if got := copied(launch.Invitation{Text: sampleInvitation}, "web link"); got != "" {
		t.Errorf("without a page it copies %q", got)
	}
}

// TestNotCopied: where the desktop does not take what is copied, nobody is told that it was.
func TestNotCopied(t *testing.T) {
	m := homeShell(t)
	m.Engine.(*recorder).deaf = true
	m.Copy("text", "Copied.")
	if n := len(m.Toasts); n != 1 || !strings.HasPrefix(m.Toasts[0].Text, "Not copied") {
		t.Errorf("it says %+v", m.Toasts)
	}
}

// TestPasteByController: a player without a keyboard joins by what was copied before.
func TestPasteByController(t *testing.T) {
	m := homeShell(t)
	h := pasting(t, m, sampleInvitation)
	m.Go(screen.Join)
	h.rest()
	h.pad(widgets.NavDown, widgets.NavRight, widgets.NavAccept)
	h.rest()
	at(t, m, screen.Joining)
}

// TestPasteAnAnswerInTheLobby: it lets the friend in, wherever the player pastes it.
func TestPasteAnAnswerInTheLobby(t *testing.T) {
	m, c := hosted(t)
	m.session.Invite(launch.Invitation{Text: sampleInvitation})
	pasting(t, m, "here: nettplay://answer/1abc").paste()
	if !slices.Equal(c.said, []string{"let in here: nettplay://answer/1abc"}) {
		t.Errorf("it does %q", c.said)
	}
}

// TestPasteIntoTheChat: what is pasted into a field is for that field, and for nothing else.
func TestPasteIntoTheChat(t *testing.T) {
	m, c := hosted(t)
	h := pasting(t, m, "hello, nettplay://answer/1abc")
	m.lobby.Tab = 1
	h.rest()
	for _, target := range h.ui.Targets() {
		if target.Name == "say" {
			h.click(target.Rect.Center().X, target.Rect.Center().Y)
		}
	}
	h.paste()
	if len(c.said) != 0 || !h.says("hello, nettplay") {
		t.Errorf("it does %q", c.said)
	}
}
