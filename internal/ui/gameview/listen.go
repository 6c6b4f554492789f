package gameview

import (
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// listen hands on what the player presses, unless something covers the consoles.
func (v *View) listen(in *widgets.Input, m moment, covered bool) {
	if in.Lost {
		v.hand.Release()
		v.lift(m)
	}
	if covered {
		v.listenCovered(in, m)
		return
	}
	for _, k := range in.Keys {
		v.key(k, m)
	}
	if !v.chat.open {
		v.stylus(in, m)
	}
}

// listenCovered lets go of what is held, and hears the keys that are about the window or the
// sound and not about the game.
func (v *View) listenCovered(in *widgets.Input, m moment) {
	v.lift(m)
	v.speed(false, m)
	for _, k := range in.Keys {
		switch do := v.prefs.Hotkeys.Of(k.Name); {
		case k.Up:
			v.hand.Key(k.Name, false)
		case do >= Fullscreen && do <= VolumeDown && !k.Repeat:
			v.Do(do)
		}
	}
}

// key takes a key that went down or up.
func (v *View) key(k widgets.KeyPress, m moment) {
	if k.Repeat {
		return
	}
	do := v.prefs.Hotkeys.Of(k.Name)
	switch {
	case do == FastForward && (k.Up || !v.chat.open):
		v.speed(!k.Up, m)
	case do != NoAction && do != FastForward && !v.chat.open && !k.Up:
		v.Do(do)
	case do == NoAction:
		v.hand.Key(k.Name, !k.Up)
	}
}

// speed begins or ends fast-forward.
func (v *View) speed(on bool, m moment) {
	if on && len(m.others) > 0 {
		v.Say("Fast-forward works only when nobody else plays.")
		return
	}
	if on != v.fast {
		v.fast = on
		v.events = append(v.events, Event{Do: FastForward, On: on})
	}
}

// Do does what a hotkey does, for buttons elsewhere. Actions that the View does not do itself come
// out of Build, so call Do within the same build.
func (v *View) Do(a Action) {
	switch a {
	case OpenChat:
		v.openChat(true)
	case ToggleHUD, NextLayout, NextEmphasis, NextRotation, SwapScreens, ToggleOthers:
		p := v.prefs
		words := p.change(a)
		v.SetPreferences(p)
		v.Say(words)
	default:
		v.events = append(v.events, Event{Do: a})
	}
}

// change changes how the consoles are shown, and says how they are now.
func (p *Preferences) change(a Action) string {
	switch a {
	case ToggleHUD:
		p.HUD = !p.HUD
		return map[bool]string{true: "Ping and speed shown.", false: "Ping and speed hidden."}[p.HUD]
	case ToggleOthers:
		p.Others = !p.Others
		return map[bool]string{true: "The others' consoles are shown.", false: "The others' consoles are hidden."}[p.Others]
	case NextLayout:
		p.Layout = after(config.Layouts(), p.Layout)
		return p.layoutWords()
	case NextRotation:
		p.Rotation = after(config.Rotations(), p.Rotation)
		return map[string]string{Unturned: "The picture is not turned.", TurnedLeft: "The picture is turned to the left.", TurnedRight: "The picture is turned to the right."}[p.Rotation]
	case SwapScreens:
		p.Swap = !p.Swap
		switch {
		case p.Layout == Hybrid:
			return p.largeWords()
		case p.alone():
			return "The other screen."
		}
		return map[bool]string{true: "Screens swapped.", false: "Screens as on the console."}[p.Swap]
	case NextEmphasis:
		switch {
		case p.alone():
			return "Only one screen shows."
		case p.Layout == Hybrid:
			p.Emphasis = map[bool]string{false: LargeDown, true: LargeTop}[p.Emphasis == LargeDown]
			return p.largeWords()
		}
		p.Emphasis = after(config.Emphases(), p.Emphasis)
		return map[string]string{Even: "Both screens are of one size.", LargeTop: "The top screen is large.", LargeDown: "The bottom screen is large."}[p.Emphasis]
	}
	return ""
}

// layoutWords say how the screens stand. With one screen, they say which.
func (p *Preferences) layoutWords() string {
	if p.alone() {
		return map[bool]string{true: "The bottom screen only.", false: "The top screen only."}[p.bottomAlone()]
	}
	return map[string]string{Vertical: "One screen above the other.", Horizontal: "Side by side.", Hybrid: "One screen large, both beside it."}[p.Layout]
}

// largeWords say which screen Hybrid shows large.
func (p *Preferences) largeWords() string {
	return map[bool]string{true: "The bottom screen is large.", false: "The top screen is large."}[p.LargeBottom()]
}

// stylus follows the mouse and fingers. The first that comes down on a bottom screen has it
// until it goes up; thumbs that rest elsewhere do not matter.
func (v *View) stylus(in *widgets.Input, m moment) {
	for _, f := range in.Fingers {
		v.point(fingers+f.ID, f.At, f.Down, f.Up, m)
	}
	if !in.Touch || v.pen.Has(byMouse) { // else the mouse is a finger
		down := in.Pressed == widgets.LeftButton
		up := in.Released == widgets.LeftButton || !in.Held.Has(widgets.LeftButton) && !down
		v.point(byMouse, in.Mouse, down, up, m)
	}
}

// Holders of the pen: the mouse, or a finger, counted from here.
const (
	byMouse int64 = iota
	fingers
)

// point does what the mouse or a finger did.
func (v *View) point(by int64, at draw.Point, down, up bool, m moment) {
	put := v.pen.Move
	if down {
		put = v.pen.Down
	}
	if t, ok := put(&v.plan, by, float64(at.X), float64(at.Y)); ok {
		v.hand.Touch(slices.Index(m.mine, t.Seat), t.X, t.Y)
	}
	if up && v.pen.Has(by) {
		v.lift(m)
	}
}

func (v *View) lift(m moment) {
	if t, ok := v.pen.Lift(); ok {
		v.hand.Lift(slices.Index(m.mine, t.Seat))
	}
}
