package session

import (
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/faults"

	"github.com/nettplay/nettplay/host"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// After a desync all players are told, while they play on, on whose machine the core
// computes otherwise and after which frame that showed first; or that the fault passed.
func TestDesyncIsTraced(t *testing.T) {
	core, game := pocket(t), rom(t, romstest.Pad)
	for _, tt := range []struct {
		name    string
		players int
		wrong   func(*Config)
		words   string
	}{
		{"a core that computes otherwise", 3, func(c *Config) {
			c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "159", "ram"
		}, "differs first after frame 160, in main RAM, on Carla's machine"},
		{"a passing fault", 2, func(c *Config) { c.TestConsole = faults.Fault{Frame: 155}.Console }, "what differed on Ben's machine was a passing fault"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			left(t)
			tb := newTable(t, core, game, tt.players)
			tb.settings.Frames = forever
			control := NewControl()
			for i := range tt.players {
				p := tb.sit(func(c *Config) {
					witness(t, c)
					wireless(c)
					c.MaxSpeed, c.Control = false, map[bool]*Control{true: control}[i == 0]
					// Nobody hears the radio: what goes wrong stays in one console.
					c.TestOptions["testcore_radio"], c.TestOptions["testcore_radio_stagger"] = "broadcast", "100000"
					if i == tt.players-1 {
						tt.wrong(c)
						c.TestOptions["testcore_only_mac"] = "0"
					}
				})
				if i > 0 {
					p.untilSaid("You are in seat") // seats go to who comes first
				}
			}
			for _, p := range tb.machines {
				p.untilSaid(tt.words)
			}
			control.EndGame("enough")
			sameEnds(t, 1, tb.machines...)
		})
	}
}

// What is said of another desync, of too much, or twice, is nothing.
func TestForeignReruns(t *testing.T) {
	g := emptyGame(t, 3, 0, 1, 2)
	r := newReruns(g, host.Desync{Frame: 120, Agreed: 90, Seat: 1, Machine: 2})
	s := &session{host: new(host.Host), comparison: comparison{reruns: r}}
	trace := make([]host.TraceHash, 30)
	for _, m := range []host.Rerun{
		{Round: 2, Seat: 1, From: 90, Trace: trace},
		{Round: 3, Seat: 0, From: 90, Trace: trace},
		{Round: 3, Seat: 1, From: 91, Trace: trace},
		{Round: 3, Seat: 1, From: 90, Trace: make([]host.TraceHash, 31)},
	} {
		s.takeRerun(time.Unix(1, 0), 1, m)
	}
	s.takeRerun(time.Unix(1, 0), 7, host.Rerun{Round: 3, Seat: 1, From: 90, Trace: trace}) // who never played
	if len(r.traces) > 0 {
		t.Errorf("traces of %d machines", len(r.traces))
	}
	good := host.Rerun{Round: 3, Seat: 1, From: 90, Trace: trace}
	s.takeRerun(time.Unix(1, 0), 1, good)
	other := host.Rerun{Round: 3, Seat: 1, From: 90, Trace: append(trace[:29:29], host.TraceHash{RAM: 1})}
	s.takeRerun(time.Unix(1, 0), 1, other)
	if r.compare() != "" {
		t.Error("one machine alone tells something")
	}
	s.takeRerun(time.Unix(1, 0), 0, good)
	if r.told != "" {
		t.Errorf("without the machine that differed it is said: %q", r.told)
	}
	s.takeRerun(time.Unix(1, 0), 2, other)
	if !strings.Contains(r.told, "Ben's console (seat 2) differs first after frame 120, in main RAM, on Carla's machine") {
		t.Errorf("told %q", r.told)
	}
}
