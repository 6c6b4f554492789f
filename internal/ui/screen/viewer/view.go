package viewer

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Build implements screen.Screen.
func (v *Screen) Build(u *widgets.UI) {
	w := v.Watching
	if w == nil {
		return
	}
	if w.Waits() {
		v.waitingRoom(u, w)
		return
	}
	if v.Game != nil {
		v.Game(u)
	}
	if v.barAway(u, w) {
		return
	}
	b := u.Canvas().Bounds()
	bar := b.CutBottom(barHigh)
	if d := w.Status.Difference; d != nil && w.Room == nil {
		note := b.CutBottom(78).Inset2(12, 8)
		u.Canvas().FillRound(note, 10, u.Theme().Panel)
		u.In(note.Inset2(12, 8), func() { u.Message(widgets.Warning, differenceWords(d)) })
	}
	u.Canvas().Fill(bar, u.Theme().Panel)
	u.In(bar.Inset2(12, 10), func() {
		if w.Player == nil || w.Status.Loading {
			u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
				if u.Button(widgets.Button{Icon: draw.IconLeft, Name: "back", Kind: widgets.Quiet, Tip: "Back (Escape)"}) {
					v.GoBack()
				}
				u.Progress(widgets.Progress{Value: -1, Text: "building the consoles"})
			})
			return
		}
		if w.Room != nil {
			v.liveBar(u, w)
			return
		}
		v.watchBar(u, w)
	})
}

// barHigh is the height of the bar under a recording, points.
const barHigh = 56

// barRest is for how long the bar is there after the mouse was moved.
const barRest = 3 * time.Second

// barAway tells whether the bar is out of the way of a picture that moves: the mouse is
// elsewhere, or nothing was done for a while, and nothing of it is open.
func (v *Screen) barAway(u *widgets.UI, w *Watching) bool {
	in, moves := u.Input(), w.Status.Playing && !w.Status.Loading && w.Status.Difference == nil
	if in.Mouse != v.mouse || in.Held != 0 || in.Press.Key != 0 || in.Nav != 0 || !moves {
		v.mouse, v.mouseAt = in.Mouse, in.Now
	}
	return moves && !u.Busy() && (in.MouseIn && u.Mouse().Y < u.Canvas().Bounds().H*0.7 || in.Now-v.mouseAt > barRest)
}

func (v *Screen) watchBar(u *widgets.UI, w *Watching) {
	s := w.Status
	long, several := u.Canvas().Bounds().W >= screen.Wide, len(w.Consoles) > 1
	cells := []float32{widgets.Auto, widgets.Auto, widgets.Auto, widgets.Fill, widgets.Auto}
	for _, more := range []bool{long, several} {
		if more {
			cells = append(cells, widgets.Auto)
		}
	}
	u.Row(widgets.Cells(cells...), func() {
		if u.Button(widgets.Button{Icon: draw.IconLeft, Name: "back", Kind: widgets.Quiet, Tip: "Back to the list"}) {
			v.GoBack()
		}
		v.playButton(u, w)
		if u.Button(widgets.Button{Icon: draw.IconRight, Name: "step", Tip: "One frame on, and stand still"}) {
			w.Player.Step(1)
		}
		at := float64(s.Frame)
		if s.Seeking {
			at = float64(s.Target)
		}
		if u.Slider(widgets.Slider{Name: "seek", Min: 0, Max: float64(max(s.Length, 1)), Step: 1, Format: func(f float64) string {
			return minutes(ds.FrameTime(int64(f)))
		}}, &at) {
			w.Player.SeekTo(int64(at))
		}
		if long {
			u.Small("of " + minutes(ds.FrameTime(s.Length)))
		}
		if several {
			v.largeChoice(u, w)
		}
		speeds := []float64{0.25, 0.5, 1, 2, 4, 8}
		i := max(slices.Index(speeds, s.Speed), 0)
		if u.Choice(widgets.Choice{Name: "speed", Options: []string{"¼×", "½×", "1×", "2×", "4×", "8×"}, Tip: "How fast it plays"}, &i) {
			w.Player.Speed(speeds[i])
		}
	})
}

// largeChoice chooses the console that is large.
func (v *Screen) largeChoice(u *widgets.UI, w *Watching) {
	names, at := []string{"All alike"}, 0
	for i, s := range w.Consoles {
		names = append(names, s.Name)
		if s.Seat == w.Large {
			at = i + 1
		}
	}
	if u.Choice(widgets.Choice{Name: "large", Options: names, Tip: "Whose screens are large"}, &at) {
		var seat ds.Seat = AllSeats
		if at > 0 {
			seat = w.Consoles[at-1].Seat
		}
		v.Enlarge(seat)
	}
}

// differenceWords says that the picture is not the recorded one.
func differenceWords(d *player.Difference) string {
	return fmt.Sprintf("From %s on this is not what was recorded: the console of %s differs in %s. The core here does something else than the one then.",
		minutes(ds.FrameTime(d.Frames)), d.Nickname, d.Region)
}

// playButton plays or pauses.
func (v *Screen) playButton(u *widgets.UI, w *Watching) {
	icon, tip := draw.IconPlay, "Play"
	if w.Status.Playing {
		icon, tip = draw.IconPause, "Stand still"
	}
	switch pressed := u.Button(widgets.Button{Icon: icon, Name: "play", Tip: tip}); {
	case pressed && w.Status.Playing:
		w.Player.Pause()
	case pressed:
		w.Player.Play()
	}
}

// minutes returns a length as a clock shows it.
func minutes(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
