package screen

import (
	"time"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

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

// TroubleWords draws a trouble below its title.
func (s *Shared) TroubleWords(u *widgets.UI, t Trouble) {
	u.Paragraph(t.Words)
	if t.Hint != "" {
		u.Message(widgets.Primary, t.Hint)
	}
	s.CopyLine(u, "copy", t.Copy)
}
