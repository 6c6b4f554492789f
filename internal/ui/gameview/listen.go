package gameview

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// listen hands on what the player presses. Presses while something covers the
// consoles are not for them.
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
		v.Say("Fast-forward works only when nobody else plays")
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
	case ToggleHUD, NextLayout, NextEmphasis, SwapScreens, ToggleOthers:
		v.Say(v.prefs.change(a))
	default:
		v.events = append(v.events, Event{Do: a})
	}
}

// change changes how the consoles are shown, and says how they are now.
func (p *Preferences) change(a Action) string {
	choose := func(on bool, yes, no string) string {
		if on {
			return yes
		}
		return no
	}
	one := p.Layout.alone()
	switch a {
	case ToggleHUD:
		p.HUD = !p.HUD
		return choose(p.HUD, "Figures on", "Figures off")
	case ToggleOthers:
		p.Others = !p.Others
		return choose(p.Others, "The others' consoles are shown", "The others' consoles are hidden")
	case NextLayout:
		p.Layout = p.Layout.Next()
		return p.layoutWords()
	case SwapScreens:
		p.Swap = !p.Swap
		switch {
		case p.Layout == Hybrid:
			return p.largeWords()
		case one:
			return "The other screen"
		}
		return choose(p.Swap, "Screens swapped", "Screens as on the console")
	case NextEmphasis:
		switch {
		case one:
			return "Only one screen shows"
		case p.Layout == Hybrid:
			p.Emphasis = map[bool]Emphasis{false: LargeDown, true: LargeTop}[p.Emphasis == LargeDown]
			return p.largeWords()
		}
		p.Emphasis = p.Emphasis.Next()
		return [...]string{"Both screens are of one size", "The top screen is large", "The bottom screen is large"}[p.Emphasis]
	}
	return ""
}

// layoutWords say how the screens stand. With one screen, they say which.
func (p *Preferences) layoutWords() string {
	switch {
	case p.Layout.alone() && (p.Layout == BottomOnly) != p.Swap:
		return "The bottom screen only"
	case p.Layout.alone():
		return "The top screen only"
	}
	return [...]string{Vertical: "One screen above the other", Horizontal: "Side by side", Hybrid: "One screen large, both beside it"}[p.Layout]
}

// largeWords say which screen Hybrid shows large.
func (p *Preferences) largeWords() string {
	if p.LargeBottom() {
		return "The bottom screen is large"
	}
	return "The top screen is large"
}

// stylus follows the mouse and fingers. The first that comes down on a bottom screen has it
// until it goes up; thumbs that rest elsewhere do not matter.
func (v *View) stylus(in *widgets.Input, m moment) {
	for _, f := range in.Fingers {
		v.finger(f, m)
	}
	if !in.Touch || v.pen.Has(byMouse) { // else the mouse is a finger
		v.mouse(in, m)
	}
}

// finger does what a finger did.
func (v *View) finger(f widgets.Finger, m moment) {
	by, x, y := fingers+f.ID, float64(f.At.X), float64(f.At.Y)
	put := v.pen.Move
	if f.Down {
		put = v.pen.Down
	}
	if t, ok := put(&v.plan, by, x, y); ok {
		v.touch(t, m)
	}
	if f.Up && v.pen.Has(by) {
		v.lift(m)
	}
}

// Holders of the pen: the mouse, or a finger, counted from here.
const (
	byMouse int64 = iota
	fingers
)

// mouse follows the mouse.
func (v *View) mouse(in *widgets.Input, m moment) {
	x, y := float64(in.Mouse.X), float64(in.Mouse.Y)
	if in.Pressed == widgets.LeftButton {
		if t, ok := v.pen.Down(&v.plan, byMouse, x, y); ok {
			v.touch(t, m)
		}
	} else if t, ok := v.pen.Move(&v.plan, byMouse, x, y); ok {
		v.touch(t, m)
	}
	if !v.pen.Has(byMouse) {
		return
	}
	if in.Released == widgets.LeftButton || !in.Held.Has(widgets.LeftButton) && in.Pressed != widgets.LeftButton {
		v.lift(m)
	}
}

func (v *View) touch(t Touch, m moment) { v.hand.Touch(slices.Index(m.mine, t.Seat), t.X, t.Y) }

func (v *View) lift(m moment) {
	if t, ok := v.pen.Lift(); ok {
		v.hand.Lift(slices.Index(m.mine, t.Seat))
	}
}
