package settings

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// strangers offers to teach the buttons of controllers that SDL knows none of.
func (v *Screen) strangers(u *widgets.UI) {
	for i, p := range v.Strange {
		u.ScopeN(i, func() {
			screen.Offer(u, widgets.Warning, "“"+PrintableName(p.Name)+"” is plugged in, but nettplay does not know which of its buttons is which.",
				widgets.Button{Text: "Press each button in turn", Name: "teach", Kind: widgets.Primary, Do: func() { v.engine.Teach(p.ID) }})
		})
	}
	u.Message(widgets.Warning, v.PadFiles)
}

// anew offers to teach the buttons of a controller that SDL has wrong.
func (v *Screen) anew(u *widgets.UI) {
	i := slices.IndexFunc(v.Pads, func(p pads.Pad) bool { return p.Name == v.PadAt })
	if i < 0 {
		return
	}
	u.Bar(func() { u.Note("Does it press other buttons than it should?") },
		widgets.Button{Text: "Press each button in turn", Name: "teach anew", Kind: widgets.Quiet, Do: func() { v.engine.Teach(v.Pads[i].ID) }})
}

// teach draws the lesson that goes on. The controller does nothing else meanwhile.
func (v *Screen) teach(u *widgets.UI) {
	l := v.Lesson
	if l == nil {
		return
	}
	end := v.engine.EndLesson
	if u.Modal(widgets.Modal{Name: "lesson", Title: PrintableName(l.Name), Width: 480, Foot: func() {
		screen.Foot(u, fmt.Sprintf("Step %d of %d", l.At, l.All),
			widgets.Button{Text: "Cancel", Name: "end", Kind: widgets.Quiet, Do: end},
			widgets.Button{Text: "Previous", Name: "again", Kind: widgets.Quiet, Disabled: l.At == 1, Do: v.engine.ButtonAgain},
			widgets.Button{Text: "It has none", Name: "skip", Kind: widgets.Primary, Do: v.engine.SkipButton})
	}}, func() {
		padPicture(u, lessonPad(l))
		u.Paragraph(l.Words)
		u.Message(widgets.Warning, l.Note)
	}) {
		end()
	}
}

// lessonPad is a controller whose button of the lesson is lit.
func lessonPad(l *pads.Lesson) pads.Pad {
	p := pads.Pad{Kind: pads.JoyCon, Held: []string{l.Button}, Axes: map[string]float64{}} // letters would be somebody else's
	switch l.Button {
	case pads.AxisLeft, pads.AxisRight, pads.AxisLeftX, pads.AxisLeftY, pads.AxisRightX, pads.AxisRightY:
		p.Axes[l.Button] = 1
	}
	switch l.Button {
	case pads.AxisLeftX, pads.AxisLeftY:
		p.Held = []string{"leftstick"}
	case pads.AxisRightX, pads.AxisRightY:
		p.Held = []string{"rightstick"}
	}
	return p
}
