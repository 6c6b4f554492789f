package widgets

import (
	"math/rand/v2"
	"testing"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// TestToastsFindRoom: as long as there is room somewhere, messages lie over no button and over
// nothing that is to be clear, wherever that is; and where it comes later, they move.
func TestToastsFindRoom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := newBench(t, 640, 480, 1)
		x, y := float32(random.IntN(490)), float32(random.IntN(320))
		free := draw.R(x, y, 150, 100)
		shown := false
		build := func(u *UI) {
			u.In(draw.R(8, 430, 300, 40), func() { u.Button(Button{Text: "Leave"}) })
			if all := u.Canvas().Bounds(); shown {
				u.KeepClear(draw.R(0, 0, all.W, free.Y))
				u.KeepClear(draw.R(0, free.Bottom(), all.W, all.H-free.Bottom()))
				u.KeepClear(draw.R(0, 0, free.X, all.H))
				u.KeepClear(draw.R(free.Right(), 0, all.W-free.Right(), all.H))
			}
		}
		b.ui.Toast(Normal, "The connection is back.")
		for _, shown = range []bool{false, true} {
			b.frame(build)
			if at := b.ui.toasts.list[0].at; covered(at, b.ui.toasts.clear[:len(b.ui.toasts.clear)-1]) > 0 {
				t.Fatalf("with room at %v the message is at %v", free, at)
			}
		}
	}
}

// TestToastsStay: a message does not move when texts come and go below it.
func TestToastsStay(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	lines := 0
	build := func(u *UI) {
		u.Space(360)
		for range lines {
			u.Label("a line of the chat, which comes in while the message is there")
		}
	}
	b.ui.Toast(Normal, "Saved.")
	b.frame(build)
	at := b.ui.toasts.list[0].at
	lines = 4
	b.frame(build)
	if now := b.ui.toasts.list[0].at; now != at {
		t.Errorf("the message moves from %v to %v", at, now)
	}
}

// TestToastsGiveWay: where there is room for one message, the newest is read, and lies over none.
func TestToastsGiveWay(t *testing.T) {
	b := newBench(t, 200, 90, 1)
	build := func(u *UI) { u.KeepClear(draw.R(0, 50, 200, 40)) }
	for _, text := range []string{"Your save is this one already.", "The save in other.sav is yours now."} {
		b.ui.Toast(Normal, text)
		b.frame(build)
	}
	if list := b.ui.toasts.list; len(list) != 1 || list[0].text != "The save in other.sav is yours now." {
		t.Errorf("there show %+v", list)
	}
}
