package player

import (
	"fmt"
	"testing"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/replay"
)

// A recording has each console from the frame at which its player came to the one at which
// it left, also when its log grows meanwhile.
func TestConsolesOfAFrame(t *testing.T) {
	seat := func(n ds.Seat, name string, from int64) replay.Seat {
		return replay.Seat{Plan: room.SeatPlan{Seat: n, Nickname: name}, From: from}
	}
	log := &replay.Log{Head: replay.Head{Seats: []replay.Seat{seat(0, "Ann", 0), seat(1, "Bob", 0)}}}
	p := &Player{cfg: Config{Log: log}}
	names := func(frame int64) (s string) {
		for _, c := range p.ConsolesAt(frame) {
			s += fmt.Sprintf("%d%s ", c.Seat, c.Nickname)
		}
		return s
	}
	p.know()
	if got := names(1 << 40); got != "0Ann 1Bob " {
		t.Errorf("at first there are %q", got)
	}
	log.Seats = append(log.Seats, seat(2, "Eve", 300))
	p.know()
	log.Decisions = append(log.Decisions, timeline.Decision{Kind: timeline.Pause, Frame: 100}, timeline.Decision{Kind: timeline.Leave, Seat: 1, Frame: 400}, timeline.Decision{Kind: timeline.End, Frame: 900})
	p.know()
	for frame, want := range map[int64]string{0: "0Ann 1Bob ", 299: "0Ann 1Bob ", 300: "0Ann 1Bob 2Eve ", 399: "0Ann 1Bob 2Eve ", 400: "0Ann 2Eve ", 900: "0Ann 2Eve "} {
		if got := names(frame); got != want {
			t.Errorf("at frame %d there are %q, want %q", frame, got, want)
		}
	}
	if n := len(p.Consoles()); n != 3 {
		t.Errorf("%d consoles in all", n)
	}
}
