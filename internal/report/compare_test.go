package report

import (
	"strings"
	"testing"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// Reports of another desync, of too much, or for the second time, count for nothing.
func TestForeignReruns(t *testing.T) {
	var plan []room.SeatPlan
	for seat, name := range []string{"Anna", "Ben", "Carla"} {
		plan = append(plan, room.SeatPlan{Seat: ds.Seat(seat), Machine: seat, Nickname: name})
	}
	r := newReruns(3, plan, message.Desync{Frame: 120, Agreed: 90, Seat: 1, Machine: 2})
	trace := make([]message.TraceHash, 30)
	for _, m := range []message.Rerun{
		{Round: 2, Seat: 1, From: 90, Trace: trace},
		{Round: 3, Seat: 0, From: 90, Trace: trace},
		{Round: 3, Seat: 1, From: 91, Trace: trace},
		{Round: 3, Seat: 1, From: 90, Trace: make([]message.TraceHash, 31)},
	} {
		r.check(1, m)
	}
	r.check(7, message.Rerun{Round: 3, Seat: 1, From: 90, Trace: trace}) // who never played
	if len(r.traces) > 0 {
		t.Errorf("traces of %d machines", len(r.traces))
	}
	good := message.Rerun{Round: 3, Seat: 1, From: 90, Trace: trace}
	r.check(1, good)
	other := message.Rerun{Round: 3, Seat: 1, From: 90, Trace: append(trace[:29:29], message.TraceHash{RAM: 1})}
	r.check(1, other)
	if r.compare() != "" {
		t.Error("one machine alone tells something")
	}
	r.check(0, good)
	if r.told != "" {
		t.Errorf("without the machine that differed it is said: %q", r.told)
	}
	r.check(2, other)
	if !strings.Contains(r.told, "Ben's console (seat 2) differs first after frame 120, in main RAM, on Carla's machine") {
		t.Errorf("told %q", r.told)
	}
}
