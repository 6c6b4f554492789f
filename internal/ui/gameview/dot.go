package gameview

import (
	"fmt"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// The dot says in one sign how the game goes, for players who do not want figures.

// goes is how a game goes.
type goes uint8

const (
	unknown goes = iota
	good
	late    // inputs or frames come late
	waiting // for somebody
)

// slowBy is by how many frames a second a game may be slower than consoles are before it counts as late: what is
// measured in a quarter of a second is never exact.
const slowBy = 2

// lateOneIn is the share of inputs that may come late before it is worth a sign: one in a hundred is not noticed.
const lateOneIn = 100

// goesWords says how a game goes, and why. Alone, only a computer that is too slow is worth a sign.
func goesWords(f notice.Figures, alone bool) (goes, string) {
	switch {
	case f.FPS <= 0:
		return unknown, ""
	case len(f.Waiting) > 0:
		return waiting, "Waiting for " + phrase.List(f.Waiting)
	case f.FPS < ds.FrameRate-slowBy && f.Slow >= 0.1:
		return late, "Slow: this computer cannot keep up"
	case f.FPS < ds.FrameRate-slowBy:
		return late, fmt.Sprintf("Slow: %.0f frames a second", f.FPS)
	case alone:
		return unknown, ""
	case lateOneIn*f.Repeated > inputdelay.Recent:
		return late, fmt.Sprintf("Late: %d of your last %d inputs", f.Repeated, inputdelay.Recent)
	}
	return good, fmt.Sprintf("Good: ping %d ms, delay %d", f.RTT.Milliseconds(), f.Delay)
}

// The sizes of the dot and of its plate, in points.
const (
	dotSize  = 10
	dotPlate = 22
)

// dot shows the dot, in free space before it lies over a console, and its words where the mouse is on it.
func (v *View) dot(u *widgets.UI, m moment) {
	list := u.Canvas()
	how, words := goesWords(m.figures, len(m.others) == 0)
	if v.prefs.HUD || how == unknown {
		return
	}
	plate, free := v.beside(list, draw.Pt(dotPlate, dotPlate))
	if !free {
		plate = draw.R(list.Bounds().Right()-8-dotPlate, 8, dotPlate, dotPlate)
		list.FillRound(plate, 6, colorPlate)
	}
	v.plates = append(v.plates, plate)
	u.KeepClear(plate)
	sign(list, plate.Centered(dotSize, dotSize), how)
	if u.Covered() || !u.Input().MouseIn || !u.Mouse().In(plate) {
		return
	}
	if keys := v.prefs.Hotkeys[ToggleHUD]; len(keys) > 0 {
		words += ". " + keys[0] + " shows ping and speed."
	}
	lines := v.wrap(list, widgets.StyleSmall, words, 260)
	size := plateSize(list, widgets.StyleSmall, lines)
	x := min(max(plate.X, 8), list.Bounds().Right()-8-size.X)
	y := plate.Bottom() + 4
	if y+size.Y > list.Bounds().Bottom()-8 {
		y = plate.Y - 4 - size.Y
	}
	v.plate(list, widgets.StyleSmall, x, y, lines, colorWords, draw.Start)
}

// sign draws how a game goes: by its colour, and by its form for those who see no colours.
func sign(list *draw.List, r draw.Rect, how goes) {
	switch how {
	case good:
		list.FillRound(r, dotSize/2, colorGood)
	case late:
		list.Border(r, dotSize/2, 3, colorWait)
	case waiting:
		list.FillRound(draw.R(r.X+1, r.Y, 3, r.H), 1, colorStop)
		list.FillRound(draw.R(r.X+6, r.Y, 3, r.H), 1, colorStop)
	}
}

// MenuPlate shows where a finger opens the menu, beside the consoles where there is room, and tells whether it does. It is
// no widget: keys and pads are the console's. Call it after Build.
func (v *View) MenuPlate(u *widgets.UI) (opens bool) {
	list, words := u.Canvas(), []string{u.Say("Menu")}
	size := plateSize(list, widgets.StyleBody, words)
	size.Y = max(size.Y, widgets.Control)
	at, free := v.beside(list, size)
	if !free {
		at = draw.R(list.Bounds().Right()-8-size.X, 8, size.X, size.Y)
	}
	v.plates = append(v.plates, at)
	u.KeepClear(at)
	list.FillRound(at, 6, colorPlate)
	list.TextIn(at, widgets.StyleBody, words[0], colorWords, draw.Middle)
	return !u.Settling() && u.Input().Released == widgets.LeftButton && u.Mouse().In(at)
}
