package settings

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// trial shows what a controller does, while the buttons do nothing else.
type trial struct {
	pad  pads.ID        // the one that was pressed last
	held screen.Lasting // B is
}

// Try lets the player try what a controller does.
func (v *Screen) Try() { v.trial = &trial{} }

// leaveAfter is the time for which B is held to leave the trial.
const leaveAfter = time.Second

// try draws the trial, and ends it.
func (v *Screen) try(u *widgets.UI) {
	t := v.trial
	if t == nil {
		return
	}
	i := slices.IndexFunc(v.Pads, func(p pads.Pad) bool { return len(p.Held) > 0 })
	if i < 0 {
		i = slices.IndexFunc(v.Pads, func(p pads.Pad) bool { return p.ID == t.pad })
	}
	if len(v.Pads) == 0 {
		v.trial = nil
		return
	}
	p := v.Pads[max(i, 0)]
	t.pad = p.ID
	leave := func() { v.trial = nil }
	u.Modal(widgets.Modal{Name: "trial", Title: PrintableName(p.Name), Width: 480, Fixed: true, Foot: func() {
		screen.Foot(u, "Hold "+p.Kind.Printed(p.Kind.Back())+" for a second to go back, or press Escape.", widgets.Button{Text: "Close", Name: "close", Do: leave})
	}}, func() {
		u.Grab()
		padPicture(u, p)
		keys, touches := pads.Does(v.Config.Pads.MappingOf(p.Name), p.Held)
		u.Paragraph("Pressed: " + cmp.Or(strings.Join(heldWords(p), ", "), "nothing"))
		u.Paragraph("On the console: " + keyWords(keys, touches))
	})
	if u.Input().Press.Key == widgets.KeyEscape || t.held.For(u, slices.Contains(p.Held, p.Kind.Back()), leaveAfter) {
		leave()
		u.Wake(0)
	}
}

// heldWords names the buttons that are held.
func heldWords(p pads.Pad) (words []string) {
	for _, name := range p.Held {
		words = append(words, p.Kind.Printed(name))
	}
	return words
}

// keyWords names keys of the console.
func keyWords(keys inputdelay.Keys, touches bool) string {
	words := inputdelay.Input{Keys: keys}.String()
	if touches {
		words = strings.TrimPrefix(words+"+stylus", "+")
	}
	return cmp.Or(strings.ReplaceAll(words, "+", " + "), "nothing")
}

// round is a button of the picture: where it is, and how large.
type round struct {
	name    string
	x, y, r float32
}

// padPicture draws a controller with what is pressed on it, smaller in a low window.
func padPicture(u *widgets.UI, p pads.Pad) {
	const w, h = 420, 180
	c, th, k := u.Canvas(), u.Theme(), float32(1)
	if c.Bounds().H < 420 {
		k = 0.65
	}
	area := u.Cell(0, h*k).Centered(w*k, h*k)
	colors := func(name string) (fill, ink draw.Color) {
		if slices.Contains(p.Held, name) {
			return th.Accent, th.AccentText
		}
		return th.Raised, th.Soft
	}
	box := func(name, letter string, x, y, w, h float32) {
		r := draw.R(area.X+x*k, area.Y+y*k, w*k, h*k)
		fill, ink := colors(name)
		c.FillRound(r, 5, fill)
		c.Border(r, 5, 1, th.LineStrong)
		c.TextIn(r, widgets.StyleSmall, letter, ink, draw.Middle)
	}
	for _, side := range []struct {
		name string
		x    float32
	}{{"left", 50}, {"right", 280}} {
		bar := draw.R(area.X+side.x*k, area.Y, 90*k, 16*k)
		c.FillRound(bar, 5, th.Field)
		c.FillRound(draw.R(bar.X, bar.Y, bar.W*float32(max(p.Axes[side.name+"trigger"], 0)), bar.H), 5, th.Accent)
		c.Border(bar, 5, 1, th.LineStrong)
		box(side.name+"shoulder", p.Kind.Short(side.name+"shoulder"), side.x, 20, 90, 20)
	}
	box("dpup", "", 84, 54, 24, 24)
	box("dpdown", "", 84, 102, 24, 24)
	box("dpleft", "", 60, 78, 24, 24)
	box("dpright", "", 108, 78, 24, 24)
	box("back", p.Kind.Short("back"), 150, 60, 50, 20)
	box("start", p.Kind.Short("start"), 220, 60, 50, 20)
	for _, b := range []round{{"a", 328, 116, 15}, {"b", 354, 90, 15}, {"x", 302, 90, 15}, {"y", 328, 64, 15}, {"guide", 210, 100, 10}} {
		r := draw.R(area.X+(b.x-b.r)*k, area.Y+(b.y-b.r)*k, 2*b.r*k, 2*b.r*k)
		fill, ink := colors(b.name)
		c.FillRound(r, b.r, fill)
		c.Border(r, b.r, 1, th.LineStrong)
		c.TextIn(r, widgets.StyleSmall, p.Kind.Short(b.name), ink, draw.Middle)
	}
	stick(u, draw.Pt(area.X+155*k, area.Y+148*k), k, p.Axes["leftx"], p.Axes["lefty"], slices.Contains(p.Held, "leftstick"))
	stick(u, draw.Pt(area.X+265*k, area.Y+148*k), k, p.Axes["rightx"], p.Axes["righty"], slices.Contains(p.Held, "rightstick"))
}

// stick draws where a stick is in its ring, k times the usual size.
func stick(u *widgets.UI, at draw.Point, k float32, x, y float64, pressed bool) {
	ring, knob, way := 30*k, 13*k, 17*k
	c, th := u.Canvas(), u.Theme()
	c.FillRound(draw.R(at.X-ring, at.Y-ring, 2*ring, 2*ring), ring, th.Field)
	c.Border(draw.R(at.X-ring, at.Y-ring, 2*ring, 2*ring), ring, 1, th.LineStrong)
	fill := th.LineStrong
	if pressed {
		fill = th.Accent
	}
	c.FillRound(draw.R(at.X+float32(x)*way-knob, at.Y+float32(y)*way-knob, 2*knob, 2*knob), knob, fill)
}
