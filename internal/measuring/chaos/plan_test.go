package chaos

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/impair"
)

// The same seed gives the same plan, another one another.
func TestSeedsGivePlans(t *testing.T) {
	seen := map[string]uint64{}
	for seed := range uint64(500) {
		p := NewPlan(seed, Options{DeSmuME: true})
		if !reflect.DeepEqual(p, NewPlan(seed, Options{DeSmuME: true})) {
			t.Fatalf("seed %d gives two plans", seed)
		}
		_, words, _ := strings.Cut(p.String(), ":")
		if other, twice := seen[words]; twice {
			t.Errorf("seeds %d and %d give the same plan", seed, other)
		}
		seen[words] = seed
	}
}

// Plans keep to what the judge takes for granted, and all kinds come up.
func TestPlansAreSound(t *testing.T) {
	count := map[Kind]int{}
	for seed := range uint64(2000) {
		for _, o := range []Options{{}, {DeSmuME: true}, {Long: true, DeSmuME: true}, {Short: true}} {
			p := NewPlan(seed, o)
			checkPlan(t, p, o)
			for _, e := range p.Events {
				count[e.Kind]++
			}
		}
	}
	for _, k := range kinds {
		if count[k.kind] < 20 && k.kind != DiskFull { // which is for simulations
			t.Errorf("%s came up %d times", k.kind, count[k.kind])
		}
	}
}

func checkPlan(t *testing.T, p Plan, o Options) {
	t.Helper()
	bad := func(what string) { t.Errorf("%s:\n%v", what, p) }
	switch {
	case p.Players < 2 || p.Players > 4 || len(p.Late) > 2 || p.Machines() > 6:
		bad("machines")
	case len(p.Lines) != p.Machines() || len(p.Presses) != p.Machines() || len(p.InFile) != p.Machines():
		bad("players")
	case p.Core == DeSmuME && (!o.DeSmuME || p.Players > 2 || p.Radio):
		bad("core")
	case p.count(repaired...) > maxRepairs:
		bad("more resyncs than a room is good for")
	case p.count(ends...) > max(1, p.Players-1) || p.count(KillHost, HostLeaves) > 1:
		bad("too many ends")
	case p.count(watching...) > 2 || p.count(Join, JoinGone, Again) != len(p.Late):
		bad("who comes")
	case p.has(Dark40) && (!o.Long || p.Wait < time.Minute):
		bad("dark for longer than anybody waits")
	case !slices.IsSortedFunc(p.Events, func(a, b Event) int { return int(a.At - b.At) }):
		bad("order")
	}
	for _, e := range p.Events {
		known := e.Machine >= 0 && e.Machine < p.Players
		switch e.Kind {
		case Join, JoinGone, Again:
			known = e.Machine >= p.Players && e.Machine < p.Machines() && (p.first(e.Machine) >= 0) == (e.Kind == Again)
		case Watch, WatchSlow, WatchGone:
			known = e.Machine >= firstSpectator && e.Machine < firstSpectator+2
		}
		if !known || e.Owner < 0 || e.Owner >= p.Players || e.At <= 0 || e.Frame > p.Frames {
			bad("event " + e.String())
		}
		if i := slices.IndexFunc(p.Events, func(o Event) bool { return o.Kind == KillPeer && o.Machine == p.first(e.Machine) }); e.Kind == Again && (i < 0 || p.Events[i].At >= e.At) {
			bad("who comes again was not killed before: " + e.String())
		}
		if e.Kind == DarkLong && (e.Length <= p.Silence || e.Length > p.Wait-backAgain) {
			bad("a connection that is opened again: " + e.String())
		}
	}
	for _, imp := range p.Lines {
		if err := imp.Validate(); err != nil {
			bad(err.Error())
		}
	}
}

// TestLate: a game without input delay on a line that gets far worse is slow, and does not
// hang (seed 80057 takes fourteen minutes).
func TestLate(t *testing.T) {
	p := Plan{Lines: []impair.Impairment{{Delay: time.Hour}, {Delay: 40 * time.Millisecond, Jitter: 10 * time.Millisecond}}}
	if late := p.late(); late != 100*time.Millisecond {
		t.Errorf("late by %v", late)
	}
	p.Events = []Event{{Kind: Worse, Machine: 1}}
	if late := p.late(); late != 340*time.Millisecond {
		t.Errorf("late by %v where a line gets worse", late)
	}
	if p.Delay = 8; p.late() >= 340*time.Millisecond-7*frameTime {
		t.Errorf("late by %v with an input delay", p.late())
	}
	if p.Events, p.Delay = nil, 8; p.late() != 0 {
		t.Errorf("late by %v, which the input delay covers", p.late())
	}
}

// Everything that can be planned can be done and told.
func TestKindsAreComplete(t *testing.T) {
	for _, k := range kinds {
		if acts[k.kind] == nil || k.words == "" || k.event == nil || k.weight < 1 {
			t.Errorf("%s: %+v", k.kind, k)
		}
	}
}

// The plan alone says what a save must hold.
func TestPressesByFrame(t *testing.T) {
	p := Plan{Delay: 4, Presses: [][]int64{{50, 60, 200}}}
	for _, tt := range []struct {
		frame       int64
		least, most int
	}{{0, 0, 0}, {54, 0, 0}, {55, 0, 1}, {61, 0, 1}, {62, 1, 1}, {65, 1, 2}, {72, 2, 2}, {1000, 3, 3}} {
		if least, most := p.pressesFrom(0, 0, tt.frame); least != tt.least || most != tt.most {
			t.Errorf("after frame %d: %d to %d presses, want %d to %d", tt.frame, least, most, tt.least, tt.most)
		}
	}
}
