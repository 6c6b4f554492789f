package room

import (
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Joining shows while the player is on the way into a room, or to the first frame of a
// game alone.
type Joining struct{ *Session }

// Build implements screen.Screen.
func (v Joining) Build(u *widgets.UI) {
	r := v.Place(u, 460)
	u.In(r, func() {
		u.Space(max((r.H-220)/2, 0))
		u.Card(func() {
			u.Heading(v.title())
			if r := v.Room; r != nil && r.Address != "" {
				u.Paragraph(r.Address)
			}
			u.Progress(widgets.Progress{Value: -1})
			if lines := v.Room; lines != nil && len(lines.Lines) > 0 {
				u.Note(lines.Lines[len(lines.Lines)-1].Text)
			}
			u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
				u.Space(0)
				if u.Button(widgets.Button{Text: "Cancel", Name: "cancel"}) {
					v.Leave()
				}
			})
		})
	})
}

func (v Joining) title() string {
	r := v.Room
	switch {
	case r == nil:
		return "One moment …"
	case r.Local > 0:
		return "Starting " + screen.Count(r.Local, "console") + " …"
	case r.Hosting:
		return "Opening the room …"
	}
	return "Connecting …"
}
