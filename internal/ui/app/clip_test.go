package app

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestClip: the key asks the session for a clip, the menu does the same, and its answer is told.
func TestClip(t *testing.T) {
	m := gameScene([]string{"Ann", "Bob"}, 1, nil)(t)
	control := &fakeControl{}
	m.session.Opened(control)
	h := newHand(t, m, large, 1)
	h.rest()
	h.frame(func(in *widgets.Input) { in.Keys = []widgets.KeyPress{{Name: "C"}} })
	if !slices.Contains(control.said, "clip") {
		t.Errorf("the key does %q", control.said)
	}
	for kept, words := range map[bool]string{true: "Clip kept: the last 30 seconds. It is in the recording of this game, under Recordings.", false: "No clip: this game is not recorded. Turn on “Record every game” in the settings."} {
		m.session.Notice(notice.Clipped{Kept: kept})
		if toasts := m.Toasts; len(toasts) == 0 || toasts[len(toasts)-1].Text != words {
			t.Errorf("it says %v", toasts)
		}
	}
}
