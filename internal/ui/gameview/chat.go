package gameview

import (
	"time"

	"github.com/nettplay/nettplay/internal/session/notice"
)

const (
	// chatShown is for how long a line is seen while the chat is closed.
	chatShown = 8 * time.Second
	// chatLines is how many lines are seen at most, and chatKept how many are kept.
	chatLines = 8
	chatKept  = 200
	// MaxChat is how long a line of chat can be, in runes.
	MaxChat = 200
)

// talk is what was said.
type talk struct {
	lines []said
}

type said struct {
	notice.Message
	at   time.Duration
	seen bool // at is set
}

// add takes a line that came.
func (t *talk) add(m notice.Message) {
	if len(t.lines) == chatKept {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, said{Message: m})
}

// begin is for a new game: what was said before is not shown over it.
func (t *talk) begin() {
	for i := range t.lines {
		t.lines[i].seen, t.lines[i].at = true, -chatShown
	}
}

// show returns the lines to be seen now, oldest first, and how long until one of them
// goes, negative for never. A line's time begins when it is first shown.
func (t *talk) show(now time.Duration, open bool) (lines []notice.Message, wake time.Duration) {
	wake = -1
	first := max(0, len(t.lines)-chatLines)
	for i := range t.lines[first:] {
		l := &t.lines[first+i]
		if !l.seen {
			l.seen, l.at = true, now
		}
		left := l.at + chatShown - now
		if !open && left <= 0 {
			continue
		}
		lines = append(lines, l.Message)
		if !open && (wake < 0 || left < wake) {
			wake = left
		}
	}
	return lines, wake
}
