package start

import (
	"cmp"
	"strings"

	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// The commands of an examination of this machine.
type (
	// Examine begins one; it is answered with Check.Found and Check.Over.
	Examine       struct{ Invitation string } // of a friend, to measure the line; "" for none
	StopExamining struct{}                    // ends it
)

// Check shows what would spoil play on this machine.
type Check struct {
	screen.Base
	Invitation string // that the player gave

	found   []doctor.Finding
	running bool
}

// NewCheck makes the screen.
func NewCheck(s *screen.Shared) *Check {
	return &Check{Base: screen.Base{Shared: s, ID: screen.Check}}
}

// Open implements screen.Screen: it begins at once.
func (v *Check) Open() {
	v.Base.Open()
	v.begin()
}

func (v *Check) begin() {
	v.found, v.running = nil, true
	v.Do(Examine{strings.TrimSpace(v.Invitation)})
}

// Stop ends an examination that runs: the player has gone elsewhere.
func (v *Check) Stop() {
	if v.running {
		v.running = false
		v.Do(StopExamining{})
	}
}

// Found takes what was found.
func (v *Check) Found(f doctor.Finding) {
	if v.running {
		v.found = append(v.found, f)
	}
}

// Over tells that there is no more to be found.
func (v *Check) Over() { v.running = false }

// Build implements screen.Screen.
func (v *Check) Build(u *widgets.UI) {
	v.Page(u, "Check this computer", 760, func() {
		u.Scroll("found", 0, func() {
			for i, f := range v.found {
				u.ScopeN(i, func() { finding(u, f) })
			}
			if v.running {
				u.Progress(widgets.Progress{Value: -1})
			} else {
				v.friend(u)
			}
		})
	}, func() {
		screen.Foot(u, v.foot(),
			widgets.Button{Text: "Copy", Name: "copy", Icon: draw.IconCopy, Disabled: v.running, Tip: "All lines, for somebody who helps you", Do: func() { v.Copy(v.text(), "Copied.") }},
			widgets.Button{Text: "Check again", Name: "again", Icon: draw.IconAgain, Kind: widgets.Primary, Disabled: v.running, Do: v.begin})
	})
}

// subjects are those of findings, for players, where the word of the terminal is for people who know
// the program.
var subjects = map[string]string{"synctest": "alike", "nat": "router", "mapping": "port", "pads": "controllers", "line": "connection"}

// finding draws one.
func finding(u *widgets.UI, f doctor.Finding) {
	kind := [...]widgets.Kind{doctor.Good: widgets.Good, doctor.Fair: widgets.Warning, doctor.Bad: widgets.Danger}[f.Mark]
	u.Message(kind, screen.Sentence(cmp.Or(subjects[f.Subject], f.Subject)+": "+f.Words+" "+f.Advice))
}

// friend takes a friend's invitation: the connection to the friend is measured, too.
func (v *Check) friend(u *widgets.UI) {
	u.Heading("How good is the connection to a friend?")
	u.Bar(func() {
		if u.Field(widgets.Field{Name: "peer", Hint: "the invitation to your friend's room", Icon: draw.IconSignal, Max: room.MaxPasted}, &v.Invitation).Entered {
			v.begin()
		}
	}, widgets.Button{Text: "Paste", Name: "paste", Do: func() { v.Invitation = u.Clipboard() }})
}

func (v *Check) foot() string {
	bad := doctor.Spoilers(v.found)
	for i, subject := range bad {
		bad[i] = cmp.Or(subjects[subject], subject)
	}
	switch {
	case v.running:
		return "This takes about 20 seconds."
	case len(bad) > 0:
		return "This would spoil play: " + strings.Join(bad, ", ") + "."
	}
	return "Nothing here would spoil play."
}

// text is all that was found, a line each.
func (v *Check) text() string {
	var lines []string
	for _, f := range v.found {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}
