package viewer

import (
	"fmt"
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
	if !w.Plays() {
		v.building(u, w)
		return
	}
	away := v.barAway(u, w)
	if w.Room == nil {
		v.keys(u, w)
	}
	if away && w.Room != nil {
		defer u.Canvas().SetLayer(u.Canvas().SetLayer(overPicture))
		badge(u, w)
	}
	if !away {
		defer u.Canvas().SetLayer(u.Canvas().SetLayer(overPicture))
		v.bar(u, w)
	}
}

// overPicture is the layer of what lies over the consoles.
const overPicture = 1

// building says that the consoles are not there yet.
func (v *Screen) building(u *widgets.UI, w *Watching) {
	v.Message(u, 460, func() {
		u.Headline("Building the consoles …")
		u.Paragraph(w.Title)
		u.Progress(widgets.Progress{Value: -1})
		u.Bar(nil, widgets.Button{Text: "Cancel", Name: "back", Do: v.stop})
	})
}

// bar draws what is below the picture, and what is said above it.
func (v *Screen) bar(u *widgets.UI, w *Watching) {
	b := u.Canvas().Bounds()
	high := float32(56)
	switch {
	case w.Room == nil:
		high += 34 // for the line of time
	case !v.wide(u):
		high += widgets.Control + widgets.Gap
	}
	bar := b.CutBottom(high)
	switch d := w.Status.Difference; {
	case d != nil && w.Room == nil:
		b = differenceNote(u, b, differenceWords(d))
	case d != nil && !w.Status.Mended:
		b = differenceNote(u, b, notTheGame)
	}
	if w.Status.Seeking && w.Room == nil {
		seekingNote(u, b, w.Status)
	}
	u.Canvas().Fill(bar, u.Theme().Panel)
	u.In(bar.Inset2(12, 10), func() {
		if w.Room != nil {
			v.liveBar(u, w)
			return
		}
		v.timeline(u, w)
		v.watchBar(u, w)
	})
}

// differenceNote says at the bottom of a place that the picture is not the recorded one, and
// returns what is left of the place.
func differenceNote(u *widgets.UI, over draw.Rect, words string) draw.Rect {
	c := u.Canvas()
	lines := c.Wrap(widgets.StyleBody, u.Say(words), over.W-2*24-28, nil)
	note := over.CutBottom(float32(lines)*c.LineHeight(widgets.StyleBody)+32).Inset2(12, 8)
	c.FillRound(note, 10, u.Theme().Panel)
	u.In(note.Inset2(12, 8), func() { u.Message(widgets.Warning, words) })
	return over
}

// barRest is the time for which the bar is there after the player did something.
const barRest = 3 * time.Second

// barAway tells whether the bar is out of the way of a picture that moves: nothing was done
// for a while, or the mouse was taken elsewhere, and nothing of it is open.
func (v *Screen) barAway(u *widgets.UI, w *Watching) bool {
	in := u.Input()
	s, recording := w.Status, w.Room == nil
	late := !recording && s.Live && s.Length-s.Frame > lateFrames // the bar says by how much
	moves := s.Playing && w.Plays() && s.Difference == nil && !late && !(recording && (s.Seeking || s.AtEnd))
	pointed := in.MouseIn && (in.Mouse != v.mouse || in.Held != 0)
	switch low := u.Mouse().Y >= u.Canvas().Bounds().H*0.7; {
	case in.Press.Key != 0, in.Nav != 0, !moves, pointed && (low || in.Touch): // a finger is nowhere but where it is laid down
		v.actedAt = in.Now
	case pointed:
		v.actedAt = in.Now - barRest
	}
	v.mouse = in.Mouse
	return moves && !u.Busy() && in.Now-v.actedAt >= barRest
}

// seekingNote says over the picture that it is not yet where it is to be.
func seekingNote(u *widgets.UI, over draw.Rect, s player.Status) {
	c, words := u.Canvas(), seekingWords(s)
	w := min(c.Width(widgets.StyleBody, u.Say(words))+190, over.W-24)
	note := c.Snap(draw.R(over.X+(over.W-w)/2, over.Bottom()-48, w, 38))
	c.FillRound(note, 10, u.Theme().Panel)
	c.Border(note, 10, 1, u.Theme().Line)
	u.In(note.Inset2(14, 8), func() {
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
			u.Label(words)
			u.Progress(widgets.Progress{Value: seekingPart(s)})
		})
	})
}

// seekingWords says where the player goes.
func seekingWords(s player.Status) string {
	return fmt.Sprintf("Seeking %s · %.0f%%", screen.Minutes(ds.FrameTime(s.Target)), 100*seekingPart(s))
}

// seekingPart returns the part of the way that is done, 0 to 1.
func seekingPart(s player.Status) float64 {
	if s.Loading || s.Frame <= s.From || s.Target <= s.From {
		return 0
	}
	return min(float64(s.Frame-s.From)/float64(s.Target-s.From), 1)
}

// timeline draws how far the recording is, where it can go at once, and its length.
func (v *Screen) timeline(u *widgets.UI, w *Watching) {
	s, target := w.Status, int64(-1)
	if s.Seeking {
		target = s.Target
	}
	if to, moved := u.Timeline(widgets.Timeline{
		Name: "seek", Length: s.Length, At: s.Frame, Target: target, Marks: w.Player.Keyframes(), Places: w.places(), Step: arrowStep,
		Format: func(frame int64) string { return screen.Minutes(ds.FrameTime(frame)) },
	}); moved {
		w.Player.SeekTo(to)
	}
}

// arrowStep is the number of frames that an arrow goes: 5 seconds.
const arrowStep = 299

// keys does what keys do without a way to a button.
func (v *Screen) keys(u *widgets.UI, w *Watching) {
	if u.Take(widgets.KeySpace) != 0 {
		if !u.Input().Press.Repeat {
			w.toggle()
		}
		return
	}
	s := w.Status
	at := s.Frame
	if s.Seeking {
		at = s.Target
	}
	switch u.Take(widgets.KeyLeft, widgets.KeyRight, widgets.KeyHome, widgets.KeyEnd, widgets.KeyPageUp, widgets.KeyPageDown) {
	case widgets.KeyPageUp:
		w.Player.SeekTo(w.chapterBefore(at))
	case widgets.KeyPageDown:
		w.Player.SeekTo(w.chapterAfter(at))
	case widgets.KeyLeft:
		w.Player.SeekTo(max(at-arrowStep, 0))
	case widgets.KeyRight:
		w.Player.SeekTo(min(at+arrowStep, s.Length))
	case widgets.KeyHome:
		w.Player.SeekTo(0)
	case widgets.KeyEnd:
		w.Player.SeekTo(s.Length)
	}
}

// toggle plays or pauses. At the end, it plays from the beginning.
func (w *Watching) toggle() {
	switch {
	case w.Status.AtEnd && !w.Status.Live && !w.Status.Seeking && w.Room == nil:
		w.Player.SeekTo(0)
		w.Player.Play()
	case w.Status.Playing:
		w.Player.Pause()
	default:
		w.Player.Play()
	}
}

func (v *Screen) backButton(u *widgets.UI, tip string) {
	u.Button(widgets.Button{Icon: draw.IconLeave, Name: "back", Kind: widgets.Quiet, Aside: true, Tip: tip, Do: v.stop})
}

func (v *Screen) watchBar(u *widgets.UI, w *Watching) {
	s, several := w.Status, len(w.Consoles) > 1
	cells := []float32{widgets.Auto, widgets.Auto, widgets.Auto, widgets.Fill, widgets.Auto}
	if several {
		cells = append(cells, widgets.Auto)
	}
	chapters := len(w.Chapters) > 1
	if chapters && v.wide(u) {
		cells = append(cells, widgets.Auto)
	}
	u.Row(widgets.Cells(cells...), func() {
		v.backButton(u, "Back to the list")
		v.playButton(u, w)
		u.Button(widgets.Button{Icon: draw.IconRight, Name: "step", Tip: "Pause, one frame further", Do: func() { w.Player.Step(1) }})
		switch {
		case chapters && !v.wide(u):
			v.chapterChoice(u, w)
		case chapters:
			u.Small(w.Title)
			v.chapterChoice(u, w)
		default:
			u.Small(w.Title)
		}
		if several {
			v.largeChoice(u, w)
		}
		screen.Choose(u, widgets.Choice{Name: "speed", Options: []string{"¼×", "½×", "1×", "2×", "4×", "8×"}, Tip: "How fast it plays"},
			[]float64{0.25, 0.5, 1, 2, 4, 8}, s.Speed, w.Player.Speed)
	})
}

// liveBar is the bar below a spectated game: that one watches, how to stop, and how loud it is. In a narrow window it
// has two rows.
func (v *Screen) liveBar(u *widgets.UI, w *Watching) {
	stop := func() {
		u.Button(widgets.Button{Text: "Stop watching", Name: "back", Icon: draw.IconLeave, Aside: true, Tip: "Escape does the same, and asks before", Do: v.stop})
		v.playButton(u, w)
	}
	says := func(more string) {
		u.Text(widgets.StyleBody, widgets.Normal, liveWords(w.Status, w.Room.Room.Settings.SpectateDelay)+more, draw.Start)
	}
	large := func() {
		if len(w.Consoles) > 1 {
			v.largeChoice(u, w)
		} else {
			u.Space(0)
		}
	}
	if !v.wide(u) {
		u.Row(widgets.Cells(widgets.Auto, widgets.Auto, widgets.Fill), func() {
			stop()
			says("")
		})
		u.Row(widgets.Cells(volumeWide, widgets.Fill, widgets.Auto), func() {
			v.loudness(u)
			u.Space(0)
			large()
		})
		return
	}
	u.Row(widgets.Cells(widgets.Auto, widgets.Auto, widgets.Fill, volumeWide, widgets.Auto), func() {
		stop()
		says(" · " + screen.Minutes(ds.FrameTime(w.Status.Frame)))
		v.loudness(u)
		large()
	})
}

// wide reports whether the bar has room for all in one row.
func (v *Screen) wide(u *widgets.UI) bool { return u.Canvas().Bounds().W >= screen.Wide }

// volumeWide is the width of the volume, with its name, in points.
const volumeWide = 220

// loudness is how loud it is, as in the settings, and the same for all games.
func (v *Screen) loudness(u *widgets.UI) {
	u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
		now := v.Config.Audio.Volume
		if !v.Config.Audio.Enabled {
			now = 0
		}
		u.Small("Volume")
		if screen.Slide(u, "volume", &now, 0, 100, 5, func(n int) string { return fmt.Sprintf("%d%%", n) }) {
			cfg := v.Config
			cfg.Audio.Volume, cfg.Audio.Enabled = now, true
			v.Apply(cfg)
		}
	})
}

// badge says that one watches, and how to leave, while the bar is away: beside the consoles, in one line or two. It lies
// over none: where there is no room, the bar says it.
func badge(u *widgets.UI, w *Watching) {
	words := liveWords(w.Status, w.Room.Room.Settings.SpectateDelay)
	const leave = "Escape leaves"
	for _, lines := range [][]string{{u.Say(words + " · " + leave)}, {u.Say(words), u.Say(leave)}} {
		for _, r := range badgeAt(u, lines) {
			if !u.IsClear(r) {
				continue
			}
			c := u.Canvas()
			c.FillRound(r, 6, u.Theme().Panel.Fade(0.8))
			u.KeepClear(r)
			for in := r.Inset2(8, 3); len(lines) > 0; lines = lines[1:] {
				c.TextIn(in.Top(c.LineHeight(widgets.StyleSmall)), widgets.StyleSmall, lines[0], u.Theme().Soft, draw.Start)
			}
			return
		}
	}
}

// badgeAt returns the places for lines: the corners of the window, from the lower left on.
func badgeAt(u *widgets.UI, lines []string) [4]draw.Rect {
	c := u.Canvas()
	all := c.Bounds().Inset(8)
	wide, high := min(c.Widest(widgets.StyleSmall, lines...)+16, all.W), float32(len(lines))*c.LineHeight(widgets.StyleSmall)+6
	at := func(x, y float32) draw.Rect { return c.Snap(draw.R(x, y, wide, high)) }
	right, low := all.Right()-wide, all.Bottom()-high
	return [4]draw.Rect{at(all.X, low), at(right, low), at(all.X, all.Y), at(right, all.Y)}
}

// largeChoice chooses the console that is large.
func (v *Screen) largeChoice(u *widgets.UI, w *Watching) {
	seatChoice(u, widgets.Choice{Name: "large", Tip: "The player whose screens are large"}, "All the same size", w.Consoles, w.Large, v.Enlarge)
}

// notTheGame says that the picture of a spectated game is not what its players see.
const notTheGame = "This no longer shows the real game: your core behaves differently from the players'."

// differenceWords says that the picture is not the recorded one.
func differenceWords(d *player.Difference) string {
	return fmt.Sprintf("From %s on, this is not what was recorded: %s's console differs in %s. Your core behaves differently from the one it was recorded with.",
		screen.Minutes(ds.FrameTime(d.Frames)), d.Nickname, d.Region)
}

// playButton plays or pauses.
func (v *Screen) playButton(u *widgets.UI, w *Watching) {
	icon, tip := draw.IconPlay, "Play"
	if w.Status.Playing && (!w.Status.AtEnd || w.Status.Live) {
		icon, tip = draw.IconPause, "Pause"
	}
	if w.Room == nil {
		tip += " (Space)"
	}
	u.Button(widgets.Button{Icon: icon, Name: "play", Tip: tip, Do: w.toggle})
}
