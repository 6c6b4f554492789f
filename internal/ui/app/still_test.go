package app

import (
	"slices"
	"testing"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestLookingMovesNothing: after each change all machines look at it for a moment. The lobby
// stays as it is meanwhile: a second press of a button would miss it.
func TestLookingMovesNothing(t *testing.T) {
	m, _ := hosted(t)
	h := newHand(t, m, small, 1)
	show := func(blockers []hostroom.Blocker, problems ...string) []widgets.Target {
		ann, bob := playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", problems[1] == "")
		ann.Problem, bob.Problem = problems[0], problems[1]
		for _, p := range []*hostroom.Player{&ann, &bob} {
			if p.Problem != "" {
				p.Cause = hostroom.CauseCheck
			}
		}
		m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, ann, bob)})
		m.session.Notice(notice.Blockers{List: blockers})
		h.rest()
		return slices.Clone(h.ui.Targets())
	}
	blocked := []hostroom.Blocker{{Cause: hostroom.CauseReady, Machine: 1, Seat: 1, Words: "Bob is not ready"}}
	before := show(blocked, "", "")
	mine, bobs := hostroom.LookingWords(""), hostroom.LookingWords("Bob")
	during := show([]hostroom.Blocker{{Cause: hostroom.CauseCheck, Words: mine}, {Cause: hostroom.CauseCheck, Machine: 1, Seat: 1, Words: bobs}}, mine, bobs)
	for i, was := range before {
		if i >= len(during) || during[i].Name != was.Name || during[i].Rect != was.Rect {
			t.Errorf("%s was at %v; now there is %+v", was.Name, was.Rect, during[min(i, len(during)-1)])
		}
	}
	if !h.says("All computers are checking the change.") {
		t.Errorf("the lobby shows %q", h.texts())
	}
}
