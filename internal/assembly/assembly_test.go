package assembly

import (
	"maps"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/savestate"
	"github.com/nettplay/nettplay/savestate/emustate"
)

// All machines get all consoles, each from its owner, through the game host; and a resync
// sends only the console that differs, to the machine that is wrong.
func TestConsolesAreMadeAlike(t *testing.T) {
	tb := newTable(t, 3)
	first := tb.run(tb.plan())
	if len(first) != 3 || first[0].SRAM == first[1].SRAM || first[1].SRAM == first[2].SRAM {
		t.Fatalf("three consoles with saves of their own begin as %v", first)
	}
	plan := tb.plan()
	for i := range plan.Seats {
		plan.Seats[i].Machine = 1 // the donor
	}
	tb.stand(1, 2)
	if again := tb.run(plan); len(again) != 3 || maps.Equal(again, first) {
		t.Errorf("after some frames the consoles are %v", again)
	}
	for me, most := range []int{padding * 3 / 2, padding / 10, padding / 10} {
		if tb[me].sent > most {
			t.Errorf("machine %d sent %d bytes, and one state has %d", me, tb[me].sent, padding)
		}
	}
	if tb[0].sent < padding {
		t.Errorf("the machine that is wrong was sent %d bytes", tb[0].sent)
	}
	for _, m := range tb {
		m.s.Current().Close()
	}
}

// A resync goes on under another game host from the same donor. A game client does not tell
// as its own what it knows of it from the earlier game host.
func TestAnotherGameHostFinishesAResync(t *testing.T) {
	const gone, host, donor, other = 0, 1, 2, 3
	tb := newTable(t, 4)
	plan := tb.plan()
	tb.run(plan)
	tb.stand(donor, host)
	for i := range plan.Seats {
		plan.Seats[i].Machine = donor
	}
	tb.begin(plan)
	for len(tb[other].s.Current().manifests) < len(plan.Seats) {
		tb.tick()
	}
	tb[gone].gone = true
	for me, m := range tb[1:] {
		m.host = host
		for machine := range tb {
			if !m.s.Connects(machine) {
				m.s.EndExchange(machine)
			}
		}
		if me+1 == host {
			m.s.Current().Rewire([]int{host, donor, other})
		} else {
			m.s.Current().Rewire([]int{host})
		}
	}
	tb.until(func(m *machine) bool { return len(m.hashes) == len(plan.Seats) })
	tb.alike()
	for _, m := range tb {
		m.s.Current().Close()
	}
}

// Nobody waits for the console of a late joiner that is gone, and of which only an earlier game
// host had heard.
func TestTheConsoleOfALateJoinerThatIsGone(t *testing.T) {
	tb := newTable(t, 3)
	plan := tb.plan()
	tb.run(plan)
	tb.stand(0, 2)
	for i := range plan.Seats {
		plan.Seats[i].Machine = 0
	}
	late := plan.Seats[0]
	late.Seat, late.Machine, late.Firmware = 3, 3, firmware(3)
	plan.Seats = append(plan.Seats, late)
	for _, m := range tb {
		m.resync.Joins = []room.SeatPlan{late}
	}
	tb.begin(plan)
	tb[1].s.Current().StandIn(3) // only the game host may
	for range 1000 {
		tb.tick()
	}
	if len(tb[1].hashes)+len(tb[0].hashes) > 0 {
		t.Fatal("there are consoles of which nobody has heard")
	}
	tb[0].s.Current().StandIn(3)
	tb.until(func(m *machine) bool { return len(m.hashes) == len(plan.Seats) })
	if all := tb.alike(); len(all) != 4 {
		t.Errorf("there are %d consoles", len(all))
	}
	for _, m := range tb {
		m.s.Current().Close()
	}
}

// A console that is not what the room agreed on, or that comes from a machine that has no
// say in it, is refused, and nothing of it is fetched.
func TestAnotherConsoleIsRefused(t *testing.T) {
	tb := newTable(t, 3)
	good, err := emustate.Capture(1, tb[1].config(1), nil, tb[1].s.Store())
	must.Succeed(t, err)
	for _, tt := range []struct {
		words  string
		me     int // which machine hears it
		from   int
		change func(*savestate.Manifest)
	}{
		{"another clock", 0, 1, func(m *savestate.Manifest) { m.RTC++ }},
		{"another ROM", 0, 1, func(m *savestate.Manifest) { m.ROM[0]++ }},
		{"another core than", 0, 1, func(m *savestate.Manifest) { m.Core[0]++ }},
		{"another frame", 0, 1, func(m *savestate.Manifest) { m.Frame++ }},
		{"another firmware settings", 0, 1, func(m *savestate.Manifest) { m.Firmware.MAC[5]++ }},
		{"another core options", 0, 1, func(m *savestate.Manifest) { m.Options = []ds.Option{{Key: "a", Value: "b"}} }},
		{"which does not play", 0, 1, func(m *savestate.Manifest) { m.Seat = 3 }},
		{"from machine 2, which does not own it", 0, 2, func(*savestate.Manifest) {}},
		{"from machine 1, which does not own it", 2, 1, func(m *savestate.Manifest) { m.Seat, m.Firmware = 0, firmware(0) }},
	} {
		m := tb[tt.me]
		m.s.Start(m, tb.plan(), []int{0, 1, 2})
		bad := good
		tt.change(&bad)
		taken, err := m.s.HandleEvent(tt.from, savestate.ManifestReceived{Manifest: bad})
		if tt.me != 0 { // clients hear nobody but the game host
			taken, err = true, m.s.Current().Know(tt.from, bad)
		}
		if !taken || err == nil || !strings.Contains(err.Error(), tt.words) {
			t.Errorf("%s: taken %v, %v", tt.words, taken, err)
		}
		if x := m.s.Current(); len(x.waiting) > 0 || len(x.manifests) != 1 {
			t.Errorf("%s: it is waited for", tt.words)
		}
	}
}
