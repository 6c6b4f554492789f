package game

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/rollback"
)

// In a game with rollback an input can be seen from when a new frame was shown for which the input's frame had run with it, or
// with a guess that was right. That is known when the frame is confirmed. It is for the meter alone.

// sight is the input with which a frame ran, as it was shown last, and since when.
type sight struct {
	frame int64
	in    inputdelay.Input
	at    time.Time
}

// seeing is what was shown of a group's frames that are not confirmed.
type seeing struct {
	sights [ds.MaxSeats][rollback.MaxDepth + 1]sight
	unseen []unseen // confirmed, and not shown yet
}

type unseen struct {
	seat  ds.Seat
	frame int64
}

// noteSeen notes that a frame is done which is shown, if it is the newest.
func (g *Game) noteSeen(gr *group) {
	if newest, _ := gr.course.Newest(gr.frame); !newest || g.meter == nil {
		return
	}
	for _, s := range gr.seats {
		n := len(s.guesses.list)
		if n == 0 {
			continue
		}
		at := s.guesses.list[n-1].at
		gr.course.Each(func(frame int64, in *rollback.Inputs) {
			seen := &gr.sights[s.number][rollback.Place(frame)]
			if seen.frame != frame || seen.in != in.Of[s.number] || seen.at.IsZero() {
				*seen = sight{frame, in.Of[s.number], at}
			}
		})
		gr.unseen = slices.DeleteFunc(gr.unseen, func(u unseen) bool {
			if u.seat == s.number {
				g.meter.Shown(u.seat, u.frame, at)
			}
			return u.seat == s.number
		})
	}
}

// meterSeen tells the meter since when the input of a frame can be seen, which is confirmed.
func (g *Game) meterSeen(gr *group, seat ds.Seat, frame int64, in inputdelay.Input) {
	if g.meter == nil {
		return
	}
	if seen := gr.sights[seat][rollback.Place(frame)]; seen.frame == frame && seen.in == in && !seen.at.IsZero() {
		g.meter.Shown(seat, frame, seen.at)
		return
	}
	gr.unseen = append(gr.unseen, unseen{seat, frame})
}
