package gameview

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
)

// texts returns what is written over the consoles.
func (th *testView) texts() []draw.Written {
	th.step(nil)
	return slices.Clone(th.ui.Canvas().Texts())
}

// Where there is room beside the consoles, the figures stand there, with one to eight players
// and in windows of all usual sizes.
func TestFiguresStandBeside(t *testing.T) {
	names := []string{"Ann", "ながいなまえのひと", "WWWWWWWWWW", "Dora", "E", "F", "G", "H"}
	for _, size := range []image.Point{{640, 480}, {760, 768}, {1000, 700}, {1280, 720}, {1920, 1080}} {
		for players := 1; players <= len(names); players++ {
			th := newTestView(t, size.X, size.Y, 1)
			var consoles []Console
			for i, name := range names[:players] {
				consoles = append(consoles, Console{Seat: ds.Seat(i), Name: name})
			}
			th.Begin(consoles, []ds.Seat{0})
			th.Notice(notice.Figures{FPS: 59.8, Delay: 4, RTT: 142 * time.Millisecond, Frame: 9000, Agreed: 8990, Sent: 9000, Received: 127_000, OnAir: []ds.Seat{0, 1}})
			shown := 0
			for _, w := range th.texts() {
				if slices.Contains(names, w.Text) {
					continue
				}
				shown++
				for _, c := range append(slices.Clone(th.plan.Mine), th.plan.Others...) {
					if b := points(th.ui.Canvas(), c.Screens.Bounds()); !b.Intersect(w.Place).Empty() {
						t.Errorf("%v, %d players: %q is over seat %v", size, players, w.Text, c.Seat)
					}
				}
			}
			if shown == 0 {
				t.Errorf("%v, %d players: no figures", size, players)
			}
		}
	}
}

// A console of ours that has no picture for a while says so, until it has one.
func TestConsoleWithoutPicture(t *testing.T) {
	th := newTestView(t, 640, 480, 1)
	th.Begin(four, []ds.Seat{0})
	th.Show(1, coded(1))
	says := func() bool {
		return slices.ContainsFunc(th.texts(), func(w draw.Written) bool { return strings.HasPrefix(w.Text, "No picture yet") })
	}
	if out := th.step(nil); says() || out.Wake < 0 || out.Wake > blankFor {
		t.Errorf("at once it says so, or looks again after %v", out.Wake)
	}
	th.in.Now += blankFor
	if !says() {
		t.Error("it says nothing")
	}
	th.Show(0, coded(1))
	if says() {
		t.Error("it says so beside its picture")
	}
}

// Words about a game that stands are large, unless it stands for a moment only, and none of a
// long line of the chat is cut off.
func TestWordsAreLargeEnough(t *testing.T) {
	th := newTestView(t, 640, 480, 1)
	th.Begin(four, []ds.Seat{0})
	high := func(begin string) float32 {
		for _, w := range th.texts() {
			if strings.HasPrefix(w.Text, begin) {
				return w.Place.H
			}
		}
		t.Fatalf("%q is not to be seen", begin)
		return 0
	}
	wait := notice.Figures{FPS: 30, Waiting: []string{"Bob"}, WaitingFor: 300 * time.Millisecond}
	th.Notice(wait)
	small := high("Waiting for Bob")
	wait.WaitingFor = 3 * time.Second
	th.Notice(wait)
	if large := high("Waiting for Bob"); large < 1.5*small {
		t.Errorf("a long wait is %v high, a short one %v", large, small)
	}
	th.Notice(notice.Paused{Paused: true})
	if large := high("Paused"); large < 1.5*small {
		t.Errorf("a pause is %v high", large)
	}
	th.Notice(notice.Message{From: "Bob", Text: strings.Repeat("word ", 40) + "end"})
	whole := ""
	for _, w := range th.texts() {
		if whole += w.Text + " "; w.Cut {
			t.Errorf("%q is cut off", w.Text)
		}
	}
	if !strings.Contains(whole, "end") {
		t.Errorf("the end of a long line is not to be seen: %q", whole)
	}
}

// Each key that changes how the consoles are shown says how they are now.
func TestChangesAreSaid(t *testing.T) {
	th := newTestView(t, 640, 480, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	said := map[string]bool{}
	for _, key := range []string{"F2", "F2", "F5", "F5", "F2", "F5", "F6", "F6", "F2", "F2", "F5", "F5", "F6", "F6", "F7", "F7", "F8", "F8"} {
		th.press(key, 0)
		if th.notice.text == "" {
			t.Errorf("%s says nothing", key)
		}
		said[th.notice.text] = true
		th.notice = remark{}
	}
	if len(said) != 16 {
		t.Errorf("said: %v", fmt.Sprint(said))
	}
}
