package gameview

import (
	"math"
	"time"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// NameKeys says what is printed on a key, by its name in the settings.
func (v *View) NameKeys(label func(name string) string) { v.keyLabel = label }

// SetPreferences changes how the view looks.
func (v *View) SetPreferences(p Preferences) {
	if p.smooth() != v.prefs.smooth() || p.turn() != v.prefs.turn() {
		v.drop()
	}
	v.prefs = p
	v.hand.Turn(p.turn(), p.TurnCross)
	v.setEven()
}

// Close forgets the pictures and lets go of everything. The View can begin again.
func (v *View) Close() {
	v.drop()
	v.hand.Release()
	v.hand.Mute(false)
	v.chat, v.fast = chat{}, false
	for i := range v.feeds {
		v.feeds[i].Take(math.MaxInt64)
		v.evens[i] = even{most: int64(v.prefs.Even)}
	}
}

// Build builds the picture and returns what the player wants that the view cannot do
// itself. It takes the whole window.
func (v *View) Build(u *widgets.UI) []Event {
	v.events = v.events[:0]
	if !u.Settling() {
		v.setChat(v.chat.next)
	}
	in, list := u.Input(), u.Canvas()
	m := v.look(in.Now)
	v.arrange(planned{Area{
		Width: list.Size().X, Height: list.Size().Y, Scale: float64(list.Scale()),
		Line: int(list.LineHeight(widgets.StyleSmall)*list.Scale()) + 2,
	}, v.prefs.Options, m.mine, m.others})
	if !u.Settling() {
		v.refresh()
		v.sharpen(&v.plan)
		v.listen(in, m, u.Covered())
	}
	v.paint(u, m, in.Now)
	for _, c := range v.plan.all() {
		u.KeepClear(points(list, c.Screens.Bounds()))
	}
	if v.chat.open {
		v.buildChat(u)
	}
	if soonest := v.soonest(m, in.Now); soonest >= 0 {
		u.Wake(soonest)
	}
	return v.events
}

// soonest returns the time at which something that is shown goes or counts on.
func (v *View) soonest(m moment, now time.Duration) time.Duration {
	wake := m.wake
	earlier := func(d time.Duration) {
		if d > 0 && (wake < 0 || d < wake) {
			wake = d
		}
	}
	if v.notice.text != "" {
		earlier(noticeShown - v.notice.first.shown(now))
	}
	if len(m.figures.Waiting) > 0 {
		earlier(100 * time.Millisecond)
	}
	earlier(blankFor - m.begun)
	return wake
}
