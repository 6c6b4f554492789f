package start

import (
	"slices"
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

// Build implements screen.Screen: the verdict, and below it what was found, by group.
func (v *Check) Build(u *widgets.UI) {
	v.Page(u, "Check this computer", 760, func() {
		u.Scroll("found", 0, func() {
			v.verdict(u)
			for i, g := range doctor.Groups() {
				its := doctor.Of(v.found, g)
				u.ScopeN(i, func() {
					if len(its) > 0 {
						u.Space(8)
						u.Heading(g.String())
					}
					for i, f := range its {
						u.ScopeN(i, func() { u.Message(kindOf(f.Mark), screen.Sentence(f.String())) })
					}
				})
			}
			if !v.running {
				v.friend(u)
			}
		})
	}, func() {
		screen.Foot(u, "",
			widgets.Button{Text: "Copy", Name: "copy", Icon: draw.IconCopy, Disabled: v.running, Tip: "All lines, for somebody who helps you", Do: func() { v.Copy(doctor.Report(v.found, true, 0), "Copied.") }},
			widgets.Button{Text: "Check again", Name: "again", Icon: draw.IconAgain, Kind: widgets.Primary, Disabled: v.running, Do: v.begin})
	})
}

// verdict says what all findings come to, or that more are to come.
func (v *Check) verdict(u *widgets.UI) {
	if v.running {
		u.Progress(widgets.Progress{Value: -1, Text: "Looking: about 20 seconds"})
		return
	}
	mark, words := doctor.Verdict(v.found)
	u.Card(func() {
		u.Headline(words)
		if mark == doctor.Bad {
			u.Message(kindOf(mark), v.found[slices.IndexFunc(v.found, func(f doctor.Finding) bool { return f.Mark == doctor.Bad })].Advice)
		}
	})
}

// kindOf is the colour of a mark.
func kindOf(m doctor.Mark) widgets.Kind {
	return [...]widgets.Kind{doctor.Good: widgets.Good, doctor.Fair: widgets.Warning, doctor.Bad: widgets.Danger}[m]
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
