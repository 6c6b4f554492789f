package viewer

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// chapterWords say what happened at a chapter.
func chapterWords(c replay.Chapter) string {
	switch c.Kind {
	case replay.ChapterJoined:
		return c.Who + " joined"
	case replay.ChapterLeft:
		return c.Who + " left"
	case replay.ChapterRepaired:
		return "Repaired"
	case replay.ChapterPaused:
		return "Paused"
	case replay.ChapterClip:
		return "Clip"
	}
	return "Beginning"
}

// places are the chapters as the line of time shows them.
func (w *Watching) places() (list []widgets.Place) {
	for _, c := range w.Chapters {
		list = append(list, widgets.Place{At: c.Frame, Words: chapterWords(c)})
	}
	return list
}

// chapterSlack is how far behind a chapter, in frames, the way back leads to the one before: two seconds.
const chapterSlack = 120

// chapterBefore is where the chapter begins that is before a frame.
func (w *Watching) chapterBefore(at int64) (to int64) {
	for _, c := range w.Chapters {
		if c.Frame <= at-chapterSlack {
			to = c.Frame
		}
	}
	return to
}

// chapterAfter is where the next chapter begins; without one, the end.
func (w *Watching) chapterAfter(at int64) int64 {
	i := slices.IndexFunc(w.Chapters, func(c replay.Chapter) bool { return c.Frame > at })
	if i < 0 {
		return w.Status.Length
	}
	return w.Chapters[i].Frame
}

// chapterChoice leads to a chapter, and names the one that is shown.
func (v *Screen) chapterChoice(u *widgets.UI, w *Watching) {
	var names []string
	var values []int
	now := 0
	for i, c := range w.Chapters {
		names, values = append(names, screen.Minutes(ds.FrameTime(c.Frame))+"  "+chapterWords(c)), append(values, i)
		if c.Frame <= w.Status.Frame {
			now = i
		}
	}
	screen.Choose(u, widgets.Choice{Name: "chapter", Options: names, Tip: "Goes to a place in the recording (Page Up, Page Down)"}, values, now, func(i int) {
		w.Player.SeekTo(w.Chapters[i].Frame)
	})
}
