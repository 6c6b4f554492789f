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
	one := p.Layout == TopOnly || p.Layout == BottomOnly
	switch a {
	case ToggleHUD:
		p.HUD = !p.HUD
		return choose(p.HUD, "Figures on", "Figures off")
	case ToggleOthers:
		p.Others = !p.Others
		return choose(p.Others, "The others' consoles are shown", "The others' consoles are hidden")
	case NextLayout:
		p.Layout = p.Layout.Next()
		return [...]string{"One screen above the other", "Side by side", "The top screen only", "The bottom screen only"}[p.Layout]
	case SwapScreens:
		p.Swap = !p.Swap
		return choose(one, "The other screen", choose(p.Swap, "Screens swapped", "Screens as on the console"))
	case NextEmphasis:
		if one {
			return "Only one screen shows"
		}
		p.Emphasis = p.Emphasis.Next()
		return [...]string{"Both screens are of one size", "The top screen is large", "The bottom screen is large"}[p.Emphasis]
	}
	return ""
}

// stylus follows the mouse, or a finger.
func (v *View) stylus(in *widgets.Input, m moment) {
	x, y := float64(in.Mouse.X), float64(in.Mouse.Y)
	by := int64(0)
	if in.Pressed == widgets.LeftButton {
		if t, ok := v.pen.Down(&v.plan, by, x, y); ok {
			v.touch(t, m)
		}
	} else if t, ok := v.pen.Move(&v.plan, by, x, y); ok {
		v.touch(t, m)
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
