package gameview

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// listen hands on what the player presses.
func (s *Stage) listen(in *widgets.Input, m moment) {
	if in.Lost {
		s.hand.Release()
		s.lift(m)
	}
	for _, k := range in.Keys {
		s.key(k, m)
	}
	if s.overlay == nothing {
		s.stylus(in, m)
	}
}

// key takes a key that went down or up.
func (s *Stage) key(k widgets.KeyPress, m moment) {
	if k.Repeat {
		return
	}
	do := s.view.Hotkeys.Of(k.Name)
	switch {
	case do == FastForward && (k.Up || s.overlay == nothing):
		s.speed(!k.Up, m)
	case do != NoAction && do != FastForward && s.overlay == nothing && !k.Up:
		s.Do(do)
	case do == NoAction:
		s.hand.Key(k.Name, !k.Up)
	}
}

// speed begins or ends fast-forward.
func (s *Stage) speed(on bool, m moment) {
	if on && len(m.others) > 0 {
		s.Say("Fast-forward works only when nobody else plays")
		return
	}
	if on != s.fast {
		s.fast = on
		s.events = append(s.events, Event{Do: FastForward, On: on})
	}
}

// Do does what a hotkey does, for buttons elsewhere. What is not the stage's comes out of
// Build, so call it within the same build.
func (s *Stage) Do(a Action) {
	switch a {
	case OpenMenu:
		s.open(menuOpen)
	case OpenChat:
		s.open(chatOpen)
	case ToggleHUD:
		s.view.HUD = !s.view.HUD
	case NextLayout:
		s.view.Layout = s.view.Layout.Next()
	case NextEmphasis:
		s.view.Emphasis = s.view.Emphasis.Next()
	case SwapScreens:
		s.view.Swap = !s.view.Swap
	case ToggleOthers:
		s.view.Others = !s.view.Others
	default:
		s.events = append(s.events, Event{Do: a})
	}
}

// stylus follows the mouse, or a finger.
func (s *Stage) stylus(in *widgets.Input, m moment) {
	x, y := float64(in.Mouse.X), float64(in.Mouse.Y)
	by := int64(0)
	if in.Pressed == widgets.LeftButton {
		if t, ok := s.pen.Down(&s.plan, by, x, y); ok {
			s.touch(t, m)
		}
	} else if t, ok := s.pen.Move(&s.plan, by, x, y); ok {
		s.touch(t, m)
	}
	if in.Released == widgets.LeftButton || !in.Held.Has(widgets.LeftButton) && in.Pressed != widgets.LeftButton {
		s.lift(m)
	}
}

func (s *Stage) touch(t Touch, m moment) { s.hand.Touch(slices.Index(m.mine, t.Seat), t.X, t.Y) }

func (s *Stage) lift(m moment) {
	if t, ok := s.pen.Lift(); ok {
		s.hand.Lift(slices.Index(m.mine, t.Seat))
	}
}
