package gameview

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// evenness is how the pictures of another console come in a simulated minute of 60 pictures of our
// own a second.
type evenness struct {
	gaps int     // a minute, of more than 25 ms between two frames of theirs
	held float64 // frames that the shown one is behind the newest, on average
	most int64   // the same, at most
}

// watch shows a console whose inputs come 50 ms late, give or take jitter, on a line that loses
// some of them for a frame. Its clock is fast by drift.
func watch(most int64, jitter time.Duration, loss, drift float64) (e evenness) {
	const minutes = 5
	frame := float64(time.Second) / ds.FrameRate
	rng := rand.New(rand.NewPCG(uint64(most), uint64(jitter)))
	var show even
	show.most = most
	newest, due := int64(-1), 0.0
	next := func() float64 { // when the next frame of the other console is there
		at := float64(newest+1)*frame*(1-drift) + float64(50*time.Millisecond) + (2*rng.Float64()-1)*float64(jitter)
		if rng.Float64() < loss {
			at += frame
		}
		return max(at, due) // in order
	}
	due = next()
	shown, since, held := int64(-1), 0.0, 0.0
	for lead := range int64(60 * 60 * minutes) {
		now := float64(lead) * frame
		for due <= now {
			newest++
			due = next()
		}
		if newest < 0 {
			continue
		}
		at := min(show.show(lead, newest), newest)
		held += float64(newest - at)
		e.most = max(e.most, newest-at)
		if at < shown {
			return evenness{gaps: math.MaxInt}
		}
		if at > shown {
			if lead > 10*60 && now-since > float64(25*time.Millisecond) {
				e.gaps++
			}
			shown, since = at, now
		}
	}
	return evenness{e.gaps / minutes, held / (60 * 60 * minutes), e.most}
}

func TestEven(t *testing.T) {
	tests := []struct {
		most        int64
		jitter      time.Duration // ms
		loss, drift float64
		least, gaps int     // a minute
		held        float64 // frames
	}{
		{0, 0, 0, 0, 0, 0, 0},
		{0, 10, 0, 0, 500, 900, 0},
		{0, 30, 0, 0, 1000, 1800, 0},
		{4, 0, 0, 0, 0, 0, 0},
		{4, 10, 0, 0, 0, 1, 1.5},
		{4, 30, 0, 0, 0, 30, 3.5},
		{6, 30, 0, 0, 0, 5, 4},
		{4, 10, 0.02, 0, 0, 30, 2.5},
		{4, 10, 0, 0.0003, 0, 5, 2.5},
		{4, 10, 0, -0.0003, 0, 5, 2.5},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d frames, %d ms, loss %v, drift %v", tt.most, int(tt.jitter), tt.loss, tt.drift), func(t *testing.T) {
			e := watch(tt.most, tt.jitter*time.Millisecond, tt.loss, tt.drift)
			t.Logf("%d gaps a minute, %.2f frames held back, %d at most", e.gaps, e.held, e.most)
			if e.gaps < tt.least || e.gaps > tt.gaps || e.held > tt.held || e.most > tt.most {
				t.Errorf("%d gaps a minute, %.2f frames held back, %d at most; want %+v", e.gaps, e.held, e.most, tt)
			}
		})
	}
}

// A console that stood, or a recording that is seen elsewhere, begins anew.
func TestEvenBeginsAnew(t *testing.T) {
	e := even{most: 4}
	for _, x := range []struct{ lead, newest, want int64 }{
		{100, 103, 103},
		{101, 104, 104},
		{102, 104, 104}, // one is late: from now on one is held back
		{103, 106, 105},
		{104, 107, 106},
		{104, 108, 106}, // another picture of the same frame of ours
		{5000, 5003, 5003},
		{40, 43, 43},
		{41, 44, 44},
		{42, 500, 500},
		{43, 2, 2},
		{44, 3, 3},
		{45, 30, 26}, // a burst: four are held back, no more
	} {
		if got := e.show(x.lead, x.newest); got != x.want {
			t.Errorf("at frame %d, with %d: %d, want %d", x.lead, x.newest, got, x.want)
		}
	}
}

// Pictures wait for the frame they are for, not more than may, and a main thread that waits for
// its display holds up no console.
func TestFeedKeepsSome(t *testing.T) {
	var f Feed
	f.SetRoom(3)
	for n := range int64(3) {
		f.Put(plain(n, byte(n)))
	}
	if p, isNew, left := f.Take(1); p.Frame != 1 || !isNew || !left {
		t.Errorf("frame %d, %v, %v", p.Frame, isNew, left)
	}
	held, _, _ := f.Take(1)
	for n := int64(3); n < 1000; n++ { // while the picture is painted
		f.Put(plain(n, byte(n)))
	}
	if held.Frame != 1 || held.Pix[0] != 1 {
		t.Errorf("frame %d was overwritten while it was shown", held.Frame)
	}
	if n := len(f.waiting); n > 4 {
		t.Errorf("%d pictures wait", n)
	}
	if p, isNew, left := f.Take(995); p.Frame != 1 || isNew || !left {
		t.Errorf("frame %d, %v, %v: 996 is the oldest that waits", p.Frame, isNew, left)
	}
	if p, _, left := f.Take(998); p.Frame != 998 || !left {
		t.Errorf("frame %d, %v", p.Frame, left)
	}
	f.Put(plain(10, 10)) // the recording stands elsewhere
	if p, _, left := f.Take(10); p.Frame != 10 || left {
		t.Errorf("frame %d, %v", p.Frame, left)
	}
	f.Put(plain(11, 10))
	if f.Newest() != 11 {
		t.Errorf("frame %d is the newest, it looks as the one before", f.Newest())
	}
}
