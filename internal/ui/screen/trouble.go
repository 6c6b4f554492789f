package screen

import (
	"time"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Trouble says that something went wrong, why, and what the player can do. Copy is
// something to type elsewhere, with a button to copy it.
type Trouble struct {
	Title string // a few words
	Words string // a sentence or two
	Hint  string // what to do; may be ""
	Copy  string // may be ""
	Yes   string // what a button says that helps; "" for none
	Do    func() // what it does
}

// Failed is a trouble that an error explains.
func Failed(title string, err error) *Trouble {
	return &Trouble{Title: title, Words: Sentence(err.Error())}
}

// Question shows over everything else until the player answers it.
type Question struct {
	Words, Hint string
	Yes, No     string // what the buttons say
	Do          func() // when the answer is yes
	Harmless    bool   // nothing is lost by it
}

// Toast is a short message that goes away by itself.
type Toast struct {
	Text string
	Good bool // something went as it should
}

// Messages show over every screen.
type Messages struct {
	Question *Question
	Trouble  *Trouble // shown in a box until it is closed
	Toasts   []Toast  // still to be shown
	Wait     string   // what is under way and cannot be stopped, such as "Leaving …"; "" for nothing

	waitsSince time.Duration // when Wait was first seen; 0: it was not
}

// Boxes draws the dialogs that show over every screen.
func (s *Shared) Boxes(u *widgets.UI) {
	if s.waits(u) {
		u.Modal(widgets.Modal{Title: s.Wait, Width: 320, Fixed: true}, func() { u.Progress(widgets.Progress{Value: -1}) })
		return
	}
	if q := s.Question; q != nil {
		kind := widgets.Danger
		if q.Harmless {
			kind = widgets.Primary
		}
		switch u.Ask(q.Words, q.Hint, q.Yes, q.No, kind) {
		case widgets.Yes:
			s.Answer(true)
		case widgets.No:
			s.Answer(false)
		}
		return
	}
	if t := s.Trouble; t != nil {
		buttons := []widgets.Button{{Text: "OK", Name: "close", Kind: widgets.Primary}}
		if t.Yes != "" {
			buttons = []widgets.Button{{Text: "Not now", Name: "close"}, {Text: t.Yes, Name: "helps", Kind: widgets.Primary, Do: t.Do}}
		}
		Dialog(u, widgets.Modal{Name: "trouble", Title: t.Title, Width: 480}, func() { s.Trouble = nil }, func() { s.TroubleWords(u, *t) }, buttons...)
	}
}

// Dialog is a dialog with buttons at its foot. Each of them closes it before it does what it is for,
// and so does Escape.
func Dialog(u *widgets.UI, m widgets.Modal, close, build func(), buttons ...widgets.Button) {
	for i, b := range buttons {
		buttons[i].Do = func() {
			close()
			if b.Do != nil {
				b.Do()
			}
		}
	}
	m.Foot = func() { u.Bar(nil, buttons...) }
	if u.Modal(m, build) {
		close()
	}
}

// waitShown is after how long something under way is shown: most is over before.
const waitShown = 300 * time.Millisecond

// waits reports whether something has been under way for so long that it shows.
func (m *Messages) waits(u *widgets.UI) bool {
	now := u.Input().Now
	switch {
	case m.Wait == "":
		m.waitsSince = 0
		return false
	case m.waitsSince == 0:
		m.waitsSince = now
	}
	if left := m.waitsSince + waitShown - now; left > 0 {
		u.Wake(left)
		return false
	}
	return true
}

// TroubleWords draws a trouble below its title.
func (s *Shared) TroubleWords(u *widgets.UI, t Trouble) {
	u.Paragraph(t.Words)
	if t.Hint != "" {
		u.Message(widgets.Primary, t.Hint)
	}
	s.CopyLine(u, "copy", t.Copy)
}

// Answer answers the question.
func (m *Messages) Answer(yes bool) {
	q := m.Question
	m.Question = nil
	if q != nil && yes {
		q.Do()
	}
}

// Say shows a short message.
func (m *Messages) Say(text string) { m.toast(Toast{Text: text}) }

// Tell shows a short message that something went as it should.
func (m *Messages) Tell(text string) { m.toast(Toast{Text: text, Good: true}) }

func (m *Messages) toast(t Toast) {
	m.Toasts = append(m.Toasts, t)
	m.Toasts = m.Toasts[max(0, len(m.Toasts)-3):]
}
