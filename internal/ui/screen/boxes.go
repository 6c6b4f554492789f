package screen

import (
	"cmp"
	"time"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Boxes draws the dialogs that show over every screen.
func (s *Shared) Boxes(u *widgets.UI) {
	if s.waiting.For(u, s.Wait != "", waitShown) {
		u.Modal(widgets.Modal{Title: s.Wait, Width: 320, Fixed: true}, func() { u.Progress(widgets.Progress{Value: -1}) })
		return
	}
	if q := s.Question; q != nil {
		kind := widgets.Danger
		if q.Harmless {
			kind = widgets.Primary
		}
		if q.Else != "" {
			Dialog(u, widgets.Modal{Name: "question", Title: q.Words, Width: 480}, func() { s.Answer(false) }, func() { u.Paragraph(q.Hint) },
				widgets.Button{Text: q.No, Name: "no", Default: kind == widgets.Danger}, widgets.Button{Text: q.Else, Name: "else", Do: q.DoElse},
				widgets.Button{Text: q.Yes, Name: "yes", Kind: kind, Default: true, Do: q.Do})
			return
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

// Lasting measures for how long something has been so.
type Lasting struct{ since time.Duration } // 0: it is not

// For reports whether something that is so now has been so for long. Until then it has a picture made in time.
func (l *Lasting) For(u *widgets.UI, is bool, long time.Duration) bool {
	if !is {
		l.since = 0
		return false
	}
	now := u.Input().Now
	l.since = cmp.Or(l.since, now)
	left := l.since + long - now
	if left > 0 {
		u.Wake(left)
	}
	return left <= 0
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
	u.Message(widgets.Primary, t.Hint)
	s.CopyLine(u, "copy", t.Copy)
}
