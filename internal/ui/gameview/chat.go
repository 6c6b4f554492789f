package gameview

import (
	"time"

	"github.com/nettplay/nettplay/internal/session/notice"
)

const (
	// chatShown is the time for which a line is seen while the chat is closed.
	chatShown = 8 * time.Second
	// chatLines is the greatest number of lines that are seen, and chatKept of those that are kept.
	chatLines = 8
	chatKept  = 200
	// MaxChat is the limit of a line of chat, in runes.
	MaxChat = 200
)

// talk is all that was said.
type talk []said

type said struct {
	notice.Message
	at    time.Time // of the day at which it was said
	first first
}

// first is the time at which something was first shown.
type first struct {
	at   time.Duration
	seen bool // at is set
}

// shown tells that something is shown now, and for how long it has been.
func (f *first) shown(now time.Duration) time.Duration {
	if !f.seen {
		f.at, f.seen = now, true
	}
	return now - f.at
}

// add takes a line that came at some time.
func (t *talk) add(m notice.Message, at time.Time) {
	*t = append((*t)[max(0, len(*t)+1-chatKept):], said{Message: m, at: at})
}

// begin is for a new game: what was said before is not shown over it.
func (t talk) begin() {
	for i := range t {
		t[i].first = first{at: -chatShown, seen: true}
	}
}

// show returns the lines to be seen now, oldest first, and how long until one of them
// goes, negative for never. A line's time begins when it is first shown.
func (t talk) show(now time.Duration, open bool) (lines []said, wake time.Duration) {
	wake = -1
	t = t[max(0, len(t)-chatLines):]
	for i := range t {
		l := &t[i]
		left := chatShown - l.first.shown(now)
		if !open && left <= 0 {
			continue
		}
		lines = append(lines, *l)
		if !open && (wake < 0 || left < wake) {
			wake = left
		}
	}
	return lines, wake
}
