package room

import (
	"cmp"
	"strings"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Joining shows while the player is on the way into a room, or to the first frame of a
// game alone.
type Joining struct{ *Session }

// Build implements screen.Screen.
func (v Joining) Build(u *widgets.UI) {
	r := cmp.Or(v.Room, &Room{})
	v.Message(u, 460, func() {
		u.Headline(v.title())
		if where := r.where(); where != "" && !r.After {
			u.Paragraph(where)
		}
		if r.Checking != nil {
			u.Progress(widgets.Progress{Value: float64(r.Checking.Done) / float64(r.Checking.All)})
			u.Paragraph(r.Checking.Words)
		} else {
			u.Progress(widgets.Progress{Value: -1})
		}
		v.said(u, r)
		u.Bar(nil, widgets.Button{Text: "Cancel", Name: "cancel", Do: v.Leave})
	})
}

// said draws what the room has said last, and that nobody answers.
func (v Joining) said(u *widgets.UI, r *Room) {
	if len(r.Lines) > 0 {
		u.Note(r.Lines[len(r.Lines)-1].Text)
	}
	if !r.Unanswered {
		return
	}
	u.Paragraph(notice.Unanswered{}.String())
	if r.Invited.Answer {
		u.Button(widgets.Button{Text: "Copy the answer", Name: "answer", Icon: draw.IconCopy, Do: func() { v.Copy(r.Invited.Text, "Copied. Send it to your friend.") }})
	}
}

// where is the room that is joined, in words; "" where the title has said it.
func (r *Room) where() string {
	if r.Called != "" {
		return r.Called
	}
	if r.byInvitation() {
		return ""
	}
	if _, coded, _ := invite.FindCode(r.Address); coded {
		return "by the code " + r.Address
	}
	return r.Address
}

// byInvitation reports whether an invitation says where the room is, and nothing what it is called.
func (r *Room) byInvitation() bool {
	return r.Called == "" && strings.HasPrefix(r.Address, invite.Prefix)
}

func (v Joining) title() string {
	r := v.Room
	switch {
	case r == nil:
		return "One moment …"
	case r.After:
		return "Leaving the last room …"
	case r.Checking != nil:
		return "Checking the core …"
	case r.Local > 0:
		return "Starting " + phrase.Count(r.Local, "console") + " …"
	case r.Hosting:
		return "Opening the room …"
	case r.byInvitation():
		return "Joining by invitation …"
	}
	return "Connecting …"
}
