package game

import (
	"testing"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/mirror"
)

// A console that nobody plays any more gets the player's inputs up to some frame, and then
// nothing, for as long as the game lasts.
func TestIdleInputs(t *testing.T) {
	queue, err := inputdelay.NewQueue(0, 4)
	must.Succeed(t, err)
	g := &Game{host: 9, feed: feed{out: mirror.NewHost(), pressure: new(mirror.Pressure)}, seats: []*seat{{number: 1, owner: 1, feeding: feeding{queue: queue}, parting: parting{end: Never}}}}
	for f := int64(4); f < 50; f++ {
		must.Succeed(t, queue.Put(f, inputdelay.Input{Keys: inputdelay.KeyA}))
	}
	must.Succeed(t, g.idle(timeline.Decision{Kind: timeline.Idle, Seat: 1, Frame: 60, InputEnd: 40}))
	for f := range int64(5000) {
		in, ok := queue.At(f)
		if want := f >= 4 && f < 40; !ok || (in != inputdelay.Input{}) != want {
			t.Fatalf("frame %d: %v, %v", f, in, ok)
		}
		queue.Forget(f)
	}
	if s := g.seats[0]; !s.vacant() || s.left || s.end != Never || g.TakesPart(1) {
		t.Errorf("%+v", s)
	}
	if err := g.idle(timeline.Decision{Seat: 5}); err == nil {
		t.Error("a seat that there is not")
	}
}
